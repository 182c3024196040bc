"""Information that models carry about themselves: its keys, its checks, and how it is merged."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from senna_py.errors import SennaError
from senna_py.text.tokens import TOKENIZERS

if TYPE_CHECKING:
    from senna_py.models.native import NativeModel

# What each is for is in docs/reference/file-formats.md.
INFO_KEYS = (
    "name", "version", "language", "tokenizer", "tasks", "license", "attribution", "author",
    "description", "data", "url",
)  # fmt: skip
TEXT_KEYS = ("language", "tokenizer")  # the same for all networks of a model


def check_info(info: Mapping[str, Any], prefix: str = "") -> None:
    """Raise SennaError for a key or a value that no model has.

    info: a dict that a user gives; prefix: of the keys in messages.
    """
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


def merge_info(
    models: "Iterable[tuple[NativeModel, Iterable[str]]]", given: dict[str, Any]
) -> dict[str, Any]:
    """Merge the information of some native models into one dict, `given` on top.

    models: pairs of a NativeModel and the networks that are taken from it; keys that are names of
    others are left out. Raises SennaError if they are for other texts, and `given` does not say
    which.
    """
    merged: dict[str, Any] = {}
    for model, names in models:
        left = {*model.networks} - {*names}
        for key, value in model.info.items():
            if key in TEXT_KEYS and merged.get(key, value) != value and key not in given:
                raise SennaError(
                    f"{model.path}: its {key} is {value}, that of the others {merged[key]}; say "
                    "one with --info"
                )
            if key not in left:
                merged[key] = value
    return merged | given
