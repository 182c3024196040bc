"""Words, tags, chunks and entities in the columns of the CoNLL-2003 task."""

import re

from senna_py.formats.registry import FORMATS, able_tasks
from senna_py.formats.sentences import SentencePrinter

_BLANK = re.compile(r"\s")
_NONE = "_"
_MARK = b"-DOCSTART- -X- -X- O\n\n"


class Conll2003Printer(SentencePrinter):
    """Prints word, tag, chunk and entity, `_` for what was not asked for and for white
    space.
    """

    def __init__(self, tagger, scheme="iob"):
        super().__init__(tagger, scheme)

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Return those of the columns that the model has, unless some are asked for."""
        return asked or able_tasks(model, predicates, "conll2003")

    def begin(self, document):
        return _MARK

    def print(self, found, place):
        """Return the sentences that have tokens; a mark before each further document of
        a file.
        """
        if not place.column_lines or place.column_lines[0].file_lines:
            return b"".join(map(self._rows, self.sentences(found)))
        return b"".join(
            _MARK * (at.begins_paragraph and (i > 0 or place.paragraph > 0))
            + self._rows(sentence)
            for i, (sentence, at) in enumerate(self.placed(found, place))
        )

    def _rows(self, sentence):
        words = [_BLANK.sub("_", token.text) for token in sentence]
        none = [_NONE] * len(sentence)
        columns = [
            words,
            *(sentence.tags.get(task, none) for task in FORMATS["conll2003"].shows),
        ]
        rows = [" ".join(row) + "\n" for row in zip(*columns, strict=True)]
        return "".join([*rows, "\n"]).encode("utf-8", "surrogateescape")
