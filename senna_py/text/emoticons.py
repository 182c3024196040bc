"""Emoticons, listed by shape: regular expressions, and an automaton that finds them.

A line of `emoticons.txt` is a small regular expression: characters, sets of characters
in brackets, and the signs `?`, `*` and `+`. The kernels walk through one automaton for
all lines. The tokenizer of other languages searches with the same expressions.
"""

import re
from functools import cache
from pathlib import Path

_ONCE, _OPTIONAL, _ANY_NUMBER = range(3)
_REPEATS = {"": _ONCE, "?": _OPTIONAL, "*": _ANY_NUMBER, "+": _ANY_NUMBER}
_ITEM = re.compile(r"(?:\[((?:\\.|[^\]\\])+)\]|\\(.)|(.))([?*+]?)")


@cache
def emoticon_shapes() -> tuple[tuple[bool, tuple[tuple[str, int], ...]], ...]:
    """Return the shapes: whether each may follow text without a space, and its items.

    An item is a string of alternative characters, and _ONCE, _OPTIONAL or _ANY_NUMBER.
    """
    lines = Path(__file__).with_name("emoticons.txt").read_text("utf-8").splitlines()
    shapes = [line.split(" ", 1) for line in lines if not line.startswith("#")]
    return tuple((place == "glued", tuple(_items(text))) for place, text in shapes)


def _items(pattern: str) -> list[tuple[str, int]]:
    """Return the items of a small regular expression; see `emoticon_shapes`."""
    items: list[tuple[str, int]] = []
    for chars, escaped, plain, sign in _ITEM.findall(pattern):
        members = re.sub(r"\\(.)", r"\1", chars) or escaped or plain
        if sign == "+":  # once, and then any number of times
            items.append((members, _ONCE))
        items.append((members, _REPEATS[sign]))
    return items


@cache
def emoticon_pattern() -> str:
    """Return a regular expression for all emoticons, for `re` and `regex`."""
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
    """Return the states of the automaton, of which the first is the start.

    Args:
        glued: The value of emoticons that may follow text without a space.
        apart: The value of other emoticons.

    Returns:
        For each state, its value, 0 if the text so far is not an emoticon, and the
        index of the next state for each character.
    """
    shapes = emoticon_shapes()
    start = frozenset((shape, 0) for shape in range(len(shapes)))
    numbers = {start: 0}
    states = []
    queue = [start]
    for state in queue:  # grows while it is read
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
