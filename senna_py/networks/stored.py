"""What a network of a tagger stores: lookup tables, arrays, and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from senna_py.errors import SennaError
from senna_py.layers.lookup import Lookup, table_name
from senna_py.networks.checks import (
    check_arrays,
    check_padding,
    check_tables,
    check_window,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from senna_py.io.settings import Settings
    from senna_py.layers.protocol import Array

_Network = TypeVar("_Network", bound="StoredNetwork")
# The header, the sizes by name, and the groups of arrays of a new network.
Plan = tuple[dict[str, Any], dict[str, Any], list[str]]


class StoredNetwork:
    """Lookup tables, the arrays of layers, and the sizes that files say beside them.

    A subclass declares its arrays. They and the sizes of the header are attributes;
    arrays that a network does without are None.

    Attributes:
        kind: The name of the class in files and configurations, and of its module.
        approaches: Names of settings that can make one; by default `kind`.
        settings: The class of its settings; None if it is not trained here.
        tasks: What networks of the class can label: words, roles, trees or arcs.
        own_feature: Whether its last feature is its own label.
        label_noun: What users call the labels.
        label_lists: Names of lists that a model has beside the list of the labels.
        header: Names of the sizes that files say.
    """

    kind: ClassVar[str] = ""
    approaches: ClassVar[tuple[str, ...]] = ()
    settings: ClassVar[type[Settings] | None] = None
    tasks: ClassVar[tuple[str, ...]] = ("words",)
    own_feature: ClassVar[bool] = False
    label_noun: ClassVar[str] = "labels"
    label_lists: ClassVar[tuple[str, ...]] = ()
    header: ClassVar[tuple[str, ...]] = ()
    output_bias: NDArray[np.float32]  # float32[n_labels], which all networks have

    if TYPE_CHECKING:  # other arrays, and sizes of the header

        def __getattr__(self, name: str) -> Any: ...

    def __init__(
        self, tables: Sequence[Any], padding: NDArray[np.int32], **values: Any
    ) -> None:
        """Store lookup tables and arrays.

        Args:
            tables: float32[n_keys, dim], one for each feature.
            padding: int32[n_features], the keys outside the sentence.
            **values: Sizes of the header, and arrays, by their names.
        """
        self.tables, self.padding = tables, padding
        header = {name: values[name] for name in self.header}
        names = self.array_names(header)
        if unknown := values.keys() - {*header, *names}:
            raise TypeError(f"{self.kind} network: no {', '.join(sorted(unknown))}")
        vars(self).update(dict.fromkeys(names) | values)

    # What a subclass declares.

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        """Return the arrays of all layers, see layers.protocol, in the order of drawing.

        Sizes that nothing else determines are `features`, `window`, `input` (the sum of
        the dimensions of the tables), and `tags`.
        """
        raise NotImplementedError

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
        """Return the header, sizes by name and groups of arrays of a new network.

        Args:
            settings: Of the class `settings`.
            labels: What it is to label, one of `tasks`.

        Returns:
            The header, sizes, each of which may be a text of others (see
            layers.protocol.size_of), and groups.

        Raises:
            SennaError: If a network with these settings cannot label that.
        """
        raise NotImplementedError

    @classmethod
    def planned_sizes(cls, sizes: dict[str, Any]) -> dict[str, Any]:
        """Return the sizes of a new network with those that follow from `tags`."""
        return sizes

    @classmethod
    def labels_of(cls, names: Collection[str], entry: Mapping[str, Any]) -> str:
        """Return what a network with these arrays labels: words, roles, trees or arcs.

        Args:
            names: Names of its arrays.
            entry: What a header says of it.
        """
        return cls.tasks[0]

    @property
    def labels(self) -> str:
        """What it labels: words, roles, trees or arcs."""
        return self.labels_of(self.arrays(), self.sizes())

    @staticmethod
    def label_names(names: Iterable[str]) -> list[str]:
        """Return what users call labels, of the names of all."""
        return [*names]

    @property
    def n_labels(self) -> int:
        """The number of labels that its vocabulary must have."""
        return len(self.output_bias)

    @property
    def beyond_senna(self) -> str | None:
        """Why SENNA's format cannot hold the network, or None if it can."""
        return None

    @classmethod
    def brief(
        cls, sizes: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]
    ) -> str:
        """Describe its sizes in a few words.

        Args:
            sizes: As of the method `sizes`.
            shapes: Of its arrays by name.
        """
        window = f"window {sizes['window']}, " if sizes.get("window") else ""
        biases = [
            array.name
            for array in cls.declare(sizes)
            if array.shape in (("conv",), ("hidden",))
        ]
        units = ", ".join(f"{shapes[name][0]:,}" for name in biases if name in shapes)
        return window + (f"{units} hidden units" if units else "no hidden layer")

    # Arrays and sizes, as files have them.

    def sizes(self) -> dict[str, Any]:
        """Return the numbers, or lists of them, that a file's header says, by name."""
        return {name: getattr(self, name) for name in self.header}

    @classmethod
    def read_sizes(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sizes that a header has; raise SennaError without the file's name."""
        for name in cls.header:
            if type(entry.get(name)) is not int:
                raise SennaError(f"{name} is {entry.get(name)!r}, not an integer")
        return {name: entry[name] for name in cls.header}

    @classmethod
    def array_names(cls, sizes: Mapping[str, Any]) -> list[str]:
        """Names of all arrays that a network of these sizes may have, but the padding."""
        return [array.name for array in cls.declare(sizes)]

    def members(self) -> list[tuple[Any, Sequence[int]]]:
        """Networks that it is made of, with the numbers of their features."""
        return []

    def arrays(self) -> dict[str, Any]:
        """Its arrays by name, without tables and padding.

        Some that come from a file are ByteColumns.
        """
        arrays = (
            (name, getattr(self, name)) for name in self.array_names(self.sizes())
        )
        return {name: array for name, array in arrays if array is not None}

    def stored_arrays(self) -> dict[str, Any]:
        """Its tables and arrays by their names in files, without those of members."""
        tables = () if self.members() else self.tables
        named = {table_name(number): table for number, table in enumerate(tables)}
        return named | self.arrays()

    def changed(self: _Network, **changes: Any) -> _Network:
        """Return the network with other tables, padding, sizes or arrays."""
        values = self.sizes() | self.arrays()
        values |= {"tables": self.tables, "padding": self.padding}
        return type(self)(**values | changes)

    def parameters(self, fixed: Collection[str] = ()) -> dict[str, NDArray[Any]]:
        """Arrays that training changes, by their names in files.

        Args:
            fixed: Names of tables that stay as they are.
        """
        tables = Lookup.numbered(self.tables).parameters()
        trained = {name: table for name, table in tables.items() if name not in fixed}
        arrays = self.arrays()
        arrays.pop("final", None)
        return trained | arrays

    def fan_in(self) -> dict[str, int]:
        """The number of inputs of a unit, by the names of parameters."""
        sizes = self.known_sizes()
        declared = {array.name: array for array in self.declare(self.sizes())}
        check_arrays([*declared.values()], self.arrays(), sizes)
        units = {name: declared[name].inputs(sizes) for name in self.arrays()}
        return dict.fromkeys(map(table_name, range(len(self.tables))), 1) | units

    def check(self) -> None:
        """Raise SennaError, without a file's name, if sizes do not fit together."""
        sizes = self.known_sizes()
        check_padding(self.padding, self.tables, sizes)
        check_arrays(self.declare(self.sizes()), self.arrays(), sizes)

    def known_sizes(self) -> dict[str, int]:
        """Sizes by name, as far as they do not follow from shapes of arrays.

        Raises:
            SennaError: Without a file's name, if one is out of range.
        """
        window = getattr(self, "window", 1)
        check_window(window)
        check_tables(self.tables)
        n_input = sum(table.shape[1] for table in self.tables)
        return {"features": len(self.tables), "window": window, "input": n_input}
