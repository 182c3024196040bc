"""Read and write the files of all types of language models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.io.file_errors import prefix_errors, report_os_errors
from senna_py.io.files import AnyPath
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import COMPRESSED, Source
from senna_py.lm.arrays import Arrays
from senna_py.lm.language_model import FILE_NAME, FORMAT, VERSION, LanguageModel
from senna_py.lm.lstm.model import LstmModel, read_lstm
from senna_py.lm.mixture import MixtureModel, read_mixture
from senna_py.lm.ngram.arpa import open_arpa
from senna_py.lm.ngram.arpa_file import write_arpa
from senna_py.lm.ngram.backoff import BackoffModel, read_backoff
from senna_py.lm.ngram.classes import ClassModel, read_class_model
from senna_py.lm.ngram.interpolated import InterpolatedModel, read_interpolated
from senna_py.lm.nplm.model import NeuralModel, read_neural
from senna_py.lm.word_list import WordList
from senna_py.models.checkpoint import CHECKPOINT, read_arrays
from senna_py.models.embedding_formats.word2vec import FASTTEXT
from senna_py.models.tensors import check_format, read_tensors

_HEAD = 1 << 12
# The functions that make models from a word list and from the metadata, the arrays and
# the info of a file, for each `kind` except mixtures.
_READERS: dict[str, Callable[..., LanguageModel]] = {
    BackoffModel.kind: read_backoff,
    ClassModel.kind: read_class_model,
    InterpolatedModel.kind: read_interpolated,
    LstmModel.kind: read_lstm,
    NeuralModel.kind: read_neural,
}


def open_model(path: AnyPath, mixtures: bool = True) -> LanguageModel:
    """Open a language model.

    Args:
        path: The path of a file or of the directory of a training run, or `-` for an
            ARPA file on standard input.
        mixtures: Whether the model may be a mixture. A part of a mixture must not be
            one, because it could contain itself.

    Raises:
        SennaError: If the file cannot be read or is not a language model. The message
            names the file and, if possible, the line or the array.
    """
    if str(path) != "-" and Path(path).is_dir():
        path = _model_of_run(Path(path))
    _check_no_fasttext(path)
    if _is_arpa(path):
        model = open_arpa(path)
        model.name = str(path)
        return model
    fields, tensors = read_tensors(path)
    with prefix_errors(path):
        check_format(fields, "a language model", FORMAT, VERSION)
        if fields.get("kind") == MixtureModel.kind and not mixtures:
            raise SennaError("a mixture within a mixture")
        try:
            return _read(path, fields, tensors)
        except KeyError as error:
            raise SennaError(f"{error} is missing") from None


def _model_of_run(directory: Path) -> Path:
    path = directory / FILE_NAME
    if path.exists():
        return path
    checkpoint = directory / CHECKPOINT
    if checkpoint.exists() and read_arrays(checkpoint, ("words",))[1]:
        raise SennaError(
            f"{directory}: a run of `senna-py vectors train`, which makes word vectors, "
            "not a language model: see `senna-py vectors neighbors`"
        )
    raise SennaError(f"{directory}: not a language model: it has no {FILE_NAME}")


def _check_no_fasttext(path: AnyPath) -> None:
    """Raise SennaError if a file is a model of fastText."""
    if str(path) != "-" and Path(path).is_file():
        with report_os_errors(path), open(path, "rb") as file:
            if file.read(4) == FASTTEXT:
                raise SennaError(
                    f"{path}: a fastText model: it has vectors, not probabilities"
                )


def files_of(*models: LanguageModel) -> list[str]:
    """Return the paths of the models' files, including the parts of mixtures."""
    return [
        path for model in models for path in (model.name, *getattr(model, "paths", ()))
    ]


def _read(
    path: AnyPath, fields: Mapping[str, str], tensors: Mapping[str, np.ndarray]
) -> LanguageModel:
    """Create a language model from the metadata and the arrays of its file.

    Raises:
        KeyError: If a field or an array is missing.
        SennaError: If a field or an array is not valid. The message does not name the
            file.
    """
    try:
        info = parse_json(fields.get("info", ""))
    except ValueError as error:
        raise SennaError(f"info: not JSON: {error}") from None
    if not isinstance(info, dict):
        raise SennaError("info: not a JSON object")
    kind = fields.get("kind")
    reader = _READERS.get(kind or "")
    arrays = Arrays(tensors)
    model: LanguageModel
    if kind == MixtureModel.kind:
        open_part = partial(open_model, mixtures=False)
        model = read_mixture(fields, arrays, info, path, open_part)
    elif reader is not None:
        word_list = WordList.from_arrays(arrays, fields)
        model = reader(word_list, fields, arrays, info)
    else:
        raise SennaError(f"unknown kind of language model: {kind!r}")
    arrays.check_all_taken()
    model.name = str(path)
    return model


def _is_arpa(path: AnyPath) -> bool:
    """Return whether a model is in the ARPA format.

    This is decided by the suffix of the path and by the ninth byte, which is `{` in the
    tensor format. Standard input is always ARPA.
    """
    if str(path) == "-" or _sounds_like_arpa(path):
        return True
    with report_os_errors(path), open(path, "rb") as file:
        return file.read(9)[8:] != b"{"


def _sounds_like_arpa(path: AnyPath) -> bool:
    return Path(path).suffix.lower() in (".arpa", *COMPRESSED)


def is_arpa(path: AnyPath) -> bool:
    """Return whether a path ends in `.arpa`, ignoring a compression suffix."""
    path = Path(path)
    stem = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return stem.suffix.lower() == ".arpa"


def check_target(path: AnyPath, arpa: bool = False, kind: str | None = None) -> None:
    """Check that a model may be written to a path.

    An existing file may only be overwritten if it is empty or a language model.

    Args:
        path: The path.
        arpa: Whether the model will be in the ARPA format. Some suffixes are reserved
            for this format.
        kind: The `kind` of the model that may be overwritten, or None for any model,
            including ARPA files.

    Raises:
        SennaError: If the file cannot be read or contains anything else, or if the path
            is a directory.
        UsageError: If the suffix is reserved.
    """
    if not arpa and _sounds_like_arpa(path):
        raise UsageError(f"{path}: this name is reserved for ARPA files")
    if not (Path(path).is_file() or Path(path).is_dir()):
        return  # the path does not exist, or it is a pipe or a device
    with Source(str(path), None) as source:
        head = source.read(_HEAD)
    if not head or (kind is None and b"\\data\\" in head):
        return
    fields: dict[str, str] = {}
    with suppress(SennaError):
        if head[8:9] == b"{":
            fields, _ = read_tensors(path)
    if fields.get("format") != FORMAT or kind not in (None, fields.get("kind")):
        expected = f"{kind} model" if kind else "language model"
        raise SennaError(f"{path}: exists and is not a {expected}: not overwritten")


def write_model(
    path: AnyPath, model: LanguageModel, arpa: bool, half: bool = False
) -> None:
    """Write a language model to a file atomically.

    Args:
        path: The path of the file.
        model: The model.
        arpa: Whether to write the ARPA format.
        half: Whether to store the parameters of a network as float16.

    Raises:
        SennaError: If the file cannot be written or the format cannot represent the
            model.
        UsageError: If `half` is true, but the model has no network or `arpa` is true.
    """
    if half and (arpa or model.kind not in (LstmModel.kind, NeuralModel.kind)):
        raise UsageError(
            "--half is for models of `train nplm`, `char`, `word` and `morph` in the lm format"
        )
    if half:
        model.write(path, half=True)
    elif not arpa:
        model.write(path)
    elif isinstance(model, BackoffModel):
        write_arpa(path, model)
    else:
        raise SennaError(
            f"{path}: the ARPA format cannot hold a model of the kind {model.kind}"
        )
