"""What a pattern is matched with: the words, sentences and layers of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.labels.tasks import ARCS, FEATS, POS, XPOS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer

    Ints = NDArray[np.int32]

WORD = ""  # The task of the attribute `word`.
_WORD_NAMES = ("word", "text")
_OTHER_NAMES = {"deprel": ARCS}
# What to write instead of names that other programs have for attributes.
ADVICE = {
    "tag": "the tags are pos and upos",
    "form": "the attribute is word",
    "token": "the attribute is word",
    "lc": 'write word="..."%c to ignore case',
    "lemma_lc": 'write lemma="..."%c to ignore case',
    "lempos": "write lemma and upos",
    "ent_type": "the attribute is ner",
    "relation": "the attribute is dep",
    "head": 'a relation such as <nsubj leads to the head, and a root has dep="root"',
}
# Tasks of which one is read if there is no layer of the other.
_EQUIVALENT = {POS: XPOS, XPOS: POS}


class Attribute(NamedTuple):
    """An attribute of words: the labels of a task, or one feature of these.

    Attributes:
        task: The task, or WORD.
        feature: The name of a feature such as `Number`, or an empty string.
    """

    task: str
    feature: str = ""


def attribute_named(name: str, known: Collection[str]) -> Attribute:
    """Return the attribute with the name that a pattern uses.

    Args:
        name: The name.
        known: The tasks whose layers there are. The task of the result need not be
            among them.
    """
    if name in known:
        return Attribute(name)
    if name in _WORD_NAMES:
        return Attribute(WORD)
    task, _, feature = name.partition(".")
    task = _OTHER_NAMES.get(task, task)
    if task not in known and _EQUIVALENT.get(task) in known:
        task = _EQUIVALENT[task]
    # Names of features begin with a capital letter, such as Number.
    if not feature and name[0].isupper():
        return Attribute(FEATS, name)
    return Attribute(task, feature)


class Column(NamedTuple):
    """A value for each token.

    Attributes:
        names: The distinct values.
        label: int32[n_tokens], the value of each token, as an index of `names`.
    """

    names: Sequence[str]
    label: Ints

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> Column:
        """Return the column of values."""
        numbers: dict[str, int] = {}
        label = [numbers.setdefault(text, len(numbers)) for text in texts]
        return cls(tuple(numbers), np.array(label, np.int32))


class Table(NamedTuple):
    """A batch that is searched.

    Attributes:
        starts: int32[n_sentences + 1], the first token of each sentence, and the number
            of tokens.
        words: The form of each token.
        layers: The layers by task.
    """

    starts: Ints
    words: Column
    layers: Mapping[str, Layer]

    @property
    def n_tokens(self) -> int:
        """The number of tokens."""
        return len(self.words.label)
