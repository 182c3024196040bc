"""The storage of a network: its lookup tables, arrays and sizes."""

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
# The plan of a new network: the header, sizes by name, and groups of arrays; see
# `StoredNetwork.plan`.
Plan = tuple[dict[str, Any], dict[str, Any], list[str]]


class StoredNetwork:
    """The base class of networks that are stored in files.

    It holds the lookup tables, the arrays and the sizes of a network. A subclass
    declares its arrays. The arrays and the sizes of the header are attributes of the
    network. Optional arrays that a network does not have are None.

    Attributes:
        kind: The name of the class in files and configurations, and of its module.
        approaches: The approaches in configurations that make such a network. If there
            are none, the approach is `kind`.
        settings: The class of the settings, or None if the network cannot be trained.
        tasks: What networks of the class can label: words, roles, trees or arcs.
        own_feature: Whether the last feature of the network is its own label.
        label_noun: The word for the labels in messages to users.
        label_lists: The names of lists that a model stores in addition to the labels.
        header: The names of the sizes that are stored in headers of files.
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

    if TYPE_CHECKING:  # for other arrays, and the sizes of the header

        def __getattr__(self, name: str) -> Any: ...

    def __init__(
        self, tables: Sequence[Any], padding: NDArray[np.int32], **values: Any
    ) -> None:
        """Store lookup tables and arrays.

        Args:
            tables: The lookup table of each feature: float32[n_keys, dim] or a
                ChangedTable.
            padding: int32[n_features], the features of padding rows.
            **values: The sizes of the header and the arrays, by name.

        Raises:
            KeyError: If a size of the header is missing.
            TypeError: If the network has no size or array of such a name.
        """
        self.tables, self.padding = tables, padding
        header = {name: values[name] for name in self.header}
        names = self.array_names(header)
        if unknown := values.keys() - {*header, *names}:
            raise TypeError(f"{self.kind} network: no {', '.join(sorted(unknown))}")
        vars(self).update(dict.fromkeys(names) | values)

    # Declarations of subclasses.

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        """Return the declarations of all arrays, in the order of initialization.

        Declarations use these names of sizes, among others: `features`, the number of
        tables; `window`, the number of words in a window; `input`, the sum of the dims
        of the tables; and `tags`, the number of labels.

        Args:
            header: The sizes of the header, by name.
        """
        raise NotImplementedError

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
        """Return the plan of a new network.

        Args:
            settings: The settings, an object of the class `settings`.
            labels: What the network labels, one of `tasks`.

        Returns:
            The sizes of the header by name; other sizes by name, where a size may be an
            expression of other sizes (see `layers.protocol.size_of`); and the groups of
            arrays that the network has.

        Raises:
            SennaError: If the settings do not suit what the network labels.
        """
        raise NotImplementedError

    @classmethod
    def planned_sizes(cls, sizes: dict[str, Any]) -> dict[str, Any]:
        """Return `sizes`, extended by the sizes that follow from the number of tags."""
        return sizes

    @classmethod
    def labels_of(cls, names: Collection[str], entry: Mapping[str, Any]) -> str:
        """Return what a network with these arrays labels: words, roles, trees or arcs.

        Args:
            names: The names of its arrays.
            entry: The entry of the network in the header of a file.
        """
        return cls.tasks[0]

    @property
    def labels(self) -> str:
        """What the network labels: words, roles, trees or arcs."""
        return self.labels_of(self.arrays(), self.sizes())

    @staticmethod
    def label_names(names: Iterable[str]) -> list[str]:
        """Return the labels that users see.

        Args:
            names: The names of a model's labels.
        """
        return [*names]

    @property
    def n_labels(self) -> int:
        """The number of labels that the model must have for this network."""
        return len(self.output_bias)

    @property
    def beyond_senna(self) -> str | None:
        """The reason why SENNA's format cannot store the network, or None if it can."""
        return None

    @classmethod
    def brief(
        cls, sizes: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]
    ) -> str:
        """Return a short description of a network's sizes, for people.

        Args:
            sizes: The result of the method `sizes`.
            shapes: The shapes of the arrays by name.
        """
        window = f"window {sizes['window']}, " if sizes.get("window") else ""
        biases = [
            array.name
            for array in cls.declare(sizes)
            if array.shape in (("conv",), ("hidden",))
        ]
        units = ", ".join(f"{shapes[name][0]:,}" for name in biases if name in shapes)
        return window + (f"{units} hidden units" if units else "no hidden layer")

    # Arrays and sizes, as they are stored in files.

    def sizes(self) -> dict[str, Any]:
        """Return the sizes of the header by name: numbers or lists of numbers."""
        return {name: getattr(self, name) for name in self.header}

    @classmethod
    def read_sizes(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sizes in a header by name.

        Args:
            entry: The entry of the network in the header.

        Raises:
            SennaError: If a size is missing or malformed. The message does not name the
                file.
        """
        for name in cls.header:
            if type(entry.get(name)) is not int:
                raise SennaError(f"{name} is {entry.get(name)!r}, not an integer")
        return {name: entry[name] for name in cls.header}

    @classmethod
    def array_names(cls, sizes: Mapping[str, Any]) -> list[str]:
        """Return the names of all arrays that a network may have, without the padding.

        Args:
            sizes: The sizes of the header, by name.
        """
        return [array.name for array in cls.declare(sizes)]

    def members(self) -> list[tuple[Any, Sequence[int]]]:
        """Return the networks of an ensemble, each with the indices of its features.

        Other networks have no members.
        """
        return []

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of the network by name, without tables and padding.

        In networks that were read for inference, weights may be ByteColumns.
        """
        arrays = (
            (name, getattr(self, name)) for name in self.array_names(self.sizes())
        )
        return {name: array for name, array in arrays if array is not None}

    def stored_arrays(self) -> dict[str, Any]:
        """Return the tables and arrays of the network, keyed by their names in files.

        The tables and arrays of members are not included.
        """
        tables = () if self.members() else self.tables
        named = {table_name(number): table for number, table in enumerate(tables)}
        return named | self.arrays()

    def changed(self: _Network, **changes: Any) -> _Network:
        """Return a copy of the network with other tables, padding, sizes or arrays."""
        values = self.sizes() | self.arrays()
        values |= {"tables": self.tables, "padding": self.padding}
        return type(self)(**values | changes)

    def parameters(self, fixed: Collection[str] = ()) -> dict[str, NDArray[Any]]:
        """Return the arrays that training changes, keyed by their names in files.

        These are the tables that can be trained and are not fixed, and all arrays but
        `final`.

        Args:
            fixed: The names of tables that are not trained.
        """
        tables = Lookup.numbered(self.tables).parameters()
        trained = {name: table for name, table in tables.items() if name not in fixed}
        arrays = self.arrays()
        arrays.pop("final", None)
        return trained | arrays

    def fan_in(self) -> dict[str, int]:
        """Return the fan-in (the number of inputs of a unit) of each parameter, by name.

        Raises:
            SennaError: If arrays are missing or do not fit together.
        """
        sizes = self.known_sizes()
        declared = {array.name: array for array in self.declare(self.sizes())}
        check_arrays([*declared.values()], self.arrays(), sizes)
        units = {name: declared[name].inputs(sizes) for name in self.arrays()}
        return dict.fromkeys(map(table_name, range(len(self.tables))), 1) | units

    def check(self) -> None:
        """Raise SennaError if arrays are missing or do not fit together.

        The message does not name a file.
        """
        sizes = self.known_sizes()
        check_padding(self.padding, self.tables, sizes)
        check_arrays(self.declare(self.sizes()), self.arrays(), sizes)

    def known_sizes(self) -> dict[str, int]:
        """Return the sizes, by name, that do not follow from the shapes of arrays.

        Raises:
            SennaError: If a size is out of range. The message does not name a file.
        """
        window = getattr(self, "window", 1)
        check_window(window)
        check_tables(self.tables)
        n_input = sum(table.shape[1] for table in self.tables)
        return {"features": len(self.tables), "window": window, "input": n_input}
