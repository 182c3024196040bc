"""Levels of parse trees, as networks find them, and as keys."""

from itertools import accumulate, chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.labels.parse_bits import level_tags
from senna_py.labels.tag_schemes import segments
from senna_py.labels.trees import Leaf, Phrase, Tree, build_tree
from tests.helpers.random_trees import bits_of, deep_tree, levels_of_tree, trees
from tests.helpers.tree_layers import layer_of_spans, phrases_of


def phrases(*bits, level=0):
    return segments(level_tags(list(bits), level))


@pytest.mark.parametrize(
    ("bits", "expected"),
    [
        # A phrase that a deeper one interrupts gives two segments.
        ("(S(NP* (PP*) *) *)", [("NP", 0, 1), ("PP", 1, 2), ("NP", 2, 3)]),
        ("(S(NP* *) (NP*) *)", [("NP", 0, 2), ("NP", 2, 3)]),  # neighbours are apart
        *(
            (f"(S({label}*) *)", [("NP", 0, 1)])
            for label in ("NP-SBJ", "NP=2", "NP-SBJ-1", "NP|X")
        ),
        ("(S(-LRB-*) *)", [("-LRB-", 0, 1)]),
    ],
)
def test_deepest_phrases(bits, expected):
    assert phrases(*bits.split()) == expected


@pytest.mark.parametrize("root", ["(TOP", "("])
def test_words_under_the_root_are_outside(root):
    assert level_tags([f"{root}(S*", "(NP*)", "*))"], 0) == ["O", "B-NP", "O"]
    assert level_tags(["*", "*"], 0) == ["O", "O"]


@pytest.mark.parametrize(
    ("bits", "token", "problem"),
    [
        (["(S(NP*", "*)"], 1, "expected S to end"),
        (["(S*)", "*)"], 1, "expected at most 0 closing brackets"),
        (["(S*", "NP", "*)"], 1, "found 'NP'"),
        (["(S*(", "*)"], 0, "found"),
        (["-"], 0, "found '-'"),
    ],
)
def test_malformed_bits(bits, token, problem):
    with pytest.raises(ValueError, match=r"open|end|found") as error:
        level_tags(bits, 0)
    assert error.value.args[0] == token
    assert problem in error.value.args[1]


# The luxury auto maker last year sold 1,214 cars in the U.S. (Figure 6)
FIGURE = [
    "(S(NP*",
    "*",
    "*",
    "*)",
    "(NP*",
    "*)",
    "(VP*",
    "(NP*",
    "*)",
    "(PP*",
    "(NP*",
    "*))))",
]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (
            0,
            [
                ("NP", 0, 4),
                ("NP", 4, 6),
                ("VP", 6, 7),
                ("NP", 7, 9),
                ("PP", 9, 10),
                ("NP", 10, 12),
            ],
        ),
        (1, [("VP", 6, 9), ("PP", 9, 12)]),
        (2, [("VP", 6, 12)]),
        (3, []),
        (4, []),
    ],
)
@pytest.mark.parametrize("top", [False, True])
def test_the_example_of_the_paper(level, expected, top):
    bits = [f"(TOP{FIGURE[0]}", *FIGURE[1:-1], f"{FIGURE[-1]})"] if top else FIGURE
    assert phrases(*bits, level=level) == expected


@pytest.mark.parametrize(
    ("bits", "expected"),
    [
        # A phrase stays as long as its deepest phrase is there.
        (
            "(S(NP(NP* *) (PP* (NP*))) (VP*))",
            [[("NP", 0, 2), ("PP", 2, 4)], [("NP", 0, 4)], []],
        ),
        # A segment is split by a phrase that stays.
        (
            "(S(VP* (NP(NP*) (NP*)) * (NP*)))",
            [[("VP", 0, 1), ("NP", 1, 3), ("VP", 3, 5)]],
        ),
        ("(S(NP(QP*)) *)", [[("NP", 0, 1)], []]),  # phrases of one child go one by one
    ],
)
def test_deepest_phrases_of_higher_levels(bits, expected):
    for level, segments_there in enumerate(expected, 1):
        assert phrases(*bits.split(), level=level) == segments_there


def trim(tree):
    """A tree without the phrases that hold no other."""
    out = []
    for child in tree.children:
        is_leaf = isinstance(child, Leaf) or not any(
            isinstance(c, Tree) for c in child.children
        )
        out += getattr(child, "children", [child]) if is_leaf else [trim(child)]
    return Tree(tree.label, tuple(out))


@given(trees, st.integers(1, 4))
def test_a_level_is_level_0_of_the_trimmed_tree(tree, level):
    trimmed = tree
    for _ in range(level):
        trimmed = trim(trimmed)
    assert level_tags(bits_of(tree), level) == level_tags(bits_of(trimmed), 0)


@given(st.lists(st.text("()*NP-", max_size=6), min_size=1, max_size=5))
def test_anything_gives_tags_or_the_token(bits):
    try:
        assert len(level_tags(bits, 0)) == len(bits)
    except ValueError as error:
        assert 0 <= error.args[0] < len(bits)


def layer_of(sentences):
    """The layer of a list of Tree, as networks give it, and where sentences start."""
    levels = [levels_of_tree(tree) for tree in sentences]
    tags = {tag for each in levels for level in each for tag in level} - {"O"}
    types = sorted({tag[2:] for tag in tags})
    brackets = ["", *chain(*([f"({t}", "", "", f"({t}"] for t in types))]
    lengths = [len(tree.leaves) for tree in sentences]
    starts = [0, *accumulate(lengths)]
    rows = [
        (first + begin, first + end, types.index(label), number)
        for first, each in zip(starts, levels, strict=False)
        for number, level in enumerate(each)
        for label, begin, end in segments(level)
    ]
    return layer_of_spans(rows, brackets, starts), starts


@given(st.lists(trees, min_size=1, max_size=4))
def test_what_a_network_gives_is_the_tree_again(sentences):
    layer, starts = layer_of(sentences)
    found = phrases_of(layer, starts)
    for tree, phrases in zip(sentences, found, strict=True):
        n = len(tree.leaves)
        whole = any((begin, end) == (0, n) for _, begin, end in tree.phrases[1:])
        around = [] if whole else [Phrase("S", 0, n)]
        assert phrases == [Phrase("S1", 0, n), *around, *tree.phrases[1:]]
        assert build_tree(tree.leaves, phrases).leaves == tree.leaves


def test_deep_trees():
    tree = deep_tree(30)
    (phrases,) = phrases_of(*layer_of([tree]))
    assert phrases[2:] == tree.phrases[1:]


def test_sentences_without_constituents_or_words():
    starts = [0, 1, 1, 3]
    layer = layer_of_spans([(1, 3, 0, 0)], ["", "(A", "", "", "(A"], starts)
    assert phrases_of(layer, starts) == [
        [("S1", 0, 1), ("S", 0, 1)],
        [("S1", 0, 0), ("S", 0, 0)],
        [("S1", 0, 2), ("A", 0, 2)],
    ]


@pytest.mark.parametrize(
    "brackets",
    [
        ["(O)", "A", "(I", "((", "((", ")B", "(B", "(((", "( )"],
        ["", "()", ")", "", "(\n", "(B", "", "", ""],
    ],
)
def test_whatever_brackets_labels_have_in_a_damaged_model(brackets):
    rows = [(0, 2, 0, 0), (2, 3, 1, 0), (0, 3, 1, 1)]
    (phrases,) = phrases_of(layer_of_spans(rows, brackets, [0, 3]), [0])
    tree = build_tree([Leaf("a", "X")] * 3, phrases)
    assert tree.phrases == phrases
    assert Tree.parse(str(tree)).leaves == tree.leaves
