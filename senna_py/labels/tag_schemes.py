"""Tag schemes of segments: IOBES, as the networks predict, what is printed, what
corpora use.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from senna_py.errors import UsageError

Segment = tuple[str, int, int]  # type, start, end; end exclusive
SCHEMES = ("iobes", "iob", "brackets")
ENCODINGS = ("iob1", "iob2", "ioe1", "ioe2", "iobes")
UNTYPED = "SEG"  # the type of tags that are a prefix alone
_PREFIXES = {"L": "E", "U": "S", "M": "I", "W": "S"}  # of BILOU, BMES and BMEWO
_IOB = {"E": "I", "S": "B"}
_BRACKETS = {"B": "({}*", "I": "*", "E": "*)", "S": "({}*)"}


@lru_cache(maxsize=4096)  # a tag set is small, a corpus is not
def _split(tag: str) -> tuple[str, str | None]:
    """Prefix and type of a tag: `B-NP` is (`B`, `NP`); a tag without one of them is
    (`O`, None).
    """
    prefix, _, kind = tag.partition("-")
    return (prefix, kind) if kind and prefix in ("B", "I", "E", "S") else ("O", None)


@lru_cache(maxsize=4096)
def read_tag(tag: str) -> str:
    """A tag of a file as the ENCODINGS have it: `L-x` of BILOU is E-x, `M-x` of BMES is
    I-x.

    A prefix alone, as in `B I O`, gets the type UNTYPED; any other tag stays as it is.
    """
    prefix, dash, kind = tag.partition("-")
    prefix = _PREFIXES.get(prefix, prefix)
    if not dash and prefix in ("B", "I", "E", "S"):
        return f"{prefix}-{UNTYPED}"
    return f"{prefix}-{kind}" if dash else tag


def convert(tag: str, scheme: str) -> str:
    """Write one IOBES `tag` in another scheme.

    `iob`: E-x is I-x and S-x is B-x. `brackets`: `(x*`, `*`, `*)`, `(x*)`, and `*` for
        O.
    """
    prefix, kind = _split(tag)
    if scheme == "iob" and kind is not None:
        return f"{_IOB.get(prefix, prefix)}-{kind}"
    if scheme == "brackets" and (kind is not None or tag == "O"):
        return _BRACKETS.get(prefix, "*").format(kind)
    return tag


def segments(tags: Sequence[str]) -> list[Segment]:
    """Segments of a sequence of tags in any of the ENCODINGS as (type, start, end), end
    exclusive.

    Any sequence is read: a segment also begins where its type changes or nothing is
    open, and ends before whatever does not continue it. So conlleval reads, too.
    """
    found: list[Segment] = []
    begin, open_kind = 0, None
    for i, tag in enumerate(tags):
        prefix, kind = _split(tag)
        if open_kind is not None and (kind != open_kind or prefix in ("B", "S")):
            found.append((open_kind, begin, i))
            open_kind = None
        if kind is None:
            continue
        if open_kind is None:
            begin, open_kind = i, kind
        if prefix in ("E", "S"):
            found.append((kind, begin, i + 1))
            open_kind = None
    if open_kind is not None:
        found.append((open_kind, begin, len(tags)))
    return found


def outermost(spans: Iterable[Any]) -> list[Any]:
    """Those of nested spans, (..., start, end), that are in no other; of two alike the
    first.
    """
    found: list[Any] = []
    for span in sorted(spans, key=lambda span: (span[-2], -span[-1])):
        if not found or span[-2] >= found[-1][-1]:
            found.append(span)
    return found


def strict_segments(tags: Sequence[str], encoding: str) -> list[Segment]:
    """Those `segments` of which each tag is what `encoding` has there, as seqeval reads
    strictly.

    Of IOB2, for one, a segment that begins with I is none. Raises UsageError for no
    encoding.
    """
    return [
        (kind, begin, end)
        for kind, begin, end in segments(tags)
        if [*tags[begin:end]] == encode([(kind, 0, end - begin)], end - begin, encoding)
    ]


def encode(found: Sequence[Segment], length: int, encoding: str) -> list[str]:
    """Tags of `length` tokens with the segments `found`, which are sorted and do not
    overlap.

    encoding: `iob2` begins each segment with B, `ioe2` ends it with E; `iob1` and
    `ioe1` do so only between neighbors of one type; `iobes` does both, with S for a
    segment of one token.
    """
    if encoding not in ENCODINGS:
        raise UsageError(
            f"unknown tag scheme {encoding!r}; there are {', '.join(ENCODINGS)}"
        )
    tags = ["O"] * length
    for k, (kind, begin, end) in enumerate(found):
        tags[begin:end] = [f"I-{kind}"] * (end - begin)
        if encoding == "iobes" and end - begin == 1:
            tags[begin] = f"S-{kind}"
            continue
        after_same = k > 0 and found[k - 1][0] == kind and found[k - 1][2] == begin
        before_same = k + 1 < len(found) and found[k + 1][:2] == (kind, end)
        if encoding in ("iob2", "iobes") or (encoding == "iob1" and after_same):
            tags[begin] = f"B-{kind}"
        if encoding in ("ioe2", "iobes") or (encoding == "ioe1" and before_same):
            tags[end - 1] = f"E-{kind}"
    return tags


def recode(tags: Sequence[str], encoding: str) -> list[str]:
    """Write tags, read as `segments` does from any of the ENCODINGS, in one of them."""
    return encode(segments(tags), len(tags), encoding)


def first_misfit(tags: Sequence[str], encoding: str) -> int | None:
    """Position of the first tag that is not what `encoding` has there, or None if all
    are.
    """
    expected = recode(tags, encoding)
    return next((i for i, tag in enumerate(tags) if tag != expected[i]), None)


def is_chunk_tag(tag: str) -> bool:
    """Return whether a tag is one of some encoding: O, or B, I, E or S with a type."""
    return tag == "O" or _split(tag)[1] is not None
