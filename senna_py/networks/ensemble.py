"""Ensembles: several networks of one task (Collobert et al. 2011, section 6.4)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.layers.blocks import wide_linear
from senna_py.layers.likelihood import IMPOSSIBLE, SentenceLikelihood
from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Array
from senna_py.networks.base import Layers, TaggerNetwork
from senna_py.networks.batch import WordBatch

HOW = ("vote", "scores", "joined")
_MOST_MEMBERS = 100
_FIRST = (
    2**-6
)  # of a vote, that the first member's counts more; those of the next halve it


class EnsembleNetwork(TaggerNetwork):
    """A linear layer over what other networks say of each row, and sentence-level
    scores.

    A row is a word. how: `vote`, where they say 1 for the tag that they give a word and
    0 for all others, or `scores` and `joined`, where they say their scores of all tags,
    divided by the number of members; in a joined ensemble the layer was trained, in the
    others it adds up. Of tags with as many votes, the one for which an earlier member
    voted wins. output_weight: float32[members * n_tags, n_tags]; output_bias:
    float32[n_tags]; initial, transition, final: as of a WindowNetwork. The ensemble has
    no tables: those that `tables` and `padding` show are those of the first member with
    each feature.
    """

    kind, beyond_senna = "ensemble", "it has single networks"

    def __init__(
        self,
        how: str,
        columns: Sequence[Sequence[int]],
        members: list[TaggerNetwork],
        **arrays: np.ndarray | None,
    ) -> None:
        """how: see the class; columns: of each member, the features that are its own,
        in order.
        """
        self.how, self.columns, self.networks = how, columns, members
        vars(self).update(dict.fromkeys(self.array_names({})) | arrays)

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        layer = Linear.declare("output", "members*tags", "tags")
        return [*layer, *SentenceLikelihood.declare()]

    # What files have.

    @classmethod
    def brief(
        cls, sizes: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]
    ) -> str:
        kinds = [member["kind"] for member in sizes["members"]]
        counts = (f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        return f"{sizes['how']} of {', '.join(counts)} networks"

    def members(self) -> list[tuple[TaggerNetwork, Sequence[int]]]:
        return list(zip(self.networks, self.columns, strict=True))

    def sizes(self) -> dict[str, Any]:
        """`how`; `members`: dicts with `kind`, `columns`, their sizes."""
        members = [
            {"kind": m.kind, "columns": list(c), **m.sizes()} for m, c in self.members()
        ]
        return {"how": self.how, "members": members}

    @classmethod
    def read_sizes(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        how, members = entry.get("how"), entry.get("members")
        if how not in HOW:
            raise SennaError(f"how is {how!r}, expected one of {', '.join(HOW)}")
        if not isinstance(members, list) or not 1 <= len(members) <= _MOST_MEMBERS:
            raise SennaError(
                f"members: expected a list of 1 to {_MOST_MEMBERS} networks"
            )
        n_features = len(entry["features"])
        for member in members:
            columns = member.get("columns") if isinstance(member, dict) else None
            if not _are_columns(columns, n_features):
                raise SennaError(f"members: no usable columns of a member: {columns!r}")
        used = {column for member in members for column in member["columns"]}
        if len(used) < n_features:
            raise SennaError("members: a feature that none of them has")
        return {"how": how, "members": members}

    def changed(self, tables: Any = None, **arrays: Any) -> "EnsembleNetwork":
        """The ensemble with other arrays, and the same members, whose tables are their
        own.
        """
        return EnsembleNetwork(
            self.how, self.columns, self.networks, **self.arrays() | arrays
        )

    @property
    def tables(self) -> Sequence[Any]:  # type: ignore[override]
        """A table of each feature: that of the first member that has it."""
        return self._of_features([member.tables for member in self.networks])

    @property
    def padding(self) -> np.ndarray:  # type: ignore[override]
        """What stands outside the sentence: int32[n_features]."""
        return np.array(self._of_features([m.padding for m in self.networks]), np.int32)

    def _of_features(self, values):
        """A value of each feature, of lists with one of each member's."""
        found = {}
        for columns, own in zip(self.columns, values, strict=True):
            for column, value in zip(columns, own, strict=True):
                found.setdefault(column, value)
        return [found[column] for column in sorted(found)]

    def parameters(self, fixed: Collection[str] = ()) -> dict[str, np.ndarray]:
        """Arrays that training changes: those of a joined ensemble, but not its
        members'.
        """
        return {name: array for name, array in self.arrays().items() if name != "final"}

    def check(self) -> None:
        for k, member in enumerate(self.networks, 1):
            if member.labels != self.labels or member.members():
                raise SennaError(f"member {k}: not a single network for {self.labels}")
            if len(member.output_bias) != len(self.output_bias):
                raise SennaError(
                    f"member {k}: {member.n_labels:,} labels, not as many as the ensemble"
                )
        self._check_arrays(self._known_sizes())

    def _known_sizes(self):
        return {"members": len(self.networks), "tags": len(self.output_bias)}

    # Its layer.

    @property
    def whole_sentences(self) -> int:
        """The most that a member has."""
        return max(member.whole_sentences for member in self.networks)

    def cache(self, n_rows: int) -> Any:
        return [member.cache(n_rows) for member in self.networks]

    @property
    def row_bytes(self) -> int:
        return sum(member.row_bytes for member in self.networks)

    def layers(self, cache: Any = None) -> dict[str, Any]:
        output = Linear(
            "output", self.output_weight, self.output_bias, blas, packed=wide_linear
        )
        return {"members": self._given(cache), "output": output}

    def _given(self, cache):
        """Each member, its columns, and its cache."""
        return list(
            zip(
                self.networks,
                self.columns,
                cache or [None] * len(self.networks),
                strict=True,
            )
        )

    def pieces(self, batch: WordBatch) -> Iterator[WordBatch]:
        yield batch  # which members take in pieces of their own

    def forward(
        self, run: Any, layers: Layers, batch: WordBatch
    ) -> Iterator[np.ndarray]:
        n, members = int(batch.begin[-1]), layers["members"]
        said = np.zeros((n, len(members), self.n_labels), np.float32)
        for k, (member, columns, cache) in enumerate(members):
            own = _of_columns(batch, columns)
            if self.how == "vote":
                said[np.arange(n), k, member.tag(own, cache).labels] = 1 + _FIRST / 2**k
            else:
                np.divide(member.scores(own, cache), len(members), out=said[:, k])
        yield run(layers["output"], said.reshape(n, len(members) * self.n_labels))

    def posteriors(self, batch: WordBatch, cache: Any = None) -> Any:
        """Probabilities; of a vote, the mean of the members'."""
        if self.how != "vote":
            return super().posteriors(batch, cache)
        found = [
            m.posteriors(_of_columns(batch, c), own) for m, c, own in self._given(cache)
        ]
        return sum(found) / np.float32(len(found))

    def _path_scores(self, kept, begin, labels):
        """Raises UsageError for a vote, which gives no path a probability."""
        if self.how == "vote":
            raise UsageError(
                "an ensemble that votes gives its tags no probabilities as a sequence"
            )
        return super()._path_scores(kept, begin, labels)


def _of_columns(batch, columns):
    return replace(batch, features=np.ascontiguousarray(batch.features[:, columns]))


def _are_columns(columns, n_features):
    if not isinstance(columns, list) or not columns:
        return False
    inside = all(type(c) is int and 0 <= c < n_features for c in columns)
    return inside and len(set(columns)) == len(columns)


def averaged_scores(members: Sequence[TaggerNetwork]) -> list[np.ndarray | None]:
    """Mean `initial`, `transition` and `final` of networks, None where none of them has
    any.

    With the mean of their scores, the score of a path is the mean of the logarithms of
    its probabilities, up to a constant. What is impossible for one of them is
    impossible.
    """
    found = []
    for name in ("initial", "transition", "final"):
        arrays = [
            array for m in members if (array := getattr(m, name, None)) is not None
        ]
        mean: Any = sum(arrays) / np.float32(len(members)) if arrays else None
        if arrays:
            mean[np.min(arrays, axis=0) <= IMPOSSIBLE] = IMPOSSIBLE
        found.append(mean)
    return found
