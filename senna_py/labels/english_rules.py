"""Rules for the labels of English text, as data, for networks that SENNA did not have.

The rules are Python literals, because these load faster than TOML.

`labels/constraints.py` makes finite automata from AUTOMATA. An automaton begins in its
first state and reads the tags of a sequence. It accepts the sequence if it ends in one
of the states `accepting`, or in any state if there is no such list. For each row, the
first matching rule applies. A rule matches if the class of the row (see
`text/row_classes.py`), the current state and the tag are in its lists; a missing list
matches everything. `to` is the next state. A rule without `to` rejects the tag. If no
rule matches, the next state is the first one. Tags are patterns such as `B-*`, or `@`
and the name of a set in SETS. `except` lists tags that a rule does not match. An
automaton or a rule is only used for networks with all labels of its `needs`.
"""

from typing import Any

SETS = {
    "verb": ["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"],
    "closed": [
        "TO",
        "POS",
        "PRP",
        "PRP$",
        "WP",
        "WP$",
        "WDT",
        "WRB",
        "EX",
        "DT",
        "PDT",
        "MD",
        "CC",
        "IN",
        "RP",
        "RB",
        "RBR",
        "RBS",
        "UH",
        ",",
        ".",
        ":",
        "``",
        "''",
        "HYPH",
    ],
    "name": ["NNP", "NNPS"],
    "phrase": [
        *("DT", "PDT", "PRP$", "WP$", "POS", "CD"),
        *("JJ", "JJR", "JJS", "VBN", "VBG"),
    ],
    "in_phrase": ["NN", "RB", "HYPH"],
    "wants_to": ["@verb", "JJ", "NN", "NNS", "NNP", "PRP", "WP", "WRB", "UH"],
}

_NEEDED = ["TO", "CD", "VB", "PRP$", "NNP", "NNPS"]
_CLOSING = ["CLOSES", "CLOSES_QUOTE"]

AUTOMATA: dict[str, list[dict[str, Any]]] = {
    "pos": [
        # A number is neither a verb nor a word of a closed class. A count at the
        # beginning of a sentence is not a list marker either. A mention or hashtag
        # (@anna, #fun) is ADD, and a time (3am) is CD.
        {
            "needs": _NEEDED,
            "states": ["any"],
            "rules": [
                {"class": ["NUMBER", "COUNT"], "tags": ["@verb", "@closed"]},
                {"class": ["COUNT"], "tags": ["LS"]},
                {"class": ["ADDRESS"], "except": ["ADD"], "needs": ["ADD"]},
                {"class": ["TIME"], "except": ["CD"]},
            ],
        },
        # Within a noun phrase, a word that is probably a common noun is not a name.
        {
            "needs": _NEEDED,
            "states": ["outside", "inside"],
            "rules": [
                {"class": ["COMMON"], "state": ["inside"], "tags": ["@name"]},
                {"tags": ["@phrase"], "to": "inside"},
                {"state": ["inside"], "tags": ["@in_phrase"], "to": "inside"},
            ],
        },
        # Between a word that takes "to" and a base form, "2" is TO instead of a number
        # (want 2 go).
        {
            "needs": _NEEDED,
            "states": ["other", "wants_to", "to", "number"],
            "accepting": ["other", "wants_to", "number"],
            "alike": [{"class": "TWO", "tag": "TO", "other": "CD"}],
            "rules": [
                {"state": ["to"], "except": ["VB", "RB"]},
                {"state": ["number"], "tags": ["VB"]},
                {"class": ["TWO"], "state": ["wants_to"], "tags": ["TO"], "to": "to"},
                {
                    "class": ["TWO"],
                    "state": ["wants_to"],
                    "tags": ["CD"],
                    "to": "number",
                },
                {"class": ["TWO"], "tags": ["@verb", "@closed"]},
                {"tags": ["@wants_to"], "to": "wants_to"},
            ],
        },
    ],
    "srl": [
        # A negation of another verb is not a role of the predicate. A modal of another
        # verb is not a role of a finite predicate. The adverb "never" of another verb
        # is not an adverbial of the predicate.
        {
            "needs": ["[BS]-AM-NEG"],
            "states": ["any"],
            "rules": [
                {"class": ["FAR"], "tags": ["*AM-NEG"]},
                {"class": ["FAR_FROM_FINITE"], "tags": ["*AM-NEG", "*AM-MOD"]},
                {"class": ["FAR_NEVER"], "tags": ["S-AM-*"]},
            ],
        },
    ],
    "segments": [
        # A segment contains both marks of a pair of brackets or quotes, or neither. Up
        # to two nested pairs are allowed.
        {
            "states": ["outside", "one", "two"],
            "accepting": ["outside"],
            "rules": [
                {
                    "class": ["OPENS"],
                    "state": ["outside"],
                    "tags": ["B-*", "I-*"],
                    "to": "one",
                },
                {"class": ["OPENS"], "state": ["one"], "tags": ["I-*"], "to": "two"},
                {"class": _CLOSING, "state": ["two"], "tags": ["I-*"], "to": "one"},
                {
                    "class": _CLOSING,
                    "state": ["one"],
                    "tags": ["I-*", "E-*"],
                    "to": "outside",
                },
                {"class": ["OPENS", *_CLOSING], "tags": ["[BIES]-*"]},
                {"state": ["one"], "tags": ["I-*"], "to": "one"},
                {"state": ["two"], "tags": ["I-*"], "to": "two"},
                {"state": ["one", "two"]},
            ],
        },
    ],
}

# Patterns of English words for `text/row_classes.py`. PLURAL has the patterns of
# endings and their replacements in the plural; the first matching pattern is used.
WORDS = {
    "address": r"[@#][^\W\d]\w*|[@#][_\x80-\xff]\S*",
    "time": r"\d\d?([:.]\d\d)?[ap]\.?m\.?",  # Case is ignored.
    "common": r"[a-z]+",
    "no_plural": r"day$",  # Days of the week are names.
    "never": r"(?<!\S)[Nn]ever(?!\S)",
}
# Classes of words that often have a capital, from recipes/en/casing.py.
LIKE_NAMES = ["mixed", "often", "capital"]
PLURAL = [(r"(?<![aeiou])y$", "ies"), (r"(s|x|z|ch|sh)$", r"\1es"), ("$", "s")]

# The tags that determine which words may be modifiers of a predicate: those after the
# beginning of the verb group, which is the last finite verb up to and including the
# predicate, and the adverbs directly before this verb. Verbs after "or" are ignored.
VERBS = {
    "finite": ["VBZ", "VBP", "VBD", "MD"],
    "adverb": ["RB", "RBR", "RBS"],
    "without_modal": ["VBZ", "VBD"],
}

# In Universal Dependencies, emoji and emoticons are symbols, not punctuation. Networks
# that were trained on few of them label them like the punctuation that often occurs in
# the same positions. For each task, `never` lists the labels that they cannot have, and
# `label` is the label that replaces these.
SIGNS: dict[str, dict[str, Any]] = {
    "upos": {"never": ["PUNCT"], "label": "SYM"},
    "pos": {"never": [".", ",", ":", "''", "``"], "label": "NFP"},
    "dep": {"never": ["punct"], "label": "discourse"},
}
