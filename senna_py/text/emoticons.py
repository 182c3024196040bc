"""Emoticons, as regular expressions and as an automaton for the kernels.

A line of `emoticons.txt` is a small regular expression: characters, sets of characters
in brackets, and the signs `?`, `*` and `+`. The kernels of the Treebank tokenizer run
one automaton that combines all lines. The tokenizer of the other languages uses the
expressions themselves.
"""

import re
from functools import cache
from pathlib import Path

_ONCE, _OPTIONAL, _ANY_NUMBER = range(3)
_REPEATS = {"": _ONCE, "?": _OPTIONAL, "*": _ANY_NUMBER, "+": _ANY_NUMBER}
_ITEM = re.compile(r"(?:\[((?:\\.|[^\]\\])+)\]|\\(.)|(.))([?*+]?)")


@cache
def emoticon_shapes() -> tuple[tuple[bool, tuple[tuple[str, int], ...]], ...]:
    """Return the expressions of `emoticons.txt`, as pairs (is_glued, items).

    An emoticon that is glued may follow text without a space. An item is a pair: a
    string of alternative characters, and _ONCE, _OPTIONAL or _ANY_NUMBER.
    """
    lines = Path(__file__).with_name("emoticons.txt").read_text("utf-8").splitlines()
    shapes = [line.split(" ", 1) for line in lines if not line.startswith("#")]
    return tuple((place == "glued", tuple(_items(text))) for place, text in shapes)


def _items(pattern: str) -> list[tuple[str, int]]:
    """Return the items of an expression of the list; see `emoticon_shapes`."""
    items: list[tuple[str, int]] = []
    for chars, escaped, plain, sign in _ITEM.findall(pattern):
        members = re.sub(r"\\(.)", r"\1", chars) or escaped or plain
        if sign == "+":  # once, and then any number of times
            items.append((members, _ONCE))
        items.append((members, _REPEATS[sign]))
    return items


@cache
def emoticon_pattern() -> str:
    """Return a regular expression that matches all emoticons, for `re` or `regex`."""
    signs = ("", "?", "*")
    shapes = [
        "".join(
            "[" + re.sub(r"(\W)", r"\\\1", chars) + "]" + signs[sign]
            for chars, sign in items
        )
        for _, items in emoticon_shapes()
    ]
    return "|".join(sorted(shapes, key=len, reverse=True))


def emoticon_states(glued: int, apart: int) -> list[tuple[int, dict[str, int]]]:
    """Return the states of an automaton that accepts all emoticons; state 0 is initial.

    Args:
        glued: The value of an accepting state for emoticons that may follow text
            without a space.
        apart: The value of an accepting state for other emoticons.

    Returns:
        The value of each state, which is 0 unless the state is accepting, and the next
        state for each character.
    """
    shapes = emoticon_shapes()
    start = frozenset((shape, 0) for shape in range(len(shapes)))
    numbers = {start: 0}
    states = []
    queue = [start]
    for state in queue:  # the loop appends to the queue
        value = 0
        targets: dict[str, set[tuple[int, int]]] = {}
        for shape, place in state:
            is_glued, items = shapes[shape]
            for k in range(place, len(items)):
                chars, sign = items[k]
                for char in chars:
                    following = k if sign == _ANY_NUMBER else k + 1
                    targets.setdefault(char, set()).add((shape, following))
                if sign == _ONCE:
                    break
            else:
                value = max(value, glued if is_glued else apart)
        next_states = {}
        for char, target in targets.items():
            key = frozenset(target)
            if key not in numbers:
                numbers[key] = len(numbers)
                queue.append(key)
            next_states[char] = numbers[key]
        states.append((value, next_states))
    return states
