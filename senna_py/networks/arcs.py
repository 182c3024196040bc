"""The arcs network, a graph-based dependency parser.

It has a biaffine head on a stack of dilated convolutions. The head follows Dozat and
Manning (2017), Deep biaffine attention for neural dependency parsing, except that the
bilinear forms of relations have a low rank, and that scores also depend on distances.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.errors import SennaError
from senna_py.io.settings import setting
from senna_py.labels.tasks import Task
from senna_py.layers.activations import Rectifier
from senna_py.layers.arcs import ArcHead, ArcScores, Relations
from senna_py.layers.biaffine import Biaffine
from senna_py.layers.blocks import BLOCK
from senna_py.layers.gradients import Gradients
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.likelihood import head_cost, head_shares, word_cost, word_shares
from senna_py.layers.linear import Linear, blas
from senna_py.layers.passes import (
    NO_DROPOUTS,
    Dropouts,
    ForwardPass,
    InferencePass,
    TrainingPass,
)
from senna_py.layers.protocol import Array
from senna_py.networks.arc_rules import LawfulArcs
from senna_py.networks.base import Context, Cost, Layers
from senna_py.networks.batch import WordBatch
from senna_py.networks.decoding import DecodedArcs, arc_layer
from senna_py.networks.dilated import BlockNetwork, BlockSettings
from senna_py.networks.stored import Plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The number of words whose trees are found at a time, in whole sentences, if the trunk
# has been computed. The rules take less time for many words at once; the arrays of more
# words no longer stay in the cache.
_WORDS = 8 * BLOCK
_RANK = 64  # the number of units of an arc from which its relations are scored


@dataclass
class ArcSettings(BlockSettings):
    """The settings of the arcs approach."""

    hidden: int = setting(
        256, "units for each word, half of them as dependent, half as head", least=2
    )
    reach: int = setting(20, "the largest distance with weights of its own", least=1)


class ArcNetwork(BlockNetwork):
    """Scores the arc between any two words of a sentence from their states.

    A linear layer and a rectifier compute the units of a word from its state. Half of
    them represent the word as a dependent, and half as a head. ArcHead scores arcs and
    relations. The probabilities of a word's heads and of an arc's relations are
    softmaxes of their scores. The result is the tree with the largest sum of arc scores
    among all trees with exactly one root.

    BlockNetwork and ArcHead define the other arrays.

    Attributes:
        hidden_weight: float32[width, 2 * n].
        hidden_bias: float32[2 * n].
    """

    kind, settings = "arcs", ArcSettings
    approaches = "arcs", "dilated"
    tasks = ("arcs",)
    context = Context.PAIRS
    beyond_senna = "it has no dependencies"

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        return [
            *super().declare(header),
            *Linear.declare("hidden", "width", "hidden"),
            *ArcHead.declare("maps", "distances", "rank", "tags"),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
        header, sizes, groups = super().plan(settings, labels)
        if sizes["hidden"] % 2:
            raise SennaError(
                f"arcs need an even number of hidden units, found {sizes['hidden']}"
            )
        sizes |= {"distances": 2 * settings.reach + 1, "rank": _RANK}
        return header, sizes | {"maps": sizes["hidden"] // 2}, groups

    def known_sizes(self) -> dict[str, int]:
        sizes = super().known_sizes()
        if self.hidden_bias is not None:
            if self.hidden_bias.size % 2:
                raise SennaError(
                    f"{self.hidden_bias.size:,} hidden units, expected an even number"
                )
            sizes["maps"] = self.hidden_bias.size // 2
        return sizes

    def layers(self, cache: Any = None) -> dict[str, Any]:
        hidden = Linear(
            "hidden", self.hidden_weight, self.hidden_bias, blas, Int8Weight
        )
        arcs = Biaffine(self.arc_weight, self.arc_bias, self.distances)
        dependent, head, output = (
            Linear(
                name,
                getattr(self, f"{name}_weight"),
                getattr(self, f"{name}_bias"),
                blas,
                Int8Weight,
            )
            for name in ("dependent", "head", "output")
        )
        relations = Relations(dependent, head, output, self.relation_distances)
        head_layer = ArcHead(self.root, arcs, relations)
        return super().layers(cache) | {"hidden": hidden, "head": head_layer}

    def forward(
        self,
        forward_pass: ForwardPass,
        layers: Layers,
        batch: WordBatch,
        head: Any = None,
    ) -> Iterator[ArcScores]:
        """Yield the scores of a batch, as one element.

        Args:
            forward_pass: The ForwardPass.
            layers: The layers of the network.
            batch: The words.
            head: int32[n_words], the index of each word's head within its sentence, or
                -1 for the root. The relations to these heads are scored. At inference,
                None means the heads in the best trees.
        """
        states = self.states(forward_pass, layers, batch)
        units = forward_pass(Rectifier(), forward_pass(layers["hidden"], states))
        yield forward_pass(layers["head"], forward_pass.drop(units), batch.starts, head)

    # As in kernels, weights of any size are accepted without warnings.
    @np.errstate(over="ignore", invalid="ignore")
    def decode(
        self, batch: WordBatch, cache: Any = None, scored: bool = False
    ) -> DecodedArcs:
        """Return the best tree of each sentence; see `annotate` for the arguments.

        If the batch has `arc_rules`, arcs and relations that break them are replaced.
        """
        forward_pass, layers = InferencePass(), self.inference_layers(cache)
        heads, labels, shares = ([np.empty(0, t)] for t in (np.int32, np.int32, "f4"))
        done, parts = 0, self.split(batch)
        if batch.states is not None:
            parts = (part for part in batch.split(_WORDS) if len(part.features))
        for part in parts:
            (scores,) = self.forward(forward_pass, layers, part)
            if batch.arc_rules is None:
                label = scores.relations.argmax(axis=1).astype(np.int32)
            else:
                rows = slice(done, done + len(scores.head))
                arcs = self._follow_rules(batch, rows, part.starts, scores, layers)
                scores, label = scores._replace(head=arcs.head), arcs.label
            done += len(label)
            heads.append(scores.head)
            labels.append(label)
            if scored:
                share = word_shares(scores.relations, label)
                share *= head_shares(scores.arcs, part.starts, scores.head)
                shares.append(share)
        score = np.concatenate(shares) if scored else None
        return DecodedArcs(np.concatenate(heads), np.concatenate(labels), score)

    def _follow_rules(
        self,
        batch: WordBatch,
        rows: slice,
        starts: "NDArray[np.int32]",
        scores: ArcScores,
        layers: Layers,
    ) -> LawfulArcs:
        """Return the trees of a part of a batch, changed so that they follow rules.

        Args:
            batch: The batch, with the rules.
            rows: The range of the part's words in the batch.
            starts: int32[n_sentences + 1], where each sentence of the part begins.
            scores: The scores of the part, which may change.
            layers: The layers of the network.
        """
        assert batch.arc_rules is not None
        rules, n_relations = batch.arc_rules, scores.relations.shape[1]
        table, classes = np.ones((1, n_relations), bool), np.zeros_like(scores.head)
        if batch.permitted is not None:
            table, classes = batch.permitted[0], batch.permitted[1][rows]
        head_layer: ArcHead = layers["head"]
        arcs = LawfulArcs(rules, starts, *scores[:3], table, classes)
        arcs.apply(partial(head_layer.relations_of, scores))
        return arcs

    def annotate(
        self,
        batch: WordBatch,
        task: Task,
        names: Sequence[str],
        cache: Any = None,
        scored: bool = False,
    ) -> Layer:
        decoded = self.decode(batch, cache, scored)
        return arc_layer(task, names, batch.starts, decoded)

    def likely(
        self, batch: WordBatch, task: Task, names: Sequence[str], cache: Any = None
    ) -> Layer:
        """Return the best trees, with the probability of each arc and its relation.

        Unlike in other networks, less likely labels are left out; see `annotate`.
        """
        return self.annotate(batch, task, names, cache, scored=True)

    def cost(
        self, words: WordBatch, targets: Any, dropouts: Dropouts = NO_DROPOUTS
    ) -> Cost:
        """Return the negative log-likelihood of the heads and relations of words.

        Relations are scored for the gold arcs. For soft targets, the cost of a word is
        multiplied by the probability of its arc and by the weight of its sentence. See
        TaggerNetwork for the arguments.
        """
        forward_pass = TrainingPass(dropouts)
        (scores,) = self.forward(forward_pass, self.layers(), words, targets.head)
        share = targets.shares() if targets.is_soft else None
        cost, d_arcs = head_cost(scores.arcs, words.starts, targets.head, share)
        of_relations, d_relations = word_cost(scores.relations, targets.label, share)
        trace = forward_pass, (d_arcs, d_relations)
        return Cost(cost + of_relations, len(targets.head), trace)

    def cost_backward(self, trace: Any, gradients: Gradients) -> Any:
        forward_pass, d_scores = trace
        return forward_pass.backward(d_scores, gradients)
