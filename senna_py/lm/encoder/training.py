"""Training of an encoder: hidden words of running text, predicted from both sides."""

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.layers.gradients import Gradients
from senna_py.layers.linear import initial_uniform
from senna_py.lm.encoder.model import EncoderModel
from senna_py.lm.encoder.network import Piece, Shape, new_network
from senna_py.lm.encoder.text import SentenceSample
from senna_py.lm.encoder.words import FormFeatures, check_features, output_words
from senna_py.lm.language_model import FILE_NAME
from senna_py.lm.memory import check_encoder
from senna_py.lm.perplexity_training import digest, settings_of
from senna_py.lm.text.sentences import Sentences
from senna_py.lm.word_sampler import WordSampler
from senna_py.training.optimizers import Adam
from senna_py.training.schedules import linear_fall, warm_rise
from senna_py.training.trainable import Trainable

__all__ = ["EncoderTraining", "Settings"]

# A batch is computed in so many pieces, by as many threads as there are: the sum of their gradients
# does not depend on the threads.
_PIECES = 2
_VALID_PIECE = 512  # words of a piece of held-out text: all scores of its hidden words are large
_SPECIAL = ("PADDING", "UNKNOWN")


@dataclass
class Settings:
    """What makes a run.

    shape: network.Shape; keys: how many suffixes, shapes and so on are known, of each; output: how
    many words can be predicted; vectors: whether those of words are `trained` or `fixed`; hidden:
    the share of words that are predicted; same, other: the shares of those that are seen as they
    are, or as another word of the text; drawn: words of a sampled softmax, drawn by counts to
    `power`; shortest, longest: words of a sentence; batch: words; passes: through the text, which
    make the run; epoch: words between two validations; rate: of Adam, which rises over `warmup`
    batches and falls to final_rate of itself; clip: longest gradient; valid: held-out sentences;
    threads: that compute pieces of a batch.
    """

    shape: Shape = field(default_factory=Shape)
    keys: int = 5000
    output: int = 30_000
    vectors: str = "trained"
    hidden: float = 0.15
    same: float = 0.1
    other: float = 0.1
    drawn: int = 1024
    power: float = 0.75
    shortest: int = 4
    longest: int = 64
    batch: int = 4096
    passes: float = 1.0
    epoch: int = 2_000_000
    rate: float = 0.0015
    final_rate: float = 0.02
    warmup: int = 300
    clip: float = 1.0
    valid: int = 3000
    seed: int = 1
    threads: int = 1

    def __post_init__(self):
        """Raise UsageError for settings that contradict each other."""
        check_features(self.shape.features)
        if self.same + self.other > 1:
            raise UsageError(f"--same {self.same} and --other {self.other} are more than all")
        if self.longest < self.shortest:
            raise UsageError(f"no sentence of {self.shortest} to {self.longest} words")


class EncoderTraining(Trainable):
    """An encoder in training; a batch is some sentences, an example a word of them."""

    free = ("threads",)
    lower_is_better = True
    divergence = 100
    model_file = FILE_NAME

    def __init__(self, corpus, weights, words, vectors, settings):
        """Set up a run on a FormCorpus; raises SennaError for a text without known words.

        weights: of its files; words: Vocabulary, the dictionary; vectors: float32[n_words, dim].
        """
        super().__init__()
        s = self._settings = settings
        self.seed, self.words, self._weights = s.seed, words, weights
        self._given = vectors
        self.features = FormFeatures.of_forms(corpus, words, list(s.shape.features), s.keys)
        special = [words.position(key) for key in _SPECIAL]
        found = output_words(
            self.features.columns[:, 0], corpus.counts, len(words), s.output, special
        )
        self.output_words, counts = found
        if len(counts) < 2:
            raise SennaError(f"{corpus.path}: fewer than two words of the text have a vector")
        self._target_of = np.full(len(words), -1, np.int32)
        self._target_of[self.output_words] = np.arange(len(counts), dtype=np.int32)
        keys = {name: len(keys) for name, keys in self.features.vocabularies.items()}
        check_encoder(s, *vectors.shape, keys, len(counts))
        self.network = self._new_network(counts)
        self._sampler = WordSampler(counts, s.power)
        self._log_expected = self._sampler.log_expected(s.drawn)
        self._optimizer = Adam(self.network.parameters(), None)
        # What works on pieces: the workers of the loop would each take whole batches.
        self._map = ThreadPoolExecutor(s.threads).map if s.threads > 1 else map
        self._read_text(corpus)

    def _new_network(self, counts):
        s, features, rng = self._settings, self.features, self.rng(0)
        tables = [np.array(self._given, np.float32)]
        for name, dim in s.shape.features.items():
            tables.append(initial_uniform(rng, 0.5, len(features.vocabularies[name]), dim))
        fixed = () if s.vectors == "trained" else (0,)
        log_share = np.log(counts / counts.sum())
        return new_network(
            s.shape, tables, features.padding, self.output_words, log_share, fixed, rng
        )

    def _read_text(self, corpus):
        s, lengths = self._settings, (self._settings.shortest, self._settings.longest)
        self._text = Sentences(corpus, "train", self._weights, lengths, s.batch, s.seed)
        held_out = Sentences(corpus, "valid", self._weights, lengths, _VALID_PIECE, s.seed)
        self._valid = SentenceSample(self._pieces(*held_out.sample(s.valid), _VALID_PIECE, (2,)))
        self._scores = None
        self._data = {
            "text": [len(corpus.train), len(corpus.valid), digest(corpus.counts)],
            "dictionary": digest(np.frombuffer(self.words.data, np.uint8)),
            "vectors": digest(self._given), "weights": list(self._weights),
        }  # fmt: skip
        self._n_batches = max(round(s.passes * self._text.n_batches), 1)
        self._per_epoch = max(min(round(s.epoch / s.batch), self._n_batches), 1)
        self.epochs = -(-self._n_batches // self._per_epoch)
        self.n_words = self._text.n_words  # of a pass

    def settings(self):
        """See Trainable."""
        return settings_of(self._settings)

    def data(self):
        """See Trainable."""
        return self._data

    def n_batches(self):
        """See Trainable; the last epoch may be shorter."""
        return min(self._per_epoch, self._n_batches - self.progress.epoch * self._per_epoch)

    def rate(self):
        """Learning rate of the next batch."""
        s, step = self._settings, self.progress.steps
        fall = linear_fall(min(step / self._n_batches, 1.0), s.final_rate)
        return s.rate * fall * warm_rise(step, s.warmup)

    def _pieces(self, forms, starts, n_words, purpose):
        """Pieces of some sentences, of about n_words; purpose: of the random numbers."""
        n = max(round(len(forms) / n_words), 1)
        cuts = np.unique(np.searchsorted(starts, np.linspace(0, len(forms), n + 1)))
        return [
            self._hide(forms[starts[a] : starts[b]], starts[a : b + 1] - starts[a],
                       self.rng(*purpose, k))
            for k, (a, b) in enumerate(itertools.pairwise(cuts))
        ]  # fmt: skip

    def _hide(self, forms, starts, rng):
        """A Piece of sentences with words hidden at random."""
        s, features = self._settings, self.features.columns[forms]
        target = self._target_of[features[:, 0]]
        hidden = np.flatnonzero((rng.random(len(forms)) < s.hidden) & (target >= 0))
        seen = features.copy()
        seen[hidden] = self.features.padding
        what = rng.random(len(hidden))
        same, other = what < s.same, what >= 1 - s.other
        seen[hidden[same]] = features[hidden[same]]
        seen[hidden[other]] = features[rng.integers(0, len(forms), int(other.sum()))]
        return Piece(seen, starts.astype(np.int32), hidden, target[hidden])

    def train(self, number, worker):
        """See Trainable; the cost is the mean of the hidden words, for each word of the batch."""
        number += self.progress.epoch * self._per_epoch
        forms, starts = self._text.batch(number)
        pieces = self._pieces(forms, starts, max(len(forms) / _PIECES, 1), (1, number))
        drawn = [self._sampler.draw(self._settings.drawn, self.rng(4, number, k))
                 for k in range(len(pieces))]  # fmt: skip
        found = self._map(lambda p, d: self.network.cost(p, d, self._log_expected), pieces, drawn)
        cost, gradients = 0.0, Gradients()
        for one, more in found:
            cost += one
            gradients.take(more)
        n_hidden = max(sum(len(piece.hidden) for piece in pieces), 1)
        if math.isfinite(cost):
            self.step(gradients, n_hidden)
        return cost / n_hidden * len(forms), len(forms)

    def step(self, gradients, number):
        """Change the parameters; number: of hidden words, whose costs were summed."""
        length = gradients.norm() / number
        if math.isfinite(length):
            gradients.scale(min(self._settings.clip / max(length, 1e-30), 1) / number)
            self._optimizer.step(gradients, self.rate())

    def evaluate(self, workers):
        """Perplexity of the hidden words of held-out text."""
        self._scores = self._valid.scores(self.network, self._map)
        return None if math.isnan(self._scores[0]) else self._scores[0]

    def model_writer(self):
        """See Trainable."""
        return self.model().write

    def model(self):
        """The network as it is, as an EncoderModel."""
        s, progress = self._settings, self.progress
        info = {"training words": progress.examples, "seconds": round(progress.seconds)}
        if self._scores:
            perplexity, rank, first = self._scores
            info |= {
                "validation perplexity": round(perplexity, 3), "validation rank": round(rank, 1),
                "ranked first": round(first, 4),
            }  # fmt: skip
        kept = ("keys", "vectors", "hidden", "same", "other", "drawn", "power", "batch", "passes",
                "rate", "final_rate", "warmup", "clip", "seed")  # fmt: skip
        info |= {key: getattr(s, key) for key in kept}
        trained = s.vectors == "trained"
        return EncoderModel.of_training(
            s.shape, self.network, self.features, self.words, self.output_words, trained, info
        )

    def report(self, score, better):
        """See Trainable."""
        progress = self.progress
        cost = progress.mean_cost
        figures = {
            "epoch": round(progress.epoch + progress.batch / max(self.n_batches(), 1), 4),
            "words": progress.examples, "seconds": round(progress.seconds, 1),
            "speed": round(progress.speed), "rate": self.rate(),
            "cost": cost and round(cost, 4), "valid": score and round(score, 3),
        }  # fmt: skip
        line = f"{progress.examples / 1e6:,.2f}M words  {figures['speed']:,}/s"
        line += f"  rate {figures['rate']:.6f}"
        if cost is not None:
            line += f"  cost {cost:.4f}"
        if score is not None:
            _, rank, first = self._scores
            figures |= {"rank": round(rank, 2), "first": round(first, 4)}
            line += (
                f"  validation perplexity {score:.2f}, rank {rank:,.1f}, first {100 * first:.2f}%"
            )
        return line, figures

    def arrays(self):
        """See Trainable."""
        return self.network.parameters() | self._optimizer.arrays()

    def never_negative(self):
        """See Trainable."""
        return self._optimizer.never_negative()

    def restore_state(self, state):
        """See Trainable."""
        self._optimizer.n_steps = self.progress.steps
