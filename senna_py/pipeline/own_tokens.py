"""Documents whose tokens, spaces and sentences the caller passes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.arguments import check_tokens
from senna_py.errors import SennaError, UsageError, counted

if TYPE_CHECKING:
    from collections.abc import Sequence


class OwnTokens(NamedTuple):
    """The tokens of a document.

    Attributes:
        sentences: The tokens of each sentence, none of which is empty. If `is_divided`
            is False, all tokens are in one.
        spaces: For each sentence, whether a space follows each token.
        is_divided: Whether the caller divided the tokens into sentences.
    """

    sentences: list[list[str]]
    spaces: list[list[bool]]
    is_divided: bool

    @property
    def text(self) -> str:
        """The text of the document."""
        return "".join(
            f"{token} " if has_space else token
            for tokens, flags in zip(self.sentences, self.spaces, strict=True)
            for token, has_space in zip(tokens, flags, strict=True)
        )


def own_tokens(tokens: object, spaces: object, sentences: object) -> OwnTokens:
    """Return the tokens that a caller passed, after checking them.

    Args:
        tokens: An iterable of str or, with one iterable for each sentence, of iterables
            of str.
        spaces: None, or a flag for each token, in an iterable like `tokens` or a flat
            one. By default, a space follows each token except the last.
        sentences: None, or the index of the first token of each sentence. The number of
            tokens may follow.

    Raises:
        TypeError: If an argument has a wrong type.
        SennaError: If a token is blank, or the arguments do not agree with each other.
        UsageError: If both `tokens` and `sentences` divide the document.
    """
    lists, is_nested = _lists_of(tokens)
    check_tokens([token for each in lists for token in each])
    n_tokens = sum(map(len, lists))
    flags = [True] * (n_tokens - 1) + [False] * min(n_tokens, 1)
    if spaces is not None:
        flags = _check_spaces(spaces, [len(each) for each in lists])
    bounds = [0, n_tokens]
    if is_nested:
        bounds = [0]
        for each in lists:
            bounds.append(bounds[-1] + len(each))
    if sentences is not None:
        if is_nested:
            raise UsageError(
                "tokens has a list for each sentence; leave out sentences, or pass one list"
            )
        bounds = _check_starts(sentences, n_tokens)
    flat = [token for each in lists for token in each]
    pairs = [(a, b) for a, b in pairwise(bounds) if a < b]
    return OwnTokens(
        [flat[a:b] for a, b in pairs],
        [flags[a:b] for a, b in pairs],
        is_nested or sentences is not None,
    )


def _lists_of(tokens: object) -> tuple[list[list[Any]], bool]:
    """Return lists of tokens, and whether the caller passed a list for each sentence."""
    items = _items(tokens, "tokens")
    is_nested = [not isinstance(item, str) for item in items]
    for i, item in enumerate(items):
        if not isinstance(item, Iterable):
            raise TypeError(f"token {i} is a str, not {type(item).__name__}")
    if not any(is_nested):
        return [items], False
    if not all(is_nested):
        odd = is_nested.index(not is_nested[0])
        raise TypeError(
            "tokens are str, or a list of str for each sentence; item 0 is a "
            f"{type(items[0]).__name__}, and item {odd} a {type(items[odd]).__name__}"
        )
    return [_items(item, f"tokens[{i}]") for i, item in enumerate(items)], True


def _items(values: object, name: str) -> list[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(
            f"{name}: expected an iterable of str tokens, not {type(values).__name__}"
        )
    return list(values)


def _check_spaces(spaces: object, lengths: Sequence[int]) -> list[bool]:
    """Return a flat list of flags, given the numbers of tokens in the sentences."""
    flags = _items(spaces, "spaces")
    if flags and all(isinstance(each, list | tuple) for each in flags):
        if [*map(len, flags)] != [*lengths]:
            raise SennaError("spaces has other sentences than tokens")
        flags = [flag for each in flags for flag in each]
    n_tokens = sum(lengths)
    if len(flags) != n_tokens:
        raise SennaError(
            f"{counted(len(flags), 'flag')} in spaces, but {counted(n_tokens, 'token')}"
        )
    for i, flag in enumerate(flags):
        try:
            is_flag = index(flag) in (0, 1)
        except TypeError:
            is_flag = False
        if not is_flag:
            raise TypeError(f"spaces: item {i} is {flag!r}, expected True or False")
    return [bool(flag) for flag in flags]


def _check_starts(sentences: object, n_tokens: int) -> list[int]:
    """Return the first token of each sentence, and the number of tokens."""
    starts = []
    for i, start in enumerate(_items(sentences, "sentences")):
        try:
            starts.append(index(start))
        except TypeError:
            raise TypeError(
                f"sentences has the index of the first token of each sentence; item {i} is "
                f"{start!r}"
            ) from None
        if isinstance(start, bool):
            raise TypeError(
                "sentences has the index of the first token of each sentence, not flags"
            )
    if starts[-1:] != [n_tokens]:
        starts.append(n_tokens)
    if starts[0] != 0:
        raise SennaError(
            f"sentences: the first one begins with token 0, not {starts[0]}"
        )
    for before, start in pairwise(starts):
        if before >= n_tokens:
            raise SennaError(
                f"sentences: there is no token {before} among {counted(n_tokens, 'token')}"
            )
        if start <= before:
            raise SennaError(f"sentences: {start} follows {before}, but must be larger")
    return starts
