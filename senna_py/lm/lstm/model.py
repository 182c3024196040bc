"""The trained network as a language model, and its file."""

from dataclasses import asdict

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.lm.arrays import as_lines
from senna_py.lm.language_model import LanguageModel, Scorer, shape_of_metadata
from senna_py.lm.lstm.lexicon import UNKNOWN_CHARACTER, Alphabet, Lexicon, Morphemes
from senna_py.lm.lstm.network import network_of
from senna_py.lm.lstm.settings import LstmShape
from senna_py.lm.word_list import OpenWordList

_PIECE = 512  # words of a text that are scored at once
_KEPT = 20_000  # first words of the list, mostly the most frequent: computed once
_NAMES = {
    "char": "characters of words",
    "word": "word vectors",
    "morph": "word and morpheme vectors",
}


def first_word(word_list):
    """Index of the word before the beginning of a text: the end of a sentence."""
    return word_list.end if word_list.marks else word_list.unknown


class LstmModel(LanguageModel):
    """An LSTM language model (Kim et al. 2016).

    Its context is all text before: the state is carried over the ends of sentences, as
    in training, and `<s>` is passed over. shape: LstmShape; lexicon: Lexicon; network:
    LstmNetwork; word_list: WordList, an OpenWordList if unknown words are read by their
    characters; info: a dict.
    """

    kind, title = "lstm", "LSTM language model"

    def __init__(self, shape, lexicon, network, word_list, info):
        self.shape, self.lexicon, self.network = shape, lexicon, network
        self.word_list, self.info = word_list, info
        self._kept = None

    def scorer(self):
        return _LstmScorer(self)

    def probabilities(self, before):
        before = np.asarray(before, np.int32)
        words = np.append(
            first_word(self.word_list), before[before != self.word_list.begin]
        )
        state = self.network.first_state(1)
        hidden = self.network.hidden(
            words.astype(np.int32)[:, None], state, self.represent
        )
        return self.network.output.probabilities(hidden[-1:])[0]

    def represent(self, words):
        """Inputs of different words: int32[n]; those of the list are computed only
        once.
        """
        if self.shape.input == "word":
            return self.network.inputs.forward(words)[0]
        if self._kept is None:
            n = min(_KEPT, len(self.word_list))
            firsts = range(0, n, _PIECE)
            pieces = [np.arange(a, min(a + _PIECE, n), dtype=np.int32) for a in firsts]
            self._kept = np.concatenate(
                [self.network.inputs.forward(p)[0] for p in pieces]
            )
        rare = words >= len(self._kept)
        out = self._kept[np.where(rare, 0, words)]
        if rare.any() and self.word_list.is_open:
            out[rare] = self.network.inputs.represent(
                self.word_list.words_at(words[rare])
            )
        elif rare.any():
            out[rare] = self.network.inputs.forward(words[rare])[0]
        return out

    def describe(self):
        rows = super().describe()
        rows.insert(1, ("input", _NAMES[self.shape.input]))
        return rows

    def facts(self):
        shape, rows = self.shape, []
        if self.word_list.is_open:
            rows.append(("unknown words", "read by their characters"))
        if shape.input == "char":
            between = (
                "one plain layer"
                if shape.plain
                else counted(shape.highway, "highway layer")
            )
            rows += [
                ("characters", f"{len(self.lexicon.alphabet.characters):,}"),
                ("character vectors", f"{shape.char_dim} dimensions"),
                (
                    "filters",
                    " ".join(f"{w}:{n}" for w, n in enumerate(shape.n_filters(), 1)),
                ),
                ("between", between),
            ]
        else:
            rows.append(("vectors", f"{shape.dim} dimensions"))
        if self.lexicon.morphemes:
            rows.append(("morphemes", f"{len(self.lexicon.morphemes.names):,}"))
        return [
            *rows,
            ("LSTM layers", f"{shape.layers} of {shape.hidden} units"),
            (
                "output",
                "softmax over clusters, then words"
                if shape.output == "clusters"
                else "softmax over all words",
            ),
            ("parameters", f"{shape.n_parameters(*self.lexicon.sizes()):,}"),
        ]

    def tensors(self):
        arrays = {}
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

    def about(self):
        unknown = {"unknown": "spelled"} if self.word_list.is_open else {}
        return {key: str(value) for key, value in asdict(self.shape).items()} | unknown


class _LstmScorer(Scorer):
    def __init__(self, model):
        self._model, self._state = model, model.network.first_state(1)
        self._last = first_word(model.word_list)

    def take(self, ids):
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


def average_unknown(network):
    """Set the vector of unknown characters, of which a text has few, to the mean of the
    others.
    """
    vectors = network.parameters().get("character_vectors")
    n = Alphabet.n_special
    if vectors is not None and len(vectors) > n:
        vectors[UNKNOWN_CHARACTER] = vectors[n:].mean(0)


def read_lstm(word_list, found, arrays, info):
    """LstmModel of a file; see `model_files.open_model`."""
    shape = shape_of_metadata(LstmShape, found)
    if (unknown := found.get("unknown")) is not None:
        if unknown != "spelled" or shape.input != "char":
            raise SennaError(
                f"unknown {unknown!r}: expected spelled, by a model of characters"
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
    layers = arrays.take_floats(shape.arrays(*lexicon.sizes()))
    return LstmModel(
        shape, lexicon, network_of(shape, lexicon, layers), word_list, info
    )


def _morphemes(arrays, n_words):
    names = arrays.take_lines("morphemes")
    ids = np.array(arrays.take("word_morphemes", np.int32, (None,)))
    starts = np.array(arrays.take("morpheme_starts", np.int32, (n_words + 1,)))
    if starts[0] or starts[-1] != len(ids):
        raise SennaError(
            "morpheme_starts: expected where the morphemes of each word begin"
        )
    if (np.diff(starts) < 0).any() or not ((ids >= 0) & (ids < len(names))).all():
        raise SennaError("word_morphemes: expected indices of morphemes for each word")
    return Morphemes(names, ids, starts)
