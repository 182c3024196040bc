"""Settings of the neural probabilistic language model and of its training."""

from dataclasses import dataclass

from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting


@dataclass(frozen=True)
class NplmShape(Settings):
    """The shape of a network, which is also stored in the file of a model.

    n, m, h and W are the symbols of Bengio et al. (2003, section 2).

    Attributes:
        order: n, the number of context words plus one.
        dim: m, the size of word vectors.
        hidden: h, the number of hidden units.
        direct: Whether there are direct connections W from the word vectors to the
            output units.
        output: The type of the output layer: `softmax`, `classes` or `energy`.
        own_weights: Whether each word of an energy network has its own v.
    """

    order: int = setting(
        5, "Order n: the predicted word and n - 1 context words.", least=2, most=64
    )
    dim: int = setting(30, "Size of word vectors.", least=1)
    hidden: int = setting(50, "Hidden units; 0 needs `--direct`.", least=0)
    direct: bool = setting(
        False, "Also connect the word vectors directly to the output layer."
    )
    output: str = setting(
        "softmax",
        "Full softmax, the faster two-level softmax over classes, or the energy-based "
        "network.",
        choices=("softmax", "classes", "energy"),
        option="output-layer",
    )
    own_weights: bool = setting(
        False, "Give each word its own output weights v (`--output-layer energy`)."
    )

    def check(self) -> None:
        if self.output == "energy" and self.direct:
            raise UsageError("the energy network has no direct connections")
        if not self.hidden and not self.direct:
            raise UsageError(
                "without hidden units the network needs direct connections"
            )
        if self.own_weights and self.output != "energy":
            raise UsageError("--own-weights needs --output-layer energy")

    @property
    def n_features(self) -> int:
        """The number of inputs of the output layer."""
        return self.hidden + self.n_inputs if self.direct else self.hidden

    @property
    def n_inputs(self) -> int:
        """The length of x, the concatenated vectors of the context words."""
        return (self.order - 1) * self.dim

    def arrays(self, n_words: int, n_classes: int = 0) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of a network, by name.

        Args:
            n_words: The size of the vocabulary.
            n_classes: The number of classes, for a softmax over classes.
        """
        shapes: dict[str, tuple[int, ...]] = {
            "vectors": (n_words + 1, self.dim),
            "hidden_weight": (self.n_inputs, self.hidden),
            "hidden_bias": (self.hidden,),
            "output_bias": (n_words,),
        }
        if self.output == "energy":
            n_weights = n_words if self.own_weights else 1
            return shapes | {
                "target_weight": (self.dim, self.hidden),
                "energy_weight": (n_weights, self.hidden),
            }
        shapes["output_weight"] = (n_words, self.n_features)
        if self.output == "classes":
            shapes |= {
                "class_weight": (n_classes, self.n_features),
                "class_bias": (n_classes,),
            }
        return shapes


@dataclass(frozen=True)
class NplmSettings(NplmShape):
    """The settings of a run: the shape of a network, and its training.

    Attributes:
        classes: The number of classes, or a file of classes. None means
            sqrt(n_words) classes.
        samples: The number of sampled words for each batch, or 0 for exact gradients.
        init: The file of the vectors for `NplmTraining.start_from`, or None.
        batch: The number of examples in a batch.
        optimizer: The name of the optimizer in `training.optimizers`.
        rate: The initial learning rate; see `schedules.inverse_rate`.
        decrease: The decay of the learning rate; see `schedules.inverse_rate`.
        decay: The weight decay; see `training.optimizers`.
        dropout: The dropout rate.
        epochs: The number of epochs.
        patience: The number of epochs without improvement before the run ends.
        seed: The random seed.
        threads: The number of threads.
    """

    classes: int | str | None = setting(
        None,
        "Number of frequency classes, or a file of classes (`--output-layer classes`).",
        least=1,
        metavar="N|FILE",
    )
    samples: int = setting(
        0,
        "Sampled-softmax size per minibatch (`--output-layer energy`); 0: full softmax.",
        least=0,
        most=1 << 20,
        option="softmax-samples",
    )
    init: str | None = setting(
        None, "Initialize from these word vectors.", metavar="FILE"
    )
    batch: int = setting(
        1,
        "Minibatch size; 1 is stochastic training, as published.",
        least=1,
        most=1 << 16,
    )
    optimizer: str = setting(
        "sgd", "SGD, or an adaptive optimizer.", choices=("sgd", "adagrad", "adam")
    )
    rate: float = setting(
        1e-3, "Initial learning rate per example.", least=0, metavar="R"
    )
    decrease: float = setting(
        1e-8,
        "Decay r of the learning rate: R / (1 + r t) after t examples.",
        least=0,
        metavar="r",
        option="rate-decay",
    )
    decay: float = setting(
        1e-4,
        "Weight decay per example, relative to the rate.",
        least=0,
        metavar="D",
        option="weight-decay",
    )
    dropout: float = setting(
        0.0,
        "Dropout rate of inputs and hidden units (energy: of inputs only).",
        least=0,
        most=0.95,
        metavar="P",
    )
    epochs: int = setting(20, "Passes over the text.", least=1, free=True)
    patience: int = setting(
        3,
        "Stop after N epochs without a better validation perplexity.",
        least=1,
        free=True,
    )
    seed: int = setting(1, "Random seed.", least=0)
    threads: int = setting(
        1,
        "Threads that update one network without locks.",
        least=1,
        most=1024,
        free=True,
    )

    def check(self) -> None:
        super().check()
        if self.samples and self.output != "energy":
            raise UsageError("--softmax-samples needs --output-layer energy")
        if self.classes is not None and self.output != "classes":
            raise UsageError("--classes needs --output-layer classes")

    @property
    def one_by_one(self) -> bool:
        """Whether a kernel trains on single examples, without minibatches.

        This requires a batch size of 1, SGD without dropout, and a full softmax.
        """
        plain = self.optimizer == "sgd" and not self.dropout
        return self.batch == 1 and plain and self.output == "softmax"
