"""The word: the token's place in the dictionary that all networks share."""

import re

from senna_py.features.protocol import Feature, Table


class Word(Feature):
    """`word`."""

    pattern = re.compile("word")
    table = Table.WORDS

    def column(self, vocabulary, resource):
        return lambda batch: batch.tokens.word
