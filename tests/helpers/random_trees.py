"""Random trees for property tests."""

from hypothesis import strategies as st

from senna_py.labels.trees import TOP, Leaf, Tree

# No blanks, and nothing that reads as an escaped bracket or slash.
words = st.text(
    st.characters(exclude_characters="\t\n\v\f\r ", exclude_categories=()), min_size=1, max_size=6
).filter(lambda word: "-" not in word and "\\" not in word)
leaves = st.builds(Leaf, words, st.sampled_from(["NN", "VB", ",", "-LRB-", "."]))
labels = st.sampled_from(["S", "NP", "VP", "PP", "ADVP", "PRT"])


def _phrases(children):
    return st.builds(Tree, labels, st.lists(children, min_size=1, max_size=4).map(tuple))


nodes = st.recursive(leaves, _phrases, max_leaves=25)
trees = st.builds(Tree, st.just(TOP), st.lists(nodes, min_size=1, max_size=4).map(tuple))


def deep_tree(depth):
    """A tree as deep as a sentence is long, and one with a chain as deep over a single word."""
    left = right = Leaf("w", "NN")
    for _ in range(depth):
        right = Tree("NP", (Leaf("w", "NN"), right))
        left = Tree("S", (left,))
    return Tree(TOP, (right, left))
