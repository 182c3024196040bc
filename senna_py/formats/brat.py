"""The format `brat`: spans, dependencies and links in BRAT's standoff format."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from senna_py.answers.merging import merge_words
from senna_py.errors import UsageError
from senna_py.formats.registry import FORMATS, marked_tasks
from senna_py.formats.sentences import SentencePrinter
from senna_py.labels.parts_of_speech import UNIVERSAL
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.corpora.places import BatchPlace
    from senna_py.corpora.sentence_places import SentencePlace
    from senna_py.labels.tasks import Task
    from senna_py.model import Model
    from senna_py.tagger import Tagger

_BLANK = re.compile(r"\s")
_BLANKS = re.compile(r"\s+")
# Tabs, and the characters that BRAT treats as line ends.
_LINE_END = re.compile("[\t-\r\x1c-\x1e\x85\u2028\u2029]")


class _Numbering(NamedTuple):
    """Derives unique ids of spans and relations from the offsets of their characters.

    Attributes:
        n_texts: The maximum number of spans and tokens that begin at a character.
        n_relations: The maximum number of relations that begin at a character.
    """

    n_texts: int
    n_relations: int

    def text(self, character: int, place: int) -> str:
        """Return the id of a span or token that begins at `character`.

        place: Its number among the spans and tokens there, from 1 to `n_texts`.
        """
        return f"T{self.n_texts * character + place}"

    def relation(self, character: int, place: int) -> str:
        """Return the id of a relation that begins at `character`.

        place: Its number among the relations there, from 1 to `n_relations`.
        """
        return f"R{self.n_relations * character + place}"


class BratPrinter(SentencePrinter):
    """Prints spans, `T1⇥PER 0 13⇥Angela Merkel`, and relations between tokens or spans.

    Character offsets are relative to the document. The id of a span depends only on its
    task and on the offset of its first character. If at most n spans and tokens begin
    at a character, the number of a span of the k-th task is n * offset + k; tokens come
    after spans. The type of a token is its universal part of speech, or that of its
    first word if the words of a surface token do not stand in the text. A span with a
    line end in it is divided into fragments, `T11⇥PER 10 16;17 23⇥Angela Merkel`,
    because BRAT does not read such spans otherwise.
    """

    def __init__(self, tagger: Tagger, alone: bool = True) -> None:
        """Prepare the ids.

        Args:
            tagger: The tagger whose tasks are printed.
            alone: Whether each document has a file of its own.

        Raises:
            UsageError: If documents share a file.
        """
        super().__init__(tagger)
        if not alone:
            raise UsageError(
                "format brat has a file for each text: name a directory, -o DIR/"
            )
        tasks = [*map(tagger.task, tagger.tasks)]
        links = [t for t in tasks if t.shape.structure is Structure.LINKS]
        spans = [t for t in tasks if t.marked or t in links]
        self._heads = [t for t in tasks if t.shape.structure is Structure.HEADS]
        self._spans = [*enumerate(spans, 1)]
        # Tokens are numbered after the spans, even if there are no tasks of spans.
        self._token = max(len(spans), 1) + 1
        n_texts = self._token if self._heads else len(spans)
        self._number = _Numbering(n_texts, len(self._heads) + len(links))

    @classmethod
    def tasks(cls, model: Model, asked: tuple[str, ...], predicates: str) -> list[str]:
        """Return the tasks to run.

        These are the tasks that the user named. The default is the first task whose
        spans are marked in text (entities) or, if there is no such task, all tasks that
        the format can show. A task for parts of speech is added to dependencies.

        Raises:
            UsageError: If the format cannot show a task that the user named.
            SennaError: If it cannot show any of the model's tasks.
        """
        for task in asked:
            if not FORMATS["brat"].shows_task(model.task(task)):
                raise UsageError(
                    f"the task {task} cannot be used with format brat: no segments"
                )
        names = [*(asked or marked_tasks(model, predicates, "brat"))]
        structures = {model.task(name).shape.structure for name in names}
        has_heads = Structure.HEADS in structures
        tags = [
            task for task in UNIVERSAL if has_heads and task in model.tasks(predicates)
        ]
        return names + tags[:1]

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the lines for a batch.

        Raises:
            UsageError: If the document is a column file.
        """
        if place.column_lines:
            raise UsageError(
                f"{place.document}: places in text are printed, and this is none"
            )
        out: list[str] = []
        for sentence, at in self.placed(merge_words(annotations), place):
            n_links = 0
            for number, task in self._spans:
                out += self._span_lines(sentence, at, task, number)
                if task.shape.structure is Structure.LINKS:
                    n_links += 1
                    out += self._link_lines(sentence, at, task, number, n_links)
            for number, task in enumerate(self._heads, n_links + 1):
                out += self._head_lines(sentence, at, task, number)
        return "".join(out).encode("utf-8", "surrogateescape")

    def _span_lines(
        self, sentence: Sentence, at: SentencePlace, task: Task, number: int
    ) -> Iterator[str]:
        for row in sentence.rows(task):
            span = sentence[row.start : row.end]
            name = self._number.text(at.character + span.start_char, number)
            place = _place(sentence, at, span.start_char, span.end_char)
            yield f"{name}\t{_BLANK.sub('_', row.label)} {place}\n"

    def _link_lines(
        self, sentence: Sentence, at: SentencePlace, task: Task, number: int, link: int
    ) -> Iterator[str]:
        """Yield the relations between spans and their anchors."""
        document, first = sentence.document, sentence.start
        for row in sentence.rows(task):
            if row.anchor is not None:
                tokens = row.anchor[0] + first, row.start + first
                starts = [at.character + document[i].start_char for i in tokens]
                names = [self._number.text(start, number) for start in starts]
                relation = self._number.relation(starts[1], link)
                yield _relation_line(relation, row.label, *names)

    def _head_lines(
        self, sentence: Sentence, at: SentencePlace, task: Task, number: int
    ) -> Iterator[str]:
        """Yield the lines of tokens and of the relations to their heads."""
        starts = [at.character + token.start_char for token in sentence]
        names = [self._number.text(start, self._token) for start in starts]
        rows = sentence.rows(task)
        tags = sentence.parts_of_speech.universal
        for token, tag, row, start, name in zip(
            sentence, tags, rows, starts, names, strict=True
        ):
            # Tokens are printed only for the last task.
            if number == self._number.n_relations:
                place = _place(sentence, at, token.start_char, token.end_char)
                yield f"{name}\t{tag.partition('+')[0]} {place}\n"
            if row.anchor is not None:
                relation = self._number.relation(start, number)
                head = names[row.anchor[0]]
                yield _relation_line(relation, row.label, head, name)

    def page_of(self, document: str) -> BratPrinter:
        """Return this printer, which is used for the files of all documents."""
        return self


def _relation_line(name: str, label: str, head: str, dependent: str) -> str:
    return f"{name}\t{label} Arg1:{head} Arg2:{dependent}\n"


def _place(sentence: Sentence, at: SentencePlace, start: int, end: int) -> str:
    """Return the offsets of a span in its document, and its text: `0 6⇥Angela`.

    A line end, with the white space and the quote marks (`>`) around it, separates
    fragments.

    Args:
        sentence: The sentence that contains the span.
        at: The place of the sentence.
        start: The offset of the span's first character, relative to the same text as
            `sentence.start_char`.
        end: The offset after its last character.
    """
    first = sentence.start_char
    text, original = sentence.text, at.original or sentence.text
    fragments, begin = [], start - first
    for blank in _BLANKS.finditer(text, begin, end - first):
        if _LINE_END.search(original, *blank.span()):
            fragments.append((begin, blank.start()))
            begin = blank.end()
    fragments.append((begin, end - first))
    fragments = [(a, b) for a, b in fragments if a < b] or [
        (start - first, end - first)
    ]
    shift = at.character + first
    places = ";".join(f"{a + shift} {b + shift}" for a, b in fragments)
    return f"{places}\t{_LINE_END.sub(' ', ' '.join(text[a:b] for a, b in fragments))}"
