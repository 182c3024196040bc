"""Labels of running text: their format, and columns of them for senna-train.

python recipes/en/teacher/labels.py LABELS OUT

LABELS is a directory that label.py wrote; see "On a GPU" in recipes/README.md. OUT gets
files NNNN.tsv of 10,000 sentences each. Their columns are words; soft labels of pos,
chk, ner, pt0, vbs and upos; labels of val; soft labels of psg; heads, relations and the
probability of both; marks of predicates; and soft roles.
"""

import json
import lzma
import re
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from senna_py.cli.scripts import run_script

# Of words, in the order of the columns.
TASKS = (
    "pos",
    "chk",
    "ner",
    "pt0",
    "vbs",
    "upos",
)
BLOCK = 10_000  # sentences
# Parts in which shares are counted, the latter of spans and roles.
OF_WORDS, OF_OTHERS = (
    50,
    25,
)
_REST = 0.03  # probability of O, from which on it is told
_CURRENCIES = {"$", "€", "£", "¥", "US$", "A$", "C$", "Rs.", "Rs", "USD", "EUR", "GBP"}
_TIME = re.compile(r"\d\d?:\d\d|\d\d?([:.]\d\d)?[ap]\.?m\.?", re.IGNORECASE)
_PERCENT = ("%",), ("percent",), ("per", "cent")


class Labels:
    """A directory of labels: compressed arrays by name, whose types are in index.json."""

    def __init__(self, path):
        """Take the path of the directory."""
        self.path, self.index = (
            Path(path),
            json.loads((Path(path) / "index.json").read_text()),
        )
        text = lzma.decompress((self.path / "sentences.txt.xz").read_bytes()).decode()
        self.sentences = [line.split(" ") for line in text.rstrip("\n").split("\n")]

    def __getitem__(self, name):
        """Read an array."""
        if name not in self.index["arrays"]:
            sys.exit(f"{self.path}: no array {name}")
        data = lzma.decompress((self.path / f"{name}.xz").read_bytes())
        return np.frombuffer(data, self.index["arrays"][name][0])

    @classmethod
    def new(cls, path, sentences, labels):
        """Make a directory of sentences, lists of str, with the labels {task: list of
        str}.
        """
        path.mkdir(parents=True, exist_ok=True)
        text = "".join(" ".join(words) + "\n" for words in sentences)
        (path / "sentences.txt.xz").write_bytes(lzma.compress(text.encode()))
        index = {
            "labels": labels,
            "arrays": {},
            "sentences": len(sentences),
            "words": sum(map(len, sentences)),
        }
        (path / "index.json").write_text(json.dumps(index))
        return cls(path)

    def add(self, arrays):
        """Write arrays {name: int[n]}.

        Arrays whose names end with `gap` have increasing numbers and are stored as differences.
        """
        for name, array in arrays.items():
            told = np.diff(array, prepend=0) if name.endswith("gap") else array
            told = told.astype(np.min_scalar_type(told.max(initial=0)))
            (self.path / f"{name}.xz").write_bytes(lzma.compress(told.tobytes()))
            self.index["arrays"][name] = told.dtype.str, len(told)
        (self.path / "index.json").write_text(json.dumps(self.index))


def cell_of(shares):
    """Return the cell of a soft label {label: probability}, the most probable first."""
    ordered = sorted(shares.items(), key=lambda pair: -pair[1])
    return ",".join(f"{label}:{share:.4g}" for label, share in ordered) or "-"


def with_rest(shares, label):
    """Add a label that gets the rest of the probability, however small."""
    rest = 1 - sum(shares.values())
    return shares | {label: rest} if rest >= _REST or not shares else shares


def mended_values(words, tags):
    """Return tags of values in which frequent errors of the teacher are mended.

    A currency sign before an amount belongs to it, and percentages are no amounts of
    money. Numbers after # are no money, either. Times such as 09:30 and 2am are no
    other numbers. Marks without letters and digits are no values.

    Args:
        words: The words of a sentence.
        tags: Their tags in IOBES.
    """
    tags, begin = list(tags), 0
    for i, tag in enumerate(tags):
        if tag[0] in "BS":
            begin = i
        if tag[0] not in "ES":
            continue
        label, here = tag[2:], [word.lower() for word in words[begin : i + 1]]
        before = words[begin - 1] if begin and tags[begin - 1] == "O" else ""
        if tag[0] == "S" and not any(map(str.isalnum, words[i])):
            tags[i] = "O"
            continue
        if label == "MONEY" and any(tuple(here[-len(x) :]) == x for x in _PERCENT):
            label = "PERCENT"
        elif label == "MONEY" and before == "#":
            label = "CARDINAL"
        elif label in ("CARDINAL", "QUANTITY") and _TIME.fullmatch(words[i]):
            label = "TIME" if tag[0] == "S" else label
        elif label == "MONEY" and before in _CURRENCIES:
            begin -= 1
        size = i + 1 - begin
        inside = [f"I-{label}"] * (size - 2)
        tags[begin : i + 1] = (
            [f"S-{label}"] if size == 1 else [f"B-{label}", *inside, f"E-{label}"]
        )
    return tags


class Columns:
    """Cells of the words of a directory of labels."""

    def __init__(self, labels):
        """Take the Labels."""
        self._names = labels.index["labels"]
        self._arrays = {name: labels[name] for name in labels.index["arrays"]}
        for name, array in self._arrays.items():
            if name.endswith("gap"):
                self._arrays[name] = np.cumsum(array, dtype=np.int64)

    def _rows(self, gap, names, begin, end):
        """Return the rows of arrays whose numbers in `gap` are from begin to end.

        The numbers then count from 0.
        """
        at = self._arrays[gap]
        rows = slice(*np.searchsorted(at, (begin, end)))
        told = (self._arrays[name][rows].tolist() for name in names)
        return zip((at[rows] - begin).tolist(), *told, strict=True)

    def words(self, task, begin, end):
        """Return a cell for each word from begin to end."""
        names, shares = self._names[task], [{} for _ in range(begin, end)]
        of = f"{task}.other", f"{task}.other.share"
        for word, label, share in self._rows(f"{task}.other.gap", of, begin, end):
            shares[word][names[label]] = share / OF_WORDS
        best = self._arrays[f"{task}.best"][begin:end].tolist()
        return [
            cell_of(with_rest(its, names[k]))
            for its, k in zip(shares, best, strict=True)
        ]

    def values(self, words, begin, end):
        """Return a cell of `val` for each word; only one label is known.

        Args:
            words: The words of each sentence.
            begin: The index of the first word.
            end: The index after the last word.
        """
        tags = [
            self._names["val"][k] for k in self._arrays["val.best"][begin:end].tolist()
        ]
        found, at = [], 0
        for sentence in words:
            found += mended_values(sentence, tags[at : at + len(sentence)])
            at += len(sentence)
        return found

    def arcs(self, begin, end):
        """Return cells of each word's head, its relation, and the probability of both."""
        head, relation, share = (
            self._arrays[f"dep.{name}"][begin:end].tolist()
            for name in ("head", "relation", "share")
        )
        names = self._names["rel"]
        return (
            [*map(str, head)],
            [names[k] for k in relation],
            [f"{k / OF_OTHERS:g}" for k in share],
        )

    def spans(self, begin, end):
        """Return a cell for each word: the constituents that begin there, as in
        NP/2:0.92.
        """
        names, spans = (
            self._names["psg"],
            [defaultdict(dict) for _ in range(begin, end)],
        )
        of = "psg.words", "psg", "psg.share"
        for word, length, label, share in self._rows("psg.gap", of, begin, end):
            spans[word][length][names[label]] = share / OF_OTHERS
        return [
            cell_of(
                {
                    f"{label}/{length}": share
                    / max(1, sum(shares.values()))  # rounded, it may be more
                    for length, shares in its.items()
                    for label, share in shares.items()
                }
            )
            for its in spans
        ]

    def roles(self, begin, end):
        """Return soft roles {predicate: {word of its sentence: {label: probability}}}."""
        names, place = self._names["srl"], self._arrays["srl.predicate.gap"]
        first, last = np.searchsorted(place, (begin, end))
        place = (place[first:last] - begin).tolist()
        found = {word: defaultdict(dict) for word in place}
        of = "srl.word", "srl", "srl.share"
        for predicate, word, label, share in self._rows("srl.gap", of, first, last):
            found[place[predicate]][word][names[label]] = share / OF_OTHERS
        return found


def main(path, out):
    """Write the files."""
    labels, out, begin = Labels(path), Path(out), 0
    out.mkdir(parents=True, exist_ok=True)
    columns = Columns(labels)
    for first in range(0, len(labels.sentences), BLOCK):
        sentences, rows, at = labels.sentences[first : first + BLOCK], [], 0
        end = begin + sum(map(len, sentences))
        cells = [
            *(columns.words(task, begin, end) for task in TASKS),
            columns.values(sentences, begin, end),
        ]
        cells += columns.spans(begin, end), *columns.arcs(begin, end)
        roles = columns.roles(begin, end)
        for words in sentences:
            mine = [roles[k] for k in range(at, at + len(words)) if k in roles]
            for k, word in enumerate(words):
                its = (cell_of(with_rest(shares.get(k, {}), "O")) for shares in mine)
                mark = word if at + k in roles else "-"
                rows.append(
                    "\t".join([word, *(c[at + k] for c in cells), mark, *its]) + "\n"
                )
            rows.append("\n")
            at += len(words)
        begin = end
        (out / f"{first // BLOCK:04}.tsv").write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    run_script(main, __doc__)
