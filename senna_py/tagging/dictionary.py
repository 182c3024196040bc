"""The dictionary of a run, and the vectors that its words begin with."""

from collections import Counter

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.files import AnyPath
from senna_py.layers.lookup import dense
from senna_py.layers.protocol import initial_uniform
from senna_py.models.embeddings import Embeddings, read_embeddings
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.shipped import shipped_or
from senna_py.models.vector_import import import_vectors
from senna_py.tagging.config import Config
from senna_py.tagging.data import Sentences
from senna_py.text.characters import fold_words
from senna_py.text.vocabulary import Vocabulary

_KEYS = ("PADDING", "UNKNOWN")


def read_dictionary(
    config: Config, vectors: AnyPath | None, train: Sentences, model: NativeModel | None
) -> tuple[Vocabulary, np.ndarray]:
    """Vocabulary of the words, and their vectors: float32[n_words, dim].

    vectors: a path, or None for those of `model`, or else random ones for the words of
    `train`.
    """
    if vectors is None and model is not None:
        vectors, embeddings = (
            model.path,
            Embeddings(model.words.keys(), dense(model.vectors)),
        )
    elif vectors is None:
        embeddings = _random_ones(config, train)
    else:
        embeddings = _read(vectors)
    words = Vocabulary.from_keys(embeddings.words, str(vectors or "the training data"))
    found = np.asarray(embeddings.vectors, np.float32)
    kept = _as_kept(found, vectors)
    if vectors is not None and config.network.vectors == "random":
        rng = np.random.default_rng([config.training.seed, 1])
        found = initial_uniform(
            rng, np.sqrt(3) * float(np.std(found)), *found.shape
        )  # as varied
        kept = _as_kept(found, vectors)
    return words, kept


def _as_kept(vectors, name):
    """Vectors as a model keeps them: training begins with what is shared between
    models.
    """
    with np.errstate(over="ignore"):
        kept = vectors.astype(np.float16).astype(np.float32)
    if not np.isfinite(kept).all():
        raise SennaError(f"{name}: numbers that float16 cannot hold")
    return kept


def _read(vectors):
    path = shipped_or(vectors)
    embeddings = read_embeddings(
        path / FILE_NAME if (path / FILE_NAME).is_file() else path
    )
    if {*_KEYS} <= {*embeddings.words}:
        return embeddings
    return import_vectors(embeddings, vectors)[0]


def _random_ones(config, train):
    counts = Counter(word for words in train.words for word in words)
    forms = Counter()
    for form, count in zip(fold_words(list(counts)), counts.values(), strict=True):
        forms[form] += count
    least = config.training.min_word_count
    known = sorted(
        form for form, n in forms.items() if n >= least and form not in _KEYS
    )
    words = [*_KEYS, *known]
    rng = np.random.default_rng([config.training.seed, 1])
    return Embeddings(
        words, initial_uniform(rng, 0.5, len(words), config.network.word_size)
    )
