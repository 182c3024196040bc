"""Text that provokes numbers, dictionary words, contractions, punctuation, case and
blanks.
"""

from hypothesis import strategies as st

__all__ = ["any_bytes", "any_lines", "ascii_text"]

_ASCII = [
    *"aAbBcdDxXyY0123.,,..+-'\"$%&();:!?/#~",
    " ",
    " ",
    " ",
    "\t",
    "\v",
    "\f",
    "\r",
    "\x00",
    "\x1f",
    "\x7f",
    "can't",
    "Don't",
    "DON'T",
    "u.s.",
    "U.S.",
    "a.m.",
    "co-operate",
    "X-Ray",
    "3rd",
    "12th",
    "0th",
    "1,000.50",
    "-.5",
    "+,5",
    "--",
    "...",
    "5%",
    "$5",
    "o'clock",
    "'tis",
    "n't",
    "Mr.",
    "http://",
    "@",
    "_",
    "[",
    "]",
    "No.",
    ". A",
    "J.",
    "\x1c",
]
_UNICODE = [  # and bytes outside UTF-8
    "’",
    "“",
    "”",
    "—",
    "–",
    "é",
    "É",
    "Café",
    "日本",
    "日",
    "\u0301",
    "😀",
    "\xa0",
    "\u3000",
    "…",
    "½",
    "٣",
    "Κόσμος",
    "ẞ",
    "Ⱥ",
    "\u2028",
    "\x85",
    "\ufeff",
    "\udcff",
    "\udce9",
    "\udced",
    "\udcf0",
]
any_lines = st.lists(st.sampled_from(_ASCII + _UNICODE), max_size=25).map("".join)
any_bytes = st.binary(max_size=40) | st.lists(any_lines, max_size=4).map(
    lambda lines: "\n".join(lines).encode("utf-8", "surrogateescape")
)
ascii_text = st.lists(
    st.lists(st.sampled_from(_ASCII), max_size=25).map("".join)
    | st.text(st.characters(max_codepoint=127)),
    max_size=4,
).map("\n".join)
