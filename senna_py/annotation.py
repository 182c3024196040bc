"""Tagged sentences as plain Python objects."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from senna_py.io.nesting import parse_json
from senna_py.labels.trees import EMPTY, Leaf, Phrase, Tree, build_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, SupportsIndex

__all__ = ["ATTRIBUTES", "Frame", "Sentence", "Span", "Token"]

ATTRIBUTES = ("pos", "chk", "ner", "pt0")  # tasks whose tags are attributes of a Token


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its text, where it stands (characters, end exclusive), and its tags.

    A tag is None if its task was not asked for. Tags of segments are IOBES. others: pairs of the
    name and the tag of each task that has no attribute here; `tags` has all of them.
    """

    text: str
    start: int
    end: int
    pos: str | None = None
    chk: str | None = None
    ner: str | None = None
    pt0: str | None = None
    others: tuple[tuple[str, str], ...] = ()

    @property
    def tags(self) -> dict[str, str]:
        """All tags of the token: dict of str by the name of the task."""
        named = ((task, getattr(self, task)) for task in ATTRIBUTES)
        return {task: tag for task, tag in named if tag is not None} | dict(self.others)

    def __str__(self) -> str:
        """Text of the token."""
        return self.text

    def __repr__(self) -> str:
        """Text, place and tags."""
        tags = "".join(f", {task}={tag!r}" for task, tag in self.tags.items())
        return f"Token({self.text!r}, {self.start}, {self.end}{tags})"


@dataclass(frozen=True, slots=True)
class Span:
    """A labelled segment: tokens `start:end` of the sentence, the tokens and their text.

    score: the probability of the segment, if scores were asked for.
    """

    label: str
    start: int
    end: int
    text: str
    tokens: tuple[Token, ...] = ()
    score: float | None = None

    @property
    def start_char(self) -> int:
        """Character of the sentence at which it begins."""
        return self.tokens[0].start

    @property
    def end_char(self) -> int:
        """Character of the sentence at which it ends, exclusive."""
        return self.tokens[-1].end

    def to_dict(self) -> dict[str, Any]:
        """Plain values by the names of the JSON format."""
        out = {
            "label": self.label,
            "start_token": self.start,
            "end_token": self.end,
            "start_char": self.start_char,
            "end_char": self.end_char,
            "text": self.text,
        }
        return out if self.score is None else out | {"score": self.score}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], tokens: Sequence[Token]) -> Span:
        """Span of what `to_dict` gave; tokens: of its sentence."""
        start, end = found["start_token"], found["end_token"]
        inside = tuple(tokens[start:end])
        return cls(found["label"], start, end, found["text"], inside, found.get("score"))

    def __repr__(self) -> str:
        """Label and text."""
        return f"Span({self.label}, {self.start}:{self.end}, {self.text!r})"


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate and its arguments.

    predicate: index of its token; text: the token; arguments: their Spans, V (the predicate
    itself) among them.
    """

    predicate: int
    text: str
    arguments: tuple[Span, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values by the names of the JSON format."""
        arguments = [span.to_dict() for span in self.arguments]
        return {"predicate": self.predicate, "text": self.text, "arguments": arguments}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], tokens: Sequence[Token]) -> Frame:
        """Frame of what `to_dict` gave; tokens: of its sentence."""
        arguments = tuple(Span.from_dict(each, tokens) for each in found["arguments"])
        return cls(found["predicate"], found["text"], arguments)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tagged sentence.

    text: the sentence; start: the character of the document at which it begins, or 0 without a
    document. tags: one tag per token, by the name of each task for words. chunks, entities: Spans;
    frames: one per predicate. tree: a Tree, whose leaves are the tokens with their parts of
    speech. These four are None if not asked for. scores: the probability of each tag, by task, if
    asked for. Sentences with the same values are equal.
    """

    text: str
    tokens: tuple[Token, ...]
    tags: dict[str, tuple[str, ...]] = field(default_factory=dict)
    chunks: tuple[Span, ...] | None = None
    entities: tuple[Span, ...] | None = None
    frames: tuple[Frame, ...] | None = None
    tree: Tree | None = None
    start: int = 0
    scores: dict[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """Character where the sentence ends in its document, exclusive."""
        return self.start + len(self.text)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, as `senna-tag --format jsonl` prints them.

        What was not asked for is left out.
        """
        out: dict[str, Any] = {
            "text": self.text,
            "start_char": self.start,
            "end_char": self.end,
            "tokens": [
                {"text": token.text, "start_char": token.start, "end_char": token.end}
                for token in self.tokens
            ],
            "tags": {task: list(tags) for task, tags in self.tags.items()},
        }
        if self.scores:
            out["scores"] = {task: list(scores) for task, scores in self.scores.items()}
        for name in _SPANS:
            parts: tuple[Span, ...] | tuple[Frame, ...] | None = getattr(self, name)
            if parts is not None:
                out[name] = [part.to_dict() for part in parts]
        if self.tree is not None:
            out["tree"] = str(self.tree)
            out["constituents"] = [
                {"label": label, "start_token": begin, "end_token": end}
                for label, begin, end in self.tree.phrases
            ]
        return out

    def to_json(self) -> str:
        """JSON object of `to_dict` on one line; lone surrogates are escaped."""
        text = json.dumps(self.to_dict(), ensure_ascii=False)
        return text.encode("utf-8", "backslashreplace").decode()

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Sentence:
        """Sentence of what `to_dict` gave, and equal to that one.

        Raises ValueError that names what is missing or has the wrong form.
        """
        try:
            return _sentence_of_dict(found)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            kind = type(error).__name__
            raise ValueError(f"no sentence as of to_dict: {kind}: {error}") from None

    @classmethod
    def from_json(cls, text: str | bytes) -> Sentence:
        """Sentence of a JSON object, as `to_json` and `senna-tag --format jsonl` write it.

        Raises ValueError for anything else.
        """
        return cls.from_dict(parse_json(text))

    def __hash__(self) -> int:
        """Hash of what sentences are told apart by, mostly."""
        return hash((self.text, self.start, self.tokens))

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        """Iterate over the tokens."""
        return iter(self.tokens)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Token, ...]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Token | tuple[Token, ...]:
        """Token at `index`, or a tuple of tokens for a slice."""
        return self.tokens[index]

    def _repr_html_(self) -> str:
        """HTML of everything that was found, for notebooks; see `senna_py.display.render`."""
        from senna_py.display import render  # noqa: PLC0415 - for those who look at it only

        return render(self)

    def __repr__(self) -> str:
        """Text with the tags after every token."""
        words = " ".join(
            "/".join([token.text, *(tags[i] for tags in self.tags.values())])
            for i, token in enumerate(self.tokens)
        )
        return f"<Sentence {words}>"


# Attributes of a Sentence, and what they have tuples of.
_SPANS: dict[str, type[Span] | type[Frame]] = {"chunks": Span, "entities": Span, "frames": Frame}


def _sentence_of_dict(found: Mapping[str, Any]) -> Sentence:
    tags = {task: tuple(column) for task, column in found["tags"].items()}
    places = [(each["text"], each["start_char"], each["end_char"]) for each in found["tokens"]]
    for task, column in tags.items():
        if len(column) != len(places):
            raise ValueError(f"{len(column)} tags of {task}, but {len(places)} tokens")
    others = [task for task in tags if task not in ATTRIBUTES]
    named = {task: tags[task] for task in tags if task in ATTRIBUTES}
    tokens = tuple(
        Token(
            *place,
            **{task: column[i] for task, column in named.items()},
            others=tuple((task, tags[task][i]) for task in others),
        )
        for i, place in enumerate(places)
    )
    parts: dict[str, Any] = {
        name: tuple(kind.from_dict(each, tokens) for each in found[name])
        for name, kind in _SPANS.items()
        if name in found
    }
    return Sentence(
        found["text"],
        tokens,
        tags,
        tree=_tree_of_dict(found, tokens) if "tree" in found else None,
        start=found.get("start_char", 0),
        scores={task: tuple(column) for task, column in found.get("scores", {}).items()},
        **parts,
    )


def _tree_of_dict(found: Mapping[str, Any], tokens: Sequence[Token]) -> Tree:
    """The tree over the tokens as they are: words in its text have escapes."""
    if not tokens:
        return EMPTY
    tags = [leaf.tag for leaf in Tree.parse(found["tree"]).leaves]
    leaves = [Leaf(token.text, tag) for token, tag in zip(tokens, tags, strict=True)]
    phrases = [
        Phrase(each["label"], each["start_token"], each["end_token"])
        for each in found["constituents"]
    ]
    return build_tree(leaves, phrases)
