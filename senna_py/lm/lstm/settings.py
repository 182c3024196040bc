"""Settings of the LSTM language models and of their training."""

import math
from dataclasses import dataclass

from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting

_WIDEST = 1 << 14  # layers
# Table 2, and the comparisons with word vectors (section English Penn Treebank).
_PRESETS = {
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
    """What a network is made of, which its file tells as well.

    input: what words are read as; dim: of word vectors; char_dim: d; widths: filters
    have the widths from 1 to this; filters: how many for each unit of width, but
    `most_filters` of a width at most; highway: layers; plain: whether one plain layer
    stands in their place; hidden: m;
    layers: of the LSTM.
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

    def n_filters(self):
        """How many filters there are of each width, from 1 on: a list."""
        return [
            min(self.most_filters, self.filters * w) for w in range(1, self.widths + 1)
        ]

    @property
    def n_features(self):
        """Length of what stands for a word at the input of the LSTM."""
        if self.input != "char":
            return self.dim
        return sum(self.n_filters())

    def arrays(self, n_words, n_characters=0, n_morphemes=0, n_clusters=0):
        """Shapes of the arrays of a network, by name."""
        shapes = self._input_arrays(n_words, n_characters, n_morphemes)
        m = self.hidden
        for k in range(1, self.layers + 1):
            shapes[f"lstm{k}_weight"] = (self.n_features if k == 1 else m, 4 * m)
            shapes[f"lstm{k}_recurrent"] = (m, 4 * m)
            shapes[f"lstm{k}_bias"] = (4 * m,)
        shapes |= {"output_weight": (n_words, m), "output_bias": (n_words,)}
        if self.output == "clusters":
            shapes |= {"class_weight": (n_clusters, m), "class_bias": (n_clusters,)}
        return shapes

    def n_parameters(self, *sizes):
        """How many numbers are learned; sizes: as of `arrays`."""
        return sum(math.prod(size) for size in self.arrays(*sizes).values())

    def _input_arrays(self, n_words, n_characters, n_morphemes):
        if self.input == "word":
            return {"vectors": (n_words, self.dim)}
        if self.input == "morph":
            return {
                "vectors": (n_words, self.dim),
                "morpheme_vectors": (n_morphemes, self.dim),
            }
        shapes, n = (
            {"character_vectors": (n_characters, self.char_dim)},
            self.n_features,
        )
        for w, n_filters in enumerate(self.n_filters(), 1):
            shapes[f"filter_weight.{w}"] = (w, self.char_dim, n_filters)
            shapes[f"filter_bias.{w}"] = (n_filters,)
        for name in self.between():
            both = 1 if self.plain else 2
            shapes |= {f"{name}_weight": (n, both * n), f"{name}_bias": (both * n,)}
        return shapes

    def between(self):
        """Names of the layers between the convolution and the LSTM."""
        return (
            ["plain"]
            if self.plain
            else [f"highway{k + 1}" for k in range(self.highway)]
        )


@dataclass(frozen=True)
class LstmSettings(LstmShape):
    """What makes a run: a network, and how it is trained.

    clip: of all gradients as one vector; segmentation: the name of the file of
    morphemes, which a resumed run compares themselves.
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
        "Decay the rate linearly to this fraction over the epochs, instead of halving it.",
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
    def of_preset(cls, kind, preset, **given):
        """Settings with sizes of the paper, `small` or `large`, where `given` says
        nothing.
        """
        given = {name: value for name, value in given.items() if value is not None}
        return cls(**{"input": kind, **_PRESETS[preset][kind], **given})

    def check(self):
        if (self.input == "morph") != bool(self.segmentation):
            raise UsageError(
                "morphemes need a --segmentation of words, and only they do"
            )

    def free(self):
        """Names of what a resumed run may change: not the epochs, if the rate goes by
        them.
        """
        names = super().free()
        return (
            names
            if self.final_rate is None
            else tuple(n for n in names if n != "epochs")
        )
