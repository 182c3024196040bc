"""Two more ways to print entities: columns as of the CoNLL-2003 task, and BRAT's standoff."""

import re

from senna_py.errors import SennaError, UsageError
from senna_py.printers.registry import FORMATS
from senna_py.printers.sentences import SentencePrinter

__all__ = ["BratPrinter", "Conll2003Printer"]

_BLANK = re.compile(r"\s")
_NONE = "_"
_MARK = b"-DOCSTART- -X- -X- O\n\n"


class Conll2003Printer(SentencePrinter):
    """Prints word, part of speech, chunk and entity between spaces.

    A column that was not asked for is `_`, and white space in words is an underscore.
    """

    def __init__(self, tagger, scheme="iob"):
        """Prepare to print what `tagger` finds; scheme: one of tag_schemes.SCHEMES."""
        super().__init__(tagger, scheme)

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Return those of the columns that the model has, unless some are asked for."""
        return asked or _able(model, predicates, "conll2003")

    def begin(self, document):
        """Return the mark of a document."""
        return _MARK

    def print(self, found, place):
        """Return the sentences that have tokens; a mark before each further document of a file."""
        if not place.given or place.given[0].kept:
            return b"".join(map(self._rows, self.sentences(found)))
        return b"".join(
            _MARK * (at.begins and (i > 0 or place.paragraph > 0)) + self._rows(sentence)
            for i, (sentence, at) in enumerate(self.placed(found, place))
        )

    def _rows(self, sentence):
        words = [_BLANK.sub("_", token.text) for token in sentence]
        none = [_NONE] * len(sentence)
        columns = [words, *(sentence.tags.get(task, none) for task in FORMATS["conll2003"].shows)]
        rows = [" ".join(row) + "\n" for row in zip(*columns, strict=True)]
        return "".join([*rows, "\n"]).encode("utf-8", "surrogateescape")


class BratPrinter(SentencePrinter):
    """Prints entities, `T1⇥PER 0 13⇥Angela Merkel`.

    Characters count from the beginning of the document, and the number of an entity is its first
    character's, from 1.
    """

    def __init__(self, tagger, alone=True):
        """Prepare to print what `tagger` finds; raises UsageError for more than one document."""
        super().__init__(tagger)
        if not alone:
            raise UsageError("format brat is of one FILE")

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Return the task of entities."""
        return asked or _able(model, predicates, "brat")

    def print(self, found, place):
        """Return the lines of the entities; raises UsageError if the document is no text."""
        if place.given:
            raise UsageError(f"{place.document}: places in text are printed, and this is none")
        out = []
        for sentence, at in self.placed(found, place):
            for span in sentence.entities:
                start, end = at.character + span.start_char, at.character + span.end_char
                out.append(f"T{start + 1}\t{span.label} {start} {end}\t{span.text}\n")
        return "".join(out).encode("utf-8", "surrogateescape")


def _able(model, predicates, name):
    """Tasks of a format that a model has; raises SennaError if it has none."""
    able = [task for task in FORMATS[name].shows if task in model.tasks(predicates)]
    if not able:
        raise SennaError(f"{model.path}: has no network that --format {name} could print")
    return able
