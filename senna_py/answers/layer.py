"""A layer: labeled spans of a document, which may hang on tokens or on other spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.tags import Tags, TagSpans, tag_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.labels.tasks import Shape, Task

    Ints = NDArray[np.int32]
    Floats = NDArray[np.floating[Any]]

ROOT = -1  # in place of what a span hangs on: it hangs on nothing
_NONE = np.empty(0, np.int32)


class Layer:
    """Labeled spans of a document: what a head decides, and what gold labels say.

    Spans are rows in the order of their sentences; within a sentence they are in the
    order of what they hang on, and then of their first tokens, an outer span before
    those within it. Tokens are counted in the document.

    A layer is made from spans, or from the IOBES tags of a sequence network, which make
    spans when somebody asks for them.

    Attributes:
        task: The Task whose answer this is; `task.shape` says how the spans lie.
        names: Names of the labels.
        tags: The IOBES form in which a network decided, or None.
        anchors: int32[n], the tokens, ascending, that spans may hang on (predicates),
            even if none does; None of other shapes.
        has_own_spans: Whether it was made from spans; otherwise the tags make them.
    """

    __slots__ = ("_spans", "anchors", "has_own_spans", "names", "tags", "task")
    __hash__ = None  # type: ignore[assignment] # It holds arrays, which may be changed.

    def __init__(
        self,
        task: Task,
        names: Sequence[str],
        label: Ints,
        begin: Ints | None = None,
        end: Ints | None = None,
        *,
        anchor: Ints | None = None,
        score: Floats | None = None,
        anchors: Ints | None = None,
    ) -> None:
        """Make a layer from spans.

        Args:
            task: The task.
            names: Names of the labels.
            label: int32[n_spans], numbers of labels.
            begin: int32[n_spans], the first token of each span; None of a shape with a
                span for each token.
            end: int32[n_spans], the token after its last one.
            anchor: int32[n_spans], the token or the row of the span that each hangs on,
                or ROOT.
            score: float[n_spans], the probability of each, or None.
            anchors: int32[n], see Layer; by default the tokens that spans hang on.
        """
        self.task, self.names = task, tuple(names)
        self.tags: Tags | None = None
        if begin is None:
            begin = np.arange(len(label), dtype=np.int32)
            end = begin + np.int32(1)
        assert end is not None, "spans that begin end"
        self._spans: tuple[Any, ...] | None = label, begin, end, anchor, score
        shape = task.shape
        if anchors is None and shape.hangs_on == "token" and not shape.each_token:
            anchors = _NONE if anchor is None else np.unique(anchor)
        self.anchors = anchors
        self.has_own_spans = True

    @classmethod
    def from_tags(cls, task: Task, tags: Tags, anchors: Ints | None = None) -> Layer:
        """Make a layer from tags of sentences, or of the sentence of each of `anchors`."""
        layer = cls.__new__(cls)
        layer.task, layer.tags, layer.anchors = task, tags, anchors
        layer.names, layer._spans = tag_set(tags.names).types, None
        layer.has_own_spans = False
        return layer

    @property
    def shape(self) -> Shape:
        """How the spans lie."""
        return self.task.shape

    def _arrays(self) -> tuple[Any, ...]:
        if self._spans is None:
            assert self.tags is not None, "a layer has spans or tags"
            spans = self.tags.spans()
            anchor = None if self.anchors is None else self.anchors[spans.sequence]
            self._spans = spans.label, spans.begin, spans.end, anchor, spans.score
        return self._spans

    @property
    def label(self) -> Ints:
        """int32[n_spans]: the label of each span, a number of `names`."""
        array: Ints = self._arrays()[0]
        return array

    @property
    def begin(self) -> Ints:
        """int32[n_spans]: the first token of each span."""
        array: Ints = self._arrays()[1]
        return array

    @property
    def end(self) -> Ints:
        """int32[n_spans]: the token after the last one of each span."""
        array: Ints = self._arrays()[2]
        return array

    @property
    def anchor(self) -> Ints | None:
        """int32[n_spans]: what each span hangs on, or ROOT; None if spans hang on nothing.

        It is a token, or the row of a span, as `shape.hangs_on` says.
        """
        array: Ints | None = self._arrays()[3]
        return array

    @property
    def score(self) -> Floats | None:
        """float[n_spans]: the probability of each span; None unless it was asked for."""
        array: Floats | None = self._arrays()[4]
        return array

    def __len__(self) -> int:
        return len(self.label)

    def texts(self) -> list[str]:
        """List the label of each span as text."""
        return list(map(self.names.__getitem__, self.label.tolist()))

    def of_tokens(self, n_tokens: int) -> Ints:
        """Return int32[n_tokens]: the label of each token, or its IOBES tag.

        It is what features of other networks read. The layer has a span for each token,
        or was made from the tags of sentences.
        """
        if self.shape.each_token:
            return self.label
        assert self.tags is not None, "only tags have a number for each token"
        assert len(self.tags.tag) == n_tokens, "these are the tags of sentences"
        return self.tags.tag

    def with_labels(self, labels: Ints) -> Layer:
        """Return the layer with other labels of tokens, or other tags; see `of_tokens`."""
        if self.tags is not None:
            tags = self.tags._replace(tag=labels)
            return Layer.from_tags(self.task, tags, self.anchors)
        return Layer(
            self.task,
            self.names,
            labels,
            self.begin,
            self.end,
            anchor=self.anchor,
            score=self.score,
            anchors=self.anchors,
        )

    def certainty(self) -> Floats | None:
        """Return the probabilities that were asked for: of tags, or of spans."""
        if self.tags is not None:
            return None if self.tags.scores is None else self.tags.scores.tag
        return self.score

    def tag_texts(self, n_tokens: int, scheme: str = "iobes") -> list[str]:
        """List what a column says of each token: its label, or its tag in a scheme.

        Spans hang on nothing and do not nest: see `Shape.flat`.
        """
        if self.shape.each_token:
            return self.texts()
        bounds = np.array([0, n_tokens], np.int32)
        return self.sequence_tags(bounds).texts(scheme)

    def sequence_tags(self, starts: Ints) -> Tags:
        """Return the IOBES tags of sentences, or of the sentence of each of `anchors`.

        Args:
            starts: int32[n_sentences + 1], the first token of each sentence, and the
                end. They are asked for only where the layer was made from spans, which
                lie within sentences.
        """
        if self.tags is not None:
            return self.tags
        starts = np.asarray(starts, np.int32)
        label, begin, end, anchor, _ = self._arrays()
        sentence = np.arange(len(starts) - 1)
        sequence = np.searchsorted(starts, begin, side="right") - 1
        if self.anchors is not None:
            sentence = np.searchsorted(starts, self.anchors, side="right") - 1
            sequence = np.searchsorted(self.anchors, anchor)
        return Tags.from_spans(
            self.names,
            TagSpans(label, begin, end, sequence, None),
            starts[sentence],
            np.diff(starts)[sentence],
        )

    def split(
        self, bounds: Sequence[int] | NDArray[np.integer[Any]]
    ) -> Iterator[Layer]:
        """Yield the layer of each stretch of tokens, counted from the stretch's first.

        A span that hangs on a span of another stretch hangs on nothing. A stretch
        shares no memory with the layer, so that it may be kept alone.

        Args:
            bounds: int[n + 1], the token with which each stretch begins, and the end;
                no span lies across them.
        """
        bounds = np.asarray(bounds)
        firsts = bounds[:-1].tolist()
        n = len(firsts)
        anchors: list[Ints | None] = [None] * n
        if self.anchors is not None:
            at = np.searchsorted(self.anchors, bounds).tolist()
            cuts = zip(at, at[1:], firsts, strict=False)
            anchors = [self.anchors[a:b] - np.int32(first) for a, b, first in cuts]
        if self.tags is not None:
            if self.anchors is None:
                at = np.searchsorted(self.tags.first, bounds).tolist()
            for i, first in enumerate(firsts):
                tags = self.tags.sequences(at[i], at[i + 1], first)
                yield Layer.from_tags(self.task, tags, anchors[i])
            return
        order = self.begin
        if self.anchors is not None and self.anchor is not None:
            order = self.anchor
        rows = np.searchsorted(order, bounds).tolist()
        for i, first in enumerate(firsts):
            yield self._stretch(slice(rows[i], rows[i + 1]), first, anchors[i])

    def _stretch(self, rows: slice, first: int, anchors: Ints | None) -> Layer:
        label, begin, end, anchor, score = self._arrays()
        if anchor is not None:
            origin = rows.start if self.shape.hangs_on == "span" else first
            limit = rows.stop if self.shape.hangs_on == "span" else None
            anchor = anchor[rows] - np.int32(origin)
            anchor[anchor < 0] = ROOT
            if limit is not None:
                anchor[anchor >= limit - origin] = ROOT
        each = self.shape.each_token
        return Layer(
            self.task,
            self.names,
            label[rows].copy(),
            None if each else begin[rows] - np.int32(first),
            None if each else end[rows] - np.int32(first),
            anchor=anchor,
            score=None if score is None else score[rows].copy(),
            anchors=anchors,
        )

    def rows(self) -> Iterator[tuple[str, int, int, int, float | None]]:
        """Yield label, begin, end, anchor (ROOT if there is none) and score of each span."""
        label, begin, end, anchor, score = self._arrays()
        n = len(label)
        anchors = [ROOT] * n if anchor is None else anchor.tolist()
        scores = [None] * n if score is None else score.tolist()
        return zip(
            self.texts(), begin.tolist(), end.tolist(), anchors, scores, strict=True
        )

    def __eq__(self, other: object) -> bool:
        """Whether two layers say the same, whatever their numbers of labels are."""
        if not isinstance(other, Layer):
            return NotImplemented
        mine, its = self.anchors, other.anchors
        return (
            self.task.name == other.task.name
            and (mine is None) == (its is None)
            and (mine is None or its is None or np.array_equal(mine, its))
            and [*self.rows()] == [*other.rows()]
        )

    def __repr__(self) -> str:
        return f"<Layer {self.task.name} of {len(self)} spans>"
