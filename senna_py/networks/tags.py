"""The base class of networks that score tags, with their decoding and their cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.layers.blocks import aligned
from senna_py.layers.decoder import Decoder, Transitions
from senna_py.layers.likelihood import likelihood_of
from senna_py.layers.passes import NO_DROPOUTS, InferencePass, TrainingPass
from senna_py.networks.base import Cost, TaggerNetwork
from senna_py.networks.decoding import DecodedTags, likely_tags, tag_layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.labels.tasks import Task
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.likelihood import PathScores
    from senna_py.layers.passes import Dropouts
    from senna_py.networks.batch import WordBatch

# The maximum number of tags with which a network can be trained with transition scores.
MOST_WITH_TRANSITIONS = 4096


class TagNetwork(TaggerNetwork):
    """A network whose head scores tags, of words or of the roles of a predicate.

    `forward` yields blocks of scores: float32[n, n_labels or more]. With transition
    scores, the tags of a sequence are its best path, found by the Viterbi algorithm.
    Otherwise, each row gets its best tag.
    """

    def _score(self, batch: WordBatch, cache: Any) -> Iterator[NDArray[np.float32]]:
        """Yield the scores of all rows at inference, in blocks.

        A block is float32[n, n_labels or more]. If equal names are pooled, there is
        only one block.
        """
        blocks = self._score_alone(batch, cache)
        if batch.pool is None:
            yield from blocks
            return
        parts = [block.copy() for block in blocks]
        if parts:
            scores = aligned(int(batch.begin[-1]), parts[0].shape[1])
            np.concatenate(parts, out=scores)
            batch.pool(scores)
            yield scores

    def _score_alone(
        self, batch: WordBatch, cache: Any
    ) -> Iterator[NDArray[np.float32]]:
        """Yield the scores of all rows at inference, before equal names are pooled."""
        forward_pass, layers = InferencePass(), self.inference_layers(cache)
        for part in self.split(batch):
            yield from self.forward(forward_pass, layers, part)

    def scores(self, batch: WordBatch, cache: Any = None) -> NDArray[np.float32]:
        """Return the scores of labels, without transitions: float32[n_rows, n_labels].

        See `annotate` for the arguments.
        """
        n = self.n_labels
        blocks = [block[:, :n] for block in self._score(batch, cache)]
        return np.concatenate([np.empty((0, n), np.float32), *blocks])

    def decode(
        self, batch: WordBatch, cache: Any = None, scored: bool = False
    ) -> DecodedTags:
        """Return the best tags of all rows; see `annotate` for the arguments."""
        begin, layers = batch.begin, self.inference_layers(cache)
        if "transitions" not in layers:  # They are cached if the layers are.
            layers["transitions"] = Transitions(self)
        kept: list[NDArray[np.float32]] | None = [] if scored else None
        decoder = Decoder(
            begin.astype(np.int32),
            layers["transitions"],
            kept,
            batch.constraints,
            batch.row_classes,
        )
        for scores in self._score(batch, cache):
            decoder.add(scores)
        tags = decoder.tags
        paths = None if kept is None else self._path_scores(kept, begin, tags)
        return DecodedTags(tags, paths)

    def annotate(
        self,
        batch: WordBatch,
        task: Task,
        names: Sequence[str],
        cache: Any = None,
        scored: bool = False,
    ) -> Layer:
        return tag_layer(task, names, batch, self.decode(batch, cache, scored))

    def _path_scores(
        self,
        blocks: list[NDArray[np.float32]],
        begin: NDArray[np.int64],
        tags: NDArray[np.int32],
    ) -> PathScores:
        """Return the PathScores of decoded tags.

        Args:
            blocks: The scores of all rows, in blocks: float32[n, n_labels].
            begin: int64[n_sequences + 1], where the rows of each sequence begin.
            tags: int32[n_rows].
        """
        none = np.empty((0, self.n_labels), np.float32)
        scores = np.concatenate([none, *blocks])
        return likelihood_of(self).path_scores(scores, begin, tags)

    def likely(
        self, batch: WordBatch, task: Task, names: Sequence[str], cache: Any = None
    ) -> Layer:
        return likely_tags(task, names, batch, self.posteriors(batch, cache))

    def posteriors(self, batch: WordBatch, cache: Any = None) -> NDArray[np.float32]:
        """Return the probability of each label: float32[n_rows, n_labels].

        See `annotate` for the arguments.
        """
        return likelihood_of(self).posteriors(self.scores(batch, cache), batch.begin)

    def cost(
        self, words: WordBatch, targets: Any, dropouts: Dropouts = NO_DROPOUTS
    ) -> Cost:
        forward_pass = TrainingPass(dropouts)
        (scores,) = self.forward(forward_pass, self.layers(), words)
        likelihood = likelihood_of(self, targets.is_soft)
        labels = targets.shares(self.n_labels) if targets.is_soft else (targets.gold,)
        cost, trace = likelihood.forward(scores, *labels, targets.row_starts)
        return Cost(cost, len(targets.gold), (forward_pass, likelihood, trace))

    def cost_backward(self, trace: Any, gradients: Gradients) -> Any:
        forward_pass, likelihood, likelihood_trace = trace
        d_scores = likelihood.backward(likelihood_trace, gradients)
        return forward_pass.backward(d_scores, gradients)
