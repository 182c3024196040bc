"""Universal and language-specific parts of speech, from the tags of several tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from senna_py.labels.tasks import POS, UPOS, XPOS
from senna_py.labels.universal_tags import OTHER, universal_tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Tasks whose tags are universal parts of speech, or become such; the best comes first.
UNIVERSAL = UPOS, POS
# Tasks whose tags are parts of speech of the language.
SPECIFIC = XPOS, POS
# The tasks of the tag that stands below a word where there is room for one.
_SHOWN = UPOS, POS, XPOS
_NONE = "_"


class PartsOfSpeech(NamedTuple):
    """Tags of the tokens of a sentence: universal ones, and those of the language."""

    universal: Sequence[str]
    specific: Sequence[str]


def parts_of_speech(
    words: Iterable[str], n_words: int, tags: Mapping[str, Sequence[str]]
) -> PartsOfSpeech:
    """Return the parts of speech of words; without a task for them, placeholders.

    Without a task for universal tags, they are made from the tags of the Penn Treebank.

    Args:
        words: The words of a sentence, which may be read once, or never.
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
    """Return the tags that stand below words in pictures; none without such a task."""
    task = _first_of(_SHOWN, tags)
    return () if task is None else tags[task]


def _first_of(tasks: Iterable[str], known: Iterable[str]) -> str | None:
    return next((task for task in tasks if task in known), None)
