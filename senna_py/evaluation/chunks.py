"""Score chunks like conlleval (CoNLL-2000 and CoNLL-2003 shared tasks)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import eq

from senna_py.evaluation.counts import Pairs
from senna_py.evaluation.tokens import TokenScores, check_lengths
from senna_py.labels.tag_schemes import Segment, segments, strict_segments

Tags = Sequence[str]


def score_chunks(
    sentences: Iterable[tuple[Tags, Tags]],
    raw: bool = False,
    strict: tuple[str, str] | None = None,
) -> TokenScores:
    """Score chunks, such as phrases or named entities.

    A chunk is correct if a chunk of the same type with the same tokens was predicted.
    `labels` counts chunks by type, and `confusions` pairs chunks with the same tokens.
    Tags may be in IOB1, IOB2, IOE1, IOE2 or IOBES; any other tag counts as O (see
    `tag_schemes.segments`). The accuracy covers all tags, including O.

    Args:
        sentences: The gold and the predicted tags of each sentence.
        raw: Whether each token with a tag other than O is a chunk, whose type is the
            tag (conlleval -r).
        strict: The encodings of the gold and the predicted tags, such as `iob2` or
            `iobes`. A chunk counts only if its tags are exactly what its encoding
            requires (seqeval's strict mode).

    Raises:
        SennaError: If a sentence has different numbers of gold and predicted tags.
    """
    gold_encoding, predicted_encoding = strict or (None, None)
    pairs: Pairs = Counter()
    n_tokens = n_correct = 0
    for number, (gold_tags, predicted_tags) in enumerate(sentences, 1):
        check_lengths(number, gold_tags, predicted_tags)
        n_tokens += len(gold_tags)
        n_correct += sum(map(eq, gold_tags, predicted_tags))
        gold = _types_by_tokens(gold_tags, raw, gold_encoding)
        predicted = _types_by_tokens(predicted_tags, raw, predicted_encoding)
        for tokens in gold.keys() | predicted.keys():
            pairs[gold.get(tokens), predicted.get(tokens)] += 1
    return TokenScores(pairs, n_tokens, n_correct)


def strict_encodings(sentences: Iterable[tuple[Tags, Tags]]) -> tuple[str, str]:
    """Return the encodings of gold and predicted tags, for a strict comparison.

    The encoding is `iobes` if any tag begins with E or S, and otherwise `iob2`. If the
    encoding of the gold tags is `iobes`, the encoding of the predicted tags is `iobes`,
    too.

    Args:
        sentences: The gold and the predicted tags of each sentence. There must be at
            least one sentence.
    """
    gold, predicted = (
        any(tag[:2] in ("E-", "S-") for tags in column for tag in tags)
        for column in zip(*sentences, strict=True)
    )
    if gold:
        return "iobes", "iobes"
    return "iob2", "iobes" if predicted else "iob2"


def _types_by_tokens(
    tags: Tags, raw: bool, encoding: str | None
) -> dict[tuple[int, int], str]:
    """Return the chunks of a sentence as {(begin, end): type}."""
    chunks: list[Segment]
    if raw:
        chunks = [(tag, i, i + 1) for i, tag in enumerate(tags) if tag != "O"]
    elif encoding is None:
        chunks = segments(tags)
    else:
        chunks = strict_segments(tags, encoding)
    return {(begin, end): name for name, begin, end in chunks}
