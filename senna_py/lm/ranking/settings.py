"""Settings of the ranking language model and of its growing dictionary."""

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate

from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting

STAGES = (
    (5000, 2.0),
    (10_000, 4.0),
    (30_000, 12.0),
    (50_000, 17.0),
    (100_000, 30.0),
    (130_000, 35.0),
)


@dataclass(frozen=True)
class RankingSettings(Settings):
    """The settings of a training run of the ranking language model.

    Attributes:
        stages: The stages of the run, as pairs of a dictionary size and a relative
            length.
        examples: The length of the run in examples, or None if `seconds` is set.
        seconds: The length of the run in seconds of training, or None if `examples` is
            set.
        window: The window size in words.
        dim: The size of word vectors.
        hidden: The number of hidden units.
        vector_rate: The learning rate of word vectors.
        layer_rate: The learning rate of layers, which is divided by sqrt(fan-in).
        final_rate: The factor of both learning rates at the end of the run.
        noise_power: The exponent of the counts; see `ranking.training.noise_words`.
        spread: The bound of the initial word vectors.
        init: The file of the vectors for `RankingTraining.start_from`, or None.
        seed: The random seed.
        threads: The number of threads.
    """

    stages: tuple = STAGES
    examples: int | None = setting(
        None, "Length of the run in examples.", least=1, free=True
    )
    seconds: float | None = setting(None, above=0, free=True)
    window: int = setting(11, "Window size in words, an odd number.", least=3)
    dim: int = setting(50, "Size of word vectors.", least=1)
    hidden: int = setting(100, "Hidden units.", least=1)
    vector_rate: float = setting(
        0.1, "Learning rate of the word vectors.", least=0, metavar="R"
    )
    layer_rate: float = setting(
        0.02, "Learning rate of layers, divided by sqrt(fan-in).", least=0, metavar="R"
    )
    final_rate: float = setting(
        0.05,
        "Decay both rates linearly to this fraction.",
        least=0,
        most=1,
        metavar="P",
    )
    noise_power: float = setting(
        0.0,
        "Draw negative samples by count to this power; 0 draws them uniformly, as in "
        "the paper.",
        least=0,
        most=1,
        metavar="P",
    )
    spread: float = setting(
        0.1,
        "Initialize new vectors uniformly in [-S, S].",
        least=0,
        most=1000,
        metavar="S",
    )
    init: str | None = setting(
        None, "Initialize from these word vectors.", metavar="FILE"
    )
    seed: int = setting(1, "Random seed.", least=0)
    threads: int = setting(
        1, "Threads that update one model without locks.", least=1, most=1024, free=True
    )

    def check(self) -> None:
        sizes = [size for size, _ in self.stages]
        if sizes != sorted(set(sizes)) or sizes[0] < 4:
            raise UsageError(f"dictionary sizes must grow and be at least 4: {sizes}")
        if (self.examples is None) == (self.seconds is None):
            raise UsageError(
                "give the length of the run, by either --examples or --duration"
            )
        if self.window % 2 == 0:
            raise UsageError(
                f"the window must be odd and at least 3, not {self.window}"
            )

    def stage_at(self, progress: float) -> int:
        """Return the index of the stage at a fraction of the run, from 0 to 1."""
        ends = list(accumulate(share for _, share in self.stages))
        stage = bisect_right([end / ends[-1] for end in ends], progress)
        return min(stage, len(ends) - 1)

    def fit(self, n_words: int) -> "RankingSettings":
        """Return settings whose dictionaries have at most `n_words` words.

        All stages with larger dictionaries are merged into the last stage.
        """
        fitting = [(size, share) for size, share in self.stages if size < n_words]
        larger = [share for size, share in self.stages if size >= n_words]
        if not larger:
            return self
        last = min(n_words, self.stages[-1][0]), sum(larger)
        return replace(self, stages=(*fitting, last))
