"""Builds a trie from the entries of several lists, as an array for kernels."""

from __future__ import annotations

from functools import cache, reduce
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np

from senna_py.kernels.text import known_texts as kernels
from senna_py.text.characters import APOSTROPHES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    TrieArray: TypeAlias = NDArray[np.int16] | NDArray[np.int32]

# A node maps a byte to the next node, and VALUE to an int.
_Node = dict[int, Any]
_MOST_INT16 = 1 << 15  # the maximum number of nodes of a trie in an int16 array


class TextTrie:
    """Builds a trie with a root for each list, for the kernels in `kernels.text`."""

    def __init__(self) -> None:
        self._roots: list[_Node] = [{} for _ in range(kernels.N_ROOTS)]

    def add(
        self, root: SupportsIndex, text: str, value: int = 1, exact: bool = False
    ) -> None:
        """Add a text to a list.

        Args:
            root: The index of the list.
            text: The text.
            value: Bits, which are combined by OR if a text is added several times.
            exact: Whether only this spelling matches. Otherwise, each letter matches
                in either case, and `'` matches any apostrophe.
        """
        node = self._roots[root]
        for char in text:
            forms = (char.encode(),) if exact else _forms(char)
            target = reduce(_child, forms[0][1:], _child(node, forms[0][0]))
            for form in forms[1:]:
                if len(form) == 1:  # a fast path for the usual case, for start-up time
                    node[form[0]] = target
                else:
                    reduce(_child, form[:-1], node)[form[-1]] = target
            node = target
        node[kernels.VALUE] = node.get(kernels.VALUE, 0) | value

    def add_states(
        self, root: SupportsIndex, states: Sequence[tuple[int, dict[str, int]]]
    ) -> None:
        """Add all texts that an automaton accepts; see `emoticon_states`."""
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
        """Return the trie as an array: int16[n_nodes, 257].

        The first nodes are the roots of the lists. Columns 0 to 255 have the next node
        for each byte, or -1. Column VALUE has the bits of the text that ends at a node,
        or 0. The dtype is int32 if there are too many nodes for int16.
        """
        nodes = [*self._roots]
        number = {id(root): k for k, root in enumerate(self._roots)}
        ends: dict[int, int] = {}  # leaves with the same value share a node
        places: list[int] = []
        values: list[int] = []
        for row, node in enumerate(nodes):  # the loop appends to the list
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
    """Return the UTF-8 forms of a character: both cases, or all apostrophes for `'`."""
    forms = APOSTROPHES if char == "'" else dict.fromkeys((char.lower(), char.upper()))
    return tuple(form.encode() for form in forms)


def _add_paths(
    node: _Node,
    paths: list[tuple[bytes, int]],
    ends: Sequence[_Node],
    shared: dict[tuple[tuple[bytes, int], ...], _Node],
) -> None:
    """Add paths to a node: byte strings, each with the index in `ends` of its target.

    Equal lists of paths share their nodes, which `shared` caches.
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
