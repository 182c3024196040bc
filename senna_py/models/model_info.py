"""Information that models carry about themselves: its keys and its checks."""

from collections.abc import Mapping
from typing import Any

from senna_py.errors import SennaError
from senna_py.text.tokens import TOKENIZERS

# What each is for is in docs/reference/file-formats.md.
INFO_KEYS = (
    "name", "version", "language", "tokenizer", "tasks", "license", "attribution", "author",
    "description", "data", "url",
)  # fmt: skip
TEXT_KEYS = ("language", "tokenizer")  # the same for all networks of a model


def check_info(info: Mapping[str, Any], prefix: str = "") -> None:
    """Raise SennaError for a key or value of a user's `info` that no model has; prefix: of keys."""
    for key, value in info.items():
        if key not in INFO_KEYS:
            known = ", ".join(INFO_KEYS)
            raise SennaError(
                f"{prefix}{key}: nothing that a model says of itself; there are {known}"
            )
        if key in TEXT_KEYS and type(value) is not str:
            raise SennaError(f"{prefix}{key}: expected a string, found {value!r}")
    check_tokenizer(info, prefix)


def check_tokenizer(info: Mapping[str, Any], prefix: str = "") -> None:
    """Raise SennaError if a model's text is to be tokenized in a way that is not known here."""
    tokenizer = info.get("tokenizer", TOKENIZERS[0])
    if tokenizer not in TOKENIZERS:
        known = ", ".join(TOKENIZERS)
        raise SennaError(f"{prefix}tokenizer: no such tokenizer: {tokenizer!r}; there are {known}")
