"""The dictionary of a run: its words and their initial vectors."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError, counted
from senna_py.io.files import AnyPath
from senna_py.layers.lookup import dense
from senna_py.layers.protocol import initial_uniform
from senna_py.models.embeddings import Embeddings, read_embeddings
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.shipped import shipped_or
from senna_py.models.vector_import import import_vectors
from senna_py.tagging.config import Config
from senna_py.tagging.sentences import Sentences
from senna_py.text.characters import fold_words
from senna_py.text.vocabulary import Vocabulary

_KEYS = ("PADDING", "UNKNOWN")


class Dictionary(NamedTuple):
    """The words of a run and their initial vectors.

    Attributes:
        words: The vocabulary.
        vectors: float32[n_words, dim], the vector of each word.
    """

    words: Vocabulary
    vectors: NDArray[np.float32]


def read_dictionary(
    config: Config, file: AnyPath | None, train: Sentences, model: NativeModel | None
) -> Dictionary:
    """Return the words of a run and their initial vectors.

    Words and vectors come from `file` or, if it is None, from `model`. If both are
    None, the words are the frequent words of `train`, and the vectors are random; a
    learned tokenizer has only PADDING and UNKNOWN. With `network.vectors = "random"`,
    the vectors of a file or model are replaced by random ones.

    Args:
        config: The configuration of the run.
        file: A file of word vectors or a model, or None.
        train: The training data.
        model: A model, or None.

    Raises:
        SennaError: If the file cannot be read, or a vector is too large for float16.
    """
    if file is None and model is not None:
        file = model.path
        embeddings = Embeddings(model.words.keys(), dense(model.vectors))
    elif file is None:
        embeddings = _random_embeddings(config, train)
    else:
        embeddings = _read_embeddings(file)
    words = Vocabulary.from_keys(embeddings.words, str(file or "the training data"))
    vectors = np.asarray(embeddings.vectors, np.float32)
    stored = _as_stored(vectors, file)
    if file is not None and config.network.vectors == "random":
        rng = np.random.default_rng([config.training.seed, 1])
        bound = np.sqrt(3) * float(np.std(vectors))  # Keeps the standard deviation.
        stored = _as_stored(initial_uniform(rng, bound, *vectors.shape), file)
    return Dictionary(words, stored)


def note_on_vectors(config: Config, words: Vocabulary) -> list[str]:
    """Return a note that the word vectors are random, as a list.

    The list is empty if the configuration requests random vectors.
    """
    if config.network.vectors == "random":
        return []
    least = counted(config.training.min_word_count, "time")
    return [
        f"no --vectors: random ones for the {len(words) - len(_KEYS):,} words that the "
        f"training data has at least {least}"
    ]


def _as_stored(
    vectors: NDArray[np.float32], name: AnyPath | None
) -> NDArray[np.float32]:
    """Round vectors to float16, the precision that models store.

    Raises SennaError if a number is too large for it.
    """
    with np.errstate(over="ignore"):
        stored = vectors.astype(np.float16).astype(np.float32)
    if not np.isfinite(stored).all():
        raise SennaError(f"{name}: numbers that float16 cannot hold")
    return stored


def _read_embeddings(file: AnyPath) -> Embeddings:
    path = shipped_or(file)
    model = path / FILE_NAME
    embeddings = read_embeddings(model if model.is_file() else path)
    if {*_KEYS} <= {*embeddings.words}:
        return embeddings
    return import_vectors(embeddings, str(file)).embeddings


def _random_embeddings(config: Config, train: Sentences) -> Embeddings:
    if config.learns_tokens:  # whose features have tables of their own
        return Embeddings([*_KEYS], np.zeros((len(_KEYS), 1), np.float32))
    counts = Counter(word for words in train.words for word in words)
    forms: Counter[str] = Counter()
    for form, count in zip(fold_words(list(counts)), counts.values(), strict=True):
        forms[form] += count
    least = config.training.min_word_count
    known = sorted(
        form for form, n in forms.items() if n >= least and form not in _KEYS
    )
    words = [*_KEYS, *known]
    rng = np.random.default_rng([config.training.seed, 1])
    vectors = initial_uniform(rng, 0.5, len(words), config.network.word_size)
    return Embeddings(words, vectors)
