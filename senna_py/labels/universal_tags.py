"""Universal parts of speech (UPOS) for tags of the Penn Treebank, from a table."""

from pathlib import Path

from senna_py.io.package_tables import read_table

OTHER = "X"
_UNIVERSAL = read_table(Path(__file__).with_suffix(".tsv"))["penn"]
# The tag does not tell an auxiliary from a verb. In UD, these are always auxiliaries.
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
_NOT = {"not", "n't", "n’t"}  # particles in UD, adverbs in the Treebank


def universal_tag(tag: str, word: str) -> str:
    """Return the universal part of speech of a word with a tag of the Penn Treebank.

    Forms of `be` are AUX, and `not` is PART. `have`, `do` and `get` are VERB even as
    auxiliaries, and conjunctions tagged IN are ADP. A tag that is not in the table is
    OTHER.
    """
    universal = _UNIVERSAL.get(tag, OTHER)
    if universal == "VERB" and word.lower() in _BE:
        return "AUX"
    return "PART" if universal == "ADV" and word.lower() in _NOT else universal
