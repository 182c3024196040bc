"""Settings of structured skip-gram."""

from dataclasses import dataclass

from senna_py.io.settings import Settings, setting

__all__ = ["SkipGramSettings"]


@dataclass(frozen=True)
class SkipGramSettings(Settings):
    """What makes a run."""

    dim: int = setting(96, "Size of the vectors.", least=1, most=1024)
    window: int = setting(5, "Words on each side of the centre.", least=1, most=50)
    negative: int = setting(5, "Words of the noise for each right one.", least=1, most=50)
    power: float = setting(
        0.75,
        "Words of the noise are drawn by their count to this power.",
        least=0,
        most=1,
        metavar="P",
    )
    sample: float = setting(
        1e-4,
        "Words of a larger share f of the text are centres sqrt(P / f) as often.",
        above=0,
        most=1,
        metavar="P",
    )
    rate: float = setting(
        0.03, "SGD rate at the beginning; it falls linearly to 0.", least=0, metavar="R"
    )
    passes: float = setting(
        5.0, "Passes through the text: the length of the run.", above=0, most=1e6, metavar="N"
    )
    seed: int = setting(1, "Seed of all random numbers.", least=0)
    threads: int = setting(1, "Threads that share all vectors.", least=1, most=1024, free=True)
