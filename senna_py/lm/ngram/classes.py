"""Class-based n-grams: P(w | h) = P(w | c(w)) P(c(w) | classes of h) (Brown et al.
1992).
"""

from itertools import chain

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.class_files import read_word_classes
from senna_py.lm.language_model import NO_WORDS, ROUNDING, LanguageModel
from senna_py.lm.ngram.backoff import read_backoff
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.word_list import BEGIN, END, SPECIAL, UNKNOWN, WordList

# Added to each word's count, so that words which do not occur have a probability in
# their class.
_ADDED = 0.5
_CHOICES = 2.0 ** np.arange(-6, 10.5, 0.5)  # of which validation text has one chosen


class ClassModel(LanguageModel):
    """A back-off model of classes, and the probability of each word in its class.

    classes: BackoffModel, whose words are the names of classes; class_of:
    int32[n_words]; share: float32[n_words], log10 of P(w | c(w)); info: a dict.
    """

    kind, title = "classes", "class-based n-grams"

    def __init__(self, word_list, classes, class_of, share, info):
        self.word_list, self.classes, self.info = word_list, classes, info
        self.class_of, self.share = class_of, share
        self.order = classes.order

    def log10_probabilities(self, ids, before=NO_WORDS):
        out = self.classes.log10_probabilities(
            self.class_of[ids], self.class_of[before]
        )
        out += self.share[ids]
        out[ids == self.word_list.begin] = 0
        return out

    def describe(self):
        rows = super().describe()
        rows.insert(3, ("classes", f"{len(self.classes.word_list):,}"))
        return rows

    def facts(self):
        return [(f"{grams} of classes", n) for grams, n in self.classes.facts()]

    def tensors(self):
        return {
            "class_of": self.class_of,
            "share": self.share,
            "classes": self.classes.word_list.to_array(),
            **self.classes.tensors(),
        }


def read_classes(path):
    """Classes by word, a dict of bytes, of a file of `vectors cluster`; raises
    SennaError.
    """
    found = {}
    for number, (name, word, _) in enumerate(read_word_classes(path), 1):
        key = word.encode("utf-8", "surrogateescape")
        if key in found:
            raise SennaError(f"{path}: line {number:,}: {word!r} had a class before")
        if name in SPECIAL:
            raise SennaError(
                f"{path}: line {number:,}: a class cannot be called {name}"
            )
        found[key] = name.encode("utf-8", "surrogateescape")
    if not found:
        raise SennaError(f"{path}: no classes in this file")
    return found


def train_class_model(ids, held_out, order, word_list, classes, note=None):
    """ClassModel of the stream `ids`: int32[n] of `word_list`, with n-grams of classes
    to `order`.

    held_out: int32[m], a stream that decides what is added to each word's count; 0.5 if
    it is empty. classes: a dict as `read_classes` gives. Words without a class share
    that of `<unk>`; `<s>` and `</s>` are classes of their own. note: called with lines
    of str.
    """
    class_list, class_of = _assign(word_list, classes)
    model = train_kneser_ney(class_of[ids], order, class_list, note)
    count = np.bincount(ids, minlength=len(word_list))
    added, share = _ADDED, _shares(count, class_of, _ADDED)
    if len(held_out):
        found = [_shares(count, class_of, choice) for choice in _CHOICES]
        best = int(np.argmax([each[held_out].sum() for each in found]))
        added, share = float(_CHOICES[best]), found[best]
    special = {name.encode() for name in SPECIAL}
    missing = len(word_list.index.keys() - classes.keys() - special)
    if note and missing > 0:
        note(
            f"{missing:,} of {len(word_list):,} words have no class: they share that of <unk>"
        )
    info = model.info | {"added to counts of words": round(added, 4)}
    return ClassModel(word_list, model, class_of, share, info)


def _shares(count, class_of, added):
    """log10 of P(w | c(w)): float32[n_words]."""
    total = np.bincount(class_of, count + added)
    return np.log10((count + added) / total[class_of]).astype(np.float32)


def _assign(word_list, classes):
    """WordList of the classes that have words, and the class of each word:
    int32[n_words].

    The class of `<unk>` is called `<unk>`, whatever its path.
    """
    marks = (
        {mark.encode(): mark.encode() for mark in (BEGIN, END)}
        if word_list.marks
        else {}
    )
    unknown = classes.get(UNKNOWN.encode())
    names = [
        marks.get(word) or classes.get(word, unknown) or UNKNOWN.encode()
        for word in word_list.index
    ]
    names = [UNKNOWN.encode() if name == unknown else name for name in names]
    special = SPECIAL[: 1 + 2 * word_list.marks]
    others = sorted(set(names) - {name.encode() for name in special})
    ordered = chain(
        special, (name.decode("utf-8", "surrogateescape") for name in others)
    )
    class_list = WordList(list(ordered), "classes", word_list.marks)
    return class_list, class_list.indices(names)


def read_class_model(word_list, found, arrays, info):
    """ClassModel of a file; see `model_files.open_model`."""
    class_list = WordList.from_arrays(arrays, found, "classes")
    classes = read_backoff(class_list, found, arrays, {})
    class_of = arrays.take("class_of", np.int32, (len(word_list),))
    share = arrays.take_within("share", (len(word_list),), -np.inf, ROUNDING)
    if class_of.min() < 0 or class_of.max() >= len(class_list):
        raise SennaError("class_of: a word of a class that there is not")
    marked = class_of == class_list.begin
    if word_list.marks and (marked.sum() != 1 or not marked[word_list.begin]):
        raise SennaError("class_of: <s> shares its class")
    return ClassModel(word_list, classes, class_of, share, info)
