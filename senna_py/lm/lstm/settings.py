"""Settings of the LSTM language models and of their training."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting

if TYPE_CHECKING:
    from senna_py.lm.lstm.lexicon import LexiconSizes

_WIDEST = 1 << 14  # the maximum number of units of a layer
# The sizes in Kim et al. (2016): Table 2 and, for word vectors, section English Penn
# Treebank.
_PRESETS: dict[str, dict[str, dict[str, int]]] = {
    "small": {
        "char": {
            "widths": 6,
            "filters": 25,
            "most_filters": 150,
            "highway": 1,
            "hidden": 300,
        },
        "word": {"dim": 200, "hidden": 200},
        "morph": {"dim": 200, "hidden": 200},
    },
    "large": {
        "char": {
            "widths": 7,
            "filters": 50,
            "most_filters": 200,
            "highway": 2,
            "hidden": 650,
        },
        "word": {"dim": 650, "hidden": 650},
        "morph": {"dim": 650, "hidden": 650},
    },
}


@dataclass(frozen=True)
class LstmShape(Settings):
    """The shape of a network, which is also stored in the file of a model.

    d and m are the symbols of Kim et al. (2016).

    Attributes:
        input: The type of the input layer: `char`, `word` or `morph`.
        dim: The size of word and morpheme vectors.
        char_dim: d, the size of character vectors.
        widths: The largest width of a filter. There are filters of all widths from 1 to
            this one.
        filters: The number of filters of width 1. There are w times as many filters of
            width w, up to `most_filters`.
        most_filters: The maximum number of filters of one width.
        highway: The number of highway layers.
        plain: Whether one plain layer replaces the highway layers.
        hidden: m, the number of units of an LSTM layer.
        layers: The number of LSTM layers.
        output: The type of the output layer: `softmax` or `clusters`.
    """

    input: str = setting("char", choices=("char", "word", "morph"))
    dim: int = setting(
        200,
        "Size of word vectors (`word`, `morph`).",
        least=1,
        most=_WIDEST,
        by="--preset",
    )
    char_dim: int = setting(15, least=1)
    widths: int = setting(6, least=1, most=64)
    filters: int = setting(25, least=1)
    most_filters: int = setting(200, least=1)
    highway: int = setting(
        1, "Number of highway layers (`char`).", least=0, most=8, by="--preset"
    )
    plain: bool = setting(
        False,
        "Use one plain layer instead of highway layers, with `--spread 0.1` (`char`).",
    )
    hidden: int = setting(
        300, "Units per LSTM layer.", least=1, most=_WIDEST, by="--preset"
    )
    layers: int = setting(2, least=1, most=64)
    output: str = setting(
        "softmax",
        "Full softmax, or the faster two-level softmax over clusters.",
        choices=("softmax", "clusters"),
        option="output-layer",
    )

    def n_filters(self) -> list[int]:
        """Return the number of filters of each width, starting with width 1."""
        widths = range(1, self.widths + 1)
        return [min(self.most_filters, self.filters * width) for width in widths]

    @property
    def n_features(self) -> int:
        """The size of the vector of a word, the input of the first LSTM layer."""
        if self.input != "char":
            return self.dim
        return sum(self.n_filters())

    def arrays(self, sizes: "LexiconSizes") -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of a network, by name.

        Args:
            sizes: The sizes of the network's lexicon.
        """
        shapes = self._input_arrays(sizes)
        m = self.hidden
        for k in range(1, self.layers + 1):
            shapes[f"lstm{k}_weight"] = (self.n_features if k == 1 else m, 4 * m)
            shapes[f"lstm{k}_recurrent"] = (m, 4 * m)
            shapes[f"lstm{k}_bias"] = (4 * m,)
        shapes["output_weight"] = (sizes.n_words, m)
        shapes["output_bias"] = (sizes.n_words,)
        if self.output == "clusters":
            shapes["class_weight"] = (sizes.n_clusters, m)
            shapes["class_bias"] = (sizes.n_clusters,)
        return shapes

    def n_parameters(self, sizes: "LexiconSizes") -> int:
        """Return the total number of parameters of a network."""
        return sum(map(math.prod, self.arrays(sizes).values()))

    def _input_arrays(self, sizes: "LexiconSizes") -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of the input layer, by name."""
        if self.input == "word":
            return {"vectors": (sizes.n_words, self.dim)}
        if self.input == "morph":
            return {
                "vectors": (sizes.n_words, self.dim),
                "morpheme_vectors": (sizes.n_morphemes, self.dim),
            }
        shapes: dict[str, tuple[int, ...]] = {
            "character_vectors": (sizes.n_characters, self.char_dim)
        }
        for width, n_filters in enumerate(self.n_filters(), 1):
            shapes[f"filter_weight.{width}"] = (width, self.char_dim, n_filters)
            shapes[f"filter_bias.{width}"] = (n_filters,)
        n = self.n_features
        n_units = n if self.plain else 2 * n  # a highway layer has gates, too
        for name in self.between():
            shapes[f"{name}_weight"] = (n, n_units)
            shapes[f"{name}_bias"] = (n_units,)
        return shapes

    def between(self) -> list[str]:
        """Return the names of the layers between the convolution and the LSTM."""
        if self.plain:
            return ["plain"]
        return [f"highway{k + 1}" for k in range(self.highway)]


@dataclass(frozen=True)
class LstmSettings(LstmShape):
    """The settings of a run: the shape of a network, and its training.

    Attributes:
        segmentation: The path of the file of morphemes, or None. A resumed run compares
            the morphemes, not the path.
        steps: The number of steps of truncated backpropagation through time.
        batch: The number of parallel streams.
        spread: The bound of the initial parameters.
        rate: The initial learning rate.
        least_gain: The improvement in perplexity below which the rate is halved.
        final_rate: The factor of the learning rate at the end of the run if it falls
            linearly, or None if it is halved instead.
        clip: The maximum L2 norm of all gradients, taken as one vector.
        dropout: The dropout rate.
        epochs: The number of epochs.
        seed: The random seed.
        threads: The number of threads of matrix products.
    """

    segmentation: str | None = setting(
        None,
        "File of the morphemes of words, one word per line: `cats cat s` (`morph`).",
        metavar="FILE",
        free=True,
    )
    steps: int = setting(
        35, "BPTT length in words.", least=1, most=1 << 12, option="bptt"
    )
    batch: int = setting(
        20, "Batch size: parallel streams of the text.", least=1, most=1 << 12
    )
    spread: float = setting(
        0.05,
        "Initialize weights uniformly in [-S, S].",
        least=0,
        most=1000,
        metavar="S",
    )
    rate: float = setting(1.0, "Initial learning rate.", least=0, metavar="R")
    least_gain: float = setting(
        1.0,
        "Halve the rate when an epoch improves validation perplexity by less.",
        least=0,
        metavar="G",
    )
    final_rate: float | None = setting(
        None,
        "Decay the rate linearly to this fraction over the epochs, instead of halving "
        "it.",
        least=0,
        most=1,
        metavar="F",
    )
    clip: float = setting(
        5.0, "Gradient-norm clipping: the largest norm.", above=0, metavar="L"
    )
    dropout: float = setting(
        0.5,
        "Dropout rate of the outputs of LSTM layers.",
        least=0,
        most=0.95,
        metavar="P",
    )
    epochs: int = setting(25, "Passes over the text.", least=1, free=True)
    seed: int = setting(1, "Random seed.", least=0)
    threads: int = setting(
        1, "Threads of matrix products.", least=1, most=1024, free=True
    )

    @classmethod
    def of_preset(cls, input: str, preset: str, **values: Any) -> "LstmSettings":
        """Return settings whose default sizes are the sizes of a model in the paper.

        Args:
            input: The type of the input layer.
            preset: The size of the model: `small` or `large`.
            **values: Other settings. None selects the default.
        """
        chosen = {name: value for name, value in values.items() if value is not None}
        return cls(**{"input": input, **_PRESETS[preset][input], **chosen})

    def check(self) -> None:
        if (self.input == "morph") != bool(self.segmentation):
            raise UsageError(
                "--segmentation is needed for `train morph`, and only for it"
            )

    def free(self) -> tuple[str, ...]:
        """Return the names of the settings that a resumed run may change.

        The number of epochs may not change if the learning rate depends on it.
        """
        names = super().free()
        if self.final_rate is None:
            return names
        return tuple(name for name in names if name != "epochs")
