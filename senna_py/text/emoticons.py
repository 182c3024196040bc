"""Emoticons, which are listed by their shape: expressions, and the automaton that finds
them.

A line of `emoticons.txt` is a small regular expression: characters, sets of them in
brackets, and the signs `?`, `*` and `+`. The kernels walk through one automaton for all
lines; the tokenizer of other languages searches with the same expressions.
"""

import re
from functools import cache
from pathlib import Path

_ONCE, _OPTIONAL, _ANY_NUMBER = range(3)
_PART = re.compile(r"(?:\[((?:\\.|[^\]\\])+)\]|\\(.)|(.))([?*+]?)")


@cache
def emoticon_parts() -> tuple[tuple[bool, tuple[tuple[str, int], ...]], ...]:
    """Shapes of emoticons: whether one needs no blank before it, and its parts in
    order.

    A part is its characters, and whether it occurs _ONCE, is _OPTIONAL, or in
    _ANY_NUMBER.
    """
    lines = Path(__file__).with_name("emoticons.txt").read_text("utf-8").splitlines()
    shapes = [line.split(" ", 1) for line in lines if not line.startswith("#")]
    return tuple((kind == "glued", tuple(_parts(pattern))) for kind, pattern in shapes)


def _parts(pattern: str) -> list[tuple[str, int]]:
    found = []
    for chars, escaped, plain, sign in _PART.findall(pattern):
        members = re.sub(r"\\(.)", r"\1", chars) or escaped or plain
        if sign == "+":
            found.append((members, _ONCE))
        found.append(
            (members, _OPTIONAL if sign == "?" else _ANY_NUMBER if sign else _ONCE)
        )
    return found


@cache
def emoticon_pattern() -> str:
    """A regular expression of all emoticons, for the modules `re` and `regex`."""
    signs = ("", "?", "*")
    shapes = [
        "".join(
            "[" + re.sub(r"(\W)", r"\\\1", chars) + "]" + signs[sign]
            for chars, sign in parts
        )
        for _, parts in emoticon_parts()
    ]
    return "|".join(sorted(shapes, key=len, reverse=True))


def emoticon_states(glued: int, apart: int) -> list[tuple[int, dict[str, int]]]:
    """States of the automaton: what the text up to there is, and where each character
    leads.

    The first state is the start. An emoticon is `glued` or `apart`; any other text is
    0.
    """
    shapes = emoticon_parts()
    start = frozenset((shape, 0) for shape in range(len(shapes)))
    numbers, states = {start: 0}, []
    for state in (queue := [start]):  # which grows
        value, targets = 0, dict[str, set[tuple[int, int]]]()
        for shape, place in state:
            is_glued, parts = shapes[shape]
            for k in range(place, len(parts)):
                chars, sign = parts[k]
                for char in chars:
                    targets.setdefault(char, set()).add(
                        (shape, k + (sign != _ANY_NUMBER))
                    )
                if sign == _ONCE:
                    break
            else:
                value = max(value, glued if is_glued else apart)
        found = {}
        for char, target in targets.items():
            key = frozenset(target)
            if key not in numbers:
                numbers[key] = len(numbers)
                queue.append(key)
            found[char] = numbers[key]
        states.append((value, found))
    return states
