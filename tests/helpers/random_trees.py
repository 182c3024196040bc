"""Random trees for property tests."""

from hypothesis import strategies as st

from senna_py.labels.brackets import BRACKETS, bracket_text
from senna_py.labels.tag_schemes import encode
from senna_py.labels.tree_keys import constituents_of_tree
from senna_py.labels.trees import TOP, Leaf, Tree

# No blanks, and nothing that reads as an escaped bracket or slash.
words = st.text(
    st.characters(exclude_characters="\t\n\v\f\r ", exclude_categories=()),
    min_size=1,
    max_size=6,
).filter(lambda word: "-" not in word and "\\" not in word)
leaves = st.builds(Leaf, words, st.sampled_from(["NN", "VB", ",", "-LRB-", "."]))
labels = st.sampled_from(["S", "NP", "VP", "PP", "ADVP", "PRT"])


def _phrases(children):
    return st.builds(
        Tree, labels, st.lists(children, min_size=1, max_size=4).map(tuple)
    )


nodes = st.recursive(leaves, _phrases, max_leaves=25)
trees = st.builds(
    Tree, st.just(TOP), st.lists(nodes, min_size=1, max_size=4).map(tuple)
)


def deep_tree(depth):
    """A tree as deep as a sentence is long, and one with a chain as deep over a single
    word.
    """
    left = right = Leaf("w", "NN")
    for _ in range(depth):
        right = Tree("NP", (Leaf("w", "NN"), right))
        left = Tree("S", (left,))
    return Tree(TOP, (right, left))


def levels_of_tree(tree):
    """IOBES tags of the constituents of each level, those that hold words only
    first.
    """
    levels = []
    inner = constituents_of_tree(tree)
    while inner:
        lowest = [a for a in inner if not any(_holds(a, b) for b in inner)]
        levels.append(encode(lowest, len(tree.leaves), "iobes"))
        inner = [each for each in inner if each not in lowest]
    return levels


def _holds(a, b):
    return a is not b and a.begin <= b.begin and b.end <= a.end


def bits_of(tree):
    """Parse bits of a tree: a list of str."""
    opened, closed = ([""] * len(tree.leaves) for _ in range(2))
    for label, begin, end in tree.phrases:
        opened[begin] += f"({label}"
        closed[end - 1] += ")"
    return [f"{a}*{b}" for a, b in zip(opened, closed, strict=True)]


def format_tree(tree):
    """Bracketed text of a tree on one line, with the brackets in words as the Treebank
    has them.
    """
    escape = str.maketrans(BRACKETS)
    escaped = [
        Leaf(word.translate(escape), tag.translate(escape)) for word, tag in tree.leaves
    ]
    return bracket_text(escaped, tree.phrases)
