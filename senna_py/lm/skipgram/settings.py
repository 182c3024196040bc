"""Settings of the structured skip-gram model."""

from dataclasses import dataclass

from senna_py.io.settings import Settings, setting


@dataclass(frozen=True)
class SkipGramSettings(Settings):
    """The settings of a training run of the skip-gram model.

    Attributes:
        dim: The size of word vectors.
        context: The number of context words on each side of the center word.
        negative: The number of negative samples for each context word.
        power: The exponent of the counts in the distribution of negative samples.
        sample: The threshold for the subsampling of frequent words.
        rate: The initial learning rate.
        passes: The number of passes over the text, which may be fractional.
        seed: The random seed.
        threads: The number of threads.
    """

    dim: int = setting(96, "Size of word vectors.", least=1, most=1024)
    context: int = setting(
        5, "Context size: words on each side of the center word.", least=1, most=50
    )
    negative: int = setting(5, "Negative samples per word.", least=1, most=50)
    power: float = setting(
        0.75,
        "Draw negative samples by count to this power.",
        least=0,
        most=1,
        metavar="P",
        option="noise-power",
    )
    sample: float = setting(
        1e-4,
        "Subsampling threshold: words of frequency f > P are centers with probability "
        "sqrt(P / f).",
        above=0,
        most=1,
        metavar="P",
        option="subsample",
    )
    rate: float = setting(
        0.03, "Initial learning rate, which decays linearly to 0.", least=0, metavar="R"
    )
    passes: float = setting(
        5.0,
        "Passes over the text; fractions are allowed.",
        above=0,
        most=1e6,
        metavar="X",
        option="epochs",
    )
    seed: int = setting(1, "Random seed.", least=0)
    threads: int = setting(
        1, "Threads that update one model without locks.", least=1, most=1024, free=True
    )
