"""The ranking language model of Collobert et al. (2011), section 4, and its training.

A run has a growing dictionary, rates that fall, threads, and a fixed sample to validate
on.
"""

import math

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

_FIRST_WORD = UNKNOWN + 1
_PAIRS = 50_000  # of windows, for validation
_PIECE = 20_000  # pairs that a thread trains before it asks for more: a batch
_ROUND = 400_000  # pairs between two looks at the clock, the rates and the stage


def new_model(n_words, window, dim, hidden, spread, rng):
    """Random `kernels.Ranking`.

    Vectors are uniform in [-spread, spread]; layers have the variance 1 / fan-in, so
    that sums begin in the linear part of HardTanh (with Remark 7's 1 / sqrt(fan-in)
    they do not).
    """
    fan_in = window * dim
    return kernels.Ranking(
        initial_uniform(rng, spread, n_words, dim),
        initial_weight(rng, fan_in, (window - 1) * dim, hidden),
        initial_weight(rng, fan_in, dim, hidden),
        np.zeros(hidden, np.float32),
        initial_weight(rng, hidden, hidden),
    )


def new_scratch(model, state):
    """`kernels.Scratch` of one thread; state: uint64, its random state, not 0."""
    context, hidden = model.context.shape
    dim = model.vectors.shape[1]

    def zeros(*shape):
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


def noise_words(counts, n_words, power):
    """Words to replace the center word by: int32[m], to draw from uniformly.

    power: in proportion to counts ** power; with 0 each word is as frequent (equation
    17).
    """
    if power == 0:
        return np.arange(_FIRST_WORD, n_words, dtype=np.int32)
    return _FIRST_WORD + words_by_count(counts[_FIRST_WORD:n_words], power, 1 << 22)


class Validation:
    """A fixed sample of held-out windows, each with a fixed uniform replacement of its
    center.
    """

    def __init__(self, text, n_words):
        """Sample text: int32[n], PADDING between sentences; n_words: size of the
        dictionary.
        """
        rng = np.random.default_rng([0, n_words])
        self.text = np.ascontiguousarray(text)
        known = np.flatnonzero((self.text >= _FIRST_WORD) & (self.text < n_words))
        n_pairs = min(_PAIRS, len(known))
        self.position = (
            np.sort(rng.choice(known, n_pairs, replace=False)) if n_pairs else known
        )
        self.noise = rng.integers(_FIRST_WORD, n_words, n_pairs, dtype=np.int32)
        keep = self.noise != self.text[self.position]
        self.position, self.noise = self.position[keep], self.noise[keep]

    def errors(self, model):
        """Fractions of pairs inside the margin (f(x) < f(x^w) + 1) and in the wrong
        order.
        """
        if not len(self.position):
            return float("nan"), float("nan")
        out = np.empty(len(self.position), np.float32)
        scratch = new_scratch(model, 1)
        kernels.margins(
            model, self.text, UNKNOWN, self.position, self.noise, scratch, out
        )
        return float((out < 1).mean()), float((out <= 0).mean())


class RankingTraining(Trainable):
    """Word vectors in training on pairs of windows. There are no epochs; an example is
    a pair.
    """

    rate_option = "--vector-rate or --layer-rate"

    def __init__(self, corpus, settings):
        """Set up a run on a Corpus with RankingSettings; raises SennaError for too few
        words.
        """
        super().__init__(settings)
        largest = settings.stages[-1][0]
        if largest > len(corpus.words):
            raise SennaError(
                f"{corpus.path}: the corpus has {len(corpus.words):,} words, "
                f"a dictionary of {largest:,} is larger"
            )
        self.threads, self.corpus, self._text = settings.threads, corpus, corpus.train
        self._stage, self._round = 0, None
        self._given, self._given_vectors = [], None
        s, size = settings, settings.stages[0][0]
        self._set_up_stage(
            new_model(size, s.window, s.dim, s.hidden, s.spread, self.rng(0))
        )
        self._scratch = [
            new_scratch(self.model, state) for state in self._random_states()
        ]

    def _random_states(self):
        bits = np.random.SeedSequence([self._settings.seed, 1]).generate_state(
            self._settings.threads, np.uint64
        )
        return bits | np.uint64(1)

    def start_from(self, words, vectors):
        """Begin with given vectors of words in the dictionary ("breeding", section
        4.3).

        words: list of str; vectors: float32[n, settings.dim]. Words of later stages get
        theirs when these begin, so a resumed run needs them again, before `resume`.
        Returns how many are found.
        """
        row = {word: i for i, word in enumerate(words)}
        largest = self._settings.stages[-1][0]
        self._given = [
            (i, row[w]) for i, w in enumerate(self.corpus.words[:largest]) if w in row
        ]
        self._given_vectors = vectors
        self._place_given(0)
        return len(self._given)

    def _place_given(self, first):
        for index, row in self._given:
            if first <= index < len(self.model.vectors):
                self.model.vectors[index] = self._given_vectors[row]

    def _set_up_stage(self, model):
        self.model = model
        n_words = len(model.vectors)
        self._noise = noise_words(
            self.corpus.counts, n_words, self._settings.noise_power
        )
        self._validation = Validation(self.corpus.valid, n_words)
        self.has_valid = len(self._validation.position) > 0
        if not self.has_valid:  # of a small corpus
            self._validation = Validation(self._text, n_words)
        # Windows are drawn until their center is in the dictionary, so there must be
        # one.
        sample = self._text[:: max(len(self._text) // 1_000_000, 1)]
        if not ((sample > UNKNOWN) & (sample < n_words)).any():
            raise SennaError(
                f"{self.corpus.path}: no word of the dictionary occurs in the text"
            )

    def data(self):
        corpus, largest = self.corpus, self._settings.stages[-1][0]
        known = {
            "words": len(corpus.words),
            "train": len(corpus.train),
            "valid": len(corpus.valid),
        }
        dictionary = digest(words_in_checkpoint(corpus.words[:largest]))
        return {"corpus": known | {"dictionary": dictionary}}

    def share(self):
        """Fraction of the run that is done."""
        s, done = self._settings, self.progress
        share = done.examples / s.examples if s.examples else done.seconds / s.seconds
        return min(share, 1.0)

    def finished(self):
        """Tell if the run is at its end, and the largest dictionary had a round at
        least.
        """
        return self.share() >= 1 and self._stage == len(self._settings.stages) - 1

    def rates(self):
        """Rates of the vectors, the first layer and the output now: float32[3]."""
        s = self._settings
        layers = s.layer_rate / np.sqrt([s.window * s.dim, s.hidden])
        factor = linear_fall(self.share(), s.final_rate)
        return (factor * np.array([s.vector_rate, *layers])).astype(np.float32)

    def begin_round(self, wanted):
        """Set the dictionary and the rates for the next pairs; returns the pieces of
        them.
        """
        while self._stage < self._settings.stage_at(self.share()):
            first = len(self.model.vectors)
            self._grow()
            self._place_given(first)
        n_pairs, examples = _ROUND, self._settings.examples
        if examples is not None:  # a stage ends where it should, also in short runs
            n_pairs = max(
                min(_ROUND, examples // 50, examples - self.progress.examples), 1
            )
        self._round = self.progress.batch, n_pairs, self.rates()
        return -(-n_pairs // _PIECE)

    def _grow(self):
        self._stage += 1
        size, rng = self._settings.stages[self._stage][0], self.rng(2 + self._stage)
        known, s = self.model.vectors, self._settings
        new = initial_uniform(rng, s.spread, size - len(known), s.dim)
        self._set_up_stage(self.model._replace(vectors=np.concatenate([known, new])))

    def train(self, number, worker):
        """Train on a piece of the round; the cost is how many pairs were inside the
        margin.
        """
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
        # The layers show first that a run diverges.
        if not all(np.isfinite(array).all() for array in self.model[1:]):
            return math.nan, n
        return active, n

    def report(self, score, better):
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

    def arrays(self):
        """Parameters, and the words of the vectors, which `export` reads."""
        words = words_in_checkpoint(self.corpus.words[: len(self.model.vectors)])
        return {"words": words, **self.model._asdict()}

    def state(self):
        return {
            "stage": self._stage,
            "random": [int(scratch.state[0]) for scratch in self._scratch],
        }

    def restore_state(self, state):
        """Go on; more threads than before begin with random numbers of their own."""
        while self._stage < state["stage"]:
            self._grow()
        states = [*map(np.uint64, state["random"])]
        fresh = self._random_states()[len(states) :]
        states = [*states, *fresh][: self.threads]
        self._scratch = [new_scratch(self.model, state) for state in states]
