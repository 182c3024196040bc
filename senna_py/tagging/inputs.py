"""From labeled sentences to what a network takes: features, labels, batches."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from senna_py.errors import SettingError
from senna_py.features.assembly import Assembly
from senna_py.features.phrase import Above, above_read
from senna_py.features.protocol import Batch, Table, TrainingTokens
from senna_py.features.registry import RESOURCES, find_feature, networks_read
from senna_py.labels.tasks import TREES
from senna_py.labels.tree_keys import Constituents
from senna_py.networks.batch import WordBatch
from senna_py.tagging.soft_labels import SoftLabels

__all__ = ["Features", "Inputs", "constraints", "index_of", "label_keys", "read_resources"]


def read_resources(config, directory):
    """Resources of a run as `models.native` takes them.

    config: a Config; directory: below which files stand. Raises SettingError if the configuration
    lacks what a feature needs, SennaError naming what cannot be read.
    """
    for name in config.features:
        feature = find_feature(name)
        kind = feature.resource_kind
        if kind is not None and feature.resource not in config.resources[kind.setting]:
            raise SettingError(f"features: {name}, but {kind.unknown(feature.resource)}")
    return {place: kind.read(config.resources, directory) for place, kind in RESOURCES.items()}


def index_of(sentences, tokenizer, assembly, labels):
    """Features int32[n_tokens, n_features] and starts int32[n_sentences + 1] of Sentences.

    tokenizer: a Tokenizer with the words of the dictionary; assembly: the Assembly of the features;
    labels: names of the columns that they take.
    """
    tokens = tokenizer.pretokenized(sentences.words)
    return assembly(Batch(tokens, columns=sentences.flat_columns(labels))), tokens.starts


def label_keys(sentences, kind, min_count=1):
    """Labels of Sentences, sorted; those of segments and roles begin with O.

    kind: tags, segments or roles, see `tree_labels` for trees; min_count: how often a type of
    the latter two must occur, else its tags are read as O.
    """
    seen = {tag for tags in sentences.tags() for tag in tags}
    if sentences.soft:
        seen |= {label for soft in sentences.shares() for word in soft or () for label, _ in word}
    if kind == "tags":
        return sorted(seen)
    counts = Counter(
        tag[2:] for tags in sentences.tags() for tag in tags if tag[:2] in ("B-", "S-")
    )
    return ["O", *sorted(t for t in seen if t != "O" and counts[t[2:]] >= min_count)]


def constraints(keys):
    """Which IOBES tags can begin a sentence, follow each other, and end it.

    Returns bool[n_tags], bool[n_tags, n_tags] (source, destination), bool[n_tags].
    """
    begins = np.array([key[:2] not in ("I-", "E-") for key in keys])
    ends = np.array([key[:2] not in ("B-", "I-") for key in keys])
    kind = np.unique([key[2:] for key in keys], return_inverse=True)[1]
    follows = kind[:, None] == kind
    follows[ends] = True
    follows &= ends[:, None] == begins
    return begins, follows, ends


@dataclass
class Inputs:
    """Features and labels of a set of sentences.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; gold: int32[n_rows], one
    row a token, or for roles one for each token of the sentence of each predicate; sentence,
    predicate: int32[n_predicates], for roles: see WordBatch; row_starts:
    int64[n_sequences + 1], the rows of each sequence of tags; until: float64[n_sentences], the
    share of the epochs that train on each, or None for all of them; trees: Constituents, for
    trees, whose `gold` is empty; weight: float32[n_sequences], by which the cost of each is
    multiplied, or None where all are 1; soft: the SoftLabels of words, of which `gold` has the best
    ones, or None; above: the features.phrase.Above of words, for a network that looks at paths in
    trees.
    """

    features: np.ndarray
    starts: np.ndarray
    gold: np.ndarray
    row_starts: np.ndarray
    sentence: np.ndarray | None = None
    predicate: np.ndarray | None = None
    until: np.ndarray | None = None
    trees: Constituents | None = None
    weight: np.ndarray | None = None
    soft: SoftLabels | None = None
    above: Above | None = None

    @classmethod
    def make(cls, sentences, features, starts, keys, above=None):
        """Inputs of Sentences with features: int32[n_tokens, n_features].

        keys: the labels. A label that is none of them is read as the first.
        """
        index = {key: i for i, key in enumerate(keys)}
        gold = np.array([index.get(t, 0) for tags in sentences.tags() for t in tags], np.int32)
        lengths = [len(tags) for tags in sentences.tags()]
        row_starts = np.append(0, np.cumsum(lengths, dtype=np.int64))
        until = np.array(sentences.until) if sentences.until else None
        weight = np.array(sentences.weight, np.float32) if sentences.weight else None
        soft = SoftLabels.make(sentences, index) if sentences.soft else None
        roles = [labels for labels in sentences.labels if isinstance(labels, dict)]
        if not roles:
            return cls(features, starts, gold, row_starts, until=until, weight=weight, soft=soft)
        sentence = np.repeat(np.arange(len(roles)), [len(r) for r in roles]).astype(np.int32)
        within = np.array([p for r in roles for p in r], np.int32)
        predicate = starts[sentence] + within
        return cls(features, starts, gold, row_starts, sentence, predicate, until,
                   weight=None if weight is None else weight[sentence], soft=soft,
                   above=above)  # fmt: skip

    @classmethod
    def of_trees(cls, sentences, features, starts, trees):
        """Inputs of Sentences with Trees: `trees` are their Constituents."""
        until = np.array(sentences.until) if sentences.until else None
        weight = np.array(sentences.weight, np.float32) if sentences.weight else None
        none, row_starts = np.empty(0, np.int32), starts.astype(np.int64)
        return cls(features, starts, none, row_starts, until=until, trees=trees, weight=weight)

    @property
    def words(self):
        """What a network takes of them: a WordBatch."""
        return WordBatch(self.features, self.starts, self.sentence, self.predicate, self.above)

    def labels(self):
        """What is to be learned, as a list of arrays."""
        soft = self.soft and (self.soft.begin, self.soft.label, self.soft.share)
        trees = [array for array in self.trees or () if array is not None]
        return [self.gold, *trees, *(soft or ())]

    @property
    def is_soft(self):
        """Whether costs need `targets`: there are soft labels, or weights."""
        return any(each is not None for each in (self.soft, self.weight)) or (
            self.trees is not None and self.trees.share is not None
        )

    def targets(self, n_labels):
        """Shares of labels, float32[n_rows, n_labels], and weights, float32[n_sequences]."""
        weight = self.weight
        if weight is None:
            weight = np.ones(len(self.row_starts) - 1, np.float32)
        if self.soft is not None:
            return self.soft.dense(n_labels), weight
        return np.eye(n_labels, dtype=np.float32)[self.gold], weight

    def targets_of_spans(self):
        """Of trees, shares of all constituents, float32[n], and weights, float32[n_spans].

        The weight of a sentence is that of all its spans, and its constituents' shares are
        multiplied by it.
        """
        n_words, trees = np.diff(self.starts).astype(np.int64), self.trees
        weight = np.ones(len(n_words), np.float32) if self.weight is None else self.weight
        share = np.repeat(weight, np.diff(trees.starts))
        if trees.share is not None:
            share *= trees.share
        return share, np.repeat(weight, n_words * (n_words + 1) // 2)

    def batch(self, chosen):
        """The sentences with the numbers `chosen`: int64[n], ascending, as Inputs."""
        begin, end = self.starts[chosen], self.starts[chosen + 1]
        tokens = _ranges(begin, end)
        starts = np.append(0, np.cumsum(end - begin)).astype(np.int32)
        if self.trees is not None:
            trees, none = self.trees.take(chosen), self.gold[:0]
            weight = _some(self.weight, chosen)
            return Inputs(self.features[tokens], starts, none, starts, trees=trees, weight=weight)
        if self.sentence is None:
            return Inputs(
                self.features[tokens], starts, self.gold[tokens], starts,
                weight=_some(self.weight, chosen), soft=self.soft and self.soft.take(tokens),
            )  # fmt: skip
        first = np.searchsorted(self.sentence, chosen, side="left")
        last = np.searchsorted(self.sentence, chosen, side="right")
        which = _ranges(first, last)
        begin, end = self.row_starts[which], self.row_starts[which + 1]
        rows = _ranges(begin, end)
        row_starts = np.append(0, np.cumsum(end - begin))
        sentence = np.repeat(np.arange(len(chosen)), last - first).astype(np.int32)
        predicate = self.predicate[which] - self.starts[self.sentence[which]] + starts[sentence]
        return Inputs(
            self.features[tokens], starts, self.gold[rows], row_starts, sentence,
            predicate.astype(np.int32), weight=_some(self.weight, which),
            soft=self.soft and self.soft.take(rows), above=self.above and self.above.take(tokens),
        )  # fmt: skip

    def boundaries(self):
        """Where sentences, sequences of tags, predicates and constituents stand: some arrays."""
        arrays = (self.starts, self.row_starts, self.sentence, self.predicate, *(self.above or ()))
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

    def n_useful(self, progress):
        """Number of the `useful` sentences after each share of the epochs: float[n]; int64[n]."""
        found = self.useful(-1)
        if self.until is None:
            return np.full(len(progress), len(found))
        return len(found) - np.searchsorted(np.sort(self.until[found]), progress, "right")


def _some(array, chosen):
    """Elements of an array, or None of None."""
    return None if array is None else array[chosen]


def _ranges(begin, end):
    """Concatenated ranges: int64[sum of lengths]."""
    lengths = (end - begin).astype(np.int64)
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(begin - (ends - lengths), lengths)


class Features:
    """The features of a run: their vocabularies, made from its training sentences.

    names: in the order of the network's tables, `word` first; vocabularies: of those with a table
    of their own.
    """

    def __init__(self, config, tokenizer, resources, label_sets, given=()):
        """config: a Config; tokenizer: a Tokenizer with the words of the dictionary.

        resources: as `read_resources` gives them; label_sets: the labels of features that networks
        predict, a dict of lists of str; given: vocabularies by name
        that are not to be made of the training sentences.
        """
        self.names = ("word", *config.features)
        self.vocabularies = {}
        self._config, self._tokenizer, self._resources = config, tokenizer, resources
        self._label_sets, self._given = label_sets, given
        self._features = [find_feature(name) for name in self.names]
        self._padding_word = self._features[0].padding(tokenizer.words)
        self._labels = networks_read(self.names)
        self._assembly = None

    def prepare(self, train):
        """Make the vocabularies, of Sentences for training."""
        tokens = self._tokenizer.pretokenized(train.words)
        for feature in self._features:
            if feature.table is not Table.OWN:
                continue
            name = feature.name
            if name in self._given:
                self.vocabularies[name] = self._given[name]
            else:
                self.vocabularies[name] = self._vocabulary(feature, tokens, train)
        self._assembly = Assembly(self.names, self.vocabularies, self._resources)

    def _vocabulary(self, feature, tokens, sentences):
        values = ()
        if not feature.of_tokens:
            values = self._label_sets.get(feature.network)
            if values is None:
                column = sentences.columns[feature.network]
                values = sorted({value for part in column for value in part})
        config, resource = self._config, self._resource(feature)
        least = config.training.min_count
        return feature.vocabulary(TrainingTokens(tokens, least, resource, config.resources, values))

    def _resource(self, feature):
        kind = feature.resource_kind
        return None if kind is None else self._resources[kind.place][feature.resource]

    @property
    def n_labels_of_trees(self):
        """Number of the labels that a word can have in a tree."""
        return len(self._label_sets[TREES])

    def above(self, sentences, starts):
        """Above of Sentences, whose trees are known; starts: int32[n_sentences + 1]."""
        paths = sentences.flat_columns([TREES])[TREES]
        return above_read(paths, self._label_sets[TREES], starts)

    def padding(self):
        """Row of what is outside a sentence in each table: int32[n_features]."""
        others = (each.padding(self.vocabularies[each.name]) for each in self._features[1:])
        return np.array([self._padding_word, *others], np.int32)

    def index(self, sentences):
        """Features int32[n_tokens, n_features] and starts int32[n_sentences + 1] of Sentences.

        A network that reads its own labels has one feature more.
        """
        return index_of(sentences, self._tokenizer, self._assembly, self._labels)
