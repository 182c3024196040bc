"""Training of the ranking language model: curriculum, rates, threads, checkpoints."""

import itertools
import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.formats.checkpoint import write_arrays
from senna_py.kernels import ranking as kernels
from senna_py.lm.ranking.model import Validation, grow, new_model, new_scratch, noise_words
from senna_py.lm.run import LanguageModelRun
from senna_py.lm.text.prepared import UNKNOWN

__all__ = ["Settings", "Trainer"]

_PIECE = 20_000  # pairs that a thread trains before it asks for more
_ROUND = 400_000  # pairs between two looks at the clock, the rates and the stage


@dataclass
class Settings:
    """What makes a run.

    stages: pairs of a dictionary's size and its share of the run; examples or seconds: the length
    of the run, by which rates and stages are scheduled (seconds count only while training);
    vector_rate, layer_rate: SGD rates, the latter over sqrt(fan-in); final_rate: what the rates
    have fallen to at the end; spread: new vectors are uniform in [-spread, spread]; noise_power:
    see `ranking.noise_words`; init: the name of the vectors for `Trainer.start_from`.
    """

    stages: tuple = ((5000, 1.0),)
    window: int = 11
    dim: int = 50
    hidden: int = 100
    examples: int | None = None
    seconds: float | None = None
    vector_rate: float = 0.1
    layer_rate: float = 0.02
    final_rate: float = 0.05
    spread: float = 0.1
    noise_power: float = 0.0
    init: str | None = None
    seed: int = 1
    threads: int = 1

    def __post_init__(self):
        """Check what only makes sense together."""
        self.stages = tuple((int(size), float(share)) for size, share in self.stages)
        sizes = [size for size, _ in self.stages]
        if sizes != sorted(set(sizes)) or sizes[0] < 4:
            raise UsageError(f"dictionary sizes must grow and be 4 at least: {sizes}")
        if (self.examples is None) == (self.seconds is None):
            raise UsageError("give the length of the run by --examples or --duration, one of them")
        if self.window < 3 or self.window % 2 == 0:
            raise UsageError(f"window {self.window}; it must be odd and 3 at least")

    def stage_at(self, progress):
        """Index of the stage at `progress` in [0, 1]."""
        ends = np.cumsum([share for _, share in self.stages])
        return min(int(np.searchsorted(ends / ends[-1], progress, "right")), len(ends) - 1)


@dataclass
class _Done:
    """How far a run is."""

    examples: int = 0
    seconds: float = 0.0
    stage: int = 0


class Trainer(LanguageModelRun):
    """A run of the ranking language model, in a directory with its checkpoint and log."""

    free = "examples", "seconds", "threads"

    def __init__(self, corpus, directory, settings, report=None):
        """Take a Corpus and Settings; report: called with a line of str and a dict of figures."""
        largest = settings.stages[-1][0]
        if largest > len(corpus.words):
            raise SennaError(
                f"{corpus.path}: the corpus has {len(corpus.words):,} words, "
                f"a dictionary of {largest:,} is larger"
            )
        super().__init__(directory, settings, report)
        self.corpus, self._text = corpus, corpus.train
        self._done = _Done()
        self._given, self._given_vectors = [], None
        self._set_up_stage(self._fresh_model())
        self._scratch = [new_scratch(self.model, s) for s in self._random_states()]

    def _fresh_model(self):
        s = self.settings
        return new_model(s.stages[0][0], s.window, s.dim, s.hidden, s.spread, self._rng(0))

    def _random_states(self):
        bits = np.random.SeedSequence([self.settings.seed, 1]).generate_state(
            self.settings.threads, np.uint64
        )
        return bits | np.uint64(1)

    def start_from(self, words, vectors):
        """Take the vectors of `words` that are in the dictionary ("breeding", section 4.3).

        words: list of str; vectors: float32[n, dim]. Words of later stages get theirs when their
        stage begins, so a run that is resumed needs them again, before `resume`. Returns the
        number of words found.
        """
        if vectors.shape[1] != self.settings.dim:
            raise SennaError(
                f"the given vectors have {vectors.shape[1]} dimensions, not {self.settings.dim}"
            )
        row = {word: i for i, word in enumerate(words)}
        largest = self.settings.stages[-1][0]
        self._given = [(i, row[w]) for i, w in enumerate(self.corpus.words[:largest]) if w in row]
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
        self._noise = noise_words(self.corpus.counts, n_words, self.settings.noise_power)
        self._validation = Validation(self.corpus.valid, n_words)
        # Windows are drawn until their centre is in the dictionary, so there must be one.
        sample = self._text[:: max(len(self._text) // 1_000_000, 1)]
        if not ((sample > UNKNOWN) & (sample < n_words)).any():
            raise SennaError(f"{self.corpus.path}: no word of the dictionary occurs in the text")

    @property
    def progress(self):
        """Share of the run that is done."""
        s, done = self.settings, self._done
        share = done.examples / s.examples if s.examples else done.seconds / s.seconds
        return min(share, 1.0)

    @property
    def finished(self):
        """Whether the run is at its end, and the largest dictionary had a round at least."""
        return self.progress >= 1 and self._done.stage == len(self.settings.stages) - 1

    def rates(self):
        """Rates of the vectors, the first layer and the output now: float32[3]."""
        s = self.settings
        factor = 1 - (1 - s.final_rate) * self.progress
        layers = s.layer_rate / np.sqrt([s.window * s.dim, s.hidden])
        return (factor * np.array([s.vector_rate, *layers])).astype(np.float32)

    def run(self, time_limit=math.inf, checkpoint_every=300, report_every=30):
        """Train to the end, for `time_limit` seconds or until `stop`; returns whether to the end.

        Every end leaves a checkpoint. Raises SennaError at once if the directory cannot be written.
        """
        self._check_directory()
        begin = last_checkpoint = last_report = time.monotonic()
        pairs = active = 0
        with ThreadPoolExecutor(self.settings.threads) as pool:
            while not self.finished:
                self._change_stage()
                before = time.monotonic()
                n = self._round_size()
                active += self._train(pool, n)
                pairs += n
                now = time.monotonic()
                self._done.examples += n
                self._done.seconds += now - before
                stops = self._stopped or now - begin >= time_limit
                ends = stops or self.finished
                self._check_finite()
                if ends or now - last_report >= report_every:
                    self._report(pairs / (now - last_report), active / pairs)
                    pairs, active, last_report = 0, 0, now
                if ends or now - last_checkpoint >= checkpoint_every:
                    self._save(may_fail=not ends)
                    last_checkpoint = now
                if stops:
                    break
        return self.finished

    def _check_finite(self):
        """Stop a run that diverges, before it reaches the checkpoint; the layers show it first."""
        if not all(np.isfinite(array).all() for array in self.model[1:]):
            raise self._overflowed("--vector-rate or --layer-rate")

    def _round_size(self):
        if self.settings.examples is None:
            return _ROUND
        # A stage ends where it should, also in short runs.
        return max(min(_ROUND, self.settings.examples // 50, self._left()), 1)

    def _left(self):
        return self.settings.examples - self._done.examples

    def _train(self, pool, n_pairs):
        """Train `n_pairs` on all threads; returns how many were inside the margin."""
        rates, pieces = self.rates(), iter(range(0, n_pairs, _PIECE))

        def work(scratch):
            active = 0
            for first in pieces:  # shared: each thread takes the next piece
                active += kernels.train_pairs(
                    self.model, self._text, UNKNOWN, self._noise, rates,
                    min(_PIECE, n_pairs - first), scratch,
                )  # fmt: skip
            return active

        if len(self._scratch) == 1:
            return work(self._scratch[0])
        return sum(pool.map(work, self._scratch))

    def _change_stage(self):
        while self._done.stage < self.settings.stage_at(self.progress):
            self._done.stage += 1
            first, size = len(self.model.vectors), self.settings.stages[self._done.stage][0]
            rng = self._rng(2 + self._done.stage)
            self._set_up_stage(grow(self.model, size, self.settings.spread, rng))
            self._place_given(first)

    def _report(self, speed, active):
        inside, wrong = self._validation.errors(self.model)
        figures = {
            "examples": self._done.examples, "seconds": round(self._done.seconds, 1),
            "words": len(self.model.vectors), "progress": round(self.progress, 4),
            "speed": round(speed), "active": round(active, 5),
            "inside_margin": round(inside, 5), "wrong_order": round(wrong, 5),
        }  # fmt: skip
        line = (
            f"{100 * self.progress:5.1f}%  {self._done.examples / 1e6:,.1f}M examples  "
            f"{figures['words']:,} words  {speed:,.0f}/s  active {active:.4f}  "
            f"validation: inside margin {inside:.4f}, wrong order {wrong:.4f}"
        )
        self._tell(line, figures)

    def save(self):
        """Write the checkpoint in one step: the old one stays until the new one is whole."""
        meta = {"settings": asdict(self.settings), "corpus": self._identity(), **asdict(self._done)}
        states = np.concatenate([scratch.state for scratch in self._scratch])
        words = self._words(len(self.model.vectors))
        write_arrays(self.checkpoint, meta, states=states, words=words, **self.model._asdict())

    def _words(self, count):
        """The first `count` words, a line each: uint8[n]."""
        words = "\n".join(self.corpus.words[:count])
        return np.frombuffer(words.encode("utf-8", "surrogateescape"), np.uint8)

    @property
    def _logged(self):
        return "examples", self._done.examples

    def _identity(self):
        return {key: self.corpus.info[key] for key in ("words", "train", "valid")}

    def _other_text(self, meta, arrays):
        """What else a checkpoint was made from, or None."""
        words = self._words(len(arrays["vectors"]))
        if meta["corpus"] == self._identity() and np.array_equal(arrays["words"], words):
            return None
        return f"another corpus than {self.corpus.path}"

    def _restore(self, meta, arrays):
        """Take what a checkpoint has; returns whether the arrays' shapes are right."""
        model = kernels.Ranking(*(arrays[name] for name in kernels.Ranking._fields))
        done = _Done(**{key: meta[key] for key in asdict(self._done)})
        states = arrays["states"]
        whole = self._fits(model, self.settings.stages[done.stage][0])
        if not whole or states.dtype != np.uint64 or states.ndim != 1:
            return False
        self._done = done
        self._set_up_stage(model)
        states = itertools.chain(states, self._random_states()[len(states) :])
        pairs = zip(states, range(self.settings.threads), strict=False)
        self._scratch = [new_scratch(self.model, state) for state, _ in pairs]
        return True

    def _fits(self, model, n_words):
        """Whether the arrays of `model` are what the settings make, for `n_words` words."""
        shapes = [(n_words, self.settings.dim), *(array.shape for array in self.model[1:])]
        return all(
            array.dtype == np.float32 and array.shape == shape
            for array, shape in zip(model, shapes, strict=True)
        )
