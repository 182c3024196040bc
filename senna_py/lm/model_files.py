"""Files of language models: opening a model of any kind, checking a target, writing."""

from functools import partial
from pathlib import Path

from senna_py.errors import SennaError, UsageError
from senna_py.io.file_errors import prefix_errors, report_os_errors
from senna_py.io.files import AnyPath
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import COMPRESSED, Source
from senna_py.lm.arrays import Arrays
from senna_py.lm.language_model import FILE_NAME, FORMAT, VERSION
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
# Of each kind but mixtures: makes the model of a WordList, a file's metadata, its
# Arrays and what it says of how it was made.
_READERS = {
    BackoffModel.kind: read_backoff,
    ClassModel.kind: read_class_model,
    InterpolatedModel.kind: read_interpolated,
    LstmModel.kind: read_lstm,
    NeuralModel.kind: read_neural,
}


def open_model(path, mixtures=True):
    """LanguageModel of a file, or of a training run's directory; `-` is an ARPA file on
    stdin.

    mixtures: whether it may be a mixture; not within one, which could contain itself.
    Raises SennaError naming file and place if it is not a language model.
    """
    if str(path) != "-" and Path(path).is_dir():
        directory, path = path, Path(path) / FILE_NAME
        if not path.exists():
            run = path.with_name(CHECKPOINT)
            raise SennaError(
                f"{directory}: a run of `senna-py vectors train`, which makes vectors and no "
                "language model: see `senna-py vectors neighbors`"
                if run.exists() and read_arrays(run, ("words",))[1]
                else f"{directory}: no language model: it has no {FILE_NAME}"
            )
    _check_no_fasttext(path)
    if _is_arpa(path):
        model = open_arpa(path)
        model.name = str(path)
        return model
    found, tensors = read_tensors(path)
    with prefix_errors(path):
        check_format(found, "a language model", FORMAT, VERSION)
        if found.get("kind") == MixtureModel.kind and not mixtures:
            raise SennaError("a mixture within a mixture")
        try:
            return _read(path, found, tensors)
        except KeyError as error:
            raise SennaError(f"{error} is missing") from None


def _check_no_fasttext(path: AnyPath) -> None:
    """Raise SennaError for a model of fastText, which is no language model."""
    if str(path) != "-" and Path(path).is_file():
        with report_os_errors(path), open(path, "rb") as file:
            if file.read(4) == FASTTEXT:
                raise SennaError(
                    f"{path}: a fastText model: it has vectors, no probabilities"
                )


def files_of(*models):
    """The files of models that `open_model` gave, those of the parts of mixtures among
    them.
    """
    return [
        path for model in models for path in (model.name, *getattr(model, "paths", ()))
    ]


def _read(path, found, tensors):
    """LanguageModel of metadata and arrays; raises SennaError, not naming the file, or
    KeyError.
    """
    try:
        info = parse_json(found.get("info", ""))
    except ValueError as error:
        raise SennaError(f"info: not JSON: {error}") from None
    if not isinstance(info, dict):
        raise SennaError("info: not a JSON object")
    kind, arrays = found.get("kind"), Arrays(tensors)
    if kind == MixtureModel.kind:
        model = read_mixture(
            found, arrays, info, path, partial(open_model, mixtures=False)
        )
    elif kind in _READERS:
        model = _READERS[kind](WordList.from_arrays(arrays, found), found, arrays, info)
    else:
        raise SennaError(f"a language model of the kind {kind!r} is not known")
    arrays.check_all_taken()
    model.name = str(path)
    return model


def _is_arpa(path):
    """Tell text from tensors, whose header has `{` as its ninth byte."""
    if str(path) == "-" or _sounds_like_arpa(path):
        return True
    with report_os_errors(path), open(path, "rb") as file:
        return file.read(9)[8:] != b"{"


def _sounds_like_arpa(path):
    return Path(path).suffix.lower() in (".arpa", *COMPRESSED)


def is_arpa(path):
    """Tell if a file's name asks for the ARPA format."""
    path = Path(path)
    stem = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return stem.suffix.lower() == ".arpa"


def check_target(path, arpa=False, kind=None):
    """Raise SennaError unless a model may be written to `path`.

    arpa: whether in the ARPA format, whose file names are reserved for it. An existing
    file must be a language model, of `kind` if given: nothing else is overwritten.
    """
    if not arpa and _sounds_like_arpa(path):
        raise UsageError(f"{path}: a name of ARPA files, which this model will not be")
    if not (Path(path).is_file() or Path(path).is_dir()):
        return  # nothing there, or a pipe or a device
    with Source(str(path), None) as source:
        head = source.read(_HEAD)
    if not head or (kind is None and b"\\data\\" in head):
        return
    try:
        found = read_tensors(path)[0] if head[8:9] == b"{" else {}
    except SennaError:
        found = {}
    if found.get("format") != FORMAT or kind not in (None, found.get("kind")):
        what = f"no {kind or 'language model'}"
        raise SennaError(f"{path}: is there already and is {what}: not overwritten")


def write_model(path, model, arpa, half=False):
    """Write a LanguageModel in one step, in the ARPA format if `arpa`.

    half: with weights as float16, which networks can have. Raises SennaError if the
    file cannot be written or the format cannot hold the model, UsageError for `half`
    with a model of another kind.
    """
    if half and (arpa or model.kind not in (LstmModel.kind, NeuralModel.kind)):
        raise UsageError(
            "--half is for models of `train nplm`, `char`, `word` and `morph` as lm"
        )
    if half:
        model.write(path, half=True)
    elif not arpa:
        model.write(path)
    elif model.kind == BackoffModel.kind:
        write_arpa(path, model)
    else:
        raise SennaError(
            f"{path}: the ARPA format cannot hold a model of the kind {model.kind}"
        )
