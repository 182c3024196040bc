"""Properties of search: it finds what a naive matcher finds."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from senna_py.search.errors import PatternError
from senna_py.search.parsing import parse
from senna_py.search.pattern import Pattern
from tests.helpers.naive_search import NaiveSearch
from tests.helpers.random_documents import documents

VALUES = st.sampled_from(['"A"', '"B-C|ü"', '".*"', '=="A"', '"a"%c'])
TASKS = st.sampled_from(["pos", "ner", "chk", "srl", "psg", "dep", "link"])
FLAT_OR_NESTED = st.sampled_from(["ner", "chk", "psg", "srl", "dep", "link"])


@st.composite
def comparisons(draw):
    attribute = draw(st.one_of(TASKS, st.just("word")))
    if draw(st.booleans()) and attribute != "word":
        return attribute
    value = '"a.*|é|日"' if attribute == "word" else draw(VALUES)
    if value.startswith("="):
        return f"{attribute}{value}"
    return f"{attribute}{draw(st.sampled_from(['=', '!=']))}{value}"


CONDITIONS = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("&|"), inner).map(
            lambda each: f"({' '.join(each)})"
        ),
        inner.map(lambda each: f"!({each})"),
    ),
    max_leaves=3,
)


@st.composite
def words(draw):
    return draw(
        st.one_of(
            st.just("[]"), st.just("[]"), CONDITIONS.map(lambda each: f"[{each}]")
        )
    )


@st.composite
def tags(draw, close="/>"):
    task = draw(FLAT_OR_NESTED)
    value = draw(st.sampled_from(["", '="A"', '="B-C|ü"']))
    return f"<{task}{value}{close}"


class Names:
    """Names of captures, each of which is used once."""

    def __init__(self):
        self.n = 0

    def __call__(self, draw):
        if self.n == 3 or draw(st.booleans()):
            return ""
        self.n += 1
        return f"n{self.n}:"


def draw_relation(draw, names, depth):
    task, chains = draw(
        st.sampled_from([("", True), ("srl.", False), ("link.", False)])
    )
    arrow = draw(st.sampled_from([">", "<"]))
    if chains and draw(st.booleans()):
        arrow *= 2
    label = draw(st.sampled_from(["A", "/A|ü/", ""]))
    negated = draw(st.integers(0, 5)) == 0
    name = "" if negated else names(draw)
    start = draw(st.one_of(words(), tags()))
    inner = ""
    if depth < 2 and not negated and draw(st.booleans()):
        inner = " " + draw_relation(draw, names, depth + 1)
    target = f"({start}{inner})" if inner else start
    optional = "" if negated or draw(st.integers(0, 3)) else "?"
    return f"{'!' * negated}{arrow}{task}{label} {name}{target}{optional}"


def draw_element(draw, names, depth):
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(tags(close=">")) if depth else draw(words())
    if kind == 1 and depth:
        return draw(tags(close=">")).replace("<", "</")
    if kind == 2 and depth < 2:
        tag = draw(tags(close=">"))
        task = tag[1:].split("=")[0].rstrip(">")
        return f"{tag} {draw_sequence(draw, names, depth + 1)} </{task}>"
    name = names(draw)
    if kind <= 4 and depth < 2:
        parts = [draw_sequence(draw, names, depth + 1)]
        if draw(st.booleans()):
            parts.append(draw_sequence(draw, names, depth + 1))
        unit = f"({' | '.join(parts)})"
    elif kind == 5:
        unit = draw(tags())
    else:
        unit = draw(words())
        if draw(st.integers(0, 2)) == 0:
            return f"{name}{unit} {draw_relation(draw, names, 0)}"
    quantifier = draw(
        st.sampled_from(["", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,}"])
    )
    return f"{name}{unit}{quantifier}"


def draw_sequence(draw, names, depth):
    n = draw(st.integers(1, 3 if depth == 0 else 2))
    return " ".join(draw_element(draw, names, depth) for _ in range(n))


@st.composite
def patterns(draw):
    names = Names()
    text = draw_sequence(draw, names, 0)
    if draw(st.integers(0, 4)) == 0:
        text += f" within {draw(tags())}"
    if names.n >= 2 and draw(st.booleans()):
        left, right = draw(st.permutations(range(1, names.n + 1)))[:2]
        condition = draw(
            st.sampled_from(
                ["n{}.pos = n{}.pos", "n{}.dep != n{}.pos", "n{} < n{}", "n{} > n{}"]
            )
        )
        text += " & " + condition.format(left, right)
    return text


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(documents(all_tasks=True), patterns())
def test_it_finds_what_a_naive_matcher_finds(document, text):
    try:
        query = parse(text)
    except PatternError as error:
        assume("no regular expression" in str(error) or "needs a word" in str(error))
        return
    found = [
        (
            match.start,
            match.end,
            {name: (span.start, span.end) for name, span in match.captures.items()},
        )
        for match in document.search(Pattern(text))
    ]
    assert found == NaiveSearch(document, query).matches()
