"""The choice of universal and language-specific parts of speech among several tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from senna_py.labels.tasks import POS, UPOS, XPOS
from senna_py.labels.universal_tags import OTHER, universal_tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# The tasks from which universal parts of speech are taken or converted, in order of
# preference.
UNIVERSAL = UPOS, POS
# The tasks from which language-specific parts of speech are taken, in order of
# preference.
SPECIFIC = XPOS, POS
# The tasks whose tags are shown below words in pictures, in order of preference.
_SHOWN = UPOS, POS, XPOS
_NONE = "_"


class PartsOfSpeech(NamedTuple):
    """The universal and the language-specific tags of the tokens of a sentence."""

    universal: Sequence[str]
    specific: Sequence[str]


def parts_of_speech(
    words: Iterable[str], n_words: int, tags: Mapping[str, Sequence[str]]
) -> PartsOfSpeech:
    """Return the parts of speech of the words of a sentence.

    If no task predicts universal tags, they are converted from Penn Treebank tags; if
    there are none either, they are X. Missing language-specific tags are `_`.

    Args:
        words: The words of the sentence, which are iterated over at most once.
        n_words: The number of words.
        tags: The tags of the sentence by task.
    """
    specific = _first_of(SPECIFIC, tags)
    specific_tags = [_NONE] * n_words if specific is None else tags[specific]
    universal = _first_of(UNIVERSAL, tags)
    if universal is None:
        return PartsOfSpeech([OTHER] * n_words, specific_tags)
    if universal == UPOS:
        return PartsOfSpeech(tags[universal], specific_tags)
    made = [*map(universal_tag, tags[universal], words)]
    return PartsOfSpeech(made, specific_tags)


def shown_tags(tags: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the tags below words in pictures; empty if there are none."""
    task = _first_of(_SHOWN, tags)
    return () if task is None else tags[task]


def _first_of(tasks: Iterable[str], known: Iterable[str]) -> str | None:
    return next((task for task in tasks if task in known), None)
