"""The attributes of spaCy's tokens: tags, lemmas, features and dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from spacy.parts_of_speech import IDS

from senna_py.labels.universal_tags import OTHER
from senna_py.spacy.relations import gives_heads, heads_of, relations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray
    from spacy.tokens import Doc

    from senna_py.answers.document import Sentence
    from senna_py.labels.tasks import Task
    from senna_py.spacy.sentences import Answers

# The tasks that set each attribute.
TAG_TASKS = ("pos", "xpos", "upos")
POS_TASKS = ("pos", "upos")
MORPH_TASKS = ("feats",)
LEMMA_TASKS = ("lemma",)
# spaCy's tags for white-space tokens, which our tokenizers do not have.
_SPACE_TAG, _SPACE = "_SP", "SPACE"


def set_attributes(
    doc: Doc, answers: Answers, tasks: Sequence[Task], clear: bool
) -> None:
    """Set the attributes of tokens for which there are tasks.

    White space has the tags that spaCy gives it, and itself as its lemma.

    Args:
        doc: The Doc.
        answers: Its tagged sentences.
        tasks: The tasks of the tagger.
        clear: Whether relations have the names of spaCy's English models.
    """
    columns: dict[str, NDArray[np.uint64]] = {}

    def fill(
        attribute: str, texts: Iterable[str], number_of: Callable[[str], int]
    ) -> None:
        columns[attribute] = np.array([*map(number_of, texts)], np.uint64)

    def texts_of(
        values: Callable[[Sentence], Iterable[str]], of_spaces: list[str]
    ) -> list[str]:
        for words, sentence in answers:
            for i, text in zip(words, values(sentence), strict=True):
                of_spaces[i] = text
        return of_spaces

    names, n_tokens = {task.name for task in tasks}, len(doc)
    add = doc.vocab.strings.add
    if names & {*TAG_TASKS}:
        fill("TAG", texts_of(_tags, [_SPACE_TAG] * n_tokens), add)
    if names & {*POS_TASKS}:
        fill("POS", texts_of(_universal_tags, [_SPACE] * n_tokens), _number_of_tag)
    if names & {*MORPH_TASKS}:
        add_features = doc.vocab.morphology.add
        fill("MORPH", texts_of(_features, [""] * n_tokens), add_features)
    if names & {*LEMMA_TASKS}:
        fill("LEMMA", texts_of(_lemmas, [token.text for token in doc]), add)
    for task in filter(gives_heads, tasks):
        heads = heads_of(doc, answers, task)
        columns["HEAD"] = np.subtract(heads, range(n_tokens)).astype(np.uint64)
        fill("DEP", relations_of(doc, answers, task, clear), add)
    if columns and n_tokens:
        values = np.stack([*columns.values()], axis=1)
        doc.from_array([*columns], values)


def _tags(sentence: Sentence) -> list[str]:
    return [token.pos for token in sentence]


def _universal_tags(sentence: Sentence) -> list[str]:
    """Return the universal tags, and of a token of several words, that of its first."""
    tags = sentence.parts_of_speech.universal
    return [tag.partition("+")[0] for tag in tags]


def _number_of_tag(tag: str) -> int:
    """Return spaCy's number of a universal tag."""
    number: int = IDS.get(tag, IDS[OTHER])
    return number


def _features(sentence: Sentence) -> list[str]:
    features = (str(token.feats) for token in sentence)
    return ["" if each == "_" else each for each in features]


def _lemmas(sentence: Sentence) -> Sequence[str]:
    return sentence.tags["lemma"]
