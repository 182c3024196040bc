"""The base of the formats that print sentences one by one, each with its place."""

from senna_py.answers.reading import sentences_of_lines
from senna_py.corpora.sentence_places import sentence_places
from senna_py.formats.base import Printer


class SentencePrinter(Printer):
    """Prints Sentences that have tokens, with the tags of segments in any scheme.

    scheme: one of tag_schemes.SCHEMES; split: whether lines are paragraphs, of several
    sentences.
    """

    def __init__(self, tagger, scheme="iobes", split=False):
        super().__init__(tagger)
        self.scheme, self.split = scheme, split

    def placed(self, found, place):
        """List the Sentences of a batch with their SentencePlaces."""
        places = sentence_places(found.tokens, place, self.split)
        return [*zip(self.sentences(found), places, strict=True)]

    def sentences(self, found):
        """List the Sentences of a batch."""
        return sentences_of_lines(found, self.scheme)
