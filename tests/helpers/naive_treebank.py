"""Sentences of tokens said again, in plain Python over lists."""

import re
from functools import cache

from senna_py.kernels.text import known_texts as kernels
from senna_py.text.emoticons import emoticon_pattern
from senna_py.text.known_texts import ABBREVIATION_KINDS, read_list, read_words


@cache
def listed(name, *kinds):
    """Entries of some kinds of a list of the package: a set of str."""
    return {key for kind, *keys in read_list(name) if kind in kinds for key in keys}


@cache
def _abbreviations(bits):
    """Abbreviations of the kinds with one of some bits, in small letters."""
    kinds = (kind for kind, value in ABBREVIATION_KINDS.items() if value & bits)
    return {key.lower() for key in listed("abbreviations.txt", *kinds)}


def _around(kind):
    return listed("abbreviations.txt", kind)


_CLOSING = frozenset(('"', "''", "'", "’", "”", ")", "]", "}"))
_OPENING = frozenset(('"', "``", "`", "'", "‘", "“", "(", "[", "--", "-", "*"))
_PLAIN_QUOTES = frozenset(('"', "'"))


def naive_sentence_starts(tokens, joined=None):
    """Index of the first token of each sentence of `tokens`: a list of str.

    joined: whether each token follows the one before without a blank, a list of bool;
    it tells quotes that open from those that close. Without it, or where it leaves a
    choice, `"` alternates and `'` closes. Where sentences end, `text.sentences` says.
    """
    starts = [0] if tokens else []
    joined = joined or [False] * len(tokens)
    opening = _opening_quotes(tokens, joined)
    for i, token in enumerate(tokens):
        stop = _full_stop(tokens, i)
        number = i - 1 if i > 0 and token[0] == "." else i
        if i > 2 and tokens[i - 1] == ")" and tokens[i - 3] == "(":  # (1).
            number = i - 3 if _is_item(tokens[i - 2]) else number
        item = starts[-1] == number and token[-1] == "."
        item = item and (number == i - 3 or _is_item(tokens[number]))
        if stop is None or item or all(map(_is_emoji, tokens[starts[-1] : i + 1])):
            continue
        j = i + 1
        while j < len(tokens) and (n := _trailing(tokens, joined, j, opening)):
            j += n
        if j == len(tokens):
            break
        if starts[-1] == j:  # a face after a full stop
            continue
        if (
            stop == "abbreviated"
            and j == i + 1
            and _is_first_phrase(tokens, starts[-1], i)
        ):
            continue
        small = j == i + 1 and stop == "plain" and _goes_on_small(tokens, joined, i)
        item = stop == "abbreviated" and j == i + 1 and _is_before_item(tokens, i)
        if small or item or _begins(tokens, joined, j, plain=stop != "abbreviated"):
            starts.append(j)
    return starts


def _is_item(token):
    return re.match(r"[0-9]|(?:[A-Za-z]|[IVXivx]+)\.?\Z", token)


def _is_first_phrase(tokens, first, i):
    title = tokens[i + 1][-1] == "." and tokens[i + 1][:-1].lower() in _abbreviations(
        kernels.TITLE
    )
    return title and first < i <= first + 3 and tokens[first] in _around("opener")


def _is_before_item(tokens, i):
    number, mark, title = [*tokens[i + 1 : i + 4], "", "", ""][:3]
    if i == 0 or not re.fullmatch("[0-9]{1,3}", number) or mark not in (".", ")"):
        return False
    if not re.match("[A-Z]", title) or title in read_words("sentence_starters.txt"):
        return False
    key = tokens[i][:-1].lower()
    listing = key in _abbreviations(kernels.INNER) - _abbreviations(kernels.NUMBERED)
    return re.match("[0-9]", tokens[i - 1]) is not None or listing


def _full_stop(tokens, i):
    token = tokens[i]
    if token[-1] in "!?" or re.fullmatch(emoticon_pattern(), token) or token == ".":
        return "plain"
    if token == "…" or _is_emoji(token):
        return "ellipsis"
    if token[-1] != ".":
        return None
    if token[0] in ".!?":
        return "ellipsis" if token[0] == token[-2] == "." else "plain"
    key = token[:-1].lower()
    part = i + 1 < len(tokens) and re.match(
        r"[0-9]|[A-Z][0-9]|[A-Za-z]\Z|[IVXivx]+\Z", tokens[i + 1], re.DOTALL
    )
    counted = kernels.LETTERED
    if part and part[0][0] in "0123456789":
        counted |= kernels.NUMBERED | kernels.VERSE
    goes_on = key in _abbreviations(kernels.TITLE) or (
        part and key in _abbreviations(counted)
    )
    return None if goes_on else "abbreviated"


def _is_emoji(token):
    return "\U0001f000" <= token[0] <= "\U0001ffff"


def _trailing(tokens, joined, j, opening):
    token = tokens[j]
    if (token in _CLOSING and j not in opening) or re.fullmatch(
        emoticon_pattern(), token
    ):
        return 1
    if _is_emoji(token):
        return 1
    footnote = tokens[j : j + 3]
    if (
        token[0] == "["
        and len(footnote) == 3
        and footnote[2][0] == "]"
        and all(joined[j + 1 : j + 3])
    ):
        return 3 if re.fullmatch("[0-9]{1,5}", footnote[1]) else 0
    return 0


def _is_letter(char):
    return char.isalnum() and not char.isdecimal()


def _goes_on_small(tokens, joined, i):
    """Whether a sentence without a capital begins behind the full stop at token i."""
    if joined[i + 1] or not _is_letter(tokens[i + 1][0]):
        return False
    if tokens[i][0] != ".":
        return True
    before = tokens[i - 1] if i else ""
    return (
        tokens[i] == "."
        and len(before.encode("utf-8", "surrogateescape")) > 1
        and _is_letter(before[-1])
    )


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


def _begins(tokens, joined, j, plain):
    """Whether a sentence may begin at token j, after a plain full stop or after an
    abbreviation.
    """
    behind_item = j < 2 or _is_item(tokens[j - 2])
    while j < len(tokens) - 1 and tokens[j] in _OPENING:
        j += 1
    if plain:
        if re.search("[$¢-¥\u20a0-\u20bf]\\Z", tokens[j]) and joined[j + 1 : j + 2] == [
            True
        ]:
            j += 1
        if (
            not behind_item
            and _is_item(tokens[j])
            and tokens[j + 1 :]
            and tokens[j + 1][0] in ".)"
        ):
            return True
        return tokens[j][0].isupper() or tokens[j][0].isdigit()
    return tokens[j] in read_words("sentence_starters.txt")
