"""Views of a document: its tokens, spans of them, and the frames of predicates.

A view holds a document and token indices. It is immutable, hashable and picklable, and
is equal to a view of the same tokens in an equal document.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from senna_py.answers.dependents import Dependents
from senna_py.answers.layer import ROOT
from senna_py.answers.missing import ByTask
from senna_py.immutable import refusing_changes
from senna_py.labels.feats import Feats
from senna_py.labels.tasks import FEATS, LEMMA, ROLES, UPOS
from senna_py.other_names import OtherNames
from senna_py.text.looks import like_email, like_url, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, SupportsIndex

    from senna_py.answers.constituents import Constituent
    from senna_py.answers.document import Document, Sentence


class TokenRow(OtherNames):
    """The base class of documents, sentences and spans: a sequence of tokens."""

    __slots__ = ()

    def _place(self) -> tuple[Document, range]:
        """Return the document, and the range of the tokens in it."""
        raise NotImplementedError

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens as a tuple."""
        return tuple(self)

    def __len__(self) -> int:
        return len(self._place()[1])

    def __iter__(self) -> Iterator[Token]:
        document, places = self._place()
        return (Token(document, i) for i in places)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> Span: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Token | Span:
        """Return the token at an index, or the span of a slice.

        The index is relative to this object. The indices in the returned Token or Span
        are relative to the document.

        Raises:
            IndexError: If there is no such token.
            ValueError: If a slice has a step.
            TypeError: If the index is neither an int nor a slice.
        """
        document, places = self._place()
        try:
            place = places[index]
        except IndexError:
            problem = f"no token {index}: there are {len(places)}"
            if 0 <= int(index) < len(document):  # type: ignore[arg-type] # not a slice
                problem += (
                    f" in the {type(self).__name__.lower()}; document[{index}] counts "
                    "in the document"
                )
            raise IndexError(problem) from None
        except TypeError:
            raise TypeError(
                f"a token is found by an int or a slice, not {index!r}"
            ) from None
        if isinstance(place, int):
            return Token(document, place)
        if place.step != 1:
            raise ValueError("a span has no step: take it of the tuple `tokens`")
        return Span(document, place.start, max(place.start, place.stop))


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Token(Dependents):
    """A token of a document, which is a syntactic word.

    Attributes of tasks that were not run raise UsageError.

    Attributes:
        document: The document.
        i: The index of the token in the document, from 0.

    Example:
        >>> token = doc.sentences[1][3]
        >>> token.text, token.pos, token.lemma, token.relation, token.head.text
        ('speech', 'NN', 'speech', 'obj', 'gave')
    """

    document: Document
    i: int

    @property
    def sentence(self) -> Sentence:
        """The sentence that contains the token."""
        return self.document._sentence_at(self.i)

    @property
    def text(self) -> str:
        """The form of the token.

        It is the text from `start_char` to `end_char`, except for words of multiword
        tokens that are not in the text, such as *de* and *o* of Portuguese *do*.
        """
        form = self.document._lists.forms.get(self.i)
        if form is not None:
            return form
        return self.document._text_between(self.start_char, self.end_char)

    @property
    def words(self) -> tuple[Token, ...]:
        """The words of the surface token that the token belongs to."""
        begin, end = self.document._lists.words_of(self.i)
        return tuple(Token(self.document, i) for i in range(begin, end))

    @property
    def surface(self) -> str:
        """The text of the surface token that the token belongs to."""
        return Span(self.document, *self.document._lists.words_of(self.i)).text

    @property
    def start_char(self) -> int:
        """The offset of the token's first character in the text that was tagged.

        If the form of the token is not in the text, `start_char` and `end_char` are the
        offsets of its surface token.
        """
        return self.document._lists.first_characters[self.i]

    @property
    def end_char(self) -> int:
        """The offset after the token's last character."""
        return self.document._lists.last_characters[self.i]

    @property
    def pos(self) -> str:
        """The part of speech from `pos` or, if that was not run, `xpos` or `upos`."""
        return self._tag(self.document._packed.form.pos_task)

    @property
    def upos(self) -> str:
        """The universal part of speech, if `upos` was run."""
        return self._tag(UPOS)

    @property
    def feats(self) -> Feats:
        """The token's morphological features, if `feats` was run.

        The value is a str such as `Number=Plur|Person=3`. It also supports
        `feats["Number"]`, `get` and `to_dict`; see `labels.feats.Feats`.
        """
        return Feats(self._tag(FEATS))

    @property
    def lemma(self) -> str:
        """The token's lemma, if `lemma` was run."""
        return self._tag(LEMMA)

    @property
    def chk(self) -> str:
        """The token's IOBES tag for chunks."""
        return self._tag("chk")

    @property
    def ner(self) -> str:
        """The token's IOBES tag for named entities."""
        return self._tag("ner")

    @property
    def pt0(self) -> str:
        """The token's IOBES tag for the lowest phrases of the parse tree."""
        return self._tag("pt0")

    @property
    def tags(self) -> dict[str, str]:
        """The token's tags by task, including custom tasks."""
        tasks = self.document._packed.form.tag_tasks
        return ByTask({task: self._tag(task) for task in tasks}, "tags")

    @property
    def chunk(self) -> Span | None:
        """The chunk that contains the token, or None."""
        return self.document._flat_span_at("chunks", self.i)

    @property
    def entity(self) -> Span | None:
        """The named entity that contains the token, or None."""
        return self.document._flat_span_at("entities", self.i)

    @property
    def phrase(self) -> Constituent:
        """The smallest constituent of the parse tree that contains the token."""
        return self.document._phrase_at(self.i)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames in which the token is the predicate or part of an argument."""
        places = dict.fromkeys(self.roles)
        predicates = (frame.predicate for frame in self.sentence.frames)
        return tuple(
            Frame(self.document, predicate)
            for predicate in predicates
            if predicate in places or predicate == self.i
        )

    @property
    def roles(self) -> dict[int, str]:
        """The token's roles, by predicate index; V marks the predicate itself."""
        rows = self.document._lists.rows_named("frames")
        sentence = self.document._lists.sentence_of(self.i)
        return {
            rows.anchor[k]: rows.label[k]
            for k in range(rows.bounds[sentence], rows.bounds[sentence + 1])
            if rows.begin[k] <= self.i < rows.end[k]
        }

    @property
    def like_url(self) -> bool:
        """Whether the token looks like a URL."""
        return like_url(self.text)

    @property
    def like_email(self) -> bool:
        """Whether the token looks like an email address."""
        return like_email(self.text)

    @property
    def shape_(self) -> str:
        """The token's shape as in spaCy: `Xxxxx` for *Berlin*, `dd.d` for *10.5*."""
        return shape_of(self.text)

    @property
    def whitespace_(self) -> str:
        """The text up to the next token; empty for the last token of a sentence."""
        sentence = self.sentence
        if self.i + 1 == sentence.end:
            return ""
        after = self.document._lists.first_characters[self.i + 1]
        return self.document._text_between(self.end_char, after)

    def nbor(self, i: int = 1) -> Token:
        """Return the token `i` tokens to the right, or to the left if `i` is negative.

        Raises:
            IndexError: If the sentence has no such token.

        Example:
            >>> doc[0].nbor().text, doc[1].nbor(-1).text
            ('Merkel', 'Angela')
        """
        sentence = self.sentence
        if not sentence.start <= self.i + i < sentence.end:
            raise IndexError(
                f"no token {self.i - sentence.start + i}: there are {len(sentence)} in "
                "the sentence, which nbor does not leave"
            )
        return Token(self.document, self.i + i)

    def _tag(self, task: str) -> str:
        return self.document._lists.tags(task)[self.i]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        tags = "".join(f", {task}={tag!r}" for task, tag in self.tags.items())
        return f"Token({self.text!r}, {self.start_char}, {self.end_char}{tags})"


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Span(TokenRow):
    """Consecutive tokens of a document: a labeled span of a layer, or a slice.

    Attributes:
        document: The document.
        start: The index of the first token in the document.
        end: The index after the last token.
        label: The label; empty for a slice.
        score: The probability of the span; None unless requested.

    Example:
        >>> span = doc.entities[0]
        >>> span.label, span.text, span.start, span.end, span.root.text
        ('PER', 'Angela Merkel', 0, 2, 'Angela')
    """

    document: Document
    start: int
    end: int
    label: str = ""
    score: float | None = None
    _anchor: int = ROOT
    _task: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The text of the span, including white space between its tokens."""
        return self.document._text_between(self.start_char, self.end_char)

    @property
    def start_char(self) -> int:
        """The offset of the span's first character in the text that was tagged."""
        return self.document._characters(self.start, self.end)[0]

    @property
    def end_char(self) -> int:
        """The offset after the span's last character."""
        return self.document._characters(self.start, self.end)[1]

    @property
    def sentence(self) -> Sentence:
        """The sentence that contains the span's first token."""
        return self.document._sentence_at(self.start)

    @property
    def anchor(self) -> Token | Span | None:
        """The span's anchor: the predicate of an argument, another span, or None."""
        if self._anchor == ROOT:
            return None
        if self.document.layers[self._task].shape.hangs_on == "token":
            return Token(self.document, self._anchor)
        return self.document._span(self._task, self._anchor)

    @property
    def root(self) -> Token | None:
        """The span's token that is nearest to the root of the dependency tree, or None.

        A span without tokens has no root.
        """
        depths = self.document._lists.depths
        nearest = min(range(self.start, self.end), key=depths.__getitem__, default=None)
        return None if nearest is None else Token(self.document, nearest)

    @property
    def entities(self) -> tuple[Span, ...]:
        """The named entities that lie entirely within the span."""
        return self.document._spans_within("entities", self.start, self.end)

    def to_dict(self) -> dict[str, Any]:
        """Return the span as a dict that can be serialized as JSON.

        Token indices are relative to the document.

        Example:
            >>> doc.entities[1].to_dict()["text"]
            'Berlin'
        """
        out = {
            "label": self.label,
            "start_token": self.start,
            "end_token": self.end,
            "start_char": self.start_char,
            "end_char": self.end_char,
            "text": self.text,
        }
        return out if self.score is None else out | {"score": self.score}

    def _place(self) -> tuple[Document, range]:
        return self.document, range(self.start, self.end)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        label = self.label and f"{self.label}, "
        return f"Span({label}{self.start}:{self.end}, {self.text!r})"


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Frame(OtherNames):
    """A predicate and its arguments.

    `frame["A0"]` returns the first argument with that label, and `"A0" in frame` tests
    whether there is one.

    Attributes:
        document: The document.
        predicate: The token index of the predicate in the document.

    Example:
        >>> frame = doc.frames[0]
        >>> frame.text, frame["A0"].text, "A2" in frame
        ('visited', 'Angela Merkel', False)
    """

    document: Document
    predicate: int

    @property
    def sentence(self) -> Sentence:
        """The sentence that contains the predicate."""
        return self.document._sentence_at(self.predicate)

    @property
    def text(self) -> str:
        """The text of the predicate's token."""
        return self.token.text

    @property
    def token(self) -> Token:
        """The predicate as a Token."""
        return Token(self.document, self.predicate)

    @property
    def lemma(self) -> str:
        """The lemma of the predicate, if `lemma` was run."""
        return self.token.lemma

    @property
    def arguments(self) -> tuple[Span, ...]:
        """The arguments of the frame, including V, the predicate itself."""
        rows = self.document._lists.rows_named("frames")
        first = bisect_left(rows.anchor, self.predicate)
        last = bisect_right(rows.anchor, self.predicate)
        return tuple(self.document._span(ROLES, k) for k in range(first, last))

    def get(self, label: str) -> Span | None:
        """Return the first argument with the given label, such as A0, or None.

        Example:
            >>> doc.frames[0].get("A1").text
            'Berlin'
        """
        return next((span for span in self.arguments if span.label == label), None)

    def __getitem__(self, label: str) -> Span:
        """Return the first argument with the given label.

        Raises:
            KeyError: If there is none; the message lists the labels of the arguments.
        """
        span = self.get(label)
        if span is None:
            labels = ", ".join(span.label for span in self.arguments)
            raise KeyError(f"{label!r}: the arguments of {self.text!r} are {labels}")
        return span

    def __contains__(self, label: object) -> bool:
        """Return whether the frame has an argument with the given label."""
        return any(span.label == label for span in self.arguments)

    __iter__ = None  # Otherwise Python would iterate with __getitem__(0), and so on.

    def to_dict(self) -> dict[str, Any]:
        """Return the frame as a dict that can be serialized as JSON.

        Token indices are relative to the document.

        Example:
            >>> doc.frames[0].to_dict()["predicate"]
            2
        """
        arguments = [span.to_dict() for span in self.arguments]
        return {"predicate": self.predicate, "text": self.text, "arguments": arguments}

    def __repr__(self) -> str:
        return f"Frame({self.predicate}, {self.text!r}, {self.arguments})"
