"""Running text as it was written: numbers of words whose case and digits are kept, on disk.

A corpus of forms is a directory: `forms.tsv` (word and count, in the order in which they came),
`train.i32` and `valid.i32` (little-endian int32 numbers of forms, LINE_END after each sentence),
and `forms.json` (the files, and how much of the two is theirs).
"""

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.locks import lock_directory
from senna_py.io.nesting import parse_json
from senna_py.io.numbers import int_of
from senna_py.io.overwriting import no_inputs, reads_all, writes
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.counts import WordCounts
from senna_py.lm.text.prepared import map_indices, move_into, writing
from senna_py.lm.text.raw import text_files, tokenise_files

__all__ = ["FormCorpus", "forms_of", "open_forms"]

_INFO, _FORMS, _PARTS = "forms.json", "forms.tsv", ("train", "valid")


@dataclass
class FormCorpus:
    """A corpus of forms.

    path: its directory; forms: list of str; counts: int64[n_forms]; train, valid: int32[n], mapped
    from the disk; info: dict, as in `forms.json`: `files`, a list of path, bytes, and how many
    numbers of train and of valid came from it.
    """

    path: Path
    forms: list
    counts: np.ndarray
    train: np.ndarray
    valid: np.ndarray
    info: dict

    def sentences(self, part, shortest, longest):
        """Sentences of `train` or `valid` with so many words: begin, length, and file of each.

        longest: None for any length. Returns int64[n], int32[n] and int32[n].
        """
        text = getattr(self, part)
        end = np.flatnonzero(text == LINE_END)
        begin = np.append(0, end[:-1] + 1)[: len(end)]
        length = (end - begin).astype(np.int32)
        kept = length >= shortest
        if longest is not None:
            kept &= length <= longest
        sizes = [row[2 + _PARTS.index(part)] for row in self.info["files"]]
        file = np.searchsorted(np.cumsum(sizes), begin, side="right").astype(np.int32)
        return begin[kept], length[kept], file[kept]

    def file_counts(self):
        """Yield how often each form occurs in the training text of each file: int64[n_forms]."""
        begin = 0
        for _, _, n, _ in self.info["files"]:
            text = self.train[begin : begin + n]
            yield np.bincount(text[text != LINE_END], minlength=len(self.forms))
            begin += n


def forms_of(paths, directory, processes=None, report=None, tokenized=False):
    """The FormCorpus of text files, or directories of them, which is made unless it is there.

    report: called with a line of str now and then; tokenized: see `tokenise_files`. Raises
    SennaError for unreadable or empty input.
    """
    files, directory = text_files(paths), Path(directory)
    source = [[str(file.resolve()), file.stat().st_size] for file in files]
    if (directory / _INFO).is_file():
        with no_inputs():  # it may be replaced
            corpus = open_forms(directory)
        same = corpus.info.get("tokenized", False) == tokenized
        if same and [row[:2] for row in corpus.info["files"]] == source:
            return corpus
    report = report or (lambda line: None)
    with writing(directory), lock_directory(directory, report):
        names = (*(f"{part}.i32" for part in _PARTS), _FORMS, _INFO)
        for name in names:
            writes(directory / name)
        with TemporaryDirectory(prefix="forms-", dir=directory) as name:
            info = _write(files, source, Path(name), processes, report, tokenized)
            (Path(name) / _INFO).write_text(json.dumps(info, indent=1) + "\n", "utf-8")
            move_into(directory, Path(name), names)
    return open_forms(directory)


def _write(files, source, scratch, processes, report, tokenized):
    """Write all but `forms.json`, whose contents are returned."""
    text, rows = WordCounts(), []
    with open(scratch / "train.i32", "wb") as train, open(scratch / "valid.i32", "wb") as valid:
        for file, row in zip(files, source, strict=True):
            n = [0, 0]
            for words, numbers, held_out in tokenise_files([file], processes, False, tokenized):
                counted = text.add(words, numbers).astype("<i4")
                for k, (out, part) in enumerate(((train, ~held_out), (valid, held_out))):
                    n[k] += int(part.sum())
                    out.write(counted[part].tobytes())
                report(f"{file}: {text.total:,} words in all, {len(text):,} different")
            rows.append([*row, *n])
    if not text.total:
        raise SennaError(f"{files[0]}: no word in this file or those after it")
    pairs = zip(text.words(), text.counts().tolist(), strict=True)
    lines = "".join(f"{word}\t{count}\n" for word, count in pairs)
    (scratch / _FORMS).write_bytes(lines.encode("utf-8", "surrogateescape"))
    return {"files": rows, "tokenized": tokenized}


def open_forms(directory):
    """FormCorpus at `directory`; raises SennaError naming the file that is missing or damaged."""
    path = Path(directory)
    reads_all(path)
    try:
        info = parse_json((path / _INFO).read_text("utf-8"))
        lines = (path / _FORMS).read_bytes().decode("utf-8", "surrogateescape").split("\n")[:-1]
        rows = [line.rpartition("\t") for line in lines]
        counts = np.array([int_of(row[2]) for row in rows])
        sizes = [sum(row[k] for row in info["files"]) for k in (2, 3)]
        parts = [
            map_indices(path / f"{part}.i32", n) for part, n in zip(_PARTS, sizes, strict=True)
        ]
    except OSError as error:
        raise SennaError(f"{error.filename or path}: {error.strerror or error}") from None
    except (ValueError, LookupError, TypeError) as error:
        raise SennaError(f"{path}: not a corpus of forms: {error}") from None
    return FormCorpus(path, [row[0] for row in rows], counts, *parts, info)
