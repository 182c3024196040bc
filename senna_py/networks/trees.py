"""Trees of a batch, as networks find them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from senna_py.kernels.decoding.chart import heights_of_spans, write_levels

__all__ = ["Spans", "Trees", "join_trees", "trees_of_levels", "trees_of_spans"]


@dataclass
class Trees:
    """The trees of a batch: sentence s has the levels `begin[s]:begin[s + 1]`, innermost first.

    labels: int32[n_rows], the label of each word on each level, a level's words in a row; those
    of sentence s start at `rows[s]`: int64[n_sentences + 1]. begin: int32[n_sentences + 1].
    whole: bool[n_sentences], whether the top level is one constituent over the sentence.
    """

    labels: np.ndarray
    rows: np.ndarray
    begin: np.ndarray
    whole: np.ndarray


class Spans(NamedTuple):
    """Constituents of a batch, in the order of kernels.decoding.chart, none crossing another.

    begin, end: int32[n], the first word of each and the one after its last, counted among all words
    of the batch; label: int32[n], the number of its type, from 0 on.
    """

    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray


def trees_of_spans(spans, starts):
    """Trees of Spans, among them one over each sentence that has words; starts: of sentences."""
    n_sentences, lengths = len(starts) - 1, np.diff(starts).astype(np.int64)
    first = np.searchsorted(spans.begin, starts).astype(np.int64)
    height, n_levels = np.empty(len(spans.begin), np.int32), np.empty(n_sentences, np.int64)
    heights_of_spans(spans.begin, spans.end, first, height, n_levels)
    rows = np.append(0, np.cumsum(n_levels * lengths))
    labels = np.zeros(rows[-1], np.int32)
    write_levels(*spans, height, first, starts, rows, labels)
    begin = np.append(0, np.cumsum(n_levels)).astype(np.int32)
    return Trees(labels, rows, begin, lengths > 0)


def trees_of_levels(levels, lengths, whole):
    """Trees from lists of (sentences, their lengths, their labels in a row), one per level."""
    n_levels = np.zeros(len(lengths), np.int64)
    for sentences, _, _ in levels:
        n_levels[sentences] += 1
    rows = np.append(0, np.cumsum(n_levels * lengths))
    labels = np.empty(rows[-1], np.int32)
    for level, (sentences, level_lengths, level_labels) in enumerate(levels):
        first = rows[sentences] + level * level_lengths
        ends = np.cumsum(level_lengths)
        within = np.arange(len(level_labels)) - np.repeat(ends - level_lengths, level_lengths)
        labels[np.repeat(first, level_lengths) + within] = level_labels
    return Trees(labels, rows, np.append(0, np.cumsum(n_levels)).astype(np.int32), whole)


def join_trees(parts):
    """One Trees of several: those of no sentence, too."""
    labels = [np.empty(0, np.int32), *(part.labels for part in parts)]
    n_rows = np.concatenate([np.empty(0, np.int64), *(np.diff(part.rows) for part in parts)])
    n_levels = np.concatenate([np.empty(0, np.int64), *(np.diff(part.begin) for part in parts)])
    return Trees(
        np.concatenate(labels), np.append(0, np.cumsum(n_rows)),
        np.append(0, np.cumsum(n_levels)).astype(np.int32),
        np.concatenate([np.empty(0, bool), *(part.whole for part in parts)]),
    )  # fmt: skip
