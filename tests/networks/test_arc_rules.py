"""Trees that follow the guidelines of Universal Dependencies."""

import numpy as np
import pytest

from senna_py.labels.dependencies import depths
from senna_py.labels.dependency_rules import DependencyRules, follow_guidelines
from senna_py.layers.biaffine import score_blocks
from senna_py.networks.arc_rules import LawfulArcs

NAMES = (
    *("root", "nsubj", "nsubj:outer", "obj", "iobj", "advmod", "aux", "cop", "punct"),
    *("conj", "fixed", "case", "det", "nmod", "dep", "obl"),
)
UPOS = ["NOUN", "VERB", "AUX", "ADV", "PUNCT", "ADP"]
RULES = DependencyRules(NAMES)
ROOT, NSUBJ, OUTER, OBJ, IOBJ, ADVMOD, AUX = range(7)
PUNCT, CONJ, FIXED = map(NAMES.index, ("punct", "conj", "fixed"))


def lawful(heads, labels, upos=None, arcs=None, second=None):
    """Return the heads and relations of words after the rules were applied.

    Args:
        heads: The index of each word's head, or -1.
        labels: The relations, which have the score 3, and all others 0.
        upos: The parts of speech, if they restrict relations.
        arcs: The scores of arcs, float[n, n + 1]; by default, 1 for the heads.
        second: Relations with the score 2.
    """
    n = len(heads)
    starts = np.array([0, n], np.int32)
    relations = np.zeros((n, len(NAMES)), np.float32)
    relations[np.arange(n), labels] = 3
    if second is not None:
        relations[np.arange(n), second] += 2
    if arcs is None:
        arcs = np.zeros((n, n + 1), np.float32)
        arcs[np.arange(n), np.array(heads) + 1] = 1
    table, classes = np.ones((1, len(NAMES)), bool), np.zeros(n, np.int32)
    if upos is not None:
        table = RULES.allowed(UPOS)
        classes = np.array([UPOS.index(tag) for tag in upos], np.int32)
    scores = np.array(arcs, np.float32).reshape(-1)
    found = LawfulArcs(
        RULES,
        starts,
        scores,
        np.array(heads, np.int32),
        relations.copy(),
        table,
        classes,
    )
    found.apply(lambda words, head: relations[words])
    return found.head.tolist(), [NAMES[label] for label in found.label]


def test_they_are_rules_of_universal_dependencies():
    assert follow_guidelines(NAMES)
    assert not follow_guidelines(["ROOT", "SBJ"])


def test_stanford_dependencies_are_not_universal():
    shared = ["root", "nsubj", "punct", "det", "amod", "cc", "conj", "advmod", "aux"]
    assert not follow_guidelines([*shared, "dobj", "pobj", "prep", "nn", "poss"])
    assert follow_guidelines([*shared, "obj", "obl:tmod", "case"])


def test_a_tree_that_breaks_no_rule_stays():
    heads, labels = [1, -1, 1, 1], [NSUBJ, ROOT, OBJ, PUNCT]
    found = lawful(heads, labels, ["NOUN", "VERB", "NOUN", "PUNCT"])
    assert found == (heads, ["nsubj", "root", "obj", "punct"])


def test_one_subject_and_one_object():
    heads, labels = [2, 2, -1, 2, 2], [NSUBJ, NSUBJ, ROOT, OBJ, OBJ]
    second = [OBJ, OUTER, ROOT, IOBJ, ADVMOD]
    _, found = lawful(heads, labels, second=second)
    # The least certain ones change, to relations that are not taken.
    assert found == ["nsubj", "nsubj:outer", "root", "obj", "advmod"]


def test_relations_go_with_parts_of_speech():
    heads, labels = [2, 2, -1], [ADVMOD, AUX, ROOT]
    second = [OBJ, ADVMOD, OBJ]
    _, found = lawful(heads, labels, ["NOUN", "ADV", "VERB"], second=second)
    assert found == ["obj", "advmod", "root"]
    _, found = lawful([1, -1], [NSUBJ, ROOT], ["PUNCT", "PUNCT"])
    assert found == ["punct", "root"]


def test_a_fixed_expression_has_another_part_of_speech():
    _, found = lawful([2, 0, -1], [ADVMOD, FIXED, ROOT], ["ADP", "ADP", "VERB"])
    assert found == ["advmod", "fixed", "root"]


def test_heads_of_some_relations_come_first():
    _, found = lawful([1, -1], [CONJ, ROOT], second=[NSUBJ, ROOT])
    assert found == ["nsubj", "root"]


def test_function_words_have_no_objects():
    heads, labels = [1, 2, -1], [OBJ, AUX, ROOT]
    # The dependent moves, as the arc is less certain than the relation.
    assert lawful(heads, labels) == ([2, 2, -1], ["obj", "aux", "root"])
    # The relation changes, as it is less certain than the arc.
    arcs = [[0, 0, 9, 0], [0, 0, 0, 9], [9, 0, 0, 0]]
    found = lawful(heads, labels, arcs=arcs, second=[OBJ, ADVMOD, ROOT])
    assert found == ([1, 2, -1], ["obj", "advmod", "root"])


def test_punctuation_crosses_nothing():
    # Word 1 depends on 3 across word 2, a mark that depends on word 0.
    heads, labels = [-1, 3, 0, 0], [ROOT, NSUBJ, PUNCT, OBJ]
    arcs = np.zeros((4, 5))
    arcs[2, 1:] = [5, 1, 0, 2]
    found, _ = lawful(heads, labels, arcs=arcs)
    assert found == [-1, 3, 3, 0]


@pytest.mark.parametrize("seed", range(30))
def test_trees_stay_trees_and_sentences_are_independent(seed):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 12, 3)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    sizes = [n * (n + 1) for n in lengths]
    arcs = rng.normal(size=sum(sizes)).astype(np.float32)
    heads, upos = [], rng.integers(0, len(UPOS), starts[-1])
    for n in lengths:
        order = rng.permutation(n)
        above = np.empty(n, int)
        for k, word in enumerate(order):
            above[word] = order[rng.integers(k)] if k else -1
        heads += above.tolist()
    relations = rng.normal(size=(starts[-1], len(NAMES))).astype(np.float32)
    table = RULES.allowed(UPOS)

    def apply(first, last):
        begin, end = starts[first], starts[last]
        bounds = np.append(0, np.cumsum(sizes))
        of_some = relations[begin:end]
        found = LawfulArcs(
            RULES,
            starts[first : last + 1] - begin,
            arcs[bounds[first] : bounds[last]],
            np.array(heads[begin:end], np.int32),
            of_some.copy(),
            table,
            upos[begin:end].astype(np.int32),
        )
        found.apply(lambda words, head: of_some[words])
        return found

    found = apply(0, 3)
    for s in range(3):
        rows = slice(starts[s], starts[s + 1])
        tree = found.head[rows].tolist()
        assert tree.count(-1) == 1 and None not in depths(tree)
        alone = apply(s, s + 1)
        assert alone.head.tolist() == tree
        assert alone.label.tolist() == found.label[rows].tolist()
    roots = found.head < 0
    assert (found.rules.is_root[found.label] == roots).all()
    assert len([*score_blocks(arcs, starts)]) == 3
