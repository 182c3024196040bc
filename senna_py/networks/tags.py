"""Networks that score tags: what decodes the tags of words or roles, and their cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

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

MOST_WITH_TRANSITIONS = 4096  # tags of a network to be trained with transitions


class TagNetwork(TaggerNetwork):
    """A network whose head scores the tags of rows: of words, or beside a predicate.

    `forward` yields float32[n, n_labels or more]. With scores of transitions, the tags
    of a sentence are the best path (Viterbi); without, each is the best by itself.
    """

    def _score(self, batch: WordBatch, cache: Any) -> Iterator[NDArray[np.float32]]:
        """Yield scores of all rows in use, in blocks."""
        forward_pass, layers = InferencePass(), self.inference_layers(cache)
        for part in self.split(batch):
            yield from self.forward(forward_pass, layers, part)

    def scores(self, batch: WordBatch, cache: Any = None) -> NDArray[np.float32]:
        """Score the labels of each row without transitions: float32[n_rows, n_labels]."""
        n = self.n_labels
        blocks = [block[:, :n] for block in self._score(batch, cache)]
        return np.concatenate([np.empty((0, n), np.float32), *blocks])

    def decode(
        self, batch: WordBatch, cache: Any = None, scored: bool = False
    ) -> DecodedTags:
        """Find the best tags of all rows; see `annotate`."""
        begin, layers = batch.begin, self.inference_layers(cache)
        if "transitions" not in layers:  # kept with the layers, where these are kept
            layers["transitions"] = Transitions(self)
        kept: list[NDArray[np.float32]] | None = [] if scored else None
        decoder = Decoder(
            begin.astype(np.int32),
            layers["transitions"],
            kept,
            batch.constraints,
            batch.row_classes,
            batch.permitted,
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
        """Tell how likely tags are, of blocks of scores."""
        none = np.empty((0, self.n_labels), np.float32)
        scores = np.concatenate([none, *blocks])
        return likelihood_of(self).path_scores(scores, begin, tags)

    def likely(
        self, batch: WordBatch, task: Task, names: Sequence[str], cache: Any = None
    ) -> Layer:
        return likely_tags(task, names, batch, self.posteriors(batch, cache))

    def posteriors(self, batch: WordBatch, cache: Any = None) -> NDArray[np.float32]:
        """Compute the probability of each label: float32[n_rows, n_labels]."""
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
