"""Checks of the arguments of a Tagger, made before anything is tagged."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from math import isnan
from numbers import Integral
from operator import index
from typing import Any, TypeGuard

from senna_py.errors import SennaError, UsageError, counted
from senna_py.io.streaming import BATCH_BYTES

_LIKE_A_SENTENCE = re.compile(r"""\S+\s.*[.!?…]["'”’)\]]*\s*""", re.DOTALL)


def check_strings(values: object, name: str) -> list[str]:
    """Return an iterable of str as a list.

    Args:
        values: The value of the argument.
        name: The name of the argument, for messages.

    Raises:
        TypeError: If it is not an iterable of str, or is a single str.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(
            f"{name}: expected an iterable of str, not {_type_name(values)}"
        )
    strings = list(values)
    for value in strings:
        if not isinstance(value, str):
            raise TypeError(f"{name}: expected str, not {_type_name(value)}")
    return strings


def check_number(value: object, name: str) -> None:
    """Raise TypeError unless an argument is an int, and ValueError if it is below 1."""
    if not isinstance(value, Integral):  # NumPy's integers are Integral.
        raise TypeError(f"{name} is an int, not {_type_name(value)}")
    if value < 1:
        raise ValueError(f"{name} is {value}, expected at least 1")


def check_document(text: object) -> str:
    """Return the text of a document unchanged; raise TypeError if it is not a str."""
    if not isinstance(text, str):
        problem = f"a document is a str, not {_describe_type(text)}"
        if isinstance(text, list | tuple):
            problem += "; a document of your own tokens is nlp.document(tokens=...)"
        raise TypeError(problem)
    return text


def text_length(text: str | list[str]) -> int:
    """Return the number of characters in a text, or in tokens followed by spaces."""
    return len(text) if isinstance(text, str) else sum(map(len, text)) + len(text)


def check_sentence(sentence: object) -> str | list[str]:
    """Return a sentence unchanged if it is a str, and otherwise as a list of tokens.

    Raises:
        TypeError: If it is neither a str nor an iterable of str. Dicts, sets and tables
            are refused, because they iterate over keys or columns.
        SennaError: If a token is empty.
        UsageError: If the tokens look like sentences: at least two, and at least half
            of them, contain white space and end with sentence punctuation.
    """
    if isinstance(sentence, str):
        return sentence
    if not _is_sequence(sentence):
        name = _describe_type(sentence)
        raise TypeError(f"a sentence is a str or an iterable of str tokens, not {name}")
    tokens = list(sentence)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"a token is a str, not {_type_name(token)}")
    if "" in tokens:
        raise SennaError("a token is an empty string")
    if likely := _likely_sentence(tokens):
        raise UsageError(
            f"a list has the tokens of one sentence, and {likely!r} looks like a sentence: "
            "tag a list of sentences with pipe"
        )
    return tokens


def check_tokens(tokens: list[Any]) -> None:
    """Check the tokens of a document.

    Raises:
        TypeError: If a token is not a str.
        SennaError: If a token is empty or white space.
        UsageError: If the tokens look like sentences; see `check_sentence`.
    """
    for i, token in enumerate(tokens):
        if not isinstance(token, str):
            raise TypeError(f"token {i} is a str, not {_type_name(token)}")
        if not token or token.isspace():
            raise SennaError(
                f"token {i} is {token!r}: a token has a character that is not white space"
            )
    if likely := _likely_sentence(tokens):
        raise UsageError(
            f"a list has the tokens of a document, and {likely!r} looks like a sentence: tag a "
            "list of texts with pipe(texts, documents=True)"
        )


def _likely_sentence(tokens: list[str]) -> str | None:
    """Return a token that looks like a sentence, if at least two and half of them do."""
    likely = [token for token in tokens if _LIKE_A_SENTENCE.fullmatch(token)]
    return likely[0] if len(likely) >= max(2, len(tokens) / 2) else None


def check_batches(
    items: object, size: int, documents: bool, as_tuples: bool
) -> Iterator[list[tuple[Any, Any]]]:
    """Yield batches of checked pairs of a text and its companion, for `Tagger.pipe`.

    Args:
        items: Texts, or pairs of a text and its companion, which may be any object.
        size: The maximum number of items in a batch. A batch also ends when it has
            BATCH_BYTES characters.
        documents: Whether the texts are documents instead of sentences.
        as_tuples: Whether the items are pairs; otherwise the companions are None.

    Raises:
        TypeError: Immediately if `items` is not an iterable of items; during iteration
            for an item of the wrong type, after the preceding items have been yielded.
            The message states the position of the item.
        SennaError: During iteration, for an unusable item, in the same way.
    """
    if isinstance(items, str) or not _is_sequence(items):
        raise TypeError(
            f"pipe takes an iterable of sentences in their order, not {_type_name(items)}"
        )
    check = check_document if documents else check_sentence

    def checked(position: int, item: Any) -> tuple[Any, Any]:
        try:
            if not as_tuples:
                return check(item), None
            if not isinstance(item, tuple | list) or len(item) != 2:
                raise TypeError(
                    f"expected a pair of text and anything else, not {_type_name(item)}"
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
    """Return the predicates of a sentence of `length` tokens as a list of indices.

    Raises:
        TypeError: If they are not an iterable of integers.
        SennaError: If an index is out of range.
    """
    if isinstance(predicates, str | bytes) or not isinstance(predicates, Iterable):
        raise TypeError(
            f"predicates are indices of tokens, not {_type_name(predicates)}"
        )
    indices = []
    for predicate in predicates:
        try:
            i = index(predicate)
        except TypeError:
            raise TypeError(
                f"a predicate is the index of a token, not {_type_name(predicate)}"
            ) from None
        if not 0 <= i < length:
            raise SennaError(
                f"predicate {i} of a sentence of {counted(length, 'token')}"
            )
        indices.append(i)
    return indices


def _is_sequence(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value is an iterable of items, not of bytes, keys or columns."""
    has_keys = isinstance(value, bytes | Mapping | Set) or hasattr(value, "columns")
    return isinstance(value, Iterable) and not has_keys


def _type_name(value: object) -> str:
    return type(value).__name__


def _describe_type(value: object) -> str:
    """Return the name of a value's type, with advice if it is a missing text."""
    name = _type_name(value)
    if _is_missing(value):
        name += "; give '' for a text that is missing"
    return name


def _is_missing(value: object) -> bool:
    """Return whether a value represents a missing text: None, NaN, or NA of pandas."""
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or _type_name(value) in ("NAType", "NaTType")
