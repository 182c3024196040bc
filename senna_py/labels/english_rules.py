"""Rules on the labels of English text, for networks that SENNA did not have, as data.

They are Python literals, which a process reads faster than it would read TOML.

`labels/constraints.py` makes automata of AUTOMATA. An automaton reads the tags of a
sequence and begins in its first state. It accepts the sequence if it ends in one of
`accepting`, or in any state if there is no such list. The first of its rules that fits
decides. A rule fits by the class of the row (see `text/row_classes.py`), the state before
the row, and the tag. `to` is the next state; a rule without it forbids the tag there. Where
no rule fits, the first state follows. Tags are patterns (`B-*`), or the name of a set of
SETS behind `@`; `except` lists the tags that a rule does not hold for. An automaton is used
for networks that have all the labels of `needs`.
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
        # A number is neither a verb nor a word of a closed class. A count at the beginning
        # of a sentence is no list mark either. A mention or a tag (@anna, #fun) is ADD, and
        # a time (3am) is CD.
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
        # Within a noun phrase, a word that is common in lower case is no name.
        {
            "needs": _NEEDED,
            "states": ["outside", "inside"],
            "rules": [
                {"class": ["COMMON"], "state": ["inside"], "tags": ["@name"]},
                {"tags": ["@phrase"], "to": "inside"},
                {"state": ["inside"], "tags": ["@in_phrase"], "to": "inside"},
            ],
        },
        # Between a word that wants "to" and a base form, 2 is TO and no number (want 2 go).
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
        # A predicate takes no negation of another verb and, unless it is the finite verb,
        # no modal of another verb either. "never" of another verb is none of its adverbials.
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
        # A segment holds both marks of a pair of brackets or quotes, or neither. Pairs are
        # at most two deep.
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

# What `text/row_classes.py` knows of English words: patterns; and in PLURAL, patterns of
# endings with their replacements, of which the first one that fits counts.
WORDS = {
    "address": r"[@#][^\W\d]\w*|[@#][_\x80-\xff]\S*",
    "time": r"\d\d?([:.]\d\d)?[ap]\.?m\.?",  # In any case.
    "common": r"[a-z]+",
    "no_plural": r"day$",  # Days of the week are names.
    "never": r"(?<!\S)[Nn]ever(?!\S)",
}
LIKE_NAMES = ["mixed", "often", "capital"]  # Classes that recipes/en/casing.py makes.
PLURAL = [(r"(?<![aeiou])y$", "ies"), (r"(s|x|z|ch|sh)$", r"\1es"), ("$", "s")]

# The words of a verb begin at the last finite verb before it and the adverbs before that,
# unless "or" stands before them.
VERBS = {
    "finite": ["VBZ", "VBP", "VBD", "MD"],
    "adverb": ["RB", "RBR", "RBS"],
    "without_modal": ["VBZ", "VBD"],
}

# Emoji and emoticons are symbols by the guidelines of Universal Dependencies, and no
# punctuation. By task: the labels that they cannot have, and the label that they get
# instead. Networks that have seen few of them label them as what often stands in their
# place.
SIGNS: dict[str, dict[str, Any]] = {
    "upos": {"never": ["PUNCT"], "label": "SYM"},
    "pos": {"never": [".", ",", ":", "''", "``"], "label": "NFP"},
    "dep": {"never": ["punct"], "label": "discourse"},
}
