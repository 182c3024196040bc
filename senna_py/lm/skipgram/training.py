"""Training of word vectors by structured skip-gram with negative sampling, on weighted
files.
"""

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm import skipgram as kernels
from senna_py.layers.protocol import check_new, initial_uniform
from senna_py.lm.perplexity_training import digest
from senna_py.lm.text.counts import words_by_count
from senna_py.lm.text.dictionary import KEYS, PADDING
from senna_py.models.embedding_formats.trained import words_in_checkpoint
from senna_py.training.schedules import linear_fall
from senna_py.training.trainable import Trainable

_BATCH = 10_000  # words
_SHORTEST = 2  # words of a sentence
_NOISE = (
    1 << 24
)  # words to draw the noise from: the rarest of a large dictionary have a place
_VALID = 2000  # validation sentences
# Of vectors in use: the standard deviation over those of the most frequent words.
_SPREAD, _FREQUENT = 0.5, 60_000


class WeightedSentences:
    """WeightedSentences of one part of a Corpus, in batches over passes through the
    text.

    A pass has all sentences of a file as often as the whole part of its weight says,
    and some of them at random for the rest, in random order; which and in what order
    follows from the seed and the number of the pass. A pass has about `n_words` words,
    `n_sentences` and `n_batches`.
    """

    def __init__(self, corpus, part, weights, shortest, n_words, seed):
        """corpus: Corpus; part: `train` or `valid`; weights: of each of its files.

        shortest: words of a sentence at least; n_words: of a batch, about. Raises
        SennaError if there is no sentence.
        """
        self._begin, self._length, file = corpus.sentences(part, shortest)
        self._text, self._seed = getattr(corpus, part), seed
        self._by_file = [np.flatnonzero(file == f) for f in range(len(weights))]
        self._weights = weights
        self._order, self._pass = None, None
        self.n_words = int(
            sum(
                weight * int(self._length[rows].sum())
                for rows, weight in zip(self._by_file, weights, strict=True)
            )
        )
        self.n_sentences = len(self._pass_order(0))
        if not self.n_sentences:
            raise SennaError(
                f"{corpus.path}: no sentence of {shortest} or more words in the {part} text"
            )
        self.n_batches = max(round(self.n_words / n_words), 1)

    def prepare(self, number):
        """Get ready for the pass of a batch, so that threads may ask for batches of
        that pass.
        """
        self._pass_order(number // self.n_batches)

    def batch(self, number):
        """Words and starts of a batch, numbered over all passes: int32[n],
        int32[n_sentences + 1].

        The same number gives the same batch.
        """
        n_pass, number = divmod(number, self.n_batches)
        order = self._pass_order(n_pass)
        first, last = (len(order) * k // self.n_batches for k in (number, number + 1))
        return self.take(order[first:last])

    def take(self, rows):
        """Words and starts of some sentences: int32[n], int32[n_sentences + 1]."""
        begin, length = self._begin[rows], self._length[rows]
        starts = np.append(0, np.cumsum(length)).astype(np.int32)
        places = np.arange(starts[-1]) + np.repeat(begin - starts[:-1], length)
        return self._text[places], starts

    def _pass_order(self, n_pass):
        if self._pass != n_pass:
            rng = np.random.default_rng([self._seed, 3, n_pass])
            parts = [np.empty(0, np.int64)]
            for rows, weight in zip(self._by_file, self._weights, strict=True):
                whole, rest = divmod(weight, 1)
                parts += [rows] * int(whole)
                parts.append(
                    rng.permutation(rows)[: max(round(rest * len(rows)), rest > 0)]
                )
            self._order, self._pass = rng.permutation(np.concatenate(parts)), n_pass
        return self._order

    def sample(self, n):
        """Words and starts of n sentences of the first pass, or of all of it."""
        return self.take(self._pass_order(0)[:n])


class SkipGramTraining(Trainable):
    """Word vectors in training. There are no epochs; an example is a word of the
    text.
    """

    def __init__(self, corpus, weights, words, settings):
        """Set up a run on a Corpus with weights of its files; raises SennaError for no
        sentence.
        """
        super().__init__(settings)
        s = settings
        self.threads, self._words = s.threads, words
        self._text = WeightedSentences(
            corpus, "train", weights, _SHORTEST, _BATCH, s.seed
        )
        self._n_batches = max(round(s.passes * self._text.n_batches), 1)
        self.n_words = self._text.n_words  # of a pass
        # Of a small corpus there may be none held out.
        self.has_valid = len(corpus.sentences("valid", _SHORTEST)[0]) > 0
        held_out = self._text
        if self.has_valid:
            held_out = WeightedSentences(
                corpus, "valid", weights, _SHORTEST, _BATCH, s.seed
            )
        self._valid = self._known(*held_out.sample(_VALID))
        self._sampling = self._new_sampling()
        self.model = self._new_model()
        self._losses = np.zeros((s.threads, 3))  # of each thread, since the last report
        self._data = {
            "corpus": {
                "train": len(corpus.train),
                "valid": len(corpus.valid),
                "words": digest(corpus.counts),
                "weights": [*map(float, weights)],
            },
            "dictionary": digest(words_in_checkpoint(words.words)),
        }

    def _known(self, words, starts):
        return self._words.place[words], starts

    def _new_sampling(self):
        """Sampling by the counts of words (Mikolov et al. 2013, sections 2.2 and
        2.3).
        """
        s, counts = self._settings, self._words.counts
        share = np.maximum(counts / counts.sum(), 1e-30)
        keep = np.minimum(np.sqrt(s.sample / share), 1).astype(np.float32)
        with_padding = counts.copy()
        with_padding[PADDING] = self._text.n_sentences
        return kernels.Sampling(keep, words_by_count(with_padding, s.power, _NOISE))

    def _new_model(self):
        s, n_words = self._settings, len(self._words.words)
        shape, of_outputs = (n_words, s.dim), (2 * s.context, n_words, s.dim)
        check_new([shape, of_outputs])
        vectors = initial_uniform(self.rng(0), 0.5 / s.dim, *shape)
        vectors[PADDING] = 0
        return kernels.SkipGram(vectors, np.zeros(of_outputs, np.float32))

    def data(self):
        return self._data

    def finished(self):
        return self.progress.batch >= self._n_batches

    def begin_round(self, wanted):
        """Prepare batches of one pass, whose order is made here."""
        first, per_pass = self.progress.batch, self._text.n_batches
        self._text.prepare(first)
        return min(wanted, per_pass - first % per_pass, self._n_batches - first)

    def rate(self, number):
        """Learning rate of a batch."""
        return np.float32(
            self._settings.rate * linear_fall(number / self._n_batches, 0)
        )

    def train(self, number, worker):
        """Train on a batch; its cost is summed over the words that are predicted."""
        words, starts = self._text.batch(number)
        losses = self._run(
            self._known(words, starts), self.rate(number), self.rng(1, number)
        )
        self._losses[worker] += losses
        return losses[:2].sum(), len(words)

    def _run(self, text, rate, rng):
        """Losses of words and starts: float64[3], as `train_sentences` adds them up."""
        s, losses = self._settings, np.zeros(3)
        scratch = kernels.Scratch(
            rng.integers(1, 1 << 63, 1, np.uint64),
            np.empty(1 + s.negative, np.int32),
            np.empty(1 + s.negative, np.float32),
            np.empty(s.dim, np.float32),
        )
        kernels.train_sentences(
            self.model, *text, self._sampling, rate, scratch, losses
        )
        return losses

    def validation_loss(self):
        """Mean loss of held-out sentences, with the same random numbers at all
        times.
        """
        losses = self._run(self._valid, np.float32(0), self.rng(2))
        return losses[:2].sum() / max(losses[2], 1)

    def report(self, score, better):
        progress, valid = self.progress, self.validation_loss()
        right, noise, n = self._losses.sum(axis=0)
        self._losses[:] = 0
        share, rate = progress.batch / self._n_batches, float(self.rate(progress.batch))
        figures = {
            "words": progress.examples,
            "seconds": round(progress.seconds, 1),
            "progress": round(share, 4),
            "passes": round(progress.batch / self._text.n_batches, 4),
            "speed": round(progress.speed),
            "rate": round(rate, 6),
            "loss": round(right / max(n, 1), 5),
            "noise_loss": round(noise / max(n, 1), 5),
            "validation_loss": round(valid, 5),
        }
        line = (
            f"{100 * share:5.1f}%  {progress.examples / 1e6:,.1f}M words  {figures['speed']:,}/s  "
            f"rate {rate:.5f}  loss {figures['loss']:.4f} + {figures['noise_loss']:.4f}  "
            f"validation loss {valid:.4f}"
        )
        return line, figures

    def arrays(self):
        """Parameters, and the words of the vectors, which `export` reads."""
        return {"words": words_in_checkpoint(self._words.words), **self.model._asdict()}

    def state(self):
        """Losses, and the scale by which vectors are multiplied where they are used."""
        frequent = self.model.vectors[len(KEYS) : _FREQUENT]
        return {
            "losses": self._losses.sum(axis=0).tolist(),
            "scale": _SPREAD / (float(frequent.std(dtype=np.float64)) or 1.0),
        }

    def restore_state(self, state):
        self._losses[:], self._losses[0] = 0, state["losses"]
