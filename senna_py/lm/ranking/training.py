"""Training of the ranking language model (Collobert et al. 2011, section 4).

During a run, the dictionary grows in stages and the learning rates fall linearly.
Several threads train the same parameters. Validation uses a fixed sample of windows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm import ranking as kernels
from senna_py.layers.protocol import initial_uniform, initial_weight
from senna_py.lm.perplexity_training import digest
from senna_py.lm.text.counts import words_by_count
from senna_py.lm.text.dictionary import UNKNOWN
from senna_py.models.embedding_formats.trained import words_in_checkpoint
from senna_py.training.schedules import linear_fall
from senna_py.training.trainable import Trainable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.lm.ranking.settings import RankingSettings
    from senna_py.lm.text.corpus import Corpus

_FIRST_WORD = UNKNOWN + 1
_PAIRS = 50_000  # the number of pairs of windows for validation
_PIECE = 20_000  # the number of pairs in a batch
_ROUND = 400_000  # the number of pairs in a round, between updates of rates and stage


def new_model(
    n_words: int,
    window: int,
    dim: int,
    hidden: int,
    spread: float,
    rng: np.random.Generator,
) -> kernels.Ranking:
    """Return a randomly initialized model.

    Vectors are uniform in [-spread, spread]. The variance of the weights of a layer is
    1 / fan-in, so that the inputs of HardTanh are initially in its linear part. With
    the variance 1 / sqrt(fan-in) of Remark 7 in Collobert et al. (2011), they would not
    be.

    Args:
        n_words: The number of words.
        window: The window size in words.
        dim: The size of word vectors.
        hidden: The number of hidden units.
        spread: The bound of the word vectors.
        rng: The random generator.

    Raises:
        SennaError: If the model does not fit into memory.
    """
    fan_in = window * dim
    return kernels.Ranking(
        initial_uniform(rng, spread, n_words, dim),
        initial_weight(rng, fan_in, (window - 1) * dim, hidden),
        initial_weight(rng, fan_in, dim, hidden),
        np.zeros(hidden, np.float32),
        initial_weight(rng, hidden, hidden),
    )


def new_scratch(model: kernels.Ranking, state: Any) -> kernels.Scratch:
    """Return the scratch arrays of a thread.

    Args:
        model: The model to train.
        state: The initial state of the thread's random generator, a uint64 other than
            0.
    """
    context, hidden = model.context.shape
    dim = model.vectors.shape[1]

    def zeros(*shape: int) -> NDArray[np.float32]:
        return np.zeros(shape, np.float32)

    return kernels.Scratch(
        np.array([state], np.uint64),
        np.zeros((4, context // dim), np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        zeros(4, context),
        zeros(4, dim),
        zeros(4, dim),
        zeros(context),
        zeros(4, hidden),
        zeros(4, hidden),
        zeros(hidden),
        *(kernels.Layers(*map(np.zeros_like, model[1:])) for _ in range(2)),
    )


def noise_words(
    counts: NDArray[np.int64], n_words: int, power: float
) -> NDArray[np.int32]:
    """Return a table from which replacements of center words are drawn: int32[m].

    Elements of the table are drawn uniformly.

    Args:
        counts: int64[n], the counts of words, where n is at least `n_words`.
        n_words: The size of the dictionary.
        power: The exponent: the probability of a word is proportional to count **
            power. With 0, all words are equally likely (Collobert et al. 2011, equation
            17).
    """
    if power == 0:
        return np.arange(_FIRST_WORD, n_words, dtype=np.int32)
    return _FIRST_WORD + words_by_count(counts[_FIRST_WORD:n_words], power, 1 << 22)


class Validation:
    """A fixed sample of windows, with a fixed replacement for each center word."""

    def __init__(self, text: NDArray[np.int32], n_words: int) -> None:
        """Sample windows from a text.

        Args:
            text: int32[n], word indices with PADDING after each sentence.
            n_words: The size of the dictionary.
        """
        rng = np.random.default_rng([0, n_words])
        self.text = np.ascontiguousarray(text)
        known = np.flatnonzero((self.text >= _FIRST_WORD) & (self.text < n_words))
        n_pairs = min(_PAIRS, len(known))
        position = known
        if n_pairs:
            position = np.sort(rng.choice(known, n_pairs, replace=False))
        noise = rng.integers(_FIRST_WORD, n_words, n_pairs, dtype=np.int32)
        differs = noise != self.text[position]
        self.position = position[differs]
        self.noise = noise[differs]

    def errors(self, model: kernels.Ranking) -> tuple[float, float]:
        """Return the fraction of pairs inside the margin, and of misordered pairs.

        A pair of a window x and its modification x^w is inside the margin if
        f(x) < f(x^w) + 1, and misordered if f(x) <= f(x^w). Both fractions are NaN
        without pairs.
        """
        if not len(self.position):
            return float("nan"), float("nan")
        out = np.empty(len(self.position), np.float32)
        scratch = new_scratch(model, 1)
        kernels.margins(
            model, self.text, UNKNOWN, self.position, self.noise, scratch, out
        )
        return float((out < 1).mean()), float((out <= 0).mean())


class _Round(NamedTuple):
    """A round of batches.

    Attributes:
        begin: The index of the first batch.
        n_pairs: The number of pairs of windows.
        rates: float32[3], the learning rates; see `RankingTraining.rates`.
    """

    begin: int
    n_pairs: int
    rates: NDArray[np.float32]


class RankingTraining(Trainable):
    """A ranking language model in training.

    An example is a pair of a window and its modification. There are no epochs.
    """

    rate_option = "--vector-rate or --layer-rate"

    def __init__(self, corpus: Corpus, settings: RankingSettings) -> None:
        """Prepare a run on a corpus.

        Raises:
            SennaError: If the corpus has fewer words than the largest dictionary, or no
                text with words of the first dictionary.
        """
        super().__init__(settings)
        largest = settings.stages[-1][0]
        if largest > len(corpus.words):
            raise SennaError(
                f"{corpus.path}: the corpus has {len(corpus.words):,} words, "
                f"a dictionary of {largest:,} is larger"
            )
        self.threads = settings.threads
        self.corpus = corpus
        self._text = corpus.train
        self._stage = 0
        self._round: _Round | None = None
        self._initial_rows: list[tuple[int, int]] = []
        self._initial_vectors: NDArray[np.float32] | None = None
        size = settings.stages[0][0]
        window, dim, hidden = settings.window, settings.dim, settings.hidden
        self._set_up_stage(
            new_model(size, window, dim, hidden, settings.spread, self.rng(0))
        )
        self._scratch = [
            new_scratch(self.model, state) for state in self._random_states()
        ]

    def _random_states(self) -> NDArray[np.uint64]:
        """Return the initial random state of each thread: uint64[n_threads]."""
        seeds = np.random.SeedSequence([self._settings.seed, 1])
        states = seeds.generate_state(self._settings.threads, np.uint64)
        return states | np.uint64(1)

    def start_from(self, words: Sequence[str], vectors: NDArray[np.float32]) -> int:
        """Initialize word vectors from a table.

        This is called breeding in Collobert et al. (2011, section 4.3). The vectors of
        words in later stages are set when these stages begin. A resumed run must
        therefore call this method before it is resumed.

        Args:
            words: The words of the table.
            vectors: float32[n, settings.dim], the vector of each word.

        Returns:
            The number of words of the largest dictionary that are in the table.
        """
        row = {word: i for i, word in enumerate(words)}
        largest = self._settings.stages[-1][0]
        self._initial_rows = [
            (index, row[word])
            for index, word in enumerate(self.corpus.words[:largest])
            if word in row
        ]
        self._initial_vectors = vectors
        self._set_initial_vectors(0)
        return len(self._initial_rows)

    def _set_initial_vectors(self, first: int) -> None:
        """Copy the vectors of words from index `first` on from the table, if any."""
        if self._initial_vectors is None:
            return
        for index, row in self._initial_rows:
            if first <= index < len(self.model.vectors):
                self.model.vectors[index] = self._initial_vectors[row]

    def _set_up_stage(self, model: kernels.Ranking) -> None:
        """Begin a stage whose dictionary has the words of a model.

        Raises:
            SennaError: If no word of the dictionary occurs in the text.
        """
        self.model = model
        n_words = len(model.vectors)
        self._noise = noise_words(
            self.corpus.counts, n_words, self._settings.noise_power
        )
        self._validation = Validation(self.corpus.valid, n_words)
        self.has_valid = len(self._validation.position) > 0
        if not self.has_valid:  # a small corpus may have no validation text
            self._validation = Validation(self._text, n_words)
        # Windows are drawn until the center word is in the dictionary, so training would
        # never end if there were no such window.
        sample = self._text[:: max(len(self._text) // 1_000_000, 1)]
        if not ((sample > UNKNOWN) & (sample < n_words)).any():
            raise SennaError(
                f"{self.corpus.path}: no word of the dictionary occurs in the text"
            )

    def data(self) -> dict[str, Any]:
        corpus, largest = self.corpus, self._settings.stages[-1][0]
        known = {
            "words": len(corpus.words),
            "train": len(corpus.train),
            "valid": len(corpus.valid),
        }
        dictionary = digest(words_in_checkpoint(corpus.words[:largest]))
        return {"corpus": known | {"dictionary": dictionary}}

    def share(self) -> float:
        """Return the completed fraction of the run, from 0 to 1."""
        settings, done = self._settings, self.progress
        if settings.examples:
            return min(done.examples / settings.examples, 1.0)
        return min(done.seconds / settings.seconds, 1.0)

    def finished(self) -> bool:
        """Return whether the run has its full length and has reached the last stage."""
        return self.share() >= 1 and self._stage == len(self._settings.stages) - 1

    def rates(self) -> NDArray[np.float32]:
        """Return the current learning rates: float32[3].

        They are the rates of the vectors, of the first layer and of the output layer.
        """
        settings = self._settings
        fan_in = [settings.window * settings.dim, settings.hidden]
        layers = settings.layer_rate / np.sqrt(fan_in)
        factor = linear_fall(self.share(), settings.final_rate)
        return (factor * np.array([settings.vector_rate, *layers])).astype(np.float32)

    def begin_round(self, wanted: int) -> int:
        """Begin a stage if it is due, set the rates, and return the number of batches.

        `wanted` has no effect.
        """
        while self._stage < self._settings.stage_at(self.share()):
            first = len(self.model.vectors)
            self._grow()
            self._set_initial_vectors(first)
        n_pairs, examples = _ROUND, self._settings.examples
        if examples is not None:  # in short runs, several rounds must fit into a stage
            left = examples - self.progress.examples
            n_pairs = max(min(_ROUND, examples // 50, left), 1)
        self._round = _Round(self.progress.batch, n_pairs, self.rates())
        return -(-n_pairs // _PIECE)

    def _grow(self) -> None:
        """Begin the next stage, with random vectors for the added words."""
        self._stage += 1
        settings = self._settings
        size, _ = settings.stages[self._stage]
        rng = self.rng(2 + self._stage)
        known = self.model.vectors
        new = initial_uniform(rng, settings.spread, size - len(known), settings.dim)
        self._set_up_stage(self.model._replace(vectors=np.concatenate([known, new])))

    def train(self, number: int, worker: int) -> tuple[float, int]:
        """Train on a batch; the cost is the number of pairs inside the margin."""
        assert self._round is not None, "`begin_round` comes first"
        begin, n_pairs, rates = self._round
        n = min(_PIECE, n_pairs - (number - begin) * _PIECE)
        active = kernels.train_pairs(
            self.model,
            self._text,
            UNKNOWN,
            self._noise,
            rates,
            n,
            self._scratch[worker],
        )
        # If a run diverges, the layers overflow before the vectors.
        if not all(np.isfinite(array).all() for array in self.model[1:]):
            return math.nan, n
        return active, n

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        inside, wrong = self._validation.errors(self.model)
        progress, share = self.progress, self.share()
        speed, active = progress.speed, progress.mean_cost or 0.0
        figures = {
            "examples": progress.examples,
            "seconds": round(progress.seconds, 1),
            "words": len(self.model.vectors),
            "progress": round(share, 4),
            "speed": round(speed),
            "active": round(active, 5),
            "inside_margin": round(inside, 5),
            "wrong_order": round(wrong, 5),
        }
        line = (
            f"{100 * share:5.1f}%  {progress.examples / 1e6:,.1f}M examples  "
            f"{figures['words']:,} words  {speed:,.0f}/s  active {active:.4f}  "
            f"validation: inside margin {inside:.4f}, wrong order {wrong:.4f}"
        )
        return line, figures

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the parameters, and the words of the dictionary for `export`."""
        words = words_in_checkpoint(self.corpus.words[: len(self.model.vectors)])
        parameters = self.model._asdict()
        parameters["centre"] = parameters.pop("center")  # the name in checkpoints
        return {"words": words, **parameters}

    def state(self) -> dict[str, Any]:
        return {
            "stage": self._stage,
            "random": [int(scratch.state[0]) for scratch in self._scratch],
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        """Restore the stage and the random states.

        If there are more threads than before, the additional threads get new random
        states.
        """
        while self._stage < state["stage"]:
            self._grow()
        states = [*map(np.uint64, state["random"])]
        fresh = self._random_states()[len(states) :]
        states = [*states, *fresh][: self.threads]
        self._scratch = [new_scratch(self.model, state) for state in states]
