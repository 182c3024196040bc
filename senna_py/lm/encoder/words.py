"""What an encoder sees of the forms of a text: columns of features, and words to predict."""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import UsageError
from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch, Table, Training
from senna_py.features.registry import find_feature
from senna_py.text.tokens import Tokenizer

__all__ = ["FormFeatures", "check_features", "output_words", "padding_of"]

_OF_SENTENCES = ("sentence.caps",)  # of tokens, but not of one alone


def check_features(names):
    """Raise UsageError unless each feature can be told from a word alone, without a resource."""
    for name in names:
        feature = find_feature(name)
        known = feature.of_tokens and feature.table is Table.OWN and not feature.resource_kind
        if not known or name in _OF_SENTENCES:
            raise UsageError(f"{name}: an encoder cannot use this feature")


@dataclass
class FormFeatures:
    """Features of all forms of a text.

    names: `word` first; vocabularies: of the others, by name; columns: int32[n_forms, n_features];
    padding: int32[n_features], the rows of PADDING.
    """

    names: list
    vocabularies: dict
    columns: np.ndarray
    padding: np.ndarray

    @classmethod
    def of_forms(cls, corpus, words, names, most):
        """Features of a FormCorpus.

        words: Vocabulary, the dictionary; names: of features besides `word`; most: how many keys a
        feature has at most, those that are most frequent in the text.
        """
        tokens = Tokenizer(words).pretokenized([corpus.forms])
        given = Training(tokens, counts=corpus.counts, most=most)
        vocabularies = {name: find_feature(name).vocabulary(given) for name in names}
        names = ["word", *names]
        assembly = Assembly(names, (vocabularies | {"word": words}).get, None, words)
        columns, _ = assembly(Batch(tokens))
        return cls(names, vocabularies, columns, padding_of(names, vocabularies, words))


def padding_of(names, vocabularies, words):
    """Rows of PADDING in the tables of features: int32[n_features]."""
    all_keys = vocabularies | {"word": words}
    return np.array([find_feature(name).padding(all_keys[name]) for name in names], np.int32)


def output_words(column, counts, n_words, size, special):
    """The words to predict, the most frequent first, and how often each occurs: int32[n], int64[n].

    column: int32[n_forms], the word that each form is read as; counts: int64[n_forms]; n_words: of
    the dictionary; size: how many at most; special: words that are never predicted.
    """
    by_word = np.bincount(column, counts, minlength=n_words).astype(np.int64)
    by_word[list(special)] = 0
    order = np.argsort(-by_word, kind="stable")[:size]
    order = order[by_word[order] > 0].astype(np.int32)
    return order, by_word[order]
