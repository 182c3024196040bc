"""From labelled sentences to what a network takes: features, labels, batches."""

import glob
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.gazetteer import Gazetteer, phrase_lines
from senna_py.features.index import (
    GAZETTEER_KEYS,
    PLACE_KEYS,
    feature_makers,
    feature_vocabulary,
    is_token_feature,
)
from senna_py.features.spelling import spelling_feature
from senna_py.features.word_class import WordClasses, class_feature, class_lines, class_vocabulary
from senna_py.formats.class_files import read_word_classes
from senna_py.layers.lookup import SpelledTable, with_rows
from senna_py.text.vocabulary import Vocabulary

__all__ = [
    "Features", "Inputs", "constraints", "label_keys", "label_vocabulary", "read_classes",
    "read_gazetteers",
]  # fmt: skip

_WIKI_PAGE = re.compile(
    r"(category|draft|file|help|image|portal|special|talk|template|user|wikipedia)( talk)?:\S",
    re.IGNORECASE,
)
_EXTRA_KEYS = ("PADDING", "UNAVAILABLE")


def read_gazetteers(patterns, directory):
    """Gazetteers as `formats.native` takes them: bytes by name; patterns: lists of files by name.

    A line is a phrase; pages that a wiki has for itself (`Category:...`) are no names and are left
    out. Raises SennaError naming what cannot be read.
    """
    found = {}
    for name, globs in patterns.items():
        paths = []
        for pattern in globs:
            matches = glob.glob(str(Path(directory) / pattern))
            if not matches:
                raise SennaError(f"{Path(directory) / pattern}: no gazetteer has such a name")
            paths += matches
        phrases = []
        for path in sorted(paths):
            try:
                phrases += Path(path).read_text("utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as error:
                raise SennaError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        found[name] = phrase_lines(p for p in phrases if not _WIKI_PAGE.match(p))
    return found


def read_classes(files, directory):
    """Word classes as `formats.native` takes them: bytes by name; files: names of files by name.

    Raises SennaError naming the file and the line that cannot be read.
    """
    paths = {name: Path(directory) / file for name, file in files.items()}
    return {name: class_lines(read_word_classes(path), path) for name, path in paths.items()}


def label_keys(sentences, kind, min_count=1):
    """Labels of Sentences, sorted; those of segments and roles begin with O.

    kind: tags, segments or roles; min_count: how often a type of the latter two must occur, else
    its tags are read as O.
    """
    seen = {tag for tags in sentences.tags() for tag in tags}
    if kind == "tags":
        return sorted(seen)
    counts = Counter(
        tag[2:] for tags in sentences.tags() for tag in tags if tag[:2] in ("B-", "S-")
    )
    return ["O", *sorted(t for t in seen if t != "O" and counts[t[2:]] >= min_count)]


def label_vocabulary(name, keys):
    """Vocabulary of a label that is a feature: the labels and the two keys besides."""
    return Vocabulary.from_keys([*keys, *_EXTRA_KEYS], name)


def constraints(keys):
    """Which IOBES tags can begin a sentence, follow each other, and end it.

    Returns bool[n_tags], bool[n_tags, n_tags] (source, destination), bool[n_tags].
    """
    n = len(keys)
    begins = np.array([key[:2] not in ("I-", "E-") for key in keys])
    ends = np.array([key[:2] not in ("B-", "I-") for key in keys])
    follows = np.empty((n, n), bool)
    for i, source in enumerate(keys):
        inside = source[:2] in ("B-", "I-")
        for j, target in enumerate(keys):
            goes_on = target[:2] in ("I-", "E-")
            follows[i, j] = inside == goes_on and (not inside or source[2:] == target[2:])
    return begins, follows, ends


@dataclass
class Inputs:
    """Features and labels of a set of sentences.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; gold: int32[n_rows], one
    row a token, or for roles one for each token of the sentence of each predicate; sentence,
    predicate: int32[n_predicates], for roles: see SentenceNetwork.tag; row_starts:
    int64[n_sequences + 1], the rows of each sequence of tags; until: float64[n_sentences], the
    share of the epochs that train on each, or None for all of them; spelled: int32[n_tokens], the
    row of each word in spelled tables, were it a new one, or None without such a feature.
    """

    features: np.ndarray
    starts: np.ndarray
    gold: np.ndarray
    row_starts: np.ndarray
    sentence: np.ndarray | None = None
    predicate: np.ndarray | None = None
    until: np.ndarray | None = None
    spelled: np.ndarray | None = None

    @classmethod
    def make(cls, sentences, features, starts, keys, spelled=None):
        """Inputs of Sentences with features: int32[n_tokens, n_features].

        keys: the labels. A label that is none of them is read as the first.
        """
        index = {key: i for i, key in enumerate(keys)}
        gold = np.array([index.get(t, 0) for tags in sentences.tags() for t in tags], np.int32)
        lengths = [len(tags) for tags in sentences.tags()]
        row_starts = np.append(0, np.cumsum(lengths, dtype=np.int64))
        until = np.array(sentences.until) if sentences.until else None
        roles = [labels for labels in sentences.labels if isinstance(labels, dict)]
        if not roles:
            return cls(features, starts, gold, row_starts, until=until, spelled=spelled)
        sentence = np.repeat(np.arange(len(roles)), [len(r) for r in roles]).astype(np.int32)
        within = np.array([p for r in roles for p in r], np.int32)
        predicate = starts[sentence] + within
        return cls(features, starts, gold, row_starts, sentence, predicate, until, spelled)

    def batch(self, chosen):
        """The sentences with the numbers `chosen`: int64[n], ascending, as Inputs."""
        tokens = _ranges(self.starts[chosen], self.starts[chosen + 1])
        starts = np.append(0, np.cumsum(np.diff(self.starts)[chosen])).astype(np.int32)
        spelled = None if self.spelled is None else self.spelled[tokens]
        if self.sentence is None:
            return Inputs(self.features[tokens], starts, self.gold[tokens], starts, spelled=spelled)
        first = np.searchsorted(self.sentence, chosen, side="left")
        last = np.searchsorted(self.sentence, chosen, side="right")
        which = _ranges(first, last)
        rows = _ranges(self.row_starts[which], self.row_starts[which + 1])
        row_starts = np.append(0, np.cumsum(np.diff(self.row_starts)[which]))
        sentence = np.repeat(np.arange(len(chosen)), last - first).astype(np.int32)
        predicate = self.predicate[which] - self.starts[self.sentence[which]] + starts[sentence]
        return Inputs(
            self.features[tokens], starts, self.gold[rows], row_starts, sentence,
            predicate.astype(np.int32), spelled=spelled,
        )  # fmt: skip

    def boundaries(self):
        """Where sentences, sequences of tags and predicates stand: a list of arrays."""
        arrays = (self.starts, self.row_starts, self.sentence, self.predicate)
        return [array for array in arrays if array is not None]

    def useful(self, progress=0.0):
        """Numbers of the sentences that can be learned from: those with a row: int64[n].

        progress: share of the epochs that are done, when some are not read any more.
        """
        if self.sentence is None:
            found = np.flatnonzero(np.diff(self.starts))
        else:
            found = np.unique(self.sentence).astype(np.int64)
        return found if self.until is None else found[self.until[found] > progress]


def _ranges(begin, end):
    """Concatenated ranges: int64[sum of lengths]."""
    lengths = (end - begin).astype(np.int64)
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(begin - (ends - lengths), lengths)


class Features:
    """The features of a run: their vocabularies, made from its training sentences.

    names: in the order of the network's tables, `word` first; vocabularies: all but that of
    `word`.
    """

    def __init__(self, config, tokenizer, padding_word, gazetteers, label_sets, classes):
        """Take a Config, a Tokenizer of the words, the index of the word PADDING, and more.

        gazetteers: as `read_gazetteers` gives them; label_sets: the labels of features that
        networks predict, a dict of lists of str; classes: as `read_classes` gives them.
        """
        self._padding_word = padding_word
        self.names = ("word", *config.features)
        self.vocabularies = {}
        self._tokenizer = tokenizer
        self._gazetteers = {name: Gazetteer.from_lines(data) for name, data in gazetteers.items()}
        self._classes = {name: WordClasses(data) for name, data in classes.items()}
        self._label_sets = label_sets
        self._min_count = config.training.min_count
        self._gazetteer_keys = PLACE_KEYS if config.gazetteer_places else GAZETTEER_KEYS
        self._makers = None
        self.spelled_tables, self._row_of = {}, {}

    def spell(self, spellings, *sentences):
        """Make the tables of the features that are spelled, with a row for each word.

        spellings: Spelling by name; sentences: all Sentences that there will be.
        """
        names = [name for name in self.names if spelling_feature(name)]
        if not names:
            return
        words = dict.fromkeys(w for part in sentences for words in part.words for w in words)
        self._row_of = {word: row for row, word in enumerate(words, 1)}
        for name in names:
            vectors = spellings[spelling_feature(name)].vectors(list(words))
            rows = np.concatenate([np.zeros((1, vectors.shape[1]), np.float32), vectors])
            self.spelled_tables[name] = SpelledTable(rows)

    def spelled(self, sentences):
        """Row of each word in spelled tables, int32[n_tokens], or None if there are none."""
        if not self._row_of:
            return None
        return np.array([self._row_of[w] for words in sentences.words for w in words], np.int32)

    def with_tables(self, network):
        """The network with the rows of all words in its spelled tables."""
        tables = {self.names.index(n): table.rows for n, table in self.spelled_tables.items()}
        return with_rows(network, tables)

    def prepare(self, sentences):
        """Make the vocabularies, of what Sentences for training have."""
        tokens = self._tokenizer.pretokenized(sentences.words)
        for name in self._listed[1:]:
            if name.startswith("gazetteer."):
                vocabulary = Vocabulary.from_keys(self._gazetteer_keys, name)
            elif listed := class_feature(name):
                classes = self._classes[listed[0]]
                vocabulary = class_vocabulary(name, classes, tokens, self._min_count)
            elif is_token_feature(name):
                vocabulary = feature_vocabulary(name, tokens, self._min_count)
            else:
                known = self._label_sets.get(name)
                if known is None:
                    values = {v for column in sentences.columns[name] for v in column}
                    known = sorted(values)
                vocabulary = label_vocabulary(name, known)
            self.vocabularies[name] = vocabulary
        self._makers = feature_makers(
            self._listed, self.vocabularies.__getitem__, self._gazetteers.__getitem__,
            self._classes.__getitem__,
        )  # fmt: skip

    def padding(self):
        """Index of PADDING in each table: int32[n_features]."""
        others = [
            self.vocabularies[name].position("PADDING") if name in self.vocabularies else 0
            for name in self.names[1:]
        ]
        return np.array([self._padding_word, *others], np.int32)

    @property
    def _listed(self):
        """Names of the features that have a vocabulary."""
        return [name for name in self.names if not spelling_feature(name)]

    def index(self, sentences):
        """Features int32[n_tokens, n_features] and starts int32[n_sentences + 1] of Sentences."""
        tokens = self._tokenizer.pretokenized(sentences.words)
        values = {}
        for name in self.names:
            if name in values:
                continue
            if spelling_feature(name):
                new = tokens.word == self._tokenizer.unknown
                values[name] = np.where(new, self.spelled(sentences), np.int32(0))
            elif name in self._makers:
                values.update(self._makers[name](tokens))
            else:
                values[name] = self._column(name, sentences)
        index = np.stack([values[name] for name in self.names], axis=1)
        return index, np.append(0, np.cumsum([len(w) for w in sentences.words])).astype(np.int32)

    def _column(self, name, sentences):
        vocabulary = self.vocabularies[name]
        known = {vocabulary[i]: i for i in range(len(vocabulary))}
        other = known["UNAVAILABLE"]
        column = [known.get(v, other) for values in sentences.columns[name] for v in values]
        return np.array(column, np.int32)
