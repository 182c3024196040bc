"""A trie of texts from several lists, as an array for kernels."""

from __future__ import annotations

from functools import cache, reduce
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np

from senna_py.kernels.text import treebank as kernels
from senna_py.text.characters import APOSTROPHES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    TrieArray: TypeAlias = NDArray[np.int16] | NDArray[np.int32]

# A node maps a byte to the next node, and VALUE to an int.
_Node = dict[int, Any]
_MOST_INT16 = 1 << 15  # the most nodes of a trie in an int16 array


class TextTrie:
    """Texts of several lists, through which kernels walk (`kernels.text.treebank`)."""

    def __init__(self) -> None:
        self._roots: list[_Node] = [{} for _ in range(kernels.N_ROOTS)]

    def add(
        self, root: SupportsIndex, text: str, value: int = 1, exact: bool = False
    ) -> None:
        """Add a text to a list; the bits of its values are combined.

        Args:
            root: The index of the list.
            text: The text.
            value: The bits that the text gets.
            exact: Whether only this spelling counts. Otherwise the text is found in
                either case and with any apostrophe.
        """
        node = self._roots[root]
        for char in text:
            forms = (char.encode(),) if exact else _forms(char)
            target = reduce(_child, forms[0][1:], _child(node, forms[0][0]))
            for form in forms[1:]:
                if len(form) == 1:  # the usual case, made fast because start-up waits
                    node[form[0]] = target
                else:
                    reduce(_child, form[:-1], node)[form[-1]] = target
            node = target
        node[kernels.VALUE] = node.get(kernels.VALUE, 0) | value

    def add_states(
        self, root: SupportsIndex, states: Sequence[tuple[int, dict[str, int]]]
    ) -> None:
        """Add all texts that an automaton of `emoticon_states` accepts."""
        nodes: list[_Node] = [self._roots[root], *({} for _ in states[1:])]
        shared: dict[tuple[tuple[bytes, int], ...], _Node] = {}
        for node, (value, targets) in zip(nodes, states, strict=True):
            if value:
                node[kernels.VALUE] = value
            paths = [(char.encode(), target) for char, target in targets.items()]
            _add_paths(node, paths, nodes, shared)

    def add_all(
        self,
        root: SupportsIndex,
        texts: Iterable[str],
        value: int = 1,
        exact: bool = False,
    ) -> None:
        """Add several texts; see `add`."""
        for text in texts:
            self.add(root, text, value, exact)

    def array(self) -> TrieArray:
        """Return the trie as an array with the shape [n_nodes, 257].

        Column `VALUE` has the bits of the text that ends at a node. The other columns
        have the next node for each byte, or -1. The dtype is int32 if there are too
        many nodes for int16.
        """
        nodes = [*self._roots]
        number = {id(root): k for k, root in enumerate(self._roots)}
        ends: dict[int, int] = {}  # leaves with the same value are one node
        places: list[int] = []
        values: list[int] = []
        for row, node in enumerate(nodes):  # grows while it is read
            first = row * (kernels.VALUE + 1)
            for byte, child in node.items():
                places.append(first + byte)
                if byte == kernels.VALUE:
                    values.append(child)
                    continue
                known, key = number, id(child)
                if len(child) == 1 and kernels.VALUE in child:
                    known, key = ends, child[kernels.VALUE]
                if (value := known.get(key)) is None:
                    value = known[key] = len(nodes)
                    nodes.append(child)
                values.append(value)
        dtype: type[np.signedinteger] = np.int32
        if len(nodes) <= _MOST_INT16:
            dtype = np.int16
        out: TrieArray = np.full((len(nodes), kernels.VALUE + 1), -1, dtype)
        out[:, kernels.VALUE] = 0
        out.reshape(-1)[places] = values
        return out


def _child(node: _Node, byte: int) -> _Node:
    return node.setdefault(byte, {})


@cache
def _forms(char: str) -> tuple[bytes, ...]:
    """Return the bytes of a character in either case, or of all apostrophes."""
    forms = APOSTROPHES if char == "'" else dict.fromkeys((char.lower(), char.upper()))
    return tuple(form.encode() for form in forms)


def _add_paths(
    node: _Node,
    paths: list[tuple[bytes, int]],
    ends: Sequence[_Node],
    shared: dict[tuple[tuple[bytes, int], ...], _Node],
) -> None:
    """Add byte strings to a node, each of which leads to the node `ends[number]`.

    Equal sets of paths share their nodes, which `shared` holds.
    """
    longer: dict[int, list[tuple[bytes, int]]] = {}
    for path, end in paths:
        if len(path) == 1:
            node[path[0]] = ends[end]
        else:
            longer.setdefault(path[0], []).append((path[1:], end))
    for byte, rest in longer.items():
        if (key := tuple(rest)) not in shared:
            shared[key] = {}
            _add_paths(shared[key], rest, ends, shared)
        node[byte] = shared[key]
