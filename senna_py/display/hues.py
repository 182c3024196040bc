"""Labels: what they mean, and their colors, one of ten hues each, the same on all pages."""

from functools import lru_cache
from zlib import crc32

from senna_py.display.escapes import escape
from senna_py.errors import UsageError
from senna_py.labels.explanations import explain

_CLASSES = "abcdefghij"  # in the style sheet; short, as most cells have one
# Labels that often stand side by side; those of others follow from their text.
_KNOWN = {
    label: number
    for number, labels in enumerate((
        ("PER", "PERSON", "NP", "A0", "ARG0"), ("LOC", "GPE", "PP", "A1", "ARG1"),
        ("ORG", "VP", "A2", "ARG2"), ("MISC", "ADVP", "A3", "ARG3"),
        ("DATE", "TIME", "SBAR", "AM-TMP"), ("ADJP", "AM-LOC", "NORP"),
        ("PRT", "AM-MOD", "MONEY"), ("AM-MNR", "CARDINAL"), ("AM-NEG", "CONJP"), ("V",),
    ))
    for label in labels
}  # fmt: skip


def hue(label: str) -> str:
    """Class of the hue of a label: a letter from `a` to `j`."""
    number = _KNOWN.get(label)
    if number is None:
        # The last one is for V alone, which stands out.
        number = crc32(label.encode("utf-8", "surrogatepass")) % (len(_CLASSES) - 1)
    return _CLASSES[number]


@lru_cache(1 << 10)
def meaning(label: str) -> str:
    """What a label means, escaped; empty if nobody knows."""
    try:
        return escape(explain(label))
    except UsageError:
        return ""


def title(label: str) -> str:
    """The attribute that says it, behind a space; empty if nobody knows."""
    return f' title="{meaning(label)}"' if meaning(label) else ""
