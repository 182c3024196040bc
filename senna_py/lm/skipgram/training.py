"""Training of the structured skip-gram model with negative sampling."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.lm.skipgram.settings import SkipGramSettings
    from senna_py.lm.text.corpus import Corpus
    from senna_py.lm.text.dictionary import Dictionary

_BATCH = 10_000  # the approximate number of words in a batch
_SHORTEST = 2  # the minimum number of words in a sentence
_NOISE = 1 << 24  # the length of the table of negative samples
_VALID = 2000  # the maximum number of validation sentences
# Vectors are scaled when they are exported, so that the vectors of the _FREQUENT most
# frequent words have the standard deviation _SPREAD.
_SPREAD, _FREQUENT = 0.5, 60_000

_Words = tuple["NDArray[np.int32]", "NDArray[np.int32]"]  # words and starts


class WeightedSentences:
    """The sentences of a corpus in random order, in batches, for any number of passes.

    Each file of the corpus has a weight. A pass contains each sentence of a file as
    many times as the integral part of the weight, and a random sample of its sentences
    for the fractional part. The sample and the order depend on the seed and on the
    index of the pass.

    Attributes:
        n_words: The approximate number of words in a pass.
        n_sentences: The number of sentences in a pass.
        n_batches: The number of batches in a pass.
    """

    def __init__(
        self,
        corpus: Corpus,
        part: str,
        weights: Sequence[float],
        shortest: int,
        n_words: int,
        seed: int,
    ) -> None:
        """Prepare the first pass.

        Args:
            corpus: The corpus.
            part: The part of the corpus to read, `train` or `valid`.
            weights: The weight of each file of the corpus.
            shortest: The minimum number of words in a sentence.
            n_words: The approximate number of words in a batch.
            seed: The random seed.

        Raises:
            SennaError: If there is no sentence, or if the corpus is damaged.
        """
        self._begin, self._length, file = corpus.sentences(part, shortest)
        self._text = getattr(corpus, part)
        self._seed = seed
        self._by_file = [np.flatnonzero(file == f) for f in range(len(weights))]
        self._weights = weights
        self._order = np.empty(0, np.int64)
        self._pass = -1
        words_of_files = (int(self._length[rows].sum()) for rows in self._by_file)
        self.n_words = int(sum(map(operator.mul, weights, words_of_files)))
        self.n_sentences = len(self._pass_order(0))
        if not self.n_sentences:
            raise SennaError(
                f"{corpus.path}: no sentence of {shortest} or more words in the {part} "
                "text"
            )
        self.n_batches = max(round(self.n_words / n_words), 1)

    def prepare(self, number: int) -> None:
        """Compute the order of the pass that contains a batch.

        Afterwards, several threads may call `batch` for batches of this pass.
        """
        self._pass_order(number // self.n_batches)

    def batch(self, number: int) -> _Words:
        """Return the sentences of a batch; see `take`.

        Args:
            number: The index of the batch, counted over all passes. The same index
                always refers to the same batch.
        """
        n_pass, number = divmod(number, self.n_batches)
        order = self._pass_order(n_pass)
        first, last = (len(order) * k // self.n_batches for k in (number, number + 1))
        return self.take(order[first:last])

    def take(self, rows: NDArray[np.int64]) -> _Words:
        """Return the sentences with certain indices.

        Args:
            rows: int64[n_sentences], the indices of the sentences.

        Returns:
            The concatenated words of the sentences, int32[n], and the offset of each
            sentence, int32[n_sentences + 1].
        """
        begin, length = self._begin[rows], self._length[rows]
        starts = np.append(0, np.cumsum(length)).astype(np.int32)
        places = np.arange(starts[-1]) + np.repeat(begin - starts[:-1], length)
        return self._text[places], starts

    def _pass_order(self, n_pass: int) -> NDArray[np.int64]:
        """Return the indices of the sentences of a pass in order: int64[n].

        The last pass is cached.
        """
        if self._pass != n_pass:
            rng = np.random.default_rng([self._seed, 3, n_pass])
            parts = [np.empty(0, np.int64)]
            for rows, weight in zip(self._by_file, self._weights, strict=True):
                whole, rest = divmod(weight, 1)
                parts += [rows] * int(whole)
                least = 1 if rest > 0 else 0
                n_rest = max(round(rest * len(rows)), least)
                parts.append(rng.permutation(rows)[:n_rest])
            self._order, self._pass = rng.permutation(np.concatenate(parts)), n_pass
        return self._order

    def sample(self, n: int) -> _Words:
        """Return the first n sentences of the first pass, or all if there are fewer.

        See `take` for the result.
        """
        return self.take(self._pass_order(0)[:n])


class SkipGramTraining(Trainable):
    """A structured skip-gram model in training.

    An example is a word. There are no epochs.

    Attributes:
        model: The parameters of the model.
        n_words: The approximate number of words in a pass over the text.
    """

    def __init__(
        self,
        corpus: Corpus,
        weights: Sequence[float],
        words: Dictionary,
        settings: SkipGramSettings,
    ) -> None:
        """Prepare a run.

        Args:
            corpus: The corpus.
            weights: The weight of each file of the corpus; see WeightedSentences.
            words: The dictionary.
            settings: The settings.

        Raises:
            SennaError: If the training text has no sentence, if the corpus is damaged,
                or if the model does not fit into memory.
        """
        super().__init__(settings)
        self.threads = settings.threads
        self._words = words
        self._text = WeightedSentences(
            corpus, "train", weights, _SHORTEST, _BATCH, settings.seed
        )
        self._n_batches = max(round(settings.passes * self._text.n_batches), 1)
        self.n_words = self._text.n_words
        # A small corpus may have no validation sentence.
        self.has_valid = len(corpus.sentences("valid", _SHORTEST)[0]) > 0
        held_out = self._text
        if self.has_valid:
            held_out = WeightedSentences(
                corpus, "valid", weights, _SHORTEST, _BATCH, settings.seed
            )
        self._valid = self._known(*held_out.sample(_VALID))
        self._sampling = self._new_sampling()
        self.model = self._new_model()
        # The losses of each thread since the last report.
        self._losses = np.zeros((settings.threads, 3))
        self._data = {
            "corpus": {
                "train": len(corpus.train),
                "valid": len(corpus.valid),
                "words": digest(corpus.counts),
                "weights": [*map(float, weights)],
            },
            "dictionary": digest(words_in_checkpoint(words.words)),
        }

    def _known(self, words: NDArray[np.int32], starts: NDArray[np.int32]) -> _Words:
        return self._words.place[words], starts

    def _new_sampling(self) -> kernels.Sampling:
        """Return the distributions for subsampling and for negative samples.

        See Mikolov et al. (2013), sections 2.2 and 2.3.
        """
        settings, counts = self._settings, self._words.counts
        share = np.maximum(counts / counts.sum(), 1e-30)
        keep = np.minimum(np.sqrt(settings.sample / share), 1).astype(np.float32)
        with_padding = counts.copy()
        with_padding[PADDING] = self._text.n_sentences
        noise = words_by_count(with_padding, settings.power, _NOISE)
        return kernels.Sampling(keep, noise)

    def _new_model(self) -> kernels.SkipGram:
        dim, n_words = self._settings.dim, len(self._words.words)
        shape = (n_words, dim)
        output_shape = (2 * self._settings.context, n_words, dim)
        check_new([shape, output_shape])
        vectors = initial_uniform(self.rng(0), 0.5 / dim, *shape)
        vectors[PADDING] = 0
        return kernels.SkipGram(vectors, np.zeros(output_shape, np.float32))

    @property
    def words(self) -> list[str]:
        """The words of the dictionary, in the order of their vectors."""
        return self._words.words

    def data(self) -> dict[str, Any]:
        return self._data

    def finished(self) -> bool:
        return self.progress.batch >= self._n_batches

    def share_done(self) -> float:
        return min(self.progress.batch / self._n_batches, 1.0)

    def begin_round(self, wanted: int) -> int:
        """Prepare the next batches, and return their number.

        It is `wanted`, or fewer at the end of a pass or of the run.
        """
        first, per_pass = self.progress.batch, self._text.n_batches
        self._text.prepare(first)
        return min(wanted, per_pass - first % per_pass, self._n_batches - first)

    def rate(self, number: int) -> np.float32:
        """Return the learning rate of the batch with index `number`."""
        fall = linear_fall(number / self._n_batches, 0)
        return np.float32(self._settings.rate * fall)

    def train(self, number: int, worker: int) -> tuple[float, int]:
        """Train on a batch; the cost is summed over the predicted words."""
        words, starts = self._text.batch(number)
        losses = self._run(
            self._known(words, starts), self.rate(number), self.rng(1, number)
        )
        self._losses[worker] += losses
        return losses[:2].sum(), len(words)

    def _run(
        self, text: _Words, rate: np.float32, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Train on sentences, and return their losses: float64[3].

        The elements are the total loss of predicted words, the total loss of negative
        samples, and the number of predicted words.

        Args:
            text: The words and the offsets of the sentences.
            rate: The learning rate, or 0 to leave the parameters unchanged.
            rng: The random generator.
        """
        settings, losses = self._settings, np.zeros(3)
        scratch = kernels.Scratch(
            rng.integers(1, 1 << 63, 1, np.uint64),
            np.empty(1 + settings.negative, np.int32),
            np.empty(1 + settings.negative, np.float32),
            np.empty(settings.dim, np.float32),
        )
        kernels.train_sentences(
            self.model, *text, self._sampling, rate, scratch, losses
        )
        return losses

    def validation_loss(self) -> float:
        """Return the mean loss of the predicted words in the validation sentences.

        The random numbers are the same in each call.
        """
        losses = self._run(self._valid, np.float32(0), self.rng(2))
        return losses[:2].sum() / max(losses[2], 1)

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
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
            f"{100 * share:5.1f}%  {progress.examples / 1e6:,.1f}M words  "
            f"{figures['speed']:,}/s  rate {rate:.5f}  "
            f"loss {figures['loss']:.4f} + {figures['noise_loss']:.4f}  "
            f"validation loss {valid:.4f}"
        )
        return line, figures

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the parameters, and the words of the dictionary for `export`."""
        return {"words": words_in_checkpoint(self._words.words), **self.model._asdict()}

    def state(self) -> dict[str, Any]:
        """Return the losses since the last report, and the scale for exported vectors.

        Both are JSON values.
        """
        frequent = self.model.vectors[len(KEYS) : _FREQUENT]
        return {
            "losses": self._losses.sum(axis=0).tolist(),
            "scale": _SPREAD / (float(frequent.std(dtype=np.float64)) or 1.0),
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        self._losses[:] = 0
        self._losses[0] = state["losses"]
