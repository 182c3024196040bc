"""Training of the LSTM language models: truncated backpropagation over parallel
streams.
"""

import math
from collections import Counter

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.layers.activations import Dropout
from senna_py.layers.protocol import check_new
from senna_py.lm.lstm.lexicon import Alphabet, Lexicon, random_clusters
from senna_py.lm.lstm.model import LstmModel, average_unknown, first_word
from senna_py.lm.lstm.network import new_network
from senna_py.lm.lstm.settings import LstmShape
from senna_py.lm.perplexity_training import PerplexityTraining, digest
from senna_py.lm.scoring import score_stream
from senna_py.training.optimizers import Sgd
from senna_py.training.schedules import Halving, clipped_rate, linear_fall

_FEWEST = 20  # words outside the list that train the vector of a character


class LstmTraining(PerplexityTraining):
    """An LSTM in training on parallel streams of the text; a batch is a segment of
    each.
    """

    def __init__(self, streams, settings, note=None, morphemes=None):
        """Set up a run on Streams with LstmSettings; raises SennaError for too short a
        text.

        note: called with a line of str about the model, before a model that is too
        large takes the memory; morphemes: Morphemes of the word list (morph).
        """
        super().__init__(streams, settings)
        self._words, self._targets = self._side_by_side(streams.train)
        self._spelled = list(
            self.word_list.more
        )  # of both texts: their numbers do not tell them
        self.lexicon = self._new_lexicon(morphemes)
        if note:
            note(f"{settings.n_parameters(*self.lexicon.sizes()):,} parameters")
        scores = (settings.steps, settings.batch, len(self.word_list))
        check_new([*settings.arrays(*self.lexicon.sizes()).values(), scores])
        self.network = new_network(settings, self.lexicon, settings.spread, self.rng(0))
        self._optimizer = Sgd(self.network.parameters(), fan_in=None)
        self._state = self.network.first_state(settings.batch)
        self.schedule = Halving(settings.rate, settings.least_gain)

    def _side_by_side(self, stream):
        """Words and those after them in `batch` streams, less the rest: int32[n, batch]
        both.
        """
        text, batch = stream[stream != self.word_list.begin], self._settings.batch
        n = len(text) // batch
        if not n:
            raise SennaError(
                f"the training text has {counted(len(text), 'word')}, too few for --batch {batch}"
            )
        before = np.concatenate([[first_word(self.word_list)], text[:-1]])
        return [
            np.ascontiguousarray(a[: n * batch].reshape(-1, n).T.astype(np.int32))
            for a in (before, self.word_list.closed(text))
        ]

    def _new_lexicon(self, morphemes):
        s, words = self._settings, self.word_list.words
        more = self.word_list.more[: max(int(self._words.max()) + 1 - len(words), 0)]
        counts = Counter(character for word in more for character in set(word))
        known = [
            *words,
            *(character for character, n in counts.items() if n >= _FEWEST),
        ]
        alphabet = Alphabet.of_words(known) if s.input == "char" else None
        cluster = (
            random_clusters(len(words), self.rng(1)) if s.output == "clusters" else None
        )
        return Lexicon(words, alphabet, morphemes, cluster, more)

    def settings(self):
        return super().settings() | {"spell_unknown": self.word_list.is_open}

    def data(self):
        given = self.lexicon.morphemes
        morphemes = (
            {"morphemes": [digest(given.ids), digest(given.starts)]} if given else {}
        )
        more = "\n".join(self._spelled).encode("utf-8", "surrogateescape")
        spelled = (
            {"unknown words": digest(np.frombuffer(more, np.uint8))} if more else {}
        )
        return super().data() | morphemes | spelled

    def n_batches(self):
        return -(-len(self._words) // self._settings.steps)

    def begin_epoch(self):
        if not self.progress.batch:
            self._state[...] = 0

    def forward(self, number):
        """Cost and trace of a batch: the next steps of all parallel streams."""
        s = self._settings
        piece = slice(number * s.steps, (number + 1) * s.steps)
        dropout = Dropout(self.rng(2, self.progress.epoch, number), s.dropout)
        words, targets = self._words[piece], self._targets[piece]
        log_p, trace = self.network.forward(words, targets, self._state, dropout)
        return -log_p.sum(), len(log_p), trace

    def step(self, gradients, number):
        # The cost is the sum over the steps, and the mean over the streams.
        batch = self._settings.batch
        norm = gradients.norm() / batch
        rate = clipped_rate(self.scheduled_rate() / batch, norm, self._settings.clip)
        self._optimizer.step(gradients, rate)

    def evaluate(self, workers):
        average_unknown(self.network)
        valid = score_stream(self.model(), self.streams.valid).perplexity
        return None if math.isnan(valid) else valid

    def end_epoch(self, score):
        if self._settings.final_rate is None:
            self.schedule.end_epoch(score)

    def scheduled_rate(self):
        rate, final = self.schedule.rate, self._settings.final_rate
        if final is None:
            return rate
        done = self.progress.epoch + self.progress.batch / self.n_batches()
        return rate * linear_fall(min(done / self.epochs, 1.0), final)

    def model(self):
        """The network as it is, as an LstmModel."""
        info = self.info(self._words.size, LstmShape)
        shape = self._settings.subset(LstmShape)
        return LstmModel(shape, self.lexicon, self.network, self.word_list, info)

    def arrays(self):
        return self.network.parameters() | {"state": self._state}

    def state(self):
        return self.schedule.state()

    def restore_state(self, state):
        self.schedule.restore(state)
