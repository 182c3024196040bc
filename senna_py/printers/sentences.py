"""Base of the formats that print sentences one by one, each with its place."""

from senna_py.corpora.places import places_of
from senna_py.labels.tag_schemes import convert
from senna_py.printers.base import Printer
from senna_py.reading import sentences_of_lines

__all__ = ["SentencePrinter"]


class SentencePrinter(Printer):
    """Prints Sentences that have tokens, with the tags of segments in any scheme.

    scheme: one of tag_schemes.SCHEMES; split: whether lines are paragraphs, in which each sentence
    has its place.
    """

    def __init__(self, tagger, scheme="iobes", split=False):
        """Prepare to print what `tagger` finds."""
        super().__init__(tagger)
        self.scheme, self.split = scheme, split
        self._segments = {task for task in tagger.tasks if tagger.task(task).kind == "segments"}

    def placed(self, found, place):
        """List the Sentences of a batch with their SentencePlaces."""
        places = places_of(found.tokens, place, self.split)
        return [*zip(sentences_of_lines(self.tagger, found), places, strict=True)]

    def to_dict(self, sentence, at):
        """JSON of a Sentence (`Sentence.to_dict`) with tags in the scheme, and of its place."""
        return sentence.to_dict() | {"tags": self.tags(sentence)} | at.to_dict()

    def tags(self, sentence):
        """Tags of a Sentence by task, lists of str, those of segments in the scheme."""
        return {
            task: [convert(tag, self.scheme) for tag in tags] if task in self._segments else tags
            for task, tags in sentence.tags.items()
        }
