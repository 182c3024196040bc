"""A document: running text with its tokens, its sentences, and the layers over them.

Token indices are relative to the document, and character offsets to the text that was
tagged. Ends are exclusive. Documents and their views are immutable, hashable and
picklable, and are compared by value.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.constituents import NO_ROW, Constituent, constituent_at
from senna_py.answers.contents import Contents, check_contents
from senna_py.answers.json_schema import document_schema, sentence_schema
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.lists import TASKS, Lists
from senna_py.answers.missing import ByTask, not_run
from senna_py.answers.objects import (
    document_object,
    read_document,
    read_sentence,
    sentence_object,
)
from senna_py.answers.packing import Packed, pack
from senna_py.answers.sentence_rows import Row, rows_by_anchor, rows_of
from senna_py.answers.stored import contents_of_bytes, contents_to_bytes
from senna_py.answers.views import Frame, Span, Token, TokenRow
from senna_py.errors import UsageError, counted
from senna_py.immutable import refusing_changes
from senna_py.io.nesting import json_text, parse_json
from senna_py.labels.dependencies import Arc, noun_chunks, shifted
from senna_py.labels.parts_of_speech import PartsOfSpeech, parts_of_speech
from senna_py.labels.tasks import POS, UPOS, XPOS
from senna_py.labels.trees import SENTENCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray
    from typing_extensions import Self

    from senna_py.answers.triples import Triple
    from senna_py.answers.word_forms import WordForms
    from senna_py.labels.tasks import Task
    from senna_py.redaction import Redaction
    from senna_py.search.matches import Match
    from senna_py.search.pattern import Pattern

_MODES = ("strict", "contract", "expand")


class Layers(Mapping[str, Layer]):
    """A mapping from tasks to the layers of a document, which are created on access."""

    __slots__ = ("_document",)

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def _names(self) -> tuple[str, ...]:
        return self._document._packed.form.shown

    def __getitem__(self, task: str) -> Layer:
        if task not in self._names:
            raise KeyError(task)
        return self._document._packed.layer(task)

    def __contains__(self, task: object) -> bool:
        return task in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<Layers {', '.join(self)}>"


class _Annotated(TokenRow):
    """The base class of documents and sentences: layers, JSON, tables and HTML."""

    __slots__ = ()
    text: str

    def _sentences(self) -> tuple[Document, int, int]:
        """Return the document, and the range [first, last) of sentence indices."""
        raise NotImplementedError

    @property
    def layers(self) -> Mapping[str, Layer]:
        """The layers of the whole document, as arrays, by task."""
        return Layers(self._sentences()[0])

    @property
    def tags(self) -> Mapping[str, tuple[str, ...]]:
        """The tags of the tokens, by task. Segments have IOBES tags."""
        document, places = self._place()
        selected = slice(places.start, places.stop)
        tasks = document._packed.form.tag_tasks
        return ByTask(
            {task: document._lists.tags(task)[selected] for task in tasks}, "tags"
        )

    @property
    def scores(self) -> Mapping[str, tuple[float, ...]]:
        """The probabilities of the tags, by task, after `load(with_scores=True)`.

        Raises:
            UsageError: If scores were not requested.
        """
        document, places = self._place()
        tasks, selected = (
            document._packed.form.scored_tasks,
            slice(places.start, places.stop),
        )
        if not tasks:
            raise UsageError(
                "no scores: they were not asked for; load(with_scores=True) does"
            )
        scores = {task: document._lists.scores(task) or () for task in tasks}
        return ByTask(
            {task: tuple(each[selected]) for task, each in scores.items()}, "scores"
        )

    @property
    def surface_tokens(self) -> tuple[Span, ...]:
        """The surface tokens in text order, each as a span of one or more words."""
        document, places = self._place()
        ranges = document._lists.surface_tokens(places.start, places.stop)
        return tuple(Span(document, begin, end) for begin, end in ranges)

    @property
    def spans(self) -> Mapping[str, tuple[Span, ...]]:
        """The spans by task: chunks, entities, values, and spans of other tasks.

        Frames, trees and dependencies have separate attributes.
        """
        document, first, last = self._sentences()
        return ByTask(
            {
                task: document._spans_of(task, first, last)
                for task in document._packed.form.span_tasks
            },
            "spans",
        )

    @property
    def chunks(self) -> tuple[Span, ...]:
        """The chunks, in text order."""
        return self._spans_named("chunks")

    @property
    def entities(self) -> tuple[Span, ...]:
        """The named entities, in text order."""
        return self._spans_named("entities")

    @property
    def values(self) -> tuple[Span, ...]:
        """The dates, times, amounts and other values, in text order."""
        return self._spans_named("values")

    @property
    def noun_chunks(self) -> tuple[Span, ...]:
        """The noun chunks, in text order.

        They are derived from dependencies. If `dep` was not run, they are the chunks
        with the label NP.

        Raises:
            UsageError: If neither dependencies nor chunks were run.
        """
        document, first, last = self._sentences()
        if TASKS["arcs"] not in document.layers:
            try:
                chunks = self.chunks
            except UsageError:
                tags = document._packed.form.tag_tasks
                raise not_run("noun_chunks", TASKS["arcs"], tags) from None
            return tuple(chunk for chunk in chunks if chunk.label == "NP")
        return tuple(
            Span(document, begin, end, "NP")
            for number in range(first, last)
            for begin, end in document._noun_chunks(number)
        )

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames of the predicates, in text order."""
        document, places = self._place()
        anchors = document._lists.rows_named("frames").anchors
        first, last = (bisect_left(anchors, i) for i in (places.start, places.stop))
        return tuple(Frame(document, predicate) for predicate in anchors[first:last])

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The dependency of each token; heads are token indices in the document."""
        document, places = self._place()
        rows, selected = (
            document._lists.rows_named("arcs"),
            slice(places.start, places.stop),
        )
        heads = (None if head < 0 else head for head in rows.anchor[selected])
        return tuple(map(Arc, heads, rows.label[selected], rows.score[selected]))

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Who did what, and when, where and to whom, in text order.

        Triples are found by rules over dependencies, parts of speech and, where they
        were run, semantic roles, lemmas, features, values and entities.

        Raises:
            UsageError: If `dep` was not run, or neither `upos` nor `pos`.
        """
        from senna_py.answers.triples import triples_of  # noqa: PLC0415 - a cycle

        return triples_of(*self._sentences())

    def _spans_named(self, name: str) -> tuple[Span, ...]:
        document, first, last = self._sentences()
        document._lists.rows_named(name)
        return document._spans_of(TASKS[name], first, last)

    def search(self, pattern: str | Pattern) -> tuple[Match, ...]:
        """Return the matches of a pattern, in text order.

        Args:
            pattern: The pattern, or its text; see the guide, under Search.

        Raises:
            PatternError: If it is not a pattern, or needs a task that was not run. The
                message says where in the pattern.

        Example:
            >>> [match.text for match in doc.search('[pos="DT"] [pos="NN"]')]
            ['a speech']
        """
        from senna_py.search.matches import search_document  # noqa: PLC0415 - only searches need it

        return search_document(*self._sentences(), pattern)

    def to_dict(self) -> dict[str, Any]:
        """Return the object as dicts and lists that can be written as JSON."""
        raise NotImplementedError

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Create the object from the values that `to_dict` returned.

        Raises:
            ValueError: If a value is missing or malformed.
        """
        raise NotImplementedError

    def to_json(self, indent: int | None = None) -> str:
        """Return the result of `to_dict` as JSON; lone surrogates are escaped.

        Args:
            indent: The number of spaces by which each level is indented; by default,
                the JSON is one line.

        Example:
            >>> nlp("Stop!").to_json()[:24]
            '{"text": "Stop!", "start'
        """
        text = json_text(self.to_dict(), ensure_ascii=False, indent=indent)
        return text.encode("utf-8", "backslashreplace").decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read JSON that `to_json` or `senna-tag --format jsonl` wrote.

        Raises:
            ValueError: If `text` is not such JSON.
            TypeError: If `text` is a dict; use `from_dict` instead.

        Example:
            >>> from senna_py import Document
            >>> Document.from_json(doc.to_json()) == doc
            True
        """
        if isinstance(text, Mapping):
            raise TypeError(
                f"expected JSON text, not {type(text).__name__}: use from_dict"
            )
        return cls.from_dict(parse_json(text))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Return a Pydantic schema that calls `from_dict` and `to_dict`."""
        from pydantic_core import core_schema as schema  # noqa: PLC0415 - it called this

        return schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, cls) else cls.from_dict(value),
            serialization=schema.plain_serializer_function_ser_schema(
                cls.to_dict, return_schema=schema.dict_schema()
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> Any:
        """Return the JSON Schema of `to_dict`, for Pydantic and FastAPI."""
        return cls._json_schema()

    @classmethod
    def _json_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of `to_dict`."""
        raise NotImplementedError

    def table(self, name: str = "tokens") -> dict[str, list[Any]]:
        """Return tokens, spans or frames as a dict of columns; see `senna_py.table`.

        The column `document` is left out.

        Example:
            >>> doc.table("entities")["text"]
            ['Angela Merkel', 'Berlin']
        """
        from senna_py.tables import table  # noqa: PLC0415 - only tables need it

        columns = table([self], name)  # type: ignore[list-item] # a Document or Sentence
        del columns["document"]
        return columns

    def _repr_html_(self) -> str:
        """Return HTML of all layers, for notebooks; see `senna_py.display.render`."""
        from senna_py.display import render  # noqa: PLC0415 - only pictures need it

        return render(self)  # type: ignore[arg-type] # a Document or Sentence

    def __str__(self) -> str:
        return self.text


@refusing_changes
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sentence(_Annotated):
    """A sentence of a document.

    A sentence that `nlp(text)` returns is the only one of its document. Attributes of
    tasks that were not run raise UsageError.

    Attributes:
        document: The document.
        number: The index of the sentence in the document, from 0.

    Example:
        >>> sentence = doc.sentences[1]
        >>> sentence.text, sentence.root.text, len(sentence)
        ('She gave a speech.', 'gave', 5)
        >>> str(sentence.tree)
        '(S1 (S (NP (PRP She)) (VP (VBD gave) (NP (DT a) (NN speech))) (. .)))'
    """

    document: Document
    number: int = 0

    def __post_init__(self) -> None:
        """Raise TypeError if a text is passed instead of a document."""
        document: object = self.document
        if isinstance(document, str):
            raise TypeError(
                "a Sentence is what a tagger makes of a text: use load()(text); a text "
                "alone has no tokens"
            )

    @property
    def start(self) -> int:
        """The index of the sentence's first token in the document."""
        return self.document._lists.starts[self.number]

    @property
    def end(self) -> int:
        """The index after the sentence's last token."""
        return self.document._lists.starts[self.number + 1]

    @property
    def text(self) -> str:  # type: ignore[override] # A property.
        """The text of the sentence."""
        return self.document._text_between(self.start_char, self.end_char)

    @property
    def start_char(self) -> int:
        """The offset of the sentence's first character in the text that was tagged."""
        return self.document._lists.sentence_characters(self.number)[0]

    @property
    def end_char(self) -> int:
        """The offset after the sentence's last character."""
        return self.document._lists.sentence_characters(self.number)[1]

    @property
    def offsets(self) -> tuple[list[int], list[int]]:
        """The offsets of each token's first character, and after its last one.

        They are the `start_char` and the `end_char` of the tokens.
        """
        lists, selected = self.document._lists, slice(self.start, self.end)
        return lists.first_characters[selected], lists.last_characters[selected]

    @property
    def forms(self) -> list[str]:
        """The forms of the tokens; see `Token.text`."""
        text, origin = self.document.text, self.document._start_char
        forms = [
            text[begin - origin : end - origin]
            for begin, end in zip(*self.offsets, strict=True)
        ]
        if spelled := self.document._lists.forms:
            first = self.start
            forms = [spelled.get(i, form) for i, form in enumerate(forms, first)]
        return forms

    @property
    def surface_ranges(self) -> list[tuple[int, int]]:
        """The range of words of each surface token, (begin, end).

        Token indices are relative to the sentence.
        """
        first = self.start
        ranges = self.document._lists.surface_tokens(first, self.end)
        return [(begin - first, end - first) for begin, end in ranges]

    @property
    def tasks(self) -> list[Task]:
        """The tasks whose layers the document has, except hidden ones."""
        lists = self.document._lists
        return [lists.task(name) for name in lists.packed.form.shown]

    def rows(self, task: Task) -> list[Row]:
        """Return the spans of a layer, with token indices relative to the sentence."""
        return rows_of(self, task)

    def rows_by_anchor(self, task: Task) -> dict[int, list[Row]]:
        """Return the spans of each possible anchor, by the anchor's token index."""
        return rows_by_anchor(self, task)

    def tag_scores(self, task: Task) -> list[float]:
        """Return the probabilities of the tags of a task; empty if they are unknown."""
        scores = self.document._lists.scores(task.name) or []
        return [*scores[self.start : self.end]]

    @property
    def parts_of_speech(self) -> PartsOfSpeech:
        """The universal and the language-specific parts of speech of the tokens."""
        words = (token.text for token in self)
        return parts_of_speech(words, len(self), self.tags)

    @property
    def leaf_tags(self) -> Sequence[str]:
        """The parts of speech at the leaves of the parse tree."""
        return self.document._lists.leaf_tags[self.start : self.end]

    @property
    def tree(self) -> Constituent:
        """The root of the sentence's parse tree."""
        rows = self.document._lists.rows_named("tree")
        row = rows.bounds[self.number]
        if row == rows.bounds[self.number + 1]:
            return Constituent(
                self.document, self.start, self.end, SENTENCE, None, _row=NO_ROW
            )
        return constituent_at(self.document, TASKS["tree"], row)

    @property
    def root(self) -> Token | None:
        """The root of the dependency tree, or None in a sentence without tokens."""
        heads = self.document._lists.rows_named("arcs").anchor
        roots = (i for i in range(self.start, self.end) if heads[i] < 0)
        root = next(roots, None)
        return None if root is None else Token(self.document, root)

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as dicts and lists that can be written as JSON.

        `senna-tag --format jsonl` prints the same. Token indices are relative to the
        sentence.

        Example:
            >>> [token["text"] for token in doc.sentences[1].to_dict()["tokens"]]
            ['She', 'gave', 'a', 'speech', '.']
        """
        document = self.document
        lists = document._lists_once()
        if len(lists.starts) > 2:  # Other sentences will need the lists, too.
            lists = document._lists
        return sentence_object(document, lists, self.number)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Create a sentence, in a separate document, from the values of `to_dict`.

        Raises:
            ValueError: If a value is missing or malformed.

        Example:
            >>> from senna_py import Sentence
            >>> Sentence.from_dict(doc.sentences[0].to_dict()).text
            'Angela Merkel visited Berlin.'
        """
        return cls(Document._of_contents(read_sentence(values)))

    @classmethod
    def _json_schema(cls) -> dict[str, Any]:
        return sentence_schema()

    def _place(self) -> tuple[Document, range]:
        return self.document, range(self.start, self.end)

    def _sentences(self) -> tuple[Document, int, int]:
        return self.document, self.number, self.number + 1

    def __eq__(self, other: object) -> bool:
        """Compare texts, the offsets of tokens, and all layers."""
        if not isinstance(other, Sentence):
            return NotImplemented
        if self.document is other.document and self.number == other.number:
            return True
        return hash(self) == hash(other) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.text, self.start_char, len(self)))

    def __repr__(self) -> str:
        words = " ".join("/".join([token.text, *token.tags.values()]) for token in self)
        return f"<Sentence {words}>"


def _conllu() -> Any:
    """Return the module for CoNLL-U, which is in a folder above this one."""
    return import_module("senna_py.formats.conllu_documents")


@refusing_changes
@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Document(_Annotated):
    """Running text, its tokens and sentences, and layers over them.

    Attributes of tasks that were not run raise UsageError.

    Attributes:
        text: The text.

    Example:
        >>> len(doc), doc[3].text, doc[0:2].text
        (10, 'Berlin', 'Angela Merkel')
        >>> [(span.label, span.text) for span in doc.entities]
        [('PER', 'Angela Merkel'), ('LOC', 'Berlin')]
    """

    text: str
    # See `Contents.start_char`.
    _start_char: int
    _packed: Packed
    _kept: Lists | None

    def __init__(
        self,
        text: str,
        tokens: Sequence[tuple[int, int]] | NDArray[np.int32] = (),
        sentence_starts: Sequence[int] | NDArray[np.int32] = (0,),
        layers: Mapping[str, Layer] | None = None,
        words: WordForms | None = None,
    ) -> None:
        """Create a document from existing tokens and layers.

        To annotate a text, use a tagger.

        Args:
            text: The text.
            tokens: int32[n_tokens, 2], the start and end offset of each token in the
                text, in characters.
            sentence_starts: int32[n_sentences + 1], the first token of each sentence,
                and the number of tokens.
            layers: The layers by task, with token indices relative to the document; by
                default, there are none.
            words: The words of multiword tokens. By default, each token is a whole
                surface token.

        Raises:
            ValueError: If the arguments are inconsistent.
            TypeError: If `text` is not blank but there is no sentence.

        Example:
            >>> from senna_py import Document
            >>> own = Document("Hi there", [(0, 2), (3, 8)], [0, 2])
            >>> own[1].text
            'there'
        """
        if len(sentence_starts) < 2 and text and not text.isspace():
            raise TypeError(
                "a Document is what a tagger makes of a text: use load().document(text); "
                "a text alone has no sentences"
            )
        characters = np.asarray(tokens, np.int32).reshape(-1, 2)
        starts = np.asarray(sentence_starts, np.int32)
        bounds = np.zeros((len(starts) - 1, 2), np.int32)
        held = np.flatnonzero(np.diff(starts) > 0)
        if len(characters) and starts[-1] <= len(characters):
            bounds[held, 0] = characters[starts[held], 0]
            bounds[held, 1] = characters[starts[held + 1] - 1, 1]
        contents = Contents(
            text, 0, characters, starts, bounds, dict(layers or {}), words=words
        )
        check_contents(contents)
        self._set(text, 0, pack(contents))

    @classmethod
    def of_packed(cls, text: str, start_char: int, packed: Packed) -> Document:
        """Return the document of a text and its packed contents."""
        document = cls.__new__(cls)
        document._set(text, start_char, packed)
        return document

    @classmethod
    def _of_contents(cls, contents: Contents) -> Document:
        """Return the document of unchecked contents.

        Raises:
            ValueError: If they are inconsistent.
        """
        check_contents(contents)
        return cls.of_packed(contents.text, contents.start_char, pack(contents))

    def _set(self, text: str, start_char: int, packed: Packed) -> None:
        write = object.__setattr__
        write(self, "text", text)
        write(self, "_start_char", start_char)
        write(self, "_packed", packed)
        write(self, "_kept", None)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the document."""
        return tuple(Sentence(self, k) for k in range(len(self._lists.starts) - 1))

    @property
    def sentence_starts(self) -> NDArray[np.int32]:
        """The first token of each sentence and the number of tokens: int32[n + 1]."""
        return self._packed.sentence_starts()

    @property
    def characters(self) -> NDArray[np.int32]:
        """The start and end character offset of each token: int32[n_tokens, 2]."""
        begin, end = self._packed.columns(0, 2)
        return np.stack([np.asarray(begin), np.asarray(end)], axis=1)

    def char_span(
        self,
        start: int,
        end: int,
        label: str = "",
        alignment_mode: str = "strict",
    ) -> Span | None:
        """Return the span of the tokens between two character offsets.

        The result is None if there are no tokens between them, or if the offsets are
        not token boundaries and `alignment_mode` is `strict`.

        Args:
            start: The offset of the first character.
            end: The offset after the last character.
            label: The label of the span.
            alignment_mode: The treatment of tokens that an offset cuts: `strict`
                returns None, `contract` excludes such tokens, and `expand` includes
                them.

        Raises:
            ValueError: If there is no such mode.

        Example:
            >>> doc.char_span(0, 13).text
            'Angela Merkel'
            >>> doc.char_span(0, 10, alignment_mode="expand").text
            'Angela Merkel'
        """
        if alignment_mode not in _MODES:
            known = ", ".join(_MODES)
            raise ValueError(f"no such mode: {alignment_mode!r}; there are {known}")
        firsts, lasts = self._lists.first_characters, self._lists.last_characters
        if alignment_mode == "expand":
            begin, stop = bisect_right(lasts, start), bisect_left(firsts, end)
        else:
            begin, stop = bisect_left(firsts, start), bisect_right(lasts, end)
        if begin >= stop or start >= end:
            return None
        exact = firsts[begin] == start and lasts[stop - 1] == end
        if alignment_mode == "strict" and not exact:
            return None
        return Span(self, begin, stop, label)

    def redact(
        self,
        types: str | Iterable[str] | None = None,
        replace_by: str = "type",
    ) -> Redaction:
        """Replace names, values, addresses and numbers in the text.

        To use the same stand-ins in several documents, make a
        `senna_py.redaction.Redactor`.

        Args:
            types: The names of the types to redact, such as `person`, or labels of
                spans, such as `drug`; `all` stands for all of them. By default, these
                are persons, places, organizations, dates, times, amounts of money, and
                what rules find: e-mail addresses, URLs, telephone numbers, card
                numbers, IBANs, IP addresses and social security numbers.
            replace_by: The style of the replacements: `type` (`[PERSON]`), `number`
                (`PERSON_1`) or `name` (invented names).

        Raises:
            UsageError: If there is no such type or style, or a task that finds one of
                the types was not run (`ner`, `val`).

        Example:
            >>> print(doc.redact(["person"]))
            [PERSON] visited Berlin. She gave a speech.
        """
        from senna_py.redaction import Redactor  # noqa: PLC0415 - few programs need it

        return Redactor(types, replace_by).redact(self)

    def to_dict(self) -> dict[str, Any]:
        """Return a dict with the text and the dicts of the sentences.

        Example:
            >>> [*doc.to_dict()]
            ['text', 'sentences']
        """
        return document_object(self, self._lists_once())

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Create a document from the values that `to_dict` returned.

        Raises:
            ValueError: If a value is missing or malformed.

        Example:
            >>> from senna_py import Document
            >>> Document.from_dict(doc.to_dict()) == doc
            True
        """
        document: Self = cls._of_contents(read_document(values))  # type: ignore[assignment]
        return document

    @classmethod
    def _json_schema(cls) -> dict[str, Any]:
        return document_schema()

    def to_conllu(self) -> str:
        """Return the document as CoNLL-U, from which `from_conllu` restores it.

        CoNLL-U has no place for probabilities, sentences without tokens, or a second
        layer of dependencies. Layers without a column are in MISC.

        Example:
            >>> doc.to_conllu().splitlines()[4]
            '# text = Angela Merkel visited Berlin.'
        """
        text: str = _conllu().document_to_conllu(self)
        return text

    @classmethod
    def from_conllu(
        cls, text: str | bytes | Iterable[str], tasks: Iterable[str] | None = None
    ) -> Self:
        """Read CoNLL-U as one document, even if it consists of several.

        Args:
            text: The text of a file, or its lines. The text of the document is restored
                from the forms and the spaces in MISC.
            tasks: The tasks whose layers are read. By default, these are all layers
                that `to_conllu` wrote. Of other files, they are the columns that have
                values, where `xpos` is `pos` if its tags are Penn Treebank tags, and
                the keys in MISC that `senna-tag --format conllu` writes.

        Raises:
            SennaError: If the text is not valid CoNLL-U, or a layer is malformed.
            TypeError: If `text` is neither text nor lines.

        Example:
            >>> from senna_py import Document
            >>> Document.from_conllu(doc.to_conllu()) == doc
            True
        """
        document: Self = _conllu().document_of_conllu(text, tasks)
        return document

    def to_bytes(self) -> bytes:
        """Serialize the document compactly, for `from_bytes`.

        Example:
            >>> len(doc.to_bytes()) < len(doc.to_json())
            True
        """
        return contents_to_bytes(self._packed.contents(self.text, self._start_char))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a document that `to_bytes` serialized.

        Raises:
            ValueError: If the bytes are damaged, or do not represent a document.
            TypeError: If `data` is not bytes.

        Example:
            >>> from senna_py import Document
            >>> Document.from_bytes(doc.to_bytes()) == doc
            True
        """
        document: Self = cls._of_contents(contents_of_bytes(data))  # type: ignore[assignment]
        return document

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling through `to_bytes` and `from_bytes`."""
        return type(self).from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        """Compare texts, the offsets of tokens, and all layers."""
        if not isinstance(other, Document):
            return NotImplemented
        if self is other:
            return True
        mine, its = self._packed, other._packed
        if (self.text, self._start_char) != (other.text, other._start_char):
            return False
        if mine.form is its.form and mine.data == its.data and mine.words == its.words:
            return True
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.text, self._start_char))

    def __repr__(self) -> str:
        n_sentences = len(self._lists.starts) - 1
        return f"<Document of {counted(n_sentences, 'sentence')}: {self.text[:40]!r}>"

    # The following members are for the views.

    @property
    def _lists(self) -> Lists:
        """The tokens and spans as lists, which are cached on first use."""
        if self._kept is None:
            object.__setattr__(self, "_kept", Lists(self._packed))
        assert self._kept is not None, "it was set"
        return self._kept

    def _lists_once(self) -> Lists:
        """Return the cached lists or, if there are none, uncached new lists."""
        return self._kept or Lists(self._packed)

    def _span(self, task: str, row: int) -> Span:
        """Return the span at a row of a layer."""
        rows = self._lists.rows(task)
        return Span(
            self,
            rows.begin[row],
            rows.end[row],
            rows.label[row],
            rows.score[row],
            rows.anchor[row] if rows.anchor else ROOT,
            task,
        )

    def _spans_of(self, task: str, first: int, last: int) -> tuple[Span, ...]:
        """Return the spans of the sentences `first:last`; none for a task not run."""
        if task not in self._packed.form.shown:
            return ()
        bounds = self._lists.rows(task).bounds
        return tuple([self._span(task, k) for k in range(bounds[first], bounds[last])])

    def _spans_within(self, name: str, start: int, end: int) -> tuple[Span, ...]:
        """Return the spans of a flat task that lie within the tokens `start:end`."""
        rows, task = self._lists.rows_named(name), TASKS[name]
        first, last = bisect_left(rows.begin, start), bisect_right(rows.end, end)
        return tuple(self._span(task, k) for k in range(first, last))

    def _flat_span_at(self, name: str, i: int) -> Span | None:
        """Return the span of a flat task that contains a token, or None."""
        rows = self._lists.rows_named(name)
        row = bisect_right(rows.begin, i) - 1
        if row < 0 or rows.end[row] <= i:
            return None
        return self._span(TASKS[name], row)

    def _phrase_at(self, i: int) -> Constituent:
        """Return the smallest constituent that contains a token."""
        rows = self._lists.rows_named("tree")
        row = bisect_right(rows.begin, i) - 1
        while rows.end[row] <= i:
            row -= 1
        return constituent_at(self, TASKS["tree"], row)

    def _sentence_at(self, i: int) -> Sentence:
        return Sentence(self, self._lists.sentence_of(i))

    def _text_between(self, start_char: int, end_char: int) -> str:
        return self.text[start_char - self._start_char : end_char - self._start_char]

    def _characters(self, start: int, end: int) -> tuple[int, int]:
        """Return the character offsets of the tokens `start:end`.

        Without tokens, both are the offset of token `start`, or the end of the text.
        """
        firsts = self._lists.first_characters
        if start < end:
            return firsts[start], self._lists.last_characters[end - 1]
        after = self._start_char + len(self.text)
        place = firsts[start] if start < len(firsts) else after
        return place, place

    def _noun_chunks(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the start and end token of each noun chunk of a sentence."""
        sentence = Sentence(self, number)
        start = sentence.start
        known = [task for task in (UPOS, POS, XPOS) if task in self._packed.form.shown]
        tags = self._lists.tags(known[0])[start : sentence.end] if known else ()
        for begin, end in noun_chunks(shifted(sentence.arcs, start), tags):
            yield begin + start, end + start

    def _place(self) -> tuple[Document, range]:
        return self, range(self._lists.starts[-1])

    def _sentences(self) -> tuple[Document, int, int]:
        return self, 0, len(self._lists.starts) - 1
