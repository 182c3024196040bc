"""Features of English words by their place in the dependency tree, as data of a model.

In English treebanks, finite verbs and auxiliaries have the person and the number of their
subject (*they **did***: `Number=Plur|Person=3`), and *it* and *you* have a case. A
network often errs there, but the tree tells. The rules are learned from a treebank: the
features of words by their tags and a cue, which is the subject or the relation.

Which words have a cue, and which of their features depend on it, is written for English.
The tags are the labels of the tasks `pos` and `upos`, so a model needs both. Verbs of
other languages may also agree in gender, or with their object; this is not covered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.stored_rows import array_of_rows, rows_of_array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.integer]
    Labels = NDArray[np.int32]

# The tags, the cue, the form of auxiliaries, and the features that do not agree.
Key = tuple[str, str, str, str, str]
_AGREEING_IN_ENGLISH = "Number", "Person", "Case"
_FINITE = "VerbForm=Fin"
_SUBJECTS = "nsubj", "expl", "csubj"  # The first one has precedence.
_N_FIELDS = 6
_MIN_WORDS = 3  # the least number of words from which a rule is learned
_MIN_SHARE = 0.9  # the least share of these words that have the features of the rule


@dataclass
class TaggedWords:
    """The labels of the words of a batch.

    Attributes:
        forms: A function that returns the lower-case forms of words, given their indices.
        tag, upos, feats, relation: int32[n_words], the labels of the words. The task of
            `tag` is `pos`, and its labels are those of English treebanks.
        names: The names of the labels of these four tasks.
        head: int[n_words], the index of each word's head, or a negative number.
    """

    forms: Callable[[Ints], list[str]]
    tag: Labels
    upos: Labels
    feats: Labels
    relation: Labels
    names: tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]
    head: Ints


class Agreement:
    """The rules of agreement of an English model, which stores them as a resource.

    Attributes:
        features: For each key, the label of the features of the words that have it.
    """

    def __init__(self, features: dict[Key, str]) -> None:
        self.features = features

    @classmethod
    def learned(cls, words: TaggedWords) -> Agreement:
        """Learn rules from the words of an English treebank, and return them.

        Each key of at least three words has a rule if at least 90% of them have the
        same features.
        """
        counts: dict[Key, Counter[str]] = defaultdict(Counter)
        names = words.names[2]
        for row, key in _keys(words):
            counts[key][names[int(words.feats[row])]] += 1
        features = {}
        for key, of_key in sorted(counts.items()):
            ((best, n),) = of_key.most_common(1)
            if of_key.total() >= _MIN_WORDS and n >= _MIN_SHARE * of_key.total():
                features[key] = best
        return cls(features)

    @classmethod
    def from_array(cls, array: NDArray[np.uint8], name: str) -> Agreement:
        """Return the rules that a model stores as an array.

        Args:
            array: uint8[n_bytes], the value of the attribute `array`.
            name: The name of the array, for messages.

        Raises:
            SennaError: If the array is malformed.
        """
        rows = rows_of_array(array, name)
        if any(len(row) != _N_FIELDS for row in rows):
            raise SennaError(f"{name}: not a table of features by tags and cues")
        return cls({(a, b, c, d, e): feats for a, b, c, d, e, feats in rows})

    @property
    def array(self) -> NDArray[np.uint8]:
        """The rules as UTF-8 text, a line of fields for each: uint8[n_bytes].

        Fields are separated by tabs.
        """
        return array_of_rows((*key, feats) for key, feats in self.features.items())

    def apply(self, words: TaggedWords) -> Labels:
        """Return the labels of features, corrected by the rules: int32[n_words].

        Words that were split by mistake then get `Typo=Yes`. The result is
        `words.feats` itself if nothing changes. A rule whose features are not among the
        labels has no effect.
        """
        names = words.names[2]
        place = {name: i for i, name in enumerate(names)}
        changed = {
            row: place[feats]
            for row, key in _keys(words)
            if (feats := self.features.get(key)) in place
            and place[feats] != words.feats[row]
        }
        for row in _split_words(words):
            label = changed.get(row, int(words.feats[row]))
            typo = place.get(_with_typo(names[label]), label)
            if typo != words.feats[row]:
                changed[row] = typo
        if not changed:
            return words.feats
        labels = words.feats.copy()
        labels[[*changed]] = [*changed.values()]
        return labels


class _Facts(NamedTuple):
    """What the rules ask of the labels of universal parts of speech and features.

    Attributes:
        is_verb, is_auxiliary, is_pronoun: bool[n_upos].
        is_finite, has_case: bool[n_feats].
        numbers: The number that each label of features has, or "".
        rest: Each label of features without the features that agree.
    """

    is_verb: NDArray[np.bool_]
    is_auxiliary: NDArray[np.bool_]
    is_pronoun: NDArray[np.bool_]
    is_finite: NDArray[np.bool_]
    has_case: NDArray[np.bool_]
    numbers: list[str]
    rest: list[str]


@lru_cache(maxsize=4)
def _facts(upos: tuple[str, ...], feats: tuple[str, ...]) -> _Facts:
    """Return the facts about labels, given their names."""
    return _Facts(
        np.array([name == "VERB" for name in upos]),
        np.array([name == "AUX" for name in upos]),
        np.array([name == "PRON" for name in upos]),
        np.array([_FINITE in name for name in feats]),
        np.array(["Case=" in name for name in feats]),
        [_number(name) for name in feats],
        [_without_agreeing(name) for name in feats],
    )


def _keys(words: TaggedWords) -> Iterator[tuple[int, Key]]:
    """Yield the index and the key of each word that has a cue.

    These are finite verbs and auxiliaries that have a subject, and pronouns that have a
    case.
    """
    _, upos, feats, relations = words.names
    bases = [name.partition(":")[0] for name in relations]
    facts = _facts(tuple(upos), tuple(feats))
    is_verb, is_auxiliary = facts.is_verb[words.upos], facts.is_auxiliary[words.upos]
    subject = _subjects(words, bases, is_verb)
    is_finite = facts.is_finite[words.feats]
    rows = np.flatnonzero((is_verb | is_auxiliary) & is_finite & (subject >= 0))
    cues = _subject_cues(words, subject[rows], bases, facts.numbers)
    forms = [
        form if of_auxiliary else ""
        for form, of_auxiliary in zip(
            words.forms(rows), is_auxiliary[rows].tolist(), strict=True
        )
    ]
    yield from _keys_of_rows(words, rows, cues, forms, facts.rest)
    is_pronoun = facts.is_pronoun[words.upos]
    rows = np.flatnonzero(is_pronoun & facts.has_case[words.feats])
    cues = [f"={bases[label]}" for label in words.relation[rows].tolist()]
    yield from _keys_of_rows(words, rows, cues, words.forms(rows), facts.rest)


def _keys_of_rows(
    words: TaggedWords, rows: Ints, cues: list[str], forms: list[str], rest: list[str]
) -> Iterator[tuple[int, Key]]:
    """Yield the index and the key of each of some words, given its cue and its form.

    `rest` is each label of features without the features that agree.
    """
    tags, upos, _, _ = words.names
    labels = (label[rows].tolist() for label in (words.tag, words.upos, words.feats))
    columns = zip(rows.tolist(), *labels, cues, forms, strict=True)
    for row, tag, part, feats, cue, form in columns:
        yield row, (tags[tag], upos[part], cue, form, rest[feats])


def _split_words(words: TaggedWords) -> list[int]:
    """Return the indices of the words that have another part (`goeswith`)."""
    relations = words.names[3]
    is_part = np.array([name == "goeswith" for name in relations])[words.relation]
    heads = words.head[is_part]
    rows: list[int] = np.unique(heads[heads >= 0]).tolist()
    return rows


def _with_typo(feats: str) -> str:
    return "|".join(sorted({*feats.split("|"), "Typo=Yes"} - {"_"}, key=str.lower))


def _subjects(
    words: TaggedWords, bases: Sequence[str], is_verb: NDArray[np.bool_]
) -> Ints:
    """Return the subject of each word, or -1: int64[n_words].

    An auxiliary, a copula or a coordinated verb without a subject has the subject that
    depends on its head. This is one step only: a subject that the head itself takes from
    its own head is not passed on.
    """
    n_words = len(words.head)
    subject = np.full(n_words, -1)
    for relation in reversed(_SUBJECTS):
        is_subject = np.array([base == relation for base in bases])[words.relation]
        rows = np.flatnonzero(is_subject & (words.head >= 0))[::-1]
        subject[words.head[rows]] = rows
    below = np.array([base in ("aux", "cop") for base in bases])[words.relation]
    below |= is_verb & np.array([base == "conj" for base in bases])[words.relation]
    lacks = np.flatnonzero(below & (subject < 0) & (words.head >= 0))
    of_heads = subject[words.head[lacks]]
    subject[lacks] = of_heads
    return subject


def _subject_cues(
    words: TaggedWords, subjects: Ints, bases: Sequence[str], numbers: list[str]
) -> list[str]:
    """Return the cue of each subject.

    The cue of a pronoun or determiner is its form, that of other words their part of
    speech and number. Coordinated and clausal subjects have cues of their own.

    Args:
        words: The words.
        subjects: int[n], the indices of the subjects.
        bases: The relations without their subtypes.
        numbers: The number that each label of features has, or "".
    """
    _, upos, _, _ = words.names
    is_conjunct = np.array([base == "conj" for base in bases])[words.relation]
    is_coordinated = np.zeros(len(words.head), bool)
    heads = words.head[is_conjunct]
    is_coordinated[heads[heads >= 0]] = True
    labels = (
        label[subjects].tolist()
        for label in (words.upos, words.feats, words.relation, is_coordinated)
    )
    cues = []
    for form, tag, feats, relation, coordinated in zip(
        words.forms(subjects), *labels, strict=True
    ):
        cue = form if upos[tag] in ("PRON", "DET") else upos[tag] + numbers[feats]
        if coordinated:
            cue = "+"
        if bases[relation] == "csubj":
            cue = "csubj"
        cues.append(cue)
    return cues


def _number(feats: str) -> str:
    pairs = (pair.partition("=") for pair in feats.split("|"))
    return next((value for name, _, value in pairs if name == "Number"), "")


def _without_agreeing(feats: str) -> str:
    pairs = feats.split("|")
    return "|".join(
        pair for pair in pairs if pair.split("=")[0] not in _AGREEING_IN_ENGLISH
    )
