"""Sentences of a paragraph, from its Treebank tokens."""

from functools import cache

from senna_py.text.treebank import abbreviations, read_list

__all__ = ["sentence_starts"]

_FINAL = frozenset((".", "!", "?"))
_CLOSING = frozenset(('"', "''", "'", "’", "”", ")", "]", "}"))
_OPENING = frozenset(('"', "``", "`", "'", "‘", "“", "(", "[", "--", "-", "*"))
_PLAIN_QUOTES = frozenset(('"', "'"))


@cache
def _starters():
    return frozenset(word for line in read_list("sentence_starters.txt") for word in line)


def sentence_starts(tokens, joined=None):
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
    return token == "." or token[:-1].lower() not in abbreviations("title")


def _begins(tokens, j, plain):
    """Whether a sentence may begin at token j, after a plain full stop or after an abbreviation."""
    while j < len(tokens) - 1 and tokens[j] in _OPENING:
        j += 1
    if plain:
        return tokens[j][0].isupper() or tokens[j][0].isdigit()
    return tokens[j] in _starters()
