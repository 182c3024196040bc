"""The base class of formats that print sentences one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.answers.reading import sentences_of_lines
from senna_py.corpora.sentence_places import sentence_places
from senna_py.formats.base import Printer

if TYPE_CHECKING:
    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.corpora.places import BatchPlace
    from senna_py.corpora.sentence_places import SentencePlace
    from senna_py.tagger import Tagger


class SentencePrinter(Printer):
    """Prints the sentences that have tokens, with tags in any scheme.

    Attributes:
        scheme: The scheme of tags, one of `tag_schemes.SCHEMES`.
        split: Whether lines are paragraphs that are split into sentences.
    """

    def __init__(
        self, tagger: Tagger, scheme: str = "iobes", split: bool = False
    ) -> None:
        """Set the options; see the attributes."""
        super().__init__(tagger)
        self.scheme, self.split = scheme, split

    def placed(
        self, annotations: Annotations, place: BatchPlace
    ) -> list[tuple[Sentence, SentencePlace]]:
        """Return the sentences of a batch with their places."""
        places = sentence_places(annotations.tokens, place, self.split)
        return [*zip(self.sentences(annotations), places, strict=True)]

    def sentences(self, annotations: Annotations) -> list[Sentence]:
        """Return the sentences of a batch that have tokens."""
        return sentences_of_lines(annotations, self.scheme)
