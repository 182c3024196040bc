"""The format `conll2003`: the columns of the CoNLL-2003 shared task."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from senna_py.answers.merging import merge_words
from senna_py.formats.registry import CONLL2003, able_tasks
from senna_py.formats.sentences import SentencePrinter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model
    from senna_py.tagger import Tagger

_BLANK = re.compile(r"\s")
_NONE = "_"
_MARK = b"-DOCSTART- -X- -X- O\n\n"


class Conll2003Printer(SentencePrinter):
    """Prints the word, the part of speech, the chunk tag and the entity tag of tokens.

    The column of a task that was not run contains `_`. In words, white space becomes
    `_`.
    """

    def __init__(
        self, tagger: Tagger, scheme: str = "iob", by_word: bool = False
    ) -> None:
        """Set the options.

        Args:
            tagger: The tagger whose tasks have columns.
            scheme: The scheme of tags, one of `tag_schemes.SCHEMES`.
            by_word: Whether words that are not in the text have separate lines, instead
                of one line for their surface token.
        """
        super().__init__(tagger, scheme)
        self._by_word = by_word

    @classmethod
    def tasks(
        cls, model: Model, asked: tuple[str, ...], predicates: str
    ) -> Sequence[str]:
        """Return the tasks that the user named, or the columns that the model has.

        Raises:
            SennaError: If the user named no task and the model has no such column.
        """
        return asked or able_tasks(model, predicates, "conll2003")

    def begin(self, document: str) -> bytes:
        """Return the `-DOCSTART-` line before a document."""
        return _MARK

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the sentences that have tokens.

        If a column file has several documents, a `-DOCSTART-` line precedes each
        document after the first.
        """
        # The rows of a column file stay rows.
        if not (self._by_word or place.column_lines):
            annotations = merge_words(annotations)
        if not place.column_lines or place.column_lines[0].file_lines:
            return b"".join(map(self._rows, self.sentences(annotations)))
        out = []
        for i, (sentence, at) in enumerate(self.placed(annotations, place)):
            if at.begins_paragraph and (i > 0 or place.paragraph > 0):
                out.append(_MARK)
            out.append(self._rows(sentence))
        return b"".join(out)

    def _rows(self, sentence: Sentence) -> bytes:
        words = [_BLANK.sub("_", token.text) for token in sentence]
        none = [_NONE] * len(sentence)
        columns = [words, *(sentence.tags.get(task, none) for task in CONLL2003)]
        rows = [" ".join(row) + "\n" for row in zip(*columns, strict=True)]
        return "".join([*rows, "\n"]).encode("utf-8", "surrogateescape")
