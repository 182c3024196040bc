"""A layer: labeled spans of a document, which may have tokens or spans as anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.tags import Tags, TagSpans, tag_set
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.labels.tasks import Shape, Task

    Ints = NDArray[np.int32]
    Floats = NDArray[np.floating[Any]]

# The label, begin, end, anchor and score of a span.
Row = tuple[str, int, int, int, float | None]
ROOT = -1  # The value in `anchor` of a span without an anchor.
_NONE = np.empty(0, np.int32)


class Layer:
    """Labeled spans of a document, predicted or gold.

    Spans are rows, sorted by sentence; within a sentence they are sorted by anchor, and
    then by first token, an outer span before the spans within it. Token indices are
    relative to the document.

    A layer is created from spans, or from the IOBES tags that a network predicted,
    which are converted to spans on first use. It may also store both.

    Attributes:
        task: The Task of the layer; `task.shape` describes its spans.
        names: The names of the labels.
        tags: The IOBES tags that a network predicted, or None.
        anchors: int32[n_anchors], the tokens that may be anchors, such as predicates,
            in ascending order, even if no span has them. It is None unless the anchors
            are tokens and a token may have several spans or none.
    """

    __slots__ = ("_of_tags", "_spans", "anchors", "names", "tags", "task")
    __hash__ = None  # type: ignore[assignment] # Its arrays are mutable.

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
        tags: Tags | None = None,
    ) -> None:
        """Create a layer from spans.

        Args:
            task: The task.
            names: The names of the labels.
            label: int32[n_spans], the label of each span, as an index of `names`.
            begin: int32[n_spans], the first token of each span; None if each token has
                a span.
            end: int32[n_spans], the index after the last token of each span.
            anchor: int32[n_spans], the anchor of each span, as a token index or the row
                of a span, or ROOT. It is None if the shape has no anchors.
            score: float[n_spans], the probability of each span, or None.
            anchors: int32[n_anchors], see Layer; by default the tokens in `anchor`.
            tags: The IOBES tags of the spans, or None.
        """
        self.task, self.names, self.tags = task, tuple(names), tags
        if begin is None:
            begin = np.arange(len(label), dtype=np.int32)
            end = begin + np.int32(1)
        assert end is not None, "spans that begin end"
        self._spans: tuple[Any, ...] | None = label, begin, end, anchor, score
        self._of_tags: tuple[Any, ...] | None = None  # The spans, after first use.
        if anchors is None and task.shape.structure is Structure.FRAMES:
            anchors = _NONE if anchor is None else np.unique(anchor)
        self.anchors = anchors

    @classmethod
    def from_tags(cls, task: Task, tags: Tags, anchors: Ints | None = None) -> Layer:
        """Create a layer from the tags of sequences.

        There is a sequence for each sentence or, if there are anchors, for each anchor.
        """
        layer = cls.__new__(cls)
        layer.task, layer.tags, layer.anchors = task, tags, anchors
        layer.names = tag_set(tags.names).types
        layer._spans = layer._of_tags = None
        return layer

    @classmethod
    def of_rows(
        cls, task: Task, rows: Sequence[Row], anchors: Ints | None = None
    ) -> Layer:
        """Create a layer from rows, as `rows` yields them.

        Args:
            task: The task.
            rows: The label, begin, end, anchor and score of each span. Anchors may be
                ROOT, and either all scores are None or none of them.
            anchors: int32[n_anchors], see Layer; by default the anchors of the rows.
        """
        numbers: dict[str, int] = {}
        label = [numbers.setdefault(row[0], len(numbers)) for row in rows]
        begin, end, anchor = (
            np.array([row[1:4] for row in rows], np.int32).reshape(-1, 3).T.copy()
        )
        has_scores = any(row[4] is not None for row in rows)
        return cls(
            task,
            tuple(numbers),
            np.array(label, np.int32),
            begin,
            end,
            anchor=anchor if task.shape.hangs_on else None,
            score=np.array([row[4] for row in rows], float) if has_scores else None,
            anchors=anchors,
        )

    @property
    def has_stored_spans(self) -> bool:
        """Whether spans are stored, not only the tags from which they are computed."""
        return self._spans is not None

    @property
    def shape(self) -> Shape:
        """The shape of the task: whether each token has a span, anchors and nesting."""
        return self.task.shape

    def _arrays(self) -> tuple[Any, ...]:
        if self._spans is not None:
            return self._spans
        if self._of_tags is None:
            assert self.tags is not None, "a layer has spans or tags"
            spans = self.tags.spans()
            anchor = None if self.anchors is None else self.anchors[spans.sequence]
            self._of_tags = spans.label, spans.begin, spans.end, anchor, spans.score
        return self._of_tags

    @property
    def label(self) -> Ints:
        """int32[n_spans]: the label of each span, as an index of `names`."""
        array: Ints = self._arrays()[0]
        return array

    @property
    def begin(self) -> Ints:
        """int32[n_spans]: the first token of each span."""
        array: Ints = self._arrays()[1]
        return array

    @property
    def end(self) -> Ints:
        """int32[n_spans]: the index after the last token of each span."""
        array: Ints = self._arrays()[2]
        return array

    @property
    def anchor(self) -> Ints | None:
        """int32[n_spans]: the anchor of each span, or ROOT; None without anchors.

        It is a token index or the row of a span, depending on `shape.hangs_on`.
        """
        array: Ints | None = self._arrays()[3]
        return array

    @property
    def score(self) -> Floats | None:
        """float[n_spans]: the probability of each span; None unless requested."""
        array: Floats | None = self._arrays()[4]
        return array

    def __len__(self) -> int:
        return len(self.label)

    def texts(self) -> list[str]:
        """Return the name of each span's label."""
        return list(map(self.names.__getitem__, self.label.tolist()))

    def of_tokens(self, n_tokens: int) -> Ints:
        """Return the index of each token's label or IOBES tag: int32[n_tokens].

        Other networks use it as a feature. The layer must have a span for each token,
        or have been created from the tags of sentences.
        """
        if self.shape.each_token:
            return self.label
        assert self.tags is not None, "only tags have a number for each token"
        assert len(self.tags.tag) == n_tokens, "these are the tags of sentences"
        return self.tags.tag

    def with_labels(self, labels: Ints) -> Layer:
        """Return the layer with new labels of tokens, or new tags; see `of_tokens`."""
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
        """Return the probability of each tag or span, or None if not requested."""
        if self.tags is not None:
            return None if self.tags.scores is None else self.tags.scores.tag
        return self.score

    def tag_texts(self, n_tokens: int, scheme: str = "iobes") -> list[str]:
        """Return the label of each token, or its tag in a scheme, as text.

        Unless each token has a span, the shape must be flat; see `Shape.flat`.
        """
        if self.shape.each_token:
            return self.texts()
        bounds = np.array([0, n_tokens], np.int32)
        return self.sequence_tags(bounds).texts(scheme)

    def sequence_tags(self, starts: Ints) -> Tags:
        """Return the IOBES tags of each sentence, or of the sentence of each anchor.

        Args:
            starts: int32[n_sentences + 1], the first token of each sentence, and the
                number of tokens. They are used only if the layer was created from
                spans.
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
        """Yield a layer for each stretch of tokens, with indices relative to its start.

        If the anchor of a span is a span of another stretch, it becomes ROOT. The new
        layers share no memory with this one.

        Args:
            bounds: int[n_stretches + 1], the first token of each stretch, and the index
                after the last token. No span may cross a bound.
        """
        bounds = np.asarray(bounds)
        firsts = bounds[:-1].tolist()
        n = len(firsts)
        anchors: list[Ints | None] = [None] * n
        if self.anchors is not None:
            at = np.searchsorted(self.anchors, bounds).tolist()
            cuts = zip(at, at[1:], firsts, strict=False)
            anchors = [self.anchors[a:b] - np.int32(first) for a, b, first in cuts]
        tags: list[Tags | None] = [None] * n
        if self.tags is not None:
            if self.anchors is None:
                at = np.searchsorted(self.tags.first, bounds).tolist()
            tags = [
                self.tags.sequences(at[i], at[i + 1], first)
                for i, first in enumerate(firsts)
            ]
        if not self.has_stored_spans:
            for tags_of_stretch, anchors_of_stretch in zip(tags, anchors, strict=True):
                assert tags_of_stretch is not None, "a layer has spans or tags"
                yield Layer.from_tags(self.task, tags_of_stretch, anchors_of_stretch)
            return
        order = self.begin
        if self.anchors is not None and self.anchor is not None:
            order = self.anchor
        rows = np.searchsorted(order, bounds).tolist()
        for i, first in enumerate(firsts):
            yield self._stretch(slice(rows[i], rows[i + 1]), first, anchors[i], tags[i])

    def _stretch(
        self, rows: slice, first: int, anchors: Ints | None, tags: Tags | None
    ) -> Layer:
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
            tags=tags,
        )

    def rows(self) -> Iterator[Row]:
        """Yield the label, begin, end, anchor and score of each span.

        The anchor may be ROOT, and the score None.
        """
        label, begin, end, anchor, score = self._arrays()
        n = len(label)
        anchors = [ROOT] * n if anchor is None else anchor.tolist()
        scores = [None] * n if score is None else score.tolist()
        return zip(
            self.texts(), begin.tolist(), end.tolist(), anchors, scores, strict=True
        )

    def __eq__(self, other: object) -> bool:
        """Compare tasks, anchors and spans; labels are compared by name."""
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
