"""The standards by which raw text is split into tokens, and the tokenizers of a model.

Universal Dependencies split English words at hyphens and join contractions such as
*don't* to one surface token of several words. The Penn Treebank keeps most hyphenated
words whole, and the parts of a contraction are tokens.
"""

from __future__ import annotations

from senna_py.errors import UsageError

UD, PTB = "ud", "ptb"
STANDARDS = UD, PTB

_PENN, _SENNA, _ENGLISH_UD = "treebank", "senna", "english"  # kinds of tokenizers


def tokenizers_of(kind: str, is_english: bool) -> dict[str, str]:
    """Return the kinds of the tokenizers of a model by their standards.

    Args:
        kind: The kind of the tokenizer that the model declares.
        is_english: Whether this is the English model, which learned from both standards.
    """
    if kind in (_PENN, _SENNA):
        both = {UD: _ENGLISH_UD} if is_english and kind == _PENN else {}
        return {PTB: kind, **both}
    return {UD: kind}


def find_tokenizer(tokenizers: dict[str, str], standard: str | None) -> str:
    """Return the kind of the tokenizer for a standard.

    Args:
        tokenizers: The kinds of the tokenizers of a model by standard, of which the
            first is the default.
        standard: The standard, or None for the default.

    Raises:
        UsageError: If the model does not have the standard, or if there is no such
            standard.
    """
    if standard is None:
        return next(iter(tokenizers.values()))
    if standard not in STANDARDS:
        known = ", ".join(STANDARDS)
        raise UsageError(f"no such tokens: {standard!r}; there are {known}")
    if standard not in tokenizers:
        raise UsageError(
            f"the model has no tokens of {standard}, but of {', '.join(tokenizers)}"
        )
    return tokenizers[standard]
