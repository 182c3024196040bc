"""The standards by which raw text is split into tokens, and the tokenizers of a model.

In Universal Dependencies, English words are split at hyphens, and contractions such as
*don't* are one surface token of several words. In the Penn Treebank, most hyphenated
words are one token, and the parts of a contraction are separate tokens.
"""

from __future__ import annotations

from senna_py.errors import UsageError
from senna_py.text.tokenizer_kinds import ENGLISH_UD, PENN, SENNA

UD, PTB = "ud", "ptb"
STANDARDS = UD, PTB


def tokenizers_of(kind: str, is_english: bool) -> dict[str, str]:
    """Return the kinds of a model's tokenizers by standard, the default first.

    Args:
        kind: The kind of the tokenizer that the model declares.
        is_english: Whether this is the English model, which was trained on tokens of
            both standards.
    """
    if kind in (PENN, SENNA):
        both = {UD: ENGLISH_UD} if is_english and kind == PENN else {}
        return {PTB: kind, **both}
    return {UD: kind}


def find_tokenizer(tokenizers: dict[str, str], standard: str | None) -> str:
    """Return the kind of the tokenizer for a standard.

    Args:
        tokenizers: The kinds of the tokenizers of a model by standard, the default
            first.
        standard: The standard, or None for the default.

    Raises:
        UsageError: If there is no such standard, or the model does not support it.
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
