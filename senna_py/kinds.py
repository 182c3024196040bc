"""What a Sentence keeps of each kind of answer: one class for each, by its name in
KINDS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.errors import UsageError
from senna_py.labels.dependencies import depths
from senna_py.labels.tag_schemes import convert, segments
from senna_py.labels.tasks import POS, TABLE
from senna_py.labels.tree_keys import constituent_rows, phrases_of_rows
from senna_py.labels.trees import EMPTY, SENTENCE, Leaf, Phrase, Tree, build_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from senna_py.annotation import Sentence
    from senna_py.tagger import Annotations, Tagger

# A labeled segment as sentences keep it: label, first token, the one after the last,
# and its probability or None. A frame is the index of its predicate, and a tuple of
# these.
Segment = tuple[str, int, int, "float | None"]
Rows = tuple[int, int, int, int]


_SIDE_BY_SIDE = "parataxis"  # between parts of a sentence that was cut


class Arc(NamedTuple):
    """A dependency of a token.

    Attributes:
        head: The token that it depends on; None for the root.
        relation: The relation, such as nsubj.
        score: The probability of both; None unless scores were asked for.
    """

    head: int | None
    relation: str
    score: float | None = None


class ByTask(dict[str, Any]):
    """A dict by the names of tasks; a task that was not run is a UsageError that says
    so.

    So is one whose answer is none of tags, with the attribute that has it.
    """

    def __missing__(self, task: str) -> Any:
        known = TABLE.get(task)
        if known is not None and known.labels != "words":
            raise UsageError(
                f"no tags of {task}: what it finds is sentence.{known.attribute}"
            )
        raise not_run(task, task, self)


def not_run(name: str, task: str, tags: Iterable[str]) -> UsageError:
    """The error of who reads an attribute of a task that was not run; tags: those that
    were.
    """
    has = f" (tokens have {', '.join(tags)})" if tags else ""
    return UsageError(
        f"no {name}: the task {task} was not run{has}; load(tasks=[*nlp.tasks, {task!r}]) runs it, "
        "if the model has it"
    )


class Later:
    """A part of a Sentence that is made when it is first asked for; it is equal to the
    part.

    What `make` is given are copies: a view would keep all of a batch in memory.
    """

    __slots__ = ("_given", "_make", "_value")
    __hash__ = None  # type: ignore[assignment] # nor have all parts one

    def __init__(self, make: Callable[..., Any], *given: Any) -> None:
        self._make, self._given, self._value = make, given, None

    def get(self) -> Any:
        """The part; threads that ask at once may make it twice."""
        if given := self._given:
            self._value = self._make(*given)
            self._given = ()
        return self._value

    def __eq__(self, other: object) -> bool:
        return bool(self.get() == value_of(other))

    def __reduce__(self) -> tuple[Any, ...]:
        return value_of, (self.get(),)


def value_of(part: Any) -> Any:
    """A part of a Sentence, made now if it is Later."""
    return part.get() if isinstance(part, Later) else part


class Words:
    """Tags of words, their scores, and the segments that they are of (`spans`), by
    task.
    """

    # by which sentences are known to have the kind, in `Sentence.found` and in JSON
    part = "tags"

    def __init__(
        self, tagger: Tagger, found: Annotations, tasks: list[str], scheme: str
    ) -> None:
        """Prepare to read what a tagger found in a batch; scheme: one of
        tag_schemes.SCHEMES.
        """
        answers = {task: found.found[task] for task in tasks}
        names = {task: tagger.names(task, answers[task]) for task in tasks}
        self._tags = {task: _named(names[task], answers[task].labels) for task in tasks}
        self._segmented = [task for task in tasks if tagger.task(task).segmented]
        self._shown = {  # instead of these
            task: _named(
                [convert(name, scheme) for name in names[task]], answers[task].labels
            )
            for task in self._segmented
            if scheme != "iobes"
        }
        self._scores = {
            t: each.scores for t, each in answers.items() if each.scores is not None
        }

    def parts(self, sentence: Sentence, rows: Rows) -> dict[str, Any]:
        """Parts of a Sentence, by their names in `Sentence.found`.

        rows: its first row and the one after its last in the batch, of sentences, of
        which a long one has several and one without tokens none, and of tokens.
        """
        _, _, a, b = rows
        tags = {task: tuple(column[a:b]) for task, column in self._tags.items()}
        shown = {task: tuple(column[a:b]) for task, column in self._shown.items()}
        parts: dict[str, Any] = {"tags": ByTask(tags | shown)}
        scores = {task: scores.take(a, b) for task, scores in self._scores.items()}
        if scores:
            parts["scores"] = ByTask(
                {t: tuple(s.tag.tolist()) for t, s in scores.items()}
            )
        if self._segmented:
            parts["spans"] = {
                task: Later(_segments, tags[task], 0, scores.get(task))
                for task in self._segmented
            }
        return parts

    @staticmethod
    def to_dict(sentence: Sentence) -> dict[str, Any]:
        """What the JSON of a sentence has of the kind."""
        out: dict[str, Any] = {
            name: {task: list(column) for task, column in sentence.found[name].items()}
            for name in ("tags", "scores")
            if name in sentence.found
        }
        spans = {
            t: [span.to_dict() for span in spans] for t, spans in sentence.spans.items()
        }
        named = {
            name: spans.pop(task) for name, task in _NAMED.items() if task in spans
        }
        return out | ({"spans": spans} if spans else {}) | named

    @staticmethod
    def of_dict(found: Mapping[str, Any], n_tokens: int) -> dict[str, Any]:
        """Parts of the Sentence whose JSON this is; raises ValueError, KeyError or
        TypeError.
        """
        tags, scores = found["tags"], found.get("scores", {})
        parts: dict[str, Any] = {
            "tags": ByTask(
                {t: tuple(map(_label, read_value(tags, t, list))) for t in tags}
            ),
            "scores": ByTask(
                {task: tuple(map(_score, each)) for task, each in scores.items()}
            ),
        }
        for task, column in (*parts["tags"].items(), *parts["scores"].items()):
            if len(column) != n_tokens:
                raise ValueError(
                    f"{len(column)} values of {task}, but {n_tokens} tokens"
                )
        spans = {task: found[name] for name, task in _NAMED.items() if name in found}
        parts["spans"] = {
            task: tuple(_segment(each, n_tokens) for each in own)
            for task, own in (spans | found.get("spans", {})).items()
        }
        return {name: part for name, part in parts.items() if part}


class Roles:
    """Predicates and their arguments (`frames`); methods as of Words."""

    part = "frames"

    def __init__(
        self, tagger: Tagger, found: Annotations, tasks: list[str], scheme: str
    ) -> None:
        answer = self._answer = found.found[tasks[0]]
        self._names = tagger.labels(tasks[0]).names
        # Of each predicate: its token, the first of its sentence, and how many that
        # has.
        first = np.repeat(found.tokens.starts[:-1], np.diff(answer.first))
        self._places = np.stack(
            [answer.predicate, first, np.diff(answer.begin)], axis=1
        ).tolist()

    def parts(self, sentence: Sentence, rows: Rows) -> dict[str, Any]:
        """The frames."""
        answer, (first, last, begin, _) = self._answer, rows
        p, q = answer.first[first], answer.first[last]
        if p == q:
            return {"frames": ()}
        a, b = answer.begin[p], answer.begin[q]
        scores = answer.scores and answer.scores.take(a, b)
        own = self._names, answer.labels[a:b].copy(), self._places[p:q], begin, scores
        return {"frames": Later(_frames, *own)}

    @staticmethod
    def to_dict(sentence: Sentence) -> dict[str, Any]:
        """Their JSON."""
        return {"frames": [frame.to_dict() for frame in sentence.frames]}

    @staticmethod
    def of_dict(found: Mapping[str, Any], n_tokens: int) -> dict[str, Any]:
        """The frames of their JSON."""
        frames = (
            (
                _index(each, "predicate", n_tokens),
                [_segment(a, n_tokens) for a in each["arguments"]],
            )
            for each in found["frames"]
        )
        return {"frames": tuple((predicate, tuple(own)) for predicate, own in frames)}


class Trees:
    """A tree (`tree`), whose leaves have the tags of POS; methods as of Words."""

    part = "tree"

    def __init__(
        self, tagger: Tagger, found: Annotations, tasks: list[str], scheme: str
    ) -> None:
        self._brackets = tagger.labels(tasks[0]).names
        self._tags = _named(tagger.labels(POS).names, found.found[POS].labels)
        self._bounds, self._rows = constituent_rows(
            found.found[tasks[0]], found.tokens.starts
        )

    def parts(self, sentence: Sentence, rows: Rows) -> dict[str, Any]:
        """The tree."""
        first, last, begin, end = rows
        if begin == end:
            return {"tree": EMPTY}
        own = self._rows[self._bounds[first] : self._bounds[last]] - np.array(
            [0, begin, begin], np.int32
        )
        at = sentence.start_char, sentence.starts, sentence.ends
        given = self._tags[begin:end], self._brackets, own, last - first > 1
        return {"tree": Later(_tree, sentence.text, *at, *given)}

    @staticmethod
    def to_dict(sentence: Sentence) -> dict[str, Any]:
        """Its JSON."""
        constituents = [
            {"label": label, "start_token": begin, "end_token": end}
            for label, begin, end in sentence.tree.phrases
            if begin < end  # the root of a sentence without tokens is none
        ]
        return {"tree": str(sentence.tree), "constituents": constituents}

    @staticmethod
    def of_dict(found: Mapping[str, Any], n_tokens: int) -> dict[str, Any]:
        """The tree of its JSON, over the tokens as they are: words in its text have
        escapes.
        """
        if not n_tokens:
            return {"tree": EMPTY}
        tags = [leaf.tag for leaf in Tree.parse(found["tree"]).leaves]
        words = [token["text"] for token in found["tokens"]]
        phrases = [
            Phrase(*_segment(each, n_tokens)[:3]) for each in found["constituents"]
        ]
        leaves = [Leaf(*pair) for pair in zip(words, tags, strict=True)]
        return {"tree": build_tree(leaves, phrases)}


class Arcs:
    """The dependency of each token (`arcs`); methods as of Words."""

    part = "arcs"

    def __init__(
        self, tagger: Tagger, found: Annotations, tasks: list[str], scheme: str
    ) -> None:
        self._answer, self._names = found.found[tasks[0]], tagger.labels(tasks[0]).names

    def parts(self, sentence: Sentence, rows: Rows) -> dict[str, Any]:
        """The arcs; of a sentence that was cut, all parts hang below the root of the
        first.
        """
        answer, (first, last, a, b) = self._answer, rows
        shares = answer.probabilities
        own = (
            np.diff(answer.begin[first : last + 1]),
            answer.head[a:b].copy(),
            _named(self._names, answer.labels[a:b]),
            [None] * (b - a) if shares is None else shares[a:b].tolist(),
        )
        return {"arcs": Later(_arcs, *own)}

    @staticmethod
    def to_dict(sentence: Sentence) -> dict[str, Any]:
        """Their JSON."""
        return {
            "arcs": [
                {
                    k: v
                    for k, v in arc._asdict().items()
                    if k != "score" or v is not None
                }
                for arc in sentence.arcs
            ]
        }

    @staticmethod
    def of_dict(found: Mapping[str, Any], n_tokens: int) -> dict[str, Any]:
        """The arcs of their JSON."""
        arcs = tuple(
            Arc(
                None if each["head"] is None else _index(each, "head", n_tokens),
                _label(each["relation"]),
                _score(each["score"]) if "score" in each else None,
            )
            for each in found["arcs"]
        )
        if len(arcs) != n_tokens:
            raise ValueError(f"{len(arcs)} arcs, but {n_tokens} tokens")
        if None in depths([-1 if arc.head is None else arc.head for arc in arcs]):
            raise ValueError("the heads of the arcs form a circle")
        return {"arcs": arcs}


# By what a network labels, see `networks.base.TaggerNetwork.labels`; in the order of
# JSON.
KINDS: dict[str, Any] = {"words": Words, "roles": Roles, "trees": Trees, "arcs": Arcs}
# Tasks whose segments have a key of their own in JSON, that of their attribute.
_NAMED = {TABLE[task].attribute: task for task in ("chk", "ner", "val")}


def _named(names, labels):
    return list(map(names.__getitem__, labels.tolist()))


def _segments(tags, first, scores):
    """Segments of IOBES `tags`, the first of which belongs to token `first`; a tuple of
    Segment.
    """
    return tuple(
        (
            label,
            begin + first,
            end + first,
            scores.of_segment(begin, end) if scores else None,
        )
        for label, begin, end in segments(tags)
    )


def _frames(names, labels, places, origin, scores):
    """Frames of predicates at their places, with their labels in a row.

    origin: the first token of the sentence, where those of places are counted in the
    batch.
    """
    frames, end = [], 0
    for predicate, first, length in places:
        begin, end = end, end + length
        part = scores and scores.take(begin, end)
        tags = _named(
            names, labels[begin:end]
        )  # not of all at once: a frame is as long as a line
        frames.append((predicate - origin, _segments(tags, first - origin, part)))
    return tuple(frames)


def _tree(text, at, starts, ends, tags, brackets, rows, in_parts):
    """Tree of a Sentence of its rows, see `constituent_rows`; in_parts: whether it has
    a root.
    """
    leaves = [
        Leaf(text[a - at : b - at], tag)
        for a, b, tag in zip(starts, ends, tags, strict=True)
    ]
    phrases = [Phrase(SENTENCE, 0, len(leaves))] * in_parts
    return build_tree(
        leaves, [*phrases, *phrases_of_rows(rows.tolist(), brackets, SENTENCE)]
    )


def _arcs(lengths, heads, relations, shares):
    """A tuple of Arc, of the parts of a sentence with their lengths; heads count within
    a part.
    """
    places = np.where(
        heads < 0, -1, heads + np.repeat(np.cumsum(lengths) - lengths, lengths)
    )
    roots = np.flatnonzero(heads < 0).tolist()
    heads = [None if head < 0 else head for head in places.tolist()]
    for root in roots[1:]:
        heads[root], relations[root] = roots[0], _SIDE_BY_SIDE
    return tuple(map(Arc, heads, relations, shares))


def read_value(found: Mapping[str, Any], key: str, kind: type) -> Any:
    """A value of what `to_dict` gave; raises TypeError for another kind."""
    value = found[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{key}: expected {kind.__name__}, not {type(value).__name__}")
    return value


def _index(found, key, n_tokens):
    index = read_value(found, key, int)
    if not 0 <= index < n_tokens:
        raise ValueError(f"{key} is {index}, of {n_tokens} tokens")
    return index


def _label(label):
    return read_value({"label": label}, "label", str)


def _score(score):
    if not 0 <= score <= 1.01:  # by rounding
        raise ValueError(f"score: {score!r} is no probability")
    return float(score)


def _segment(found, n_tokens):
    """Segment of what `Span.to_dict` gave."""
    start, end = (
        _index(found, "start_token", n_tokens),
        _index(found, "end_token", n_tokens + 1),
    )
    if start >= end:
        raise ValueError(f"no token from {start} to {end}")
    score = found.get("score")
    return _label(found["label"]), start, end, None if score is None else _score(score)
