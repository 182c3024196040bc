"""The word: the token's place in the dictionary that all networks share."""

from senna_py.features.protocol import Feature, Table

__all__ = ["Word"]


class Word(Feature):
    """`word`."""

    table = Table.WORDS

    @classmethod
    def parse(cls, name):
        """See Feature."""
        return cls(name) if name == "word" else None

    def column(self, vocabulary, resource, words):
        """See Feature."""
        return lambda batch: batch.tokens.word
