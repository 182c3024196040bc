"""Words of raw English text in the manner of the Penn Treebank.

One regular expression finds the tokens in one pass, so that every token is a span of the raw text:
nothing is rewritten, dropped or doubled. What it splits and keeps comes from `contractions.txt`,
`abbreviations.txt` and `emoticons.txt` beside this file. Three choices, made by what the labelled
sets contain (`docs/embeddings.md`):

- quotes stay `"`, brackets stay brackets: the web, mail and news sets have them so; only text taken
  from the Treebank itself has ``, '' and -LRB-, for which see `treebank_spelling`;
- words joined by a hyphen stay whole, as in the Treebank;
- a slash splits words (`his / her`) and joins numbers (`1/2`, `9/11`).
"""

import re
from functools import cache
from pathlib import Path

__all__ = ["abbreviations", "read_list", "spans", "tokenize", "treebank_spelling"]

_APOSTROPHE = "['’]"
# Ends of URLs and addresses that belong to the sentence around them.
_TRAILING = r"""[^\s<>"'`’”)\],.;:!?]"""


def read_list(name):
    """Lines of the list `name` of this package, without comments: a list of lists of str."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


@cache
def abbreviations(kind):
    """Abbreviations of a kind (`title`, `number`, `any`) in lower case, without their period."""
    lines = read_list("abbreviations.txt")
    return frozenset(key.lower() for first, *keys in lines if first == kind for key in keys)


def _literal(text):
    """Pattern for `text` in any case and with either apostrophe."""
    parts = []
    for char in text:
        if char == "'":
            parts.append(_APOSTROPHE)
        elif char.isalpha():
            parts.append(f"[{char.upper()}{char.lower()}]")
        else:
            parts.append(re.escape(char))
    return "".join(parts)


def _any_of(texts):
    """Pattern for any of `texts`, as a tree over their first characters."""
    by_first = {}
    for text in texts:
        by_first.setdefault(text[:1].lower(), set()).add(text[1:])
    optional = "" in by_first
    by_first.pop("", None)
    branches = [_literal(c) + _any_of(rest) for c, rest in sorted(by_first.items())]
    if not branches:
        return ""
    joined = branches[0] if len(branches) == 1 and not optional else f"(?:{'|'.join(branches)})"
    return joined + ("?" if optional else "")


@cache
def _contractions():
    """Patterns of first halves, of what follows a clitic's apostrophe, and of whole words."""
    lines = read_list("contractions.txt")
    clitics = [second for first, *rest in lines if first == "*" for second in rest]
    halves = [(first, rest[0]) for first, *rest in lines if first != "*" and rest]
    whole = [first for first, *rest in lines if not rest]
    first_half = "|".join(rf"{_literal(a)}(?={_literal(b)}\b)" for a, b in halves)
    clitic = _any_of([text[1:] for text in clitics if text != "n't"])
    return first_half, clitic, _any_of(whole)


@cache
def _pattern():
    first_half, clitic, whole = _contractions()
    not_before = r"[nN]['’][tT]\b"
    faces = sorted((face for line in read_list("emoticons.txt") for face in line), key=len)[::-1]
    face = "|".join(map(re.escape, faces))
    always = _any_of([*abbreviations("title"), *abbreviations("any")])
    numbered = _any_of(abbreviations("number"))
    initials = {key[0] for key in _first_letters()}
    space = r"[^\S\n]?"  # lines are apart, so that many can be searched at once
    number = r"(?:[.,]?\d+(?:[.,:/]\d+)*)"
    # Inside a word: hyphens; apostrophes that start no clitic; periods before a lower-case letter
    # or digit (file and host names); & @ and _ between letters.
    joined = (
        rf"(?:-(?=\w)|{_APOSTROPHE}(?!{clitic}\b)(?!(?<=[nN]['’])[tT]\b)(?=[^\W_])"
        r"|\.(?=[a-z\d])|[.,:/](?<=\d.)(?=\d)|[&@_](?=\w))"
    )
    alternatives = [
        rf"(?:https?://|ftp://|www\.|mailto:)\S*{_TRAILING}/?",
        rf"{not_before}",
        rf"(?=[{''.join(sorted(initials))}])(?:{first_half})",
        rf"(?=[A-Za-z][A-Za-z.\-]{{0,9}}\.)(?:{always}\.(?![a-z\d])|{numbered}\.(?={space}\d))",
        r"(?:[^\W\d_]\.){2,}(?:-\w+(?:-\w+)*|[^\W\d_](?![\w.]))?",  # U.S., e.g., U.S.-based
        rf"(?!I\.)[A-Z]\.(?={space}[A-Z])",  # an initial
        r"[A-Z]{1,2}\$",
        rf"\w+(?:{joined}\w+)*(?!(?<=[nN])['’][tT]\b)",
        rf"(?<![\w)\]])[+-]?{number}(?:-?\w+)*",
        rf"(?:(?<!\S)(?:{face})(?!\S))",
        rf"{_APOSTROPHE}(?:{clitic}\b|\d\ds\b)|{whole}(?!\w)",
        r"(?<!\S)[@#]\w+",
        r"\.{2,}|-{2,}|[!?]+|\*+|=+|_+|~+|``|''",
        r"\S",
    ]
    return re.compile("|".join(alternatives))


def _first_letters():
    """First letters of the contractions' first halves, for a quick look before they are tried."""
    letters = set()
    for first, *rest in read_list("contractions.txt"):
        if first != "*" and rest:
            letters.update("'’" if first[0] == "'" else (first[0].upper(), first[0].lower()))
    return letters


def tokenize(text):
    """Tokens of `text` as a list of str; no token depends on what is in another line."""
    return _pattern().findall(text)


def spans(text):
    """Where the tokens of `text` stand: a list of (start, end) in characters."""
    return [match.span() for match in _pattern().finditer(text)]


_FORMS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_FRACTION = re.compile(r"(?<=\d)/(?=\d)")


def treebank_spelling(tokens):
    """The same tokens with the Treebank's own forms of brackets, double quotes and fractions.

    Quotes alternate between opening `` and closing '' from the start of `tokens`: a list of str.
    """
    out = [_FORMS.get(token, token) for token in tokens]
    marks = ("``", "''")
    for i, k in enumerate(k for k, token in enumerate(out) if token == '"'):
        out[k] = marks[i % 2]
    return [_FRACTION.sub(r"\\/", token) if "/" in token else token for token in out]
