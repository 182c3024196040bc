"""Scores of chunks, with the counts of conlleval (CoNLL-2000 and CoNLL-2003 shared
tasks).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import eq

from senna_py.evaluation.counts import Pairs
from senna_py.evaluation.tokens import TokenScores, same_length
from senna_py.labels.tag_schemes import Segment, segments, strict_segments

Tags = Sequence[str]


def score_chunks(
    sentences: Iterable[tuple[Tags, Tags]],
    raw: bool = False,
    strict: tuple[str, str] | None = None,
) -> TokenScores:
    """Scores of chunks of sentences, pairs (gold, predicted) of sequences of one tag a
    token.

    Labels are types of chunks, and mistakes are of chunks with the same tokens. Counts
    of tokens are of all, O included. Tags are read by `tag_schemes.segments`: IOB1,
    IOB2, IOE1, IOE2 and IOBES alike, and what is none of them as O. A chunk is correct
    if one with its type and its tokens was predicted. With `raw`, every token is a
    chunk whose type is its tag, except O (conlleval -r). strict: encodings of the gold
    and the predicted tags, such as `iob2` or `iobes`: a chunk whose tags are not what
    its encoding has is none (seqeval's strict mode).
    """
    of_gold, of_predicted = strict or (None, None)
    pairs: Pairs = Counter()
    n_tokens = n_correct = 0
    for k, (gold_tags, predicted_tags) in enumerate(sentences, 1):
        same_length(k, gold_tags, predicted_tags)
        n_tokens += len(gold_tags)
        n_correct += sum(map(eq, gold_tags, predicted_tags))
        gold_at = {
            (begin, end): kind for kind, begin, end in _chunks(gold_tags, raw, of_gold)
        }
        predicted_at = {
            (begin, end): kind
            for kind, begin, end in _chunks(predicted_tags, raw, of_predicted)
        }
        for place in gold_at.keys() | predicted_at.keys():
            pairs[gold_at.get(place), predicted_at.get(place)] += 1
    return TokenScores(pairs, n_tokens, n_correct)


def strict_encodings(sentences: Iterable[tuple[Tags, Tags]]) -> tuple[str, str]:
    """Encodings of gold and predicted tags: `iobes` if E or S is there or in gold, else
    `iob2`.
    """
    gold, predicted = (
        any(tag[:2] in ("E-", "S-") for tags in column for tag in tags)
        for column in zip(*sentences, strict=True)
    )
    return ("iob2", "iobes")[gold], ("iob2", "iobes")[gold or predicted]


def _chunks(tags: Tags, raw: bool, encoding: str | None) -> list[Segment]:
    if raw:
        return [(tag, i, i + 1) for i, tag in enumerate(tags) if tag != "O"]
    return segments(tags) if encoding is None else strict_segments(tags, encoding)
