"""Printing of any text: words of files may have bytes outside UTF-8, as lone surrogates."""

import codecs

_NAME = "senna-py"


def take_any_text(*streams):
    """Make text streams, such as sys.stdout, print any str; None and others stay as they are.

    Lone surrogates that stand for bytes are printed as these bytes, and whatever else the encoding
    lacks as `\\uXXXX`.
    """
    codecs.register_error(_NAME, _replaced)
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_NAME)


def _replaced(error):
    text = error.object[error.start : error.end]
    ways = ("surrogateescape" if "\udc80" <= c <= "\udcff" else "backslashreplace" for c in text)
    return b"".join(c.encode("ascii", way) for c, way in zip(text, ways, strict=True)), error.end
