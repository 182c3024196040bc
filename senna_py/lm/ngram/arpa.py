"""Conversion of ARPA files to back-off models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.files import AnyPath
from senna_py.kernels.lm.ngrams import backoff_scores
from senna_py.lm.ngram.arpa_file import Section, read_arpa
from senna_py.lm.ngram.backoff import BackoffModel
from senna_py.lm.ngram.counts import make_trie
from senna_py.lm.word_list import BEGIN, END, UNKNOWN, WordList

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The log10 probability of `<unk>` if a file lacks it, as in KenLM.
_MISSING_UNKNOWN = -100.0
# A log10 probability of `</s>` that is not above this means that `</s>` is never
# predicted, because the training text had no sentence marks.
_LEAST = -90.0


def open_arpa(path: AnyPath) -> BackoffModel:
    """Read a back-off model from an ARPA file (see `arpa_file.read_arpa`).

    If the file lacks `<unk>`, unknown words have a log10 probability of -100. The file
    must have the marks `<s>` and `</s>`. If `</s>` is never predicted, the model has no
    sentence marks; marks that no n-gram uses are then left out. If the file lacks the
    context of an n-gram, because it was pruned, the context is added with its back-off
    probability.

    Raises:
        SennaError: If the file is not valid. The message names the file and, in most
            cases, the line.
    """
    encoded, sections = read_arpa(path)
    while len(sections) > 1 and not len(sections[-1].prob):
        sections.pop()
    words = [word.decode("utf-8", "surrogateescape") for word in encoded]
    _check_marks(words, path)
    words, sections = _without_marks(words, sections)
    prob, backoff = sections[0].prob, sections[0].backoff
    if UNKNOWN not in words:
        words.append(UNKNOWN)
        prob = np.append(prob, np.float32(_MISSING_UNKNOWN))
        backoff = np.append(backoff, np.float32(0))
    marks = END in words and prob[words.index(END)] > _LEAST
    levels = [_Level(np.arange(len(words)), len(words), prob, backoff)]
    for section in sections[1:]:
        levels.append(_add_level(levels, section, len(words), path))
    trie, starts = make_trie(levels)
    zero = np.zeros(1, np.float32)
    prob = np.concatenate([zero, *(level.prob for level in levels)])
    backoff = np.concatenate([zero, *(level.backoff for level in levels[:-1])])
    word_list = WordList(words, path, marks)
    model = BackoffModel(word_list, trie, starts, prob, backoff, {"made of": "ARPA"})
    _fill_added(model)
    return model


def _check_marks(words: list[str], path: AnyPath) -> None:
    """Raise SennaError unless the words include `<s>` and `</s>`, as in KenLM."""
    missing = [mark for mark in (BEGIN, END) if mark not in words]
    if not missing:
        return
    problem = f"the 1-grams have no {' and no '.join(missing)}"
    if near := [word for word in words if word.lower() in missing]:
        problem += f", but {' and '.join(near)}"
    raise SennaError(
        f"{path}: {problem}; a model of one stream has both, with the log10 "
        "probability -99"
    )


def _without_marks(
    words: list[str], sections: list[Section]
) -> tuple[list[str], list[Section]]:
    """Return words and sections, without sentence marks if these are not used.

    Marks are used if the log10 probability of one is above _LEAST, or if one occurs in
    an n-gram above order 1.
    """
    marks = [place for place, word in enumerate(words) if word in (BEGIN, END)]
    used = any(np.isin(section.words, marks).any() for section in sections[1:])
    if used or (sections[0].prob[marks] > _LEAST).any():
        return words, sections
    place = np.cumsum(~np.isin(np.arange(len(words)), marks)).astype(np.int32) - 1
    singles = (np.delete(array, marks, 0) for array in vars(sections[0]).values())
    sections = [Section(*singles), *sections[1:]]
    for section in sections:
        section.words = place[section.words]
    return [word for word in words if word not in (BEGIN, END)], sections


class _Level:
    """The n-grams of one order, sorted by `key`.

    Attributes:
        key: int64[n], context * n_words + word.
        prob: float32[n], the log10 probability, or NaN for an n-gram that was added.
        backoff: float32[n], the log10 back-off weight.
        context: int64[n], the index in the level below of the n-gram without its last
            word.
        word: int64[n], the index of the last word.
    """

    def __init__(
        self,
        key: NDArray[np.int64],
        n_words: int,
        prob: NDArray[np.float32],
        backoff: NDArray[np.float32],
    ) -> None:
        self.key = key
        self.prob = prob
        self.backoff = backoff
        self.context, self.word = np.divmod(key, n_words)

    def find(self, key: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of each key, or -1 if the level lacks it: int64[m]."""
        if not len(self.key):
            return np.full(len(key), -1)
        at = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[at] == key, at, -1)


def _add_level(
    levels: list[_Level], section: Section, n_words: int, path: AnyPath
) -> _Level:
    """Return the level of a section, after adding missing contexts to `levels`.

    Raises:
        SennaError: If an n-gram occurs twice.
    """
    context = _ensure(levels, section.words[:, :-1], n_words)
    key = context * n_words + section.words[:, -1]
    order = np.argsort(key, kind="stable")
    key = key[order]
    if (same := np.flatnonzero(key[1:] == key[:-1])).size:
        line = section.line[order[same[0] + 1]]
        raise SennaError(
            f"{path}: line {line}: the same {section.words.shape[1]}-gram as in line "
            f"{section.line[order[same[0]]]}"
        )
    return _Level(key, n_words, section.prob[order], section.backoff[order])


def _ensure(
    levels: list[_Level], rows: NDArray[np.int32], n_words: int
) -> NDArray[np.int64]:
    """Return the index of each n-gram in its level, after adding missing n-grams.

    Args:
        levels: The levels, to which n-grams are added.
        rows: int32[n, order], the words of the n-grams.
        n_words: The number of words.

    Returns:
        The indices: int64[n].
    """
    order = rows.shape[1]
    places = _walk(levels, rows, n_words)
    if (places >= 0).all():
        return places
    missing = np.unique(rows[places < 0], axis=0)
    context = _ensure(levels, missing[:, :-1], n_words)
    new = np.sort(context * n_words + missing[:, -1])
    level = levels[order - 1]
    places = np.searchsorted(level.key, new)
    levels[order - 1] = _Level(
        np.insert(level.key, places, new),
        n_words,
        np.insert(level.prob, places, np.float32(np.nan)),
        np.insert(level.backoff, places, np.float32(0)),
    )
    if order < len(levels):  # the insertions change the contexts of the next level
        above = levels[order]
        moved = above.context + np.searchsorted(places, above.context, "right")
        levels[order] = _Level(
            moved * n_words + above.word, n_words, above.prob, above.backoff
        )
    return _walk(levels, rows, n_words)


def _walk(
    levels: list[_Level], rows: NDArray[np.int32], n_words: int
) -> NDArray[np.int64]:
    places = rows[:, 0].astype(np.int64)
    for level, word in zip(levels[1:], rows.T[1:], strict=False):
        places = np.where(places >= 0, level.find(places * n_words + word), -1)
    return places


def _fill_added(model: BackoffModel) -> None:
    """Compute the probabilities of added n-grams, which are still NaN, by backing off."""
    added = np.flatnonzero(np.isnan(model.prob))
    parent = np.repeat(np.arange(len(model.trie.begin) - 1), np.diff(model.trie.begin))
    context = np.empty(model.order, np.int64)
    # Shorter n-grams come first, so the n-grams to which a node backs off are complete.
    for node in added.tolist():
        words: list[int] = []
        at = node
        while at:
            words.append(model.trie.word[at])
            at = parent[at - 1]
        out = np.empty(1)
        ids = np.array(words[-2::-1], np.int32)  # without the first word
        backoff_scores(
            model.trie,
            model.prob,
            model.backoff,
            ids,
            np.int64(-1),
            len(ids) - 1,
            context,
            out,
        )
        model.prob[node] = model.backoff[parent[node - 1]] + out[0]
