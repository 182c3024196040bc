"""Conversion of Penn Treebank tags to universal parts of speech (UPOS), by a table."""

from pathlib import Path

from senna_py.io.package_tables import read_table

OTHER = "X"
_UNIVERSAL = read_table(Path(__file__).with_suffix(".tsv"))["penn"]
# Penn Treebank tags do not distinguish auxiliaries from verbs. In UD, these forms are
# always auxiliaries.
_BE = {
    "be",
    "am",
    "is",
    "are",
    "was",
    "were",
    "been",
    "being",
    "'s",
    "'re",
    "'m",
    "’s",
    "’re",
    "’m",
}
_NOT = {"not", "n't", "n’t"}  # particles in UD, but adverbs in the Penn Treebank


def universal_tag(tag: str, word: str) -> str:
    """Return the universal part of speech of a word, given its Penn Treebank tag.

    It is OTHER if the tag is not in the table. Forms of *be* are AUX, and *not* is
    PART. Unlike in UD, *have*, *do* and *get* are VERB even as auxiliaries, and
    conjunctions with the tag IN are ADP.
    """
    universal = _UNIVERSAL.get(tag, OTHER)
    if universal == "VERB" and word.lower() in _BE:
        return "AUX"
    return "PART" if universal == "ADV" and word.lower() in _NOT else universal


def is_penn_tag(tag: str) -> bool:
    """Return whether a part of speech is a tag of the Penn Treebank."""
    return tag in _UNIVERSAL
