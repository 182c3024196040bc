"""Treebank tokens and sentences said again: one regular expression, and plain Python over lists."""

import re
from functools import cache
from unicodedata import category

from senna_py.text.known_texts import read_list

_APOSTROPHE = "['’]"
# Ends of URLs and addresses that belong to the sentence around them.
_TRAILING = r"""[^\s<>"'`’”)\],.;:!?]"""


def _abbreviations(kind):
    lines = read_list("abbreviations.txt")
    return {key.lower() for first, *keys in lines if first == kind for key in keys}


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
    always = _any_of([*_abbreviations("title"), *_abbreviations("any")])
    numbered = _any_of(_abbreviations("number"))
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


def naive_tokens(text):
    """Tokens of `text` as a list of str; no token depends on what is in another line."""
    return [text[begin:end] for begin, end in naive_spans(text)]


def naive_spans(text):
    """Where the tokens of `text` stand: a list of (start, end) in characters."""
    chars = []
    for char in text:  # a mark behind a word is a letter, of which no list knows
        is_mark = category(char).startswith("M") and re.match(r"\w", "".join(chars[-1:]))
        chars.append("\ua66e" if is_mark else char)
    return [match.span() for match in _pattern().finditer("".join(chars))]


_FINAL = frozenset((".", "!", "?"))
_CLOSING = frozenset(('"', "''", "'", "’", "”", ")", "]", "}"))
_OPENING = frozenset(('"', "``", "`", "'", "‘", "“", "(", "[", "--", "-", "*"))
_PLAIN_QUOTES = frozenset(('"', "'"))


@cache
def _starters():
    return frozenset(word for line in read_list("sentence_starters.txt") for word in line)


def naive_sentence_starts(tokens, joined=None):
    """Index of the first token of each sentence of `tokens`: a list of str.

    joined: whether each token follows the one before without a blank, a list of bool; it tells
    quotes that open from those that close. Without it, or where it leaves a choice, `"` alternates
    and `'` closes.

    A sentence ends after `.`, `!`, `?`, an ellipsis or an abbreviation, with the quotes and
    brackets that close there, where what follows begins like a sentence: with a capital or a
    digit, maybe behind an opening quote or bracket. After an abbreviation or ellipsis
    it must be a word that often begins sentences (`sentence_starters.txt`); after a title such as
    `Mr.` nothing ends.
    """
    starts = [0] if tokens else []
    opening = _opening_quotes(tokens, joined or [False] * len(tokens))
    for i, token in enumerate(tokens):
        if token[-1] in ".!?" and (token[-1] != "." or _may_end(token)):
            j = i + 1
            while j < len(tokens) and tokens[j] in _CLOSING and j not in opening:
                j += 1
            if j < len(tokens) and _begins(tokens, j, plain=token in _FINAL or token[-1] != "."):
                starts.append(j)
    return starts


def _opening_quotes(tokens, joined):
    """Indices of the `"` and `'` that open a quotation."""
    found, is_open = set(), False
    for i, token in enumerate(tokens):
        if token in _PLAIN_QUOTES:
            before, after = joined[i], i + 1 < len(tokens) and joined[i + 1]
            opens = after if before != after else token == '"' and not is_open
            if token == '"':
                is_open = opens
            if opens:
                found.add(i)
    return found


def _may_end(token):
    return token == "." or token[:-1].lower() not in _abbreviations("title")


def _begins(tokens, j, plain):
    """Whether a sentence may begin at token j, after a plain full stop or after an abbreviation."""
    while j < len(tokens) - 1 and tokens[j] in _OPENING:
        j += 1
    if plain:
        return tokens[j][0].isupper() or tokens[j][0].isdigit()
    return tokens[j] in _starters()
