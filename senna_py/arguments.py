"""What callers of a Tagger give it, checked before anything is tagged."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from math import isnan
from numbers import Integral
from operator import index
from typing import Any, TypeGuard

from senna_py.errors import SennaError, UsageError, counted
from senna_py.io.streaming import BATCH_BYTES

_LIKE_A_SENTENCE = re.compile(r"""\S+\s.*[.!?…]["'”’)\]]*\s*""", re.DOTALL)


def check_strings(given: object, what: str) -> list[str]:
    """A list of str; `what` names it where TypeError is raised for anything else, one
    str too.
    """
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise TypeError(f"{what}: expected an iterable of str, not {_kind(given)}")
    strings = list(given)
    for each in strings:
        if not isinstance(each, str):
            raise TypeError(f"{what}: expected str, not {_kind(each)}")
    return strings


def check_number(given: object, what: str) -> None:
    """Raise TypeError for what is no int, and ValueError for one below 1."""
    if not isinstance(given, Integral):  # NumPy's too
        raise TypeError(f"{what} is an int, not {_kind(given)}")
    if given < 1:
        raise ValueError(f"{what} is {given}, expected at least 1")


def check_document(text: object) -> str:
    """The text if it is a str; raises TypeError."""
    if not isinstance(text, str):
        tokens = "; tokens are those of one sentence: nlp(tokens)" * isinstance(
            text, list | tuple
        )
        raise TypeError(f"a document is a str, not {_kind_for_text(text)}{tokens}")
    return text


def text_length(text: str | list[str]) -> int:
    """Characters of a text, or of tokens with a space behind each."""
    return len(text) if isinstance(text, str) else sum(map(len, text)) + len(text)


def check_sentence(sentence: object) -> str | list[str]:
    """The sentence if it is a str, else a list of its tokens.

    Raises TypeError for other types, and for a dict, a set or a table, which is none of
    tokens; SennaError for an empty token, and if tokens look like sentences: if two at
    least, and half of them, have white space within and end as sentences do.
    """
    if isinstance(sentence, str):
        return sentence
    if not _has_order(sentence):
        kind = _kind_for_text(sentence)
        raise TypeError(f"a sentence is a str or an iterable of str tokens, not {kind}")
    tokens = list(sentence)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"a token is a str, not {_kind(token)}")
    if "" in tokens:
        raise SennaError("a token is an empty string")
    likely = [token for token in tokens if _LIKE_A_SENTENCE.fullmatch(token)]
    if len(likely) >= max(2, len(tokens) / 2):
        raise UsageError(
            f"a list has the tokens of one sentence, and {likely[0]!r} looks like a sentence: "
            "tag a list of sentences with pipe"
        )
    return tokens


def check_batches(
    items: object, size: int, documents: bool, as_tuples: bool
) -> Iterator[list[tuple[Any, Any]]]:
    """Yield what `Tagger.pipe` tags, at most `size` at a time, each with what comes
    with it.

    A batch ends at BATCH_BYTES characters, too. Raises TypeError at the call if the
    items are not many. An error of one of them names its position, and what came before
    is yielded first.
    """
    if isinstance(items, str) or not _has_order(items):
        raise TypeError(
            f"pipe takes an iterable of sentences in their order, not {_kind(items)}"
        )
    check = check_document if documents else check_sentence

    def checked(position: int, item: Any) -> tuple[Any, Any]:
        try:
            if not as_tuples:
                return check(item), None
            if not isinstance(item, tuple | list) or len(item) != 2:
                raise TypeError(
                    f"expected a pair of text and anything else, not {_kind(item)}"
                )
            return check(item[0]), item[1]
        except (TypeError, SennaError) as error:
            raise type(error)(f"item {position}: {error}") from None

    def batches() -> Iterator[list[tuple[Any, Any]]]:
        batch: list[tuple[Any, Any]] = []
        length = 0
        try:
            for position, item in enumerate(items):
                batch.append(checked(position, item))
                length += text_length(batch[-1][0])
                if len(batch) == size or length >= BATCH_BYTES:
                    yield batch
                    batch, length = [], 0
        except Exception:
            if batch:
                yield batch
            raise
        if batch:
            yield batch

    return batches()


def check_predicates(predicates: object, length: int) -> list[int]:
    """The indices of predicates in a sentence of `length` tokens; raises TypeError,
    SennaError.
    """
    if isinstance(predicates, str | bytes) or not isinstance(predicates, Iterable):
        raise TypeError(f"predicates are indices of tokens, not {_kind(predicates)}")
    places = []
    for each in predicates:
        try:
            places.append(index(each))
        except TypeError:
            raise TypeError(
                f"a predicate is the index of a token, not {_kind(each)}"
            ) from None
        if not 0 <= places[-1] < length:
            raise SennaError(
                f"predicate {places[-1]} of a sentence of {counted(length, 'token')}"
            )
    return places


def _has_order(given: object) -> TypeGuard[Iterable[Any]]:
    """Whether this is an iterable, but none of keys: a table has the names of its
    columns.
    """
    keys = isinstance(given, bytes | Mapping | Set) or hasattr(given, "columns")
    return isinstance(given, Iterable) and not keys


def _kind(value: object) -> str:
    return type(value).__name__


def _kind_for_text(value: object) -> str:
    return _kind(value) + "; give '' for a text that is missing" * _is_missing(value)


def _is_missing(value: object) -> bool:
    """Whether this stands for a missing text in tables: None, NaN or what pandas
    has.
    """
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or _kind(value) in ("NAType", "NaTType")
