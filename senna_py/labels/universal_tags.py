"""Universal parts of speech (UPOS) for those of the Penn Treebank, by a table."""

from pathlib import Path

from senna_py.io.files import read_table

OTHER = "X"
_UNIVERSAL = read_table(Path(__file__).with_suffix(".tsv"))["penn"]
# A tag alone does not tell an auxiliary from a verb. In UD, these are always
# auxiliaries.
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


def universal_tag(tag, word):
    """UPOS of a Penn tag of a word, both str; OTHER for a tag that is none.

    `be` in all its forms is AUX and `not` is PART; `have`, `do` and `get` are VERB,
    also where they are auxiliaries; conjunctions tagged IN are ADP.
    """
    universal = _UNIVERSAL.get(tag, OTHER)
    if universal == "VERB" and word.lower() in _BE:
        return "AUX"
    return "PART" if universal == "ADV" and word.lower() in _NOT else universal
