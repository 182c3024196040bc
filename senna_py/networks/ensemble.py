"""Ensembles: several networks of one task (Collobert et al. 2011, section 6.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.layers.blocks import wide_linear
from senna_py.layers.likelihood import IMPOSSIBLE, SentenceLikelihood
from senna_py.layers.linear import Linear, blas
from senna_py.networks.checks import check_arrays
from senna_py.networks.tags import TagNetwork

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from senna_py.layers.likelihood import PathScores
    from senna_py.layers.passes import ForwardPass
    from senna_py.layers.protocol import Array
    from senna_py.networks.base import Context, Layers, TaggerNetwork
    from senna_py.networks.batch import WordBatch

HOW = ("vote", "scores", "joined")
_MOST_MEMBERS = 100
# The bonus of the first member's vote, which breaks ties. It halves from member to
# member.
_FIRST_VOTE = 2**-6


class EnsembleNetwork(TagNetwork):
    """Combines its members' outputs with a linear layer, followed by transition scores.

    The ensemble has no lookup tables of its own. Its `tables` and `padding` are taken,
    for each feature, from the first member that has this feature.

    Attributes:
        how: How members are combined. For `vote`, the output of a member is 1 for its
            best tag of a word and 0 for all other tags, and the linear layer adds the
            outputs up. Ties are resolved in favor of the earlier member. For `scores`,
            the output of a member is its scores divided by the number of members, and
            the linear layer adds them up. `joined` is like `scores`, but the linear
            layer is trained.
        columns: The indices of the features that each member uses.
        networks: The members.
        output_weight: float32[n_members * n_tags, n_tags].
        output_bias: float32[n_tags].
        initial, transition, final: The transition scores; see WindowNetwork.
    """

    kind, beyond_senna = "ensemble", "it has single networks"

    def __init__(
        self,
        how: str,
        columns: Sequence[Sequence[int]],
        members: Sequence[TagNetwork],
        **arrays: NDArray[np.float32] | None,
    ) -> None:
        """Create an ensemble; see the class for the arguments.

        Args:
            how: See the class.
            columns: See the class.
            members: The networks that are combined.
            **arrays: The arrays of the ensemble by name; others are None.
        """
        self.how, self.columns, self.networks = how, columns, members
        vars(self).update(dict.fromkeys(self.array_names({})) | arrays)

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        layer = Linear.declare("output", "members*tags", "tags")
        return [*layer, *SentenceLikelihood.declare()]

    @classmethod
    def brief(
        cls, sizes: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]
    ) -> str:
        kinds = [member["kind"] for member in sizes["members"]]
        counts = (f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        return f"{sizes['how']} of {', '.join(counts)} networks"

    def members(self) -> list[tuple[Any, Sequence[int]]]:
        return list(zip(self.networks, self.columns, strict=True))

    def sizes(self) -> dict[str, Any]:
        """Return `how` and `members`, as headers of files store them.

        `members` is a list of dicts with the `kind`, `columns` and sizes of members.
        """
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

    def changed(self, tables: Any = None, **arrays: Any) -> EnsembleNetwork:
        """Return a copy of the ensemble with other arrays.

        `tables` is ignored: members keep their tables.
        """
        arrays = self.arrays() | arrays
        return EnsembleNetwork(self.how, self.columns, self.networks, **arrays)

    @property
    def tables(self) -> Sequence[Any]:  # type: ignore[override]
        """The lookup table of each feature, in the first member with this feature."""
        return self._of_features([member.tables for member in self.networks])

    @property
    def padding(self) -> NDArray[np.int32]:  # type: ignore[override]
        """The features of padding rows: int32[n_features]."""
        paddings = [member.padding for member in self.networks]
        return np.array(self._of_features(paddings), np.int32)

    def _of_features(self, values: Sequence[Any]) -> list[Any]:
        """Return a value for each feature, from the first member with this feature.

        Args:
            values: For each member, a value for each of its features.
        """
        by_column: dict[int, Any] = {}
        for columns, of_member in zip(self.columns, values, strict=True):
            for column, value in zip(columns, of_member, strict=True):
                by_column.setdefault(column, value)
        return [by_column[column] for column in sorted(by_column)]

    def parameters(self, fixed: Collection[str] = ()) -> dict[str, NDArray[Any]]:
        """Return the arrays that training changes: all but `final`.

        The members and `fixed` are ignored, because members are not trained further.
        """
        return {name: array for name, array in self.arrays().items() if name != "final"}

    def check(self) -> None:
        for number, member in enumerate(self.networks, 1):
            if member.labels != self.labels or member.members():
                raise SennaError(
                    f"member {number}: not a single network for {self.labels}"
                )
            if len(member.output_bias) != len(self.output_bias):
                raise SennaError(
                    f"member {number}: {member.n_labels:,} labels, not as many as the "
                    "ensemble"
                )
        check_arrays(self.declare({}), self.arrays(), self.known_sizes())

    def known_sizes(self) -> dict[str, int]:
        return {"members": len(self.networks), "tags": len(self.output_bias)}

    @property
    def context(self) -> Context:
        """The largest context of the members."""
        return max(member.context for member in self.networks)

    def cache(self, n_rows: int) -> Any:
        return [member.cache(n_rows) for member in self.networks]

    @property
    def row_bytes(self) -> int:
        return sum(member.row_bytes for member in self.networks)

    def layers(self, cache: Any = None) -> dict[str, Any]:
        output = Linear(
            "output", self.output_weight, self.output_bias, blas, wide_linear
        )
        return {"members": self._with_caches(cache), "output": output}

    def _with_caches(self, cache: Any) -> list[tuple[TagNetwork, Sequence[int], Any]]:
        """Return each member with its columns and its cache; the cache may be None."""
        caches = cache or [None] * len(self.networks)
        return [*zip(self.networks, self.columns, caches, strict=True)]

    def split(self, batch: WordBatch) -> Iterator[WordBatch]:
        yield batch  # Each member splits the batch itself.

    def forward(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> Iterator[NDArray[np.float32]]:
        n, members = int(batch.begin[-1]), layers["members"]
        said = np.zeros((n, len(members), self.n_labels), np.float32)
        for k, (member, columns, cache) in enumerate(members):
            taken = _with_columns(batch, columns)
            if self.how == "vote":
                tags = member.decode(taken, cache).tags
                said[np.arange(n), k, tags] = 1 + _FIRST_VOTE / 2**k
            else:
                np.divide(member.scores(taken, cache), len(members), out=said[:, k])
        flat = said.reshape(n, len(members) * self.n_labels)
        yield forward_pass(layers["output"], flat)

    def posteriors(self, batch: WordBatch, cache: Any = None) -> NDArray[np.float32]:
        """Return the probability of each label: float32[n_rows, n_labels].

        For a vote, it is the mean of the members' probabilities. See `annotate` for the
        arguments.
        """
        if self.how != "vote":
            return super().posteriors(batch, cache)
        shares = [
            member.posteriors(_with_columns(batch, columns), member_cache)
            for member, columns, member_cache in self._with_caches(cache)
        ]
        total: Any = sum(shares)
        mean: NDArray[np.float32] = total / np.float32(len(shares))
        return mean

    def _path_scores(
        self,
        blocks: list[NDArray[np.float32]],
        begin: NDArray[np.int64],
        tags: NDArray[np.int32],
    ) -> PathScores:
        """Return the PathScores of decoded tags; see TagNetwork.

        Raises:
            UsageError: If the ensemble votes, because votes define no probability of a
                path.
        """
        if self.how == "vote":
            raise UsageError(
                "an ensemble that votes gives its tags no probabilities as a sequence"
            )
        return super()._path_scores(blocks, begin, tags)


def _with_columns(batch: WordBatch, columns: Sequence[int]) -> WordBatch:
    """Return the batch with only these columns of features."""
    return replace(batch, features=np.ascontiguousarray(batch.features[:, columns]))


def _are_columns(columns: Any, n_features: int) -> bool:
    if not isinstance(columns, list) or not columns:
        return False
    inside = all(type(c) is int and 0 <= c < n_features for c in columns)
    return inside and len(set(columns)) == len(columns)


def averaged_scores(
    members: Sequence[TaggerNetwork],
) -> list[NDArray[np.float32] | None]:
    """Return the mean `initial`, `transition` and `final` of the members.

    A mean is None if no member has the array. Otherwise, a missing array counts as
    zeros. Together with mean tag scores, the score of a path is its mean log
    probability, up to a constant. A score that is IMPOSSIBLE in one member is
    IMPOSSIBLE in the result.

    Args:
        members: The members.

    Returns:
        float32[n_tags], float32[n_tags, n_tags] and float32[n_tags], or None in place
        of an array.
    """
    means = []
    for name in ("initial", "transition", "final"):
        arrays: list[Any] = [getattr(member, name, None) for member in members]
        arrays = [array for array in arrays if array is not None]
        mean: Any = None
        if arrays:
            mean = sum(arrays) / np.float32(len(members))
            mean[np.min(arrays, axis=0) <= IMPOSSIBLE] = IMPOSSIBLE
        means.append(mean)
    return means
