"""What a Tagger gives: Documents of Sentences, and their Tokens, Spans and Frames.

`start_char` and `end_char` count characters of the text that was tagged; all other
numbers are those of tokens in their sentence, not in the document. Ends are exclusive.
All objects are immutable, can be hashed and pickled, and compare by value.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, overload

from senna_py.errors import UsageError, counted
from senna_py.immutable import refusing_changes
from senna_py.io.nesting import json_text, parse_json
from senna_py.kinds import KINDS, ByTask, not_run, read_value, value_of
from senna_py.labels.dependencies import depths, noun_chunks
from senna_py.labels.feats import Feats
from senna_py.labels.tasks import TABLE
from senna_py.other_names import OtherNames
from senna_py.text.looks import like_email, like_url, shape_of
from senna_py.token_tree import InTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, SupportsIndex

    from typing_extensions import Self

    from senna_py.kinds import Arc, Segment
    from senna_py.labels.trees import Tree

__all__ = ["Document", "Frame", "Sentence", "Span", "Token"]

_TASKS = {task.attribute: task.name for task in TABLE.values() if task.attribute}
_NONE = ByTask()


class _Text(OtherNames):
    """What a Document and a Sentence have in common: what was found, its JSON, tables
    and HTML.
    """

    __slots__ = ()
    text: str

    def _each(self) -> tuple[Sentence, ...]:
        """Its sentences."""
        raise NotImplementedError

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens; `index` of a token, and `start` and `end` of a span, count in its
        sentence.

        So the tokens of a span are `span.tokens`, and no slice of those of a document.
        """
        sentences = self._each()
        kind = tuple if len(sentences) == 1 else _DocumentTokens
        return kind(chain.from_iterable(sentences))

    @property
    def chunks(self) -> tuple[Span, ...]:
        """The chunks."""
        return self._spans("chunks")

    @property
    def entities(self) -> tuple[Span, ...]:
        """The named entities."""
        return self._spans("entities")

    @property
    def values(self) -> tuple[Span, ...]:
        """Dates, times, amounts and other values."""
        return self._spans("values")

    @property
    def noun_chunks(self) -> tuple[Span, ...]:
        """Chunks with the label NP; where chunks were not run, those of the
        dependencies.
        """
        return tuple(
            chain.from_iterable(sentence._noun_chunks() for sentence in self._each())
        )

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames, one per predicate."""
        return tuple(
            Frame(sentence, *frame)
            for sentence in self._each()
            for frame in sentence._part("frames")
        )

    def _spans(self, name: str) -> tuple[Span, ...]:
        """The spans of the task that an attribute is of; raises UsageError if it was
        not run.
        """
        return tuple(
            chain.from_iterable(each._spans_of_task(name) for each in self._each())
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        raise NotImplementedError

    def table(self, name: str = "tokens") -> dict[str, list[Any]]:
        """Tokens, spans or frames as columns, see `senna_py.table`, without that of
        documents.
        """
        from senna_py.tables import table  # noqa: PLC0415 - it imports this

        columns = table([self], name)  # type: ignore[list-item] # it is one of the two
        del columns["document"]
        return columns

    @classmethod
    def _of_dict(cls, found: Mapping[str, Any]) -> Self:
        raise NotImplementedError

    def to_json(self) -> str:
        """The JSON object of `to_dict` on one line; lone surrogates are escaped."""
        text = json_text(self.to_dict(), ensure_ascii=False)
        return text.encode("utf-8", "backslashreplace").decode()

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Self:
        """Return an object equal to the one whose `to_dict` gave this.

        Raises:
            ValueError: If something is missing or has the wrong form.
        """
        try:
            return cls._of_dict(found)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            kind, name = type(error).__name__, cls.__name__.lower()
            raise ValueError(f"no {name} as of to_dict: {kind}: {error}") from None

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read what `to_json` or `senna-tag --format jsonl` wrote; see `from_dict`."""
        return cls.from_dict(parse_json(text))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Tell Pydantic, and so FastAPI, to read and write what `to_dict` gives."""
        from pydantic_core import core_schema as schema  # noqa: PLC0415 - it called this

        return schema.no_info_plain_validator_function(
            lambda given: given if isinstance(given, cls) else cls.from_dict(given),
            serialization=schema.plain_serializer_function_ser_schema(
                cls.to_dict, return_schema=schema.dict_schema()
            ),
        )

    def _repr_html_(self) -> str:
        """HTML of everything that was found, for notebooks; see
        `senna_py.display.render`.
        """
        from senna_py.display import render  # noqa: PLC0415 - for those who look at it only

        return render(self)  # type: ignore[arg-type] # it is one of the two

    def __str__(self) -> str:
        return self.text


class _Tokens(OtherNames):
    """What a Sentence and a Span have in common: they are tokens in a row."""

    __slots__ = ()

    def _places(self) -> tuple[Sentence, range]:
        """The sentence, and the numbers that the tokens have in it."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._places()[1])

    def __iter__(self) -> Iterator[Token]:
        sentence, places = self._places()
        return (Token(sentence, index) for index in places)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> Span: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Token | Span:
        """Token at `index`, or the Span of a slice."""
        sentence, places = self._places()
        found: int | range = _at(places, index, "token")
        if isinstance(found, int):
            return Token(sentence, found)
        if found.step != 1:
            raise ValueError("a span has no step: take it of the tuple `tokens`")
        return Span(sentence, "", found.start, max(found.start, found.stop))


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Token(InTree):
    """A token. Reading a tag whose task was not run is a UsageError.

    Attributes:
        sentence: Its sentence.
        index: Its number in the sentence, from 0 (not in the document).
    """

    sentence: Sentence
    index: int

    @property
    def text(self) -> str:
        """The token as the text has it."""
        return self.sentence._text_of(self.index, self.index + 1)

    @property
    def start_char(self) -> int:
        """Its first character in the text that was tagged."""
        return self.sentence.starts[self.index]

    @property
    def end_char(self) -> int:
        """The character after its last one."""
        return self.sentence.ends[self.index]

    @property
    def pos(self) -> str:
        """Part of speech; where `pos` was not run, that of `xpos` or `upos`, if one of
        them was.
        """
        tags = self.sentence.tags
        return self._tag(
            next((task for task in ("pos", "xpos", "upos") if task in tags), "pos")
        )

    @property
    def upos(self) -> str:
        """Universal part of speech, of models that have the task `upos`."""
        return self._tag("upos")

    @property
    def feats(self) -> Feats:
        """Morphological features, of models that have the task `feats`.

        It is a str, `Number=Plur|Person=3`, with `feats["Number"]`, `get` and
        `to_dict`, too.
        """
        return Feats(self._tag("feats"))

    @property
    def lemma(self) -> str:
        """Lemma, of models that have the task `lemma`."""
        return self._tag("lemma")

    @property
    def chk(self) -> str:
        """IOBES tag of chunks."""
        return self._tag("chk")

    @property
    def ner(self) -> str:
        """IOBES tag of entities."""
        return self._tag("ner")

    @property
    def pt0(self) -> str:
        """IOBES tag of the deepest phrases."""
        return self._tag("pt0")

    @property
    def tags(self) -> dict[str, str]:
        """All its tags by task, those of your own tasks, too."""
        return ByTask(
            {task: tags[self.index] for task, tags in self.sentence.tags.items()}
        )

    @property
    def roles(self) -> dict[int, str]:
        """Its roles, by the index of their predicate; V is the predicate itself."""
        return {
            predicate: label
            for predicate, arguments in self.sentence._part("frames")
            for label, start, end, _ in arguments
            if start <= self.index < end
        }

    @property
    def like_url(self) -> bool:
        """Whether it looks like the address of a page or a file on the network."""
        return like_url(self.text)

    @property
    def like_email(self) -> bool:
        """Whether it looks like an address of mail."""
        return like_email(self.text)

    @property
    def shape_(self) -> str:
        """Its kinds of characters, as spaCy has them: `Xxxxx` for *Berlin*, `dd.d` for
        *10.5*.
        """
        return shape_of(self.text)

    @property
    def whitespace_(self) -> str:
        """What stands between it and the next token of its sentence; empty after the
        last one.
        """
        text, starts = self.sentence.text, self.sentence.starts
        if self.index + 1 == len(starts):
            return ""
        first = self.sentence.start_char
        return text[self.end_char - first : starts[self.index + 1] - first]

    def nbor(self, i: int = 1) -> Token:
        """The token `i` places after it in its sentence, or before it if `i` is
        negative.
        """
        place = self.index + i
        if not 0 <= place < len(self.sentence):
            raise IndexError(
                f"no token {place}: there are {len(self.sentence)} in the sentence, which nbor "
                "does not leave"
            )
        return Token(self.sentence, place)

    def _tag(self, task: str) -> str:
        return self.sentence.tags[task][self.index]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        tags = "".join(f", {task}={tag!r}" for task, tag in self.tags.items())
        return f"Token({self.text!r}, {self.start_char}, {self.end_char}{tags})"


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Span(_Tokens):
    """Tokens of a sentence: a labeled segment, or a slice.

    Attributes:
        sentence: Its sentence.
        label: The label; empty for a slice.
        start: The index of its first token in the sentence (not in the document).
        end: The index of the token after its last one.
        score: The probability of the segment; None unless scores were asked for.
    """

    sentence: Sentence
    label: str
    start: int
    end: int
    score: float | None = None

    @property
    def text(self) -> str:
        """The text that it covers."""
        return self.sentence._text_of(self.start, self.end)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Its tokens."""
        return tuple(self)

    @property
    def root(self) -> Token | None:
        """The token that the others depend on, the nearest to the root; None without
        tokens.
        """
        arcs = self.sentence.arcs
        depth = depths([-1 if arc.head is None else arc.head for arc in arcs])
        places = range(self.start, self.end)
        nearest = min(places, key=lambda place: depth[place] or 0, default=None)
        return None if nearest is None else Token(self.sentence, nearest)

    @property
    def entities(self) -> tuple[Span, ...]:
        """The named entities within it."""
        return tuple(
            entity
            for entity in self.sentence.entities
            if self.start <= entity.start and entity.end <= self.end
        )

    @property
    def start_char(self) -> int:
        """Its first character in the text that was tagged."""
        return self.sentence._characters(self.start, self.end)[0]

    @property
    def end_char(self) -> int:
        """The character after its last one."""
        return self.sentence._characters(self.start, self.end)[1]

    def to_dict(self) -> dict[str, Any]:
        """Plain values by the keys of the JSON format."""
        start, end = self.sentence._characters(self.start, self.end)
        out = {
            "label": self.label,
            "start_token": self.start,
            "end_token": self.end,
            "start_char": start,
            "end_char": end,
            "text": self.text,
        }
        return out if self.score is None else out | {"score": self.score}

    def _places(self) -> tuple[Sentence, range]:
        return self.sentence, range(self.start, self.end)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        label = self.label and f"{self.label}, "
        return f"Span({label}{self.start}:{self.end}, {self.text!r})"


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Frame(OtherNames):
    """A predicate and its arguments.

    `frame["A0"]` is the first argument with that label, and `"A0" in frame` says if
    there is one.

    Attributes:
        sentence: Its sentence.
        predicate: The index of the predicate's token in the sentence (not in the
        document).
    """

    sentence: Sentence
    predicate: int
    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The token of the predicate."""
        return self.sentence._text_of(self.predicate, self.predicate + 1)

    @property
    def token(self) -> Token:
        """The token of the predicate, with its tags."""
        return Token(self.sentence, self.predicate)

    @property
    def lemma(self) -> str:
        """The lemma of the predicate, of models that have the task `lemma`."""
        return self.token.lemma

    @property
    def arguments(self) -> tuple[Span, ...]:
        """Its arguments, V (the predicate itself) among them."""
        return tuple(Span(self.sentence, *segment) for segment in self.segments)

    def get(self, label: str) -> Span | None:
        """The first argument with a label, such as A0; None if there is none."""
        return next((span for span in self.arguments if span.label == label), None)

    def __getitem__(self, label: str) -> Span:
        """The first argument with a label; raises KeyError that says which there
        are.
        """
        if (found := self.get(label)) is None:
            labels = ", ".join(span.label for span in self.arguments)
            raise KeyError(f"{label!r}: the arguments of {self.text!r} are {labels}")
        return found

    def __contains__(self, label: object) -> bool:
        """Whether it has an argument with a label."""
        return any(span.label == label for span in self.arguments)

    __iter__ = None  # else Python would ask for the arguments 0, 1, ...

    def to_dict(self) -> dict[str, Any]:
        """Plain values by the keys of the JSON format."""
        arguments = [span.to_dict() for span in self.arguments]
        return {"predicate": self.predicate, "text": self.text, "arguments": arguments}

    def __repr__(self) -> str:
        return f"Frame({self.predicate}, {self.text!r}, {self.arguments})"


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Sentence(_Text, _Tokens):
    """A tagged sentence. Reading what was not asked for is a UsageError.

    Attributes:
        text: The sentence.
        start_char: The character of the document at which it begins; 0 without a
        document.
    """

    # starts, ends: the characters of its tokens, ends exclusive; found: what was found,
    # as KINDS have it: `tags`, `scores` and `spans`, by task, `frames`, the `tree`, and
    # `arcs`.
    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    start_char: int = 0
    found: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise TypeError for a text without its tokens, which only a tagger finds."""
        if not self.starts and self.text and not self.text.isspace():
            raise TypeError(
                "a Sentence is what a tagger makes of a text: use load()(text); a text alone has "
                "no tokens"
            )

    @property
    def tags(self) -> Mapping[str, tuple[str, ...]]:
        """The tags of the tokens, by task; those of segments are IOBES."""
        return self.found.get("tags", _NONE)

    @property
    def end_char(self) -> int:
        """The character of the document after its last one."""
        return self.start_char + len(self.text)

    def _each(self) -> tuple[Sentence, ...]:
        return (self,)

    def _places(self) -> tuple[Sentence, range]:
        return self, range(len(self.starts))

    def _noun_chunks(self) -> tuple[Span, ...]:
        if "arcs" not in self.found:
            return tuple(chunk for chunk in self.chunks if chunk.label == "NP")
        known = [
            self.tags[task] for task in ("upos", "pos", "xpos") if task in self.tags
        ]
        return tuple(
            Span(self, "NP", *pair) for pair in noun_chunks(self.arcs, *known[:1])
        )

    @property
    def spans(self) -> Mapping[str, tuple[Span, ...]]:
        """The spans of all tasks of segments, by task: `chk`, `ner`, and your own."""
        spans = self.found.get("spans", {}).items()
        return ByTask({task: self._spans_of(segments) for task, segments in spans})

    @property
    def scores(self) -> Mapping[str, tuple[float, ...]]:
        """The probabilities of the tags, by task; `load(with_scores=True)` asks for
        them.
        """
        if "scores" not in self.found:
            raise UsageError(
                "no scores: they were not asked for; load(with_scores=True) does"
            )
        return self.found["scores"]

    @property
    def tree(self) -> Tree:
        """The parse tree, whose leaves are the tokens."""
        return self._part("tree")

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The dependency of each token."""
        return self._part("arcs")

    @property
    def root(self) -> Token | None:
        """The token that depends on no other; None of a sentence without tokens."""
        roots = (Token(self, i) for i, arc in enumerate(self.arcs) if arc.head is None)
        return next(roots, None)

    def _part(self, name: str) -> Any:
        """A part of `found`; raises UsageError that names the task if it was not
        run.
        """
        if name not in self.found:
            raise not_run(name, _TASKS[name], self.tags)
        return value_of(self.found[name])

    def _spans_of_task(self, name: str) -> tuple[Span, ...]:
        spans, task = self.found.get("spans", {}), _TASKS[name]
        if task not in spans:
            raise not_run(name, task, self.tags)
        return self._spans_of(spans[task])

    def _spans_of(self, segments: Any) -> tuple[Span, ...]:
        return tuple([Span(self, *segment) for segment in value_of(segments)])

    def _characters(self, start: int, end: int) -> tuple[int, int]:
        """First and end character of the tokens `start:end`, also where there are
        none.
        """
        if start < end:
            return self.starts[start], self.ends[end - 1]
        at = self.starts[start] if start < len(self) else self.end_char
        return at, at

    def _text_of(self, start: int, end: int) -> str:
        first, last = self._characters(start, end)
        return self.text[first - self.start_char : last - self.start_char]

    def to_dict(self) -> dict[str, Any]:
        """What was asked for as plain dicts and lists, as `senna-tag --format jsonl`
        prints it.
        """
        at = self.start_char
        out: dict[str, Any] = {
            "text": self.text,
            "start_char": at,
            "end_char": self.end_char,
            "tokens": [
                {"text": self.text[a - at : b - at], "start_char": a, "end_char": b}
                for a, b in zip(self.starts, self.ends, strict=True)
            ],
        }
        for kind in KINDS.values():
            if kind.part in self.found:
                out |= kind.to_dict(self)
        return out

    @classmethod
    def _of_dict(cls, found: Mapping[str, Any]) -> Sentence:
        known: dict[str, Any] = {"start_char": 0, "tags": {}, **found}
        tokens = known["tokens"]
        parts: dict[str, Any] = {}
        for kind in KINDS.values():
            if kind.part in known:
                parts |= kind.of_dict(known, len(tokens))
        sentence = cls(
            read_value(known, "text", str),
            tuple(read_value(token, "start_char", int) for token in tokens),
            tuple(read_value(token, "end_char", int) for token in tokens),
            read_value(known, "start_char", int),
            parts,
        )
        for token, given in zip(sentence, tokens, strict=True):
            start, end = token.start_char, token.end_char
            inside = sentence.start_char <= start < end <= sentence.end_char
            if not inside or token.text != given["text"]:
                raise ValueError(f"the token {given['text']!r} is not where it says")
        return sentence

    def __hash__(self) -> int:
        """Hash of what sentences are told apart by, mostly."""
        return hash((self.text, self.start_char, self.starts))

    def __repr__(self) -> str:
        words = " ".join("/".join([token.text, *token.tags.values()]) for token in self)
        return f"<Sentence {words}>"


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Document(_Text):
    """Running text and its sentences. Reading what was not asked for is a UsageError.

    Attributes:
        text: The text, in which all characters are counted.
        sentences: The sentences.
    """

    text: str
    sentences: tuple[Sentence, ...] = ()

    def __post_init__(self) -> None:
        """Raise TypeError for a text without its sentences, which only a tagger
        finds.
        """
        if not self.sentences and self.text and not self.text.isspace():
            raise TypeError(
                "a Document is what a tagger makes of a text: use load().document(text); a text "
                "alone has no sentences"
            )

    def _each(self) -> tuple[Sentence, ...]:
        return self.sentences

    @property
    def spans(self) -> Mapping[str, tuple[Span, ...]]:
        """The spans of all tasks of segments, by task: `chk`, `ner`, and your own."""
        if not self.sentences:
            return defaultdict(tuple)
        parts = [sentence.spans for sentence in self]
        return ByTask(
            {
                task: tuple(chain.from_iterable(part[task] for part in parts))
                for task in parts[0]
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """The text, and `to_dict` of each sentence."""
        return {
            "text": self.text,
            "sentences": [sentence.to_dict() for sentence in self],
        }

    @classmethod
    def _of_dict(cls, found: Mapping[str, Any]) -> Document:
        text = read_value(found, "text", str)
        sentences = tuple(map(Sentence.from_dict, found["sentences"]))
        for sentence in sentences:
            start = sentence.start_char
            if start < 0 or text[start : sentence.end_char] != sentence.text:
                raise ValueError(f"the sentence {sentence.text!r} is not where it says")
        return cls(text, sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Sentence: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Sentence, ...]: ...

    def __getitem__(
        self, index: SupportsIndex | slice
    ) -> Sentence | tuple[Sentence, ...]:
        """Sentence at `index`, or a tuple of sentences for a slice."""
        return _at(self.sentences, index, "sentence")

    def __repr__(self) -> str:
        return f"<Document of {counted(len(self), 'sentence')}: {self.text[:40]!r}>"


class _DocumentTokens(tuple["Token", ...]):
    """The tokens of several sentences, which are no place for indices of one of
    them.
    """

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        """Return what a tuple would; warn, once, of a slice that may be meant for a
        span.
        """
        if isinstance(index, slice) and None not in (index.start, index.stop):
            _warn_of_slices()
        return super().__getitem__(index)


@cache
def _warn_of_slices() -> None:
    import logging  # noqa: PLC0415 - a short start

    logging.getLogger(__name__.partition(".")[0]).warning(
        "document.tokens[a:b] counts tokens of the document, but start, end and index count in "
        "their sentence: the tokens of a span are span.tokens"
    )


def _at(items: Sequence[Any], index: Any, noun: str) -> Any:
    """The item or items at an index or slice; raises IndexError or TypeError."""
    try:
        return items[index]
    except IndexError:
        raise IndexError(f"no {noun} {index}: there are {len(items)}") from None
    except TypeError:
        raise TypeError(
            f"a {noun} is found by an int or a slice, not {index!r}"
        ) from None
