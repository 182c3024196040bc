"""The kinds of tokenizers, and the languages for which there are rules."""

SENNA = "senna"  # the tokens of the original program, which depend on the dictionary
PENN = "treebank"  # English, as in the Penn Treebank
ENGLISH_UD = "english"  # English, as in Universal Dependencies
OTHER_LANGUAGES = "unicode"  # the rules of Unicode, without word lists
LEARNED = "learned"  # a trained network

_LANGUAGES = {
    "nl": "dutch",
    "fr": "french",
    "de": "german",
    "it": "italian",
    "pt": "portuguese",
    "es": "spanish",
    "tr": "turkish",
}
# The kinds whose rules are in `text.languages`.
LANGUAGES = (*_LANGUAGES.values(), OTHER_LANGUAGES)
# The kind that has rules for Universal Dependencies, by the code of the language.
BY_LANGUAGE = {"en": ENGLISH_UD, **_LANGUAGES}
TOKENIZERS = (SENNA, PENN, ENGLISH_UD, *LANGUAGES, LEARNED)
