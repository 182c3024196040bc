"""What the runs of several tasks have in common, if they are trained together."""

import numpy as np

from senna_py.errors import SennaError
from senna_py.formats.embeddings import read_embeddings
from senna_py.tagger_training.build import random_vectors
from senna_py.tagger_training.data import join_sentences
from senna_py.tagger_training.inputs import Features, read_resources
from senna_py.tagger_training.pretrained import read_pretrained
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

__all__ = ["Basis"]


class Basis:
    """The dictionary and what a configuration makes of it.

    words: Vocabulary; word_vectors: float32[n_words, dim]; pretrained: a Pretrained or None;
    resources: as `inputs.read_resources` gives them.
    """

    def __init__(self, config, corpora, vectors):
        """config: a Config; corpora: directory below which its files stand; vectors: a path."""
        embeddings = read_embeddings(vectors)
        self._config = config
        self.words = Vocabulary.from_keys(embeddings.words, str(vectors))
        found = np.asarray(embeddings.vectors, np.float32)
        if config.network.vectors == "random":
            found = random_vectors(found, np.random.default_rng([config.training.seed, 1]))
        # What a model keeps, so that training begins with what is shared between models.
        with np.errstate(over="ignore"):
            self.word_vectors = found.astype(np.float16).astype(np.float32)
        if not np.isfinite(self.word_vectors).all():
            raise SennaError(f"{vectors}: numbers that float16 cannot hold")
        self.pretrained = read_pretrained(config, corpora, self.words, self.word_vectors)
        if self.pretrained is not None:
            self.word_vectors = self.pretrained.word_vectors
        self._tokenizer = Tokenizer(self.words)
        self.resources = read_resources(config, corpora, embeddings.words, self.word_vectors)

    def features(self, label_sets, train, dev):
        """Features, whose keys come from all training sentences.

        label_sets: see Features; train, dev: lists of Sentences, one of each for every task.
        """
        given = {} if self.pretrained is None else self.pretrained.vocabularies
        features = Features(self._config, self._tokenizer, self.resources, label_sets, given)
        features.prepare(join_sentences(train), *dev)
        return features
