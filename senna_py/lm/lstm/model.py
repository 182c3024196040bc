"""The LSTM language model after training, and its file."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.lm.arrays import as_lines
from senna_py.lm.language_model import LanguageModel, Scorer, shape_of_metadata
from senna_py.lm.lstm.lexicon import UNKNOWN_CHARACTER, Alphabet, Lexicon, Morphemes
from senna_py.lm.lstm.network import LstmNetwork, network_of
from senna_py.lm.lstm.settings import LstmShape
from senna_py.lm.word_list import OpenWordList, WordList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from senna_py.lm.arrays import Arrays

_PIECE = 512  # the number of words that are scored at a time
_KEPT = 20_000  # the number of frequent words whose inputs are cached
_OUTPUT_NAMES = {
    "softmax": "softmax over all words",
    "clusters": "softmax over clusters, then words",
}
_NAMES = {
    "char": "characters of words",
    "word": "word vectors",
    "morph": "word and morpheme vectors",
}


def first_word(word_list: WordList) -> int:
    """Return the index of the word that is read before a text.

    It is `</s>`, or `<unk>` if the list has no marks.
    """
    return word_list.end if word_list.marks else word_list.unknown


class LstmModel(LanguageModel):
    """An LSTM language model (Kim et al. 2016).

    The context of a word is the whole text before it: the state is kept between
    sentences, as in training. `<s>` is skipped.

    Attributes:
        shape: The shape of the network.
        lexicon: The vocabulary of the network, with characters and morphemes.
        network: The network.
        word_list: The words. The list is an OpenWordList if the characters of unknown
            words are read.
        info: Facts about the training as JSON values.
    """

    kind, title = "lstm", "LSTM language model"

    def __init__(
        self,
        shape: LstmShape,
        lexicon: Lexicon,
        network: LstmNetwork,
        word_list: WordList,
        info: dict[str, Any],
    ) -> None:
        self.shape = shape
        self.lexicon = lexicon
        self.network = network
        self.word_list = word_list
        self.info = info
        self._known_inputs: NDArray[np.float32] | None = None

    def scorer(self) -> Scorer:
        return _LstmScorer(self)

    def probabilities(self, before: ArrayLike) -> NDArray[np.floating]:
        before = np.asarray(before, np.int32)
        words = np.append(
            first_word(self.word_list), before[before != self.word_list.begin]
        )
        state = self.network.first_state(1)
        hidden = self.network.hidden(
            words.astype(np.int32)[:, None], state, self.represent
        )
        return self.network.output.probabilities(hidden[-1:])[0]

    def represent(self, words: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return the vectors of words, which are the inputs of the LSTM.

        The vectors of frequent words are cached.

        Args:
            words: int32[n], distinct words.

        Returns:
            The vectors: float32[n, dim].
        """
        if self.shape.input == "word":
            return self.network.inputs.forward(words)[0]
        inputs = self.network.inputs
        if self._known_inputs is None:
            n = min(_KEPT, len(self.word_list))
            pieces = np.split(np.arange(n, dtype=np.int32), range(_PIECE, n, _PIECE))
            self._known_inputs = np.concatenate(
                [inputs.forward(piece)[0] for piece in pieces]
            )
        rare = words >= len(self._known_inputs)
        out: NDArray[np.float32] = self._known_inputs[np.where(rare, 0, words)]
        if not rare.any():
            return out
        if isinstance(self.word_list, OpenWordList):
            out[rare] = inputs.represent(self.word_list.words_at(words[rare]))
        else:
            out[rare] = inputs.forward(words[rare])[0]
        return out

    def describe(self) -> list[tuple[str, str]]:
        rows = super().describe()
        rows.insert(1, ("input", _NAMES[self.shape.input]))
        return rows

    def facts(self) -> list[tuple[str, str]]:
        shape, lexicon = self.shape, self.lexicon
        rows = []
        if self.word_list.is_open:
            rows.append(("unknown words", "read by their characters"))
        if lexicon.alphabet:
            rows += self._character_facts(lexicon.alphabet)
        else:
            rows.append(("vectors", f"{shape.dim} dimensions"))
        if lexicon.morphemes:
            rows.append(("morphemes", f"{len(lexicon.morphemes.names):,}"))
        return [
            *rows,
            ("LSTM layers", f"{shape.layers} of {shape.hidden} units"),
            ("output", _OUTPUT_NAMES[shape.output]),
            ("parameters", f"{shape.n_parameters(lexicon.sizes()):,}"),
        ]

    def _character_facts(self, alphabet: Alphabet) -> list[tuple[str, str]]:
        shape = self.shape
        filters = (f"{width}:{n}" for width, n in enumerate(shape.n_filters(), 1))
        between = counted(shape.highway, "highway layer")
        return [
            ("characters", f"{len(alphabet.characters):,}"),
            ("character vectors", f"{shape.char_dim} dimensions"),
            ("filters", " ".join(filters)),
            ("between", "one plain layer" if shape.plain else between),
        ]

    def tensors(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {}
        if self.lexicon.alphabet:
            arrays["characters"] = as_lines(self.lexicon.alphabet.characters)
        if morphemes := self.lexicon.morphemes:
            arrays |= {
                "morphemes": as_lines(morphemes.names),
                "word_morphemes": morphemes.ids,
                "morpheme_starts": morphemes.starts,
            }
        if self.lexicon.cluster is not None:
            arrays["cluster"] = self.lexicon.cluster
        return arrays

    def about(self) -> dict[str, str]:
        fields = {key: str(value) for key, value in asdict(self.shape).items()}
        if self.word_list.is_open:
            fields["unknown"] = "spelled"
        return fields


class _LstmScorer(Scorer):
    def __init__(self, model: LstmModel) -> None:
        self._model: LstmModel = model
        self._state = model.network.first_state(1)
        self._last = first_word(model.word_list)

    def take(self, ids: NDArray[np.int32]) -> NDArray[np.float64]:
        out, network = np.zeros(len(ids)), self._model.network
        predicted = np.flatnonzero(ids != self._model.word_list.begin)
        for first in range(0, len(predicted), _PIECE):
            places = predicted[first : first + _PIECE]
            read = ids[places].astype(np.int32)
            words = np.concatenate([[self._last], read[:-1]]).astype(np.int32)
            targets = self._model.word_list.closed(read)
            out[places] = network.log_probabilities(
                words[:, None], targets[:, None], self._state, self._model.represent
            )
            self._last = read[-1]
        return out / np.log(10)


def average_unknown(network: LstmNetwork) -> None:
    """Set the vector of unknown characters to the mean vector of all characters.

    Unknown characters are too rare in training text to learn their vector. Networks
    that do not read characters are not changed.
    """
    vectors = network.parameters().get("character_vectors")
    n = Alphabet.n_special
    if vectors is not None and len(vectors) > n:
        vectors[UNKNOWN_CHARACTER] = vectors[n:].mean(0)


def read_lstm(
    word_list: WordList, fields: Mapping[str, str], arrays: Arrays, info: dict[str, Any]
) -> LstmModel:
    """Create an LstmModel from the contents of its file.

    Args:
        word_list: The vocabulary.
        fields: The metadata of the file.
        arrays: The arrays of the file.
        info: Facts about the training as JSON values.

    Raises:
        KeyError: If a field or an array is missing.
        SennaError: If a field or an array is not valid.
    """
    shape = shape_of_metadata(LstmShape, fields)
    if (unknown := fields.get("unknown")) is not None:
        if unknown != "spelled" or shape.input != "char":
            raise SennaError(
                f"unknown {unknown!r}: expected spelled, in a model of characters"
            )
        word_list = OpenWordList(word_list)
    lexicon = Lexicon(word_list.words)
    if shape.input == "char":
        lexicon.alphabet = Alphabet(arrays.take_lines("characters"))
    if shape.input == "morph":
        lexicon.morphemes = _morphemes(arrays, len(word_list))
    if shape.output == "clusters":
        lexicon.cluster = np.array(arrays.take("cluster", np.int32, (len(word_list),)))
        present = np.unique(lexicon.cluster)
        if not np.array_equal(present, np.arange(len(present))):
            raise SennaError("cluster: a cluster without words")
    layers = arrays.take_floats(shape.arrays(lexicon.sizes()))
    network = network_of(shape, lexicon, layers)
    return LstmModel(shape, lexicon, network, word_list, info)


def _morphemes(arrays: Arrays, n_words: int) -> Morphemes:
    names = arrays.take_lines("morphemes")
    ids = np.array(arrays.take("word_morphemes", np.int32, (None,)))
    starts = np.array(arrays.take("morpheme_starts", np.int32, (n_words + 1,)))
    if starts[0] or starts[-1] != len(ids):
        raise SennaError("morpheme_starts: expected the first morpheme of each word")
    if (np.diff(starts) < 0).any() or not ((ids >= 0) & (ids < len(names))).all():
        raise SennaError("word_morphemes: expected indices of morphemes for each word")
    return Morphemes(names, ids, starts)
