"""Ensembles: several networks that label words together (Collobert et al. 2011, section 6.4)."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.layers.linear import Linear, blas
from senna_py.networks.base import TaggerNetwork

__all__ = ["HOW", "EnsembleNetwork", "averaged_scores", "summing_weight"]

HOW = ("vote", "scores", "joined")
_MOST_MEMBERS = 100
_FIRST = 2**-6  # of a vote, that the first member's counts more; those of the next halve it


@dataclass
class EnsembleNetwork(TaggerNetwork):
    """A linear layer over what other networks say of each word, and sentence-level scores.

    how: `vote`, where they say 1 for the tag that they give a word and 0 for all others, or
    `scores` and `joined`, where they say their scores of all tags, divided by the number of
    members; in a joined ensemble the layer was trained, in the others it adds up. Of tags with as
    many votes, the one for which an earlier member voted wins. members: the networks; columns: for
    each, the features of the ensemble that are its own, in the order of its tables. output_weight:
    float32[members * n_tags, n_tags]; output_bias: float32[n_tags]; initial, transition, final: as
    of a WindowNetwork. The ensemble has no tables: those that `tables` and `padding` show are those
    of the first member with each feature.
    """

    how: str
    columns: list[list[int]]
    members: list[TaggerNetwork]
    output_weight: np.ndarray
    output_bias: np.ndarray
    initial: np.ndarray | None = None
    transition: np.ndarray | None = None
    final: np.ndarray | None = None

    kind, layers_shown, has_members = "ensemble", (), True
    shapes: ClassVar = {
        "output_weight": ("members*tags", "tags"),
        "output_bias": ("tags",),
        "initial": ("tags",),
        "transition": ("tags", "tags"),
        "final": ("tags",),
    }
    optional = (("initial", "transition"), ("final",))

    # What files have.

    @classmethod
    def brief(cls, sizes, shapes):
        kinds = [member["kind"] for member in sizes["members"]]
        counts = (f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        return f"{sizes['how']} of {', '.join(counts)} networks"

    def beyond_senna(self):
        return "it has single networks"

    def sizes(self):
        """See TaggerNetwork; `members` are a dict each, with `kind`, `columns` and their sizes."""
        pairs = zip(self.members, self.columns, strict=True)
        members = [{"kind": m.kind, "columns": list(c), **m.sizes()} for m, c in pairs]
        return {"how": self.how, "members": members}

    @classmethod
    def read_sizes(cls, entry):
        how, members = entry.get("how"), entry.get("members")
        if how not in HOW:
            raise SennaError(f"how is {how!r}, expected one of {', '.join(HOW)}")
        if not isinstance(members, list) or not 1 <= len(members) <= _MOST_MEMBERS:
            raise SennaError(f"members: expected a list of 1 to {_MOST_MEMBERS} networks")
        n_features = len(entry["features"])
        for member in members:
            columns = member.get("columns") if isinstance(member, dict) else None
            if not _are_columns(columns, n_features):
                raise SennaError(f"members: no usable columns of a member: {columns!r}")
        used = {column for member in members for column in member["columns"]}
        if len(used) < n_features:
            raise SennaError("members: a feature that none of them has")
        return {"how": how, "members": members}

    @classmethod
    def array_names(cls, sizes):
        """See TaggerNetwork; without those of its members."""
        return list(cls.shapes)

    @classmethod
    def of_members(cls, sizes, members, arrays):
        """The ensemble of `read_sizes`, networks, and arrays by name, not yet checked."""
        columns = [member["columns"] for member in sizes["members"]]
        return cls(sizes["how"], columns, members, **arrays)

    def with_arrays(self, tables, arrays):
        """The ensemble with other arrays; tables are those of its members."""
        return replace(self, **arrays)

    @property
    def tables(self):
        """A table of each feature: that of the first member that has it."""
        return self._of_features([member.tables for member in self.members])

    @property
    def padding(self):
        """What stands outside the sentence: int32[n_features]."""
        return np.array(self._of_features([m.padding for m in self.members]), np.int32)

    def _of_features(self, values):
        """A value of each feature, of lists with one of each member's."""
        found = {}
        for columns, own in zip(self.columns, values, strict=True):
            for column, value in zip(columns, own, strict=True):
                found.setdefault(column, value)
        return [found[column] for column in sorted(found)]

    def parameters(self, fixed=()):
        """Arrays that training changes: those of a joined ensemble, but not its members'."""
        return {name: array for name, array in self.arrays().items() if name != "final"}

    def check(self):
        for k, member in enumerate(self.members, 1):
            if member.labels != "words" or member.has_members:
                raise SennaError(f"member {k}: not a single network for words")
            if member.n_labels != self.n_labels:
                raise SennaError(
                    f"member {k}: {member.n_labels:,} labels, not {self.n_labels:,} as the ensemble"
                )
        self._check_arrays({"members": len(self.members), "tags": self.n_labels})

    # Tagging.

    @property
    def whole_sentences(self):
        """Whether one of its members looks at whole sentences."""
        return any(member.whole_sentences for member in self.members)

    def cache(self, n_rows):
        """A place for each member to keep `n_rows` products, for `tag`."""
        return [member.cache(n_rows) for member in self.members]

    @property
    def row_bytes(self):
        """Bytes of the products that `cache` keeps of one word."""
        return sum(member.row_bytes for member in self.members)

    def feed(self, sink, features, starts, cache=None, states=None):
        """See TaggerNetwork; it has no trunk, so there are no states."""
        sink.add(sink.output.layer(self._said(features, starts, cache)))

    def _said(self, features, starts, cache):
        """What the members say: float32[n_tokens, members * n_tags]."""
        n, n_members = len(features), len(self.members)
        out = np.zeros((n, n_members, self.n_labels), np.float32)
        for k, (member, *given, own) in enumerate(self._given(features, starts, cache)):
            if self.how == "vote":
                out[np.arange(n), k, member.tag(*given, cache=own)] = 1 + _FIRST / 2**k
            else:
                np.divide(member.scores(*given, own), n_members, out=out[:, k])
        return out.reshape(n, len(self.output_weight))

    def _given(self, features, starts, cache):
        """Yield each member, and features, starts and cache to tag with it."""
        caches = cache or [None] * len(self.members)
        for member, columns, own in zip(self.members, self.columns, caches, strict=True):
            yield member, np.ascontiguousarray(features[:, columns]), starts, own

    def posteriors(self, features, starts, cache=None, states=None):
        """See TaggerNetwork; of a vote, the mean of the members' probabilities."""
        if self.how != "vote":
            return super().posteriors(features, starts, cache)
        given = self._given(features, starts, cache)
        return sum(m.posteriors(*each) for m, *each in given) / np.float32(len(self.members))

    def path_scores(self, kept, starts, tags):
        """See TaggerNetwork; raises UsageError for a vote, which gives no path a probability."""
        if self.how == "vote":
            raise UsageError("an ensemble that votes gives its tags no probabilities as a sequence")
        return super().path_scores(kept, starts, tags)

    # Training of a joined ensemble.

    def _layer(self):
        return Linear("output", self.output_weight, self.output_bias, blas)

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        return {**self._layer().fan_in(), "initial": 1, "transition": 1}

    def forward(self, features, starts, dropouts):
        """Tag scores float32[n_tokens, n_tags] in training, and a trace for `backward`.

        dropouts: not used, for members are as they are in use.
        """
        return self._layer().forward(self._said(features, starts, None))

    def backward(self, d_scores, said, gradients, fixed=()):
        """Give `gradients` those of the layer; the members do not change."""
        self._layer().backward(d_scores, said, gradients)


def _are_columns(columns, n_features):
    """Whether `columns` is a list of some numbers of features, each once."""
    if not isinstance(columns, list) or not columns:
        return False
    inside = all(type(c) is int and 0 <= c < n_features for c in columns)
    return inside and len(set(columns)) == len(columns)


def summing_weight(n_members, n_tags):
    """Output layer that adds up what members say: float32[n_members * n_tags, n_tags]."""
    return np.tile(np.eye(n_tags, dtype=np.float32), (n_members, 1))


def averaged_scores(members):
    """Mean `initial`, `transition` and `final` of networks, None where none of them has any.

    With the mean of their scores, the score of a path is the mean of the logarithms of its
    probabilities, up to a constant. What is impossible for one of them is impossible.
    """
    found = []
    for name in ("initial", "transition", "final"):
        arrays = [array for m in members if (array := getattr(m, name)) is not None]
        mean = sum(arrays) / np.float32(len(members)) if arrays else None
        if arrays:
            mean[np.min(arrays, axis=0) <= IMPOSSIBLE] = IMPOSSIBLE
        found.append(mean)
    return found
