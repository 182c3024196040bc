"""Scores of chunks, with the counts of conlleval (CoNLL-2000 and CoNLL-2003 shared tasks)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import eq
from typing import TYPE_CHECKING

from senna_py.evaluation.counts import NO_LABEL, Counts, counts_by_label, percentage
from senna_py.evaluation.tokens import same_length
from senna_py.labels.tag_schemes import segments, strict_segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from senna_py.labels.tag_schemes import Segment

    Tags = Sequence[str]

__all__ = ["ChunkScores", "score_chunks", "strict_encodings"]


@dataclass(frozen=True)
class ChunkScores:
    """Counts of tokens, of the chunks of each type, {type: Counts}, and of mistakes.

    confusions: {(gold type, predicted type): n} of chunks with the same tokens; where nothing has
    the same tokens, the other type is counts.NO_LABEL.
    """

    n_tokens: int
    n_correct_tokens: int
    labels: dict[str, Counts]
    confusions: Counter[tuple[str, str]]

    @property
    def accuracy(self) -> float:
        """Percentage of the tokens that have their gold tag, O included."""
        return percentage(self.n_correct_tokens, self.n_tokens)

    @property
    def overall(self) -> Counts:
        """Counts of the chunks of all types."""
        return sum(self.labels.values(), Counts())


def score_chunks(
    sentences: Iterable[tuple[Tags, Tags]], raw: bool = False, strict: tuple[str, str] | None = None
) -> ChunkScores:
    """ChunkScores of sentences, pairs (gold, predicted) of sequences of one tag a token.

    Tags are read by `tag_schemes.segments`: IOB1, IOB2, IOE1, IOE2 and IOBES alike, and what is
    none of them as O. A chunk is correct if one with its type and its tokens was predicted. With
    `raw`, every token is a chunk whose type is its tag, except O (conlleval -r). strict: encodings
    of the gold and the predicted tags, such as `iob2` or `iobes`: a chunk whose tags are not what
    its encoding has is none (seqeval's strict mode).
    """
    of_gold, of_predicted = strict or (None, None)
    n_tokens = n_correct = 0
    gold: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    confusions: Counter[tuple[str, str]] = Counter()
    for k, (gold_tags, predicted_tags) in enumerate(sentences, 1):
        same_length(k, gold_tags, predicted_tags)
        n_tokens += len(gold_tags)
        n_correct += sum(map(eq, gold_tags, predicted_tags))
        gold_at = {(begin, end): kind for kind, begin, end in _chunks(gold_tags, raw, of_gold)}
        predicted_at = {
            (begin, end): kind for kind, begin, end in _chunks(predicted_tags, raw, of_predicted)
        }
        gold.update(gold_at.values())
        predicted.update(predicted_at.values())
        for place, kind in gold_at.items():
            other = predicted_at.get(place, NO_LABEL)
            if other == kind:
                correct[kind] += 1
            else:
                confusions[kind, other] += 1
        for place in predicted_at.keys() - gold_at.keys():
            confusions[NO_LABEL, predicted_at[place]] += 1
    labels = counts_by_label(gold, predicted, correct)
    return ChunkScores(n_tokens, n_correct, labels, confusions)


def strict_encodings(sentences: Iterable[tuple[Tags, Tags]]) -> tuple[str, str]:
    """Encodings of gold and predicted tags: `iobes` if E or S is there or in gold, else `iob2`."""
    gold, predicted = (
        any(tag[:2] in ("E-", "S-") for tags in column for tag in tags)
        for column in zip(*sentences, strict=True)
    )
    return ("iob2", "iobes")[gold], ("iob2", "iobes")[gold or predicted]


def _chunks(tags: Tags, raw: bool, encoding: str | None) -> list[Segment]:
    if raw:
        return [(tag, i, i + 1) for i, tag in enumerate(tags) if tag != "O"]
    return segments(tags) if encoding is None else strict_segments(tags, encoding)
