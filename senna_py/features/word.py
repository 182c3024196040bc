"""The word: the token's place in the dictionary that all networks share."""

import re

from senna_py.features.protocol import Feature


class Word(Feature):
    """`word`."""

    pattern = re.compile("word")
    own_table = False

    def column(self, vocabulary, resource):
        return lambda batch: batch.tokens.word
