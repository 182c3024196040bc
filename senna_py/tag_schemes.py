"""Tag schemes of segments: IOBES, as the networks predict, and what is printed instead."""

__all__ = ["SCHEMES", "convert", "segments"]

SCHEMES = ("iobes", "iob", "brackets")
_IOB = {"E": "I", "S": "B"}
_BRACKETS = {"B": "({}*", "I": "*", "E": "*)", "S": "({}*)"}


def _split(tag):
    """Prefix and type of a tag: `B-NP` is (`B`, `NP`); a tag without prefix is (`O`, None)."""
    prefix, dash, kind = tag.partition("-")
    return (prefix, kind) if dash and prefix in ("B", "I", "E", "S") else ("O", None)


def convert(tag, scheme):
    """Write one IOBES `tag` in another scheme.

    `iob`: E-x is I-x and S-x is B-x. `brackets`: `(x*`, `*`, `*)`, `(x*)`, and `*` for O.
    """
    prefix, kind = _split(tag)
    if scheme == "iob" and kind is not None:
        return f"{_IOB.get(prefix, prefix)}-{kind}"
    if scheme == "brackets" and (kind is not None or tag == "O"):
        return _BRACKETS.get(prefix, "*").format(kind)
    return tag


def segments(tags):
    """Segments of a sequence of IOBES tags as (type, start, end), end exclusive.

    Any sequence is read: a segment also begins where its type changes or nothing is open, and
    ends before whatever does not continue it.
    """
    found = []
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
