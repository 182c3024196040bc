"""Tag schemes for segments: IOBES, which networks predict, and the schemes of files."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from senna_py.errors import UsageError

Segment = tuple[str, int, int]  # the type, and the range [begin, end) of tokens
SCHEMES = ("iobes", "iob", "brackets")
ENCODINGS = ("iob1", "iob2", "ioe1", "ioe2", "iobes")
UNTYPED = "SEG"  # the type of a tag that is only a prefix
_PREFIXES = {"L": "E", "U": "S", "M": "I", "W": "S"}  # of BILOU, BMES and BMEWO
_IOB = {"E": "I", "S": "B"}
_BRACKETS = {"B": "({}*", "I": "*", "E": "*)", "S": "({}*)"}


@lru_cache(maxsize=4096)  # A corpus has few distinct tags.
def _split(tag: str) -> tuple[str, str | None]:
    """Split a tag into prefix and type: (`B`, `NP`) for `B-NP`, or (`O`, None)."""
    prefix, _, segment_type = tag.partition("-")
    if segment_type and prefix in ("B", "I", "E", "S"):
        return prefix, segment_type
    return "O", None


@lru_cache(maxsize=4096)
def read_tag(tag: str) -> str:
    """Return a tag from a file with its prefix mapped to a prefix of ENCODINGS.

    For example, `L-x` of BILOU becomes `E-x`, and `M-x` of BMES becomes `I-x`. A tag
    that is only a prefix is of the type UNTYPED. Any other tag is returned unchanged.
    """
    prefix, dash, segment_type = tag.partition("-")
    prefix = _PREFIXES.get(prefix, prefix)
    if not dash and prefix in ("B", "I", "E", "S"):
        return f"{prefix}-{UNTYPED}"
    return f"{prefix}-{segment_type}" if dash else tag


def convert(tag: str, scheme: str) -> str:
    """Return an IOBES tag in another scheme.

    Args:
        tag: The tag. Anything other than an IOBES tag is returned unchanged.
        scheme: One of SCHEMES. For `iob`, `E-x` becomes `I-x` and `S-x` becomes `B-x`.
            For `brackets`, the tags of segments become `(x*`, `*`, `*)` and `(x*)`, and
            `O` becomes `*`.
    """
    prefix, segment_type = _split(tag)
    if scheme == "iob" and segment_type is not None:
        return f"{_IOB.get(prefix, prefix)}-{segment_type}"
    if scheme == "brackets" and (segment_type is not None or tag == "O"):
        return _BRACKETS.get(prefix, "*").format(segment_type)
    return tag


def segments(tags: Sequence[str]) -> list[Segment]:
    """Return the segments of a sequence of tags in any of the ENCODINGS.

    Like conlleval, this accepts any sequence: a segment also begins where the type
    changes or no segment is open, and ends before a tag that does not continue it.
    """
    result: list[Segment] = []
    begin, open_type = 0, None
    for i, tag in enumerate(tags):
        prefix, segment_type = _split(tag)
        if open_type is not None and (
            segment_type != open_type or prefix in ("B", "S")
        ):
            result.append((open_type, begin, i))
            open_type = None
        if segment_type is None:
            continue
        if open_type is None:
            begin, open_type = i, segment_type
        if prefix in ("E", "S"):
            result.append((segment_type, begin, i + 1))
            open_type = None
    if open_type is not None:
        result.append((open_type, begin, len(tags)))
    return result


def outermost(spans: Iterable[Any]) -> list[Any]:
    """Return the spans that are not inside other spans, in ascending order.

    Args:
        spans: Tuples whose last two elements are the range [begin, end). Spans must be
            nested or disjoint. If two ranges are equal, the first one is returned.
    """
    result: list[Any] = []
    for span in sorted(spans, key=lambda span: (span[-2], -span[-1])):
        if not result or span[-2] >= result[-1][-1]:
            result.append(span)
    return result


def strict_segments(tags: Sequence[str], encoding: str) -> list[Segment]:
    """Return the segments whose tags are exactly as the encoding prescribes.

    This is like the strict mode of seqeval: in IOB2, for example, a segment must begin
    with B.

    Args:
        tags: The tags.
        encoding: One of ENCODINGS.

    Raises:
        UsageError: If there are segments, but there is no such encoding.
    """
    return [
        (segment_type, begin, end)
        for segment_type, begin, end in segments(tags)
        if [*tags[begin:end]]
        == encode([(segment_type, 0, end - begin)], end - begin, encoding)
    ]


def encode(spans: Sequence[Segment], length: int, encoding: str) -> list[str]:
    """Return the tags of a sequence of tokens, given its segments.

    Args:
        spans: The segments, sorted and without overlaps.
        length: The number of tokens.
        encoding: One of ENCODINGS. `iob2` begins each segment with B, and `ioe2` ends
            it with E. `iob1` and `ioe1` do so only between adjacent segments of the
            same type. `iobes` does both, and marks a segment of one token with S.

    Raises:
        UsageError: If there is no such encoding.
    """
    if encoding not in ENCODINGS:
        raise UsageError(
            f"unknown tag scheme {encoding!r}; there are {', '.join(ENCODINGS)}"
        )
    tags = ["O"] * length
    for k, (segment_type, begin, end) in enumerate(spans):
        tags[begin:end] = [f"I-{segment_type}"] * (end - begin)
        if encoding == "iobes" and end - begin == 1:
            tags[begin] = f"S-{segment_type}"
            continue
        after_same = (
            k > 0 and spans[k - 1][0] == segment_type and spans[k - 1][2] == begin
        )
        before_same = k + 1 < len(spans) and spans[k + 1][:2] == (segment_type, end)
        if encoding in ("iob2", "iobes") or (encoding == "iob1" and after_same):
            tags[begin] = f"B-{segment_type}"
        if encoding in ("ioe2", "iobes") or (encoding == "ioe1" and before_same):
            tags[end - 1] = f"E-{segment_type}"
    return tags


def recode(tags: Sequence[str], encoding: str) -> list[str]:
    """Convert tags from any of the ENCODINGS to `encoding`, which is one of these.

    Raises:
        UsageError: If there is no such encoding.
    """
    return encode(segments(tags), len(tags), encoding)


def first_misfit(tags: Sequence[str], encoding: str) -> int | None:
    """Return the index of the first tag that is invalid in `encoding`, or None."""
    expected = recode(tags, encoding)
    return next((i for i, tag in enumerate(tags) if tag != expected[i]), None)


def is_chunk_tag(tag: str) -> bool:
    """Return whether a tag is O, or one of B, I, E and S followed by a type."""
    return tag == "O" or _split(tag)[1] is not None
