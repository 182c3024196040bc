"""Matches of a pattern as an output of tagging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.answers.joining import join_parts
from senna_py.answers.reading import sentences_of_lines
from senna_py.corpora.sentence_places import sentence_places
from senna_py.formats.base import Printer
from senna_py.search.hits import SentenceText
from senna_py.search.printing import PLACE_KEYS
from senna_py.search.table import Column, Table

if TYPE_CHECKING:
    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.corpora.places import BatchPlace
    from senna_py.corpora.sentence_places import SentencePlace
    from senna_py.search.pattern import Pattern
    from senna_py.search.printing import HitPrinter
    from senna_py.tagger import Tagger


class AnnotatedBatch:
    """A batch that the tagger annotated, for search."""

    def __init__(
        self, annotations: Annotations, place: BatchPlace, split: bool
    ) -> None:
        """Make the table.

        Args:
            annotations: The annotations of the batch.
            place: The place of the batch.
            split: Whether each line is a paragraph.
        """
        self._annotations, self._place, self._split = annotations, place, split
        tokens = annotations.tokens
        forms = (form.decode("utf-8", "surrogateescape") for form in tokens.texts())
        first = [*tokens.first_parts.tolist(), tokens.n_sentences]
        self.end = 0
        self.table = Table(
            tokens.starts[first],
            Column.of_texts(forms),
            {
                name: join_parts(annotations.layers[name], tokens)
                for name in annotations.tasks
            },
        )
        self._sentences: list[SentenceText] | None = None

    def sentence(self, number: int) -> SentenceText:
        """Return the text and the place of a sentence of the batch."""
        if self._sentences is None:
            tokens = self._annotations.tokens
            places = sentence_places(tokens, self._place, self._split)
            sentences = sentences_of_lines(self._annotations)
            self._sentences = [*map(_text_of, sentences, places)]
        return self._sentences[number]


def _text_of(sentence: Sentence, place: SentencePlace) -> SentenceText:
    at = sentence.start_char
    tokens = [(token.start_char - at, token.end_char - at) for token in sentence]
    values = place.to_dict()
    return SentenceText(
        sentence.text, tokens, at, {key: values[key] for key in PLACE_KEYS}
    )


class SearchPrinter(Printer):
    """Prints the matches of a pattern in text that is being tagged.

    A batch becomes a list with the bytes of each match.
    """

    def __init__(
        self, tagger: Tagger, pattern: Pattern, printer: HitPrinter, split: bool
    ) -> None:
        """Store the options.

        Args:
            tagger: The tagger, which runs the tasks that the pattern needs.
            pattern: The pattern.
            printer: The format of matches.
            split: Whether lines are paragraphs that are split into sentences.
        """
        super().__init__(tagger)
        self._pattern, self._printer, self._split = pattern, printer, split

    def format(self, annotations: Annotations, place: BatchPlace) -> list[bytes]:
        """Return the output for each match in a batch."""
        batch = AnnotatedBatch(annotations, place, self._split)
        return self._printer.hits(batch, self._pattern)
