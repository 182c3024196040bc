"""Universal parts of speech (UPOS) for those of the Penn Treebank, by a table."""

OTHER = "X"
_TABLE = {
    "ADJ": "JJ JJR JJS",
    "ADP": "IN RP",
    "ADV": "RB RBR RBS WRB",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT PDT WDT",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD",
    "PART": "POS TO",
    "PRON": "EX PRP PRP$ WP WP$",
    "PROPN": "NNP NNPS",
    "PUNCT": ". , : `` '' ( ) -LRB- -RRB- HYPH NFP",
    "SYM": "$ # SYM",
    "VERB": "VB VBD VBG VBN VBP VBZ",
}
_UNIVERSAL = {penn: universal for universal, tags in _TABLE.items() for penn in tags.split()}
# A tag alone does not tell an auxiliary from a verb. In UD, these are always auxiliaries.
_BE = {"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "’s", "’re",
       "’m"}  # fmt: skip
_NOT = {"not", "n't", "n’t"}  # particles in UD, adverbs in the Treebank


def universal_tag(tag, word):
    """UPOS of a Penn tag of a word, both str; OTHER for a tag that is none.

    `be` in all its forms is AUX and `not` is PART; `have`, `do` and `get` are VERB, also where they
    are auxiliaries; conjunctions tagged IN are ADP.
    """
    universal = _UNIVERSAL.get(tag, OTHER)
    if universal == "VERB" and word.lower() in _BE:
        return "AUX"
    return "PART" if universal == "ADV" and word.lower() in _NOT else universal
