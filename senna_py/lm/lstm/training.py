"""Training of LSTM language models by truncated backpropagation through time."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients
    from senna_py.lm.lstm.lexicon import Morphemes
    from senna_py.lm.lstm.settings import LstmSettings
    from senna_py.lm.text.streams import Streams
    from senna_py.training.trainable import Workers

# The number of words outside the list that must contain a character for it to be added
# to the alphabet.
_FEWEST = 20


class LstmTraining(PerplexityTraining):
    """An LSTM language model in training on parallel streams.

    A batch consists of the next `steps` words of each stream.
    """

    def __init__(
        self,
        streams: Streams,
        settings: LstmSettings,
        note: Callable[[str], object] | None = None,
        morphemes: Morphemes | None = None,
    ) -> None:
        """Prepare a run.

        Args:
            streams: The training and the validation text.
            settings: The settings.
            note: A callback for a line about the size of the model, which is called
                before its memory is allocated; or None.
            morphemes: The morphemes of the words, if the input is `morph`.

        Raises:
            SennaError: If the training text is too short, or if the network does not
                fit into memory.
        """
        super().__init__(streams, settings)
        self._words, self._targets = self._side_by_side(streams.train)
        # The added words of both texts, because their indices are not enough to compare
        # the texts with a checkpoint.
        self._spelled = list(self.word_list.more)
        self.lexicon = self._new_lexicon(morphemes)
        if note:
            note(f"{settings.n_parameters(self.lexicon.sizes()):,} parameters")
        scores = (settings.steps, settings.batch, len(self.word_list))
        check_new([*settings.arrays(self.lexicon.sizes()).values(), scores])
        self.network = new_network(settings, self.lexicon, settings.spread, self.rng(0))
        self._optimizer = Sgd(self.network.parameters(), fan_in=None)
        self._state = self.network.first_state(settings.batch)
        self.schedule = Halving(settings.rate, settings.least_gain)

    def _side_by_side(
        self, stream: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Split a text into parallel streams.

        Up to batch - 1 words at the end of the text are left out.

        Args:
            stream: int32[n_stream], the text.

        Returns:
            The words to read and the words to predict, each int32[n, batch].

        Raises:
            SennaError: If the text has fewer words than there are streams.
        """
        text, batch = stream[stream != self.word_list.begin], self._settings.batch
        n = len(text) // batch
        if not n:
            n_words = counted(len(text), "word")
            raise SennaError(
                f"the training text has {n_words}, too few for --batch {batch}"
            )
        before = np.concatenate([[first_word(self.word_list)], text[:-1]])
        words, targets = (
            np.ascontiguousarray(column[: n * batch].reshape(-1, n).T.astype(np.int32))
            for column in (before, self.word_list.closed(text))
        )
        return words, targets

    def _new_lexicon(self, morphemes: Morphemes | None) -> Lexicon:
        """Return the lexicon, including the words that are read but not predicted."""
        settings, words = self._settings, self.word_list.words
        more = self.word_list.more[: max(int(self._words.max()) + 1 - len(words), 0)]
        lexicon = Lexicon(words, morphemes=morphemes, more=more)
        if settings.input == "char":
            counts = Counter(character for word in more for character in set(word))
            frequent = [character for character, n in counts.items() if n >= _FEWEST]
            lexicon.alphabet = Alphabet.of_words([*words, *frequent])
        if settings.output == "clusters":
            lexicon.cluster = random_clusters(len(words), self.rng(1))
        return lexicon

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"spell_unknown": self.word_list.is_open}

    def data(self) -> dict[str, Any]:
        data = super().data()
        if morphemes := self.lexicon.morphemes:
            data["morphemes"] = [digest(morphemes.ids), digest(morphemes.starts)]
        if self._spelled:
            spelled = "\n".join(self._spelled).encode("utf-8", "surrogateescape")
            data["unknown words"] = digest(np.frombuffer(spelled, np.uint8))
        return data

    def n_batches(self) -> int:
        return -(-len(self._words) // self._settings.steps)

    def begin_epoch(self) -> None:
        if not self.progress.batch:
            self._state[...] = 0

    def forward(self, number: int) -> tuple[float, int, Any]:
        """Return the cost, the number of targets and the trace of a batch.

        The state is carried over from the previous batch.
        """
        steps = self._settings.steps
        piece = slice(number * steps, (number + 1) * steps)
        rng = self.rng(2, self.progress.epoch, number)
        dropout = Dropout(rng, self._settings.dropout)
        words, targets = self._words[piece], self._targets[piece]
        log_p, trace = self.network.forward(words, targets, self._state, dropout)
        return -log_p.sum(), len(log_p), trace

    def step(self, gradients: Gradients, number: int) -> None:
        # Gradients are summed over steps and averaged over streams.
        batch = self._settings.batch
        norm = gradients.norm() / batch
        rate = clipped_rate(self.scheduled_rate() / batch, norm, self._settings.clip)
        self._optimizer.step(gradients, rate)

    def evaluate(self, workers: Workers) -> float | None:
        average_unknown(self.network)
        valid = score_stream(self.model(), self.streams.valid).perplexity
        return None if math.isnan(valid) else valid

    def end_epoch(self, score: float | None) -> None:
        if self._settings.final_rate is None:
            self.schedule.end_epoch(score)

    def scheduled_rate(self) -> float:
        rate, final = self.schedule.rate, self._settings.final_rate
        if final is None:
            return rate
        done = self.progress.epoch + self.progress.batch / self.n_batches()
        return rate * linear_fall(min(done / self.epochs, 1.0), final)

    def model(self) -> LstmModel:
        """Return the network in training as a language model."""
        info = self.info(self._words.size, LstmShape)
        shape = self._settings.subset(LstmShape)
        return LstmModel(shape, self.lexicon, self.network, self.word_list, info)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.network.parameters() | {"state": self._state}

    def state(self) -> dict[str, Any]:
        return self.schedule.state()

    def restore_state(self, state: dict[str, Any]) -> None:
        self.schedule.restore(state)
