"""Dev figures of probabilities of tags, roles and constituents."""

import numpy as np
import torch
from inputs import batches_of, make_batch
from network import WORD_TASKS, Asked, all_spans, rounding

from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.roles import score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.evaluation.trees import TreePair, score_trees
from senna_py.labels.brackets import Phrase
from senna_py.labels.tag_schemes import segments
from senna_py.labels.tasks import PREDICATE
from senna_py.labels.tree_keys import phrases_of_label
from senna_py.labels.trees import TOP, build_tree
from senna_py.networks.answers import LEAST_SHARE
from senna_py.networks.chart import LEAST

SEGMENTS = ("chk", "ner", "pt0", "srl")
MARKS_MISC, FOUR_TYPES = ("wikigold",), ("conll2003",)  # groups of dev


def transitions(tags):
    """Which IOBES tags may follow each, float32[n, n], begin and end a sentence, float32[n].

    What may not be is -10,000, what may is 0.
    """

    def follows(a, b):
        (p, _, kind), (q, _, other) = a.partition("-"), b.partition("-")
        return q in "IE" and kind == other if p in ("B", "I") else q in ("B", "S", "O")

    step = np.array([[follows(a, b) for b in tags] for a in tags])
    ends = [[t[0] not in "IE" for t in tags], [t[0] not in "BI" for t in tags]]
    return tuple(np.where(may, 0, -1e4).astype(np.float32) for may in (step, *ends))


def best_tags(shares, tags, moves):
    """The best sequence of IOBES tags; shares: float32[n, n_tags]; moves: see transitions."""
    step, begin, end = moves
    scores = np.log(np.maximum(shares, 1e-9))
    best, back = scores[0] + begin, []
    for row in scores[1:]:
        paths = best[:, None] + step
        back.append(paths.argmax(0))
        best = paths.max(0) + row
    found = [int((best + end).argmax())]
    for source in reversed(back):
        found.append(int(source[found[-1]]))
    return [tags[k] for k in reversed(found)]


def best_spans(gain, n):
    """Spans that make a tree and have the largest sum of gains, {(first, last)}.

    gain: {span: float}.
    """
    gain = {span: value for span, value in gain.items() if value > 0}
    starts = sorted(gain, key=lambda span: span[1] - span[0])
    if not any(i < k <= j < m for i, j in starts for k, m in starts):
        return set(gain)
    best, cut = np.zeros((n, n)), np.zeros((n, n), int)
    for length in range(n):
        for i in range(n - length):
            j = i + length
            if length:
                parts = best[i, i:j] + best[i + 1 : j + 1, j]
                cut[i, j] = i + parts.argmax()
                best[i, j] = parts.max()
            best[i, j] += gain.get((i, j), 0.0)
    chosen, waiting = set(), [(0, n - 1)]
    while waiting:
        i, j = waiting.pop()
        if (i, j) in gain:
            chosen.add((i, j))
        if j > i and best[i, j] > 0:
            waiting += [(i, cut[i, j]), (cut[i, j] + 1, j)]
    return chosen


def best_tree(leaves, shares):
    """The Tree of shares {(first, last): {type: share}}."""
    top = {span: max(types, key=types.get) for span, types in shares.items()}
    n = len(leaves)
    chosen = best_spans({span: shares[span][kind] - LEAST for span, kind in top.items()}, n)
    if (0, n - 1) in top:
        chosen.add((0, n - 1))
    phrases = [Phrase(label, i, j + 1) for i, j in sorted(chosen, key=lambda s: (s[0], -s[1]))
               for label in phrases_of_label(top[i, j])]  # fmt: skip
    return build_tree(leaves, [Phrase(TOP, 0, n), *phrases])


class Shares:
    """Of a sentence: {task: float32[n, n_tags]}, {(first, last): {type: share}}, and {predicate:
    float32[n, n_tags]}; None for the last two if they are not known."""

    def __init__(self, words, spans=None, roles=None):
        """Keep them."""
        self.words, self.spans, self.roles = words, spans, roles


@torch.no_grad()
def shares_of(network, seen, predicates=None, sure=0.5, most=4000):
    """Yield the number of each sentence and its Shares, in any order.

    seen: list of inputs.Seen; predicates: of each sentence, beside the words that are one with a
    probability of `sure`; most: pieces of a batch.
    """
    network.eval()
    labels = network.labels
    verb = labels["vbs"].index(PREDICATE) if labels["vbs"] else None
    for numbers in batches_of([len(s.pieces) for s in seen], most):
        batch = make_batch([seen[k] for k in numbers])
        rows = range(len(numbers))
        spans = all_spans(rows if labels["psg"] else (), batch.lengths)
        with rounding():
            states = network.states(batch)
            scores = network.word_scores(states)
            found = [[False] * max(batch.lengths)] * len(numbers)
            if labels["vbs"]:
                found = (scores["vbs"].float().softmax(-1)[..., verb] >= sure).tolist()
            given = [predicates[k] if predicates else () for k in numbers]
            asked = [[i for i in range(n) if found[row][i] or i in given[row]]
                     for row, n in enumerate(batch.lengths)]  # fmt: skip
            pairs = torch.tensor([(row, i) for row in rows for i in asked[row]], dtype=torch.long)
            scores |= network.other_scores(states, scores, Asked(spans, pairs.reshape(-1, 2).T))
        scores = {task: value.float().softmax(-1) for task, value in scores.items()}
        trees = [None] * len(numbers)
        if labels["psg"]:
            trees = _constituents(scores["psg"][:, 1:], spans, len(numbers), labels["psg"])
        at = 0
        for row, n in enumerate(batch.lengths):
            roles = {p: scores["srl"][at + k, :n].numpy() for k, p in enumerate(asked[row])}
            at += len(asked[row])
            words = {task: scores[task][row, :n].numpy() for task in WORD_TASKS if task in scores}
            yield numbers[row], Shares(words, trees[row], roles)


def _constituents(shares, spans, n_sentences, types):
    """For each sentence {(first, last): {type: share}}; shares: float32[S, n_types]."""
    found = [{} for _ in range(n_sentences)]
    span, kind = (shares >= LEAST_SHARE).nonzero(as_tuple=True)
    places, values = spans[:, span].tolist(), shares[span, kind].tolist()
    for row, i, j, k, share in zip(*places, kind.tolist(), values, strict=True):
        found[row].setdefault((i, j), {})[types[k]] = share
    return found


class Scorer:
    """Counts what is right."""

    def __init__(self, labels):
        """labels: {task: list of str}, those of the columns of Shares."""
        self._labels, self._pairs = labels, {}
        self._moves = {task: transitions(labels[task]) for task in SEGMENTS if task in labels}

    def add(self, sentence, shares):
        """Count a corpora.Sentence, of the tasks that its Shares are of."""
        for task in shares.words.keys() & sentence.tags.keys():
            pair = self._tags(task, sentence, shares.words[task])
            if task == "ner" and sentence.group not in FOUR_TYPES:
                if sentence.group in MARKS_MISC:
                    self._add("ner, MISC", sentence, [_without(tags, False) for tags in pair])
                pair = [_without(tags, True) for tags in pair]
            self._add(task, sentence, pair)
        if sentence.tree and shares.spans is not None:
            tree = best_tree(sentence.tree.leaves, shares.spans)
            self._add("psg", sentence, TreePair(sentence.tree, tree))
        if sentence.roles is not None and shares.roles is not None:
            gold = {p: segments(tags) for p, tags in sentence.roles.items()}
            found = {p: segments(best_tags(rows, self._labels["srl"], self._moves["srl"]))
                     for p, rows in shares.roles.items()}  # fmt: skip
            self._add("srl", sentence, (gold, {p: found[p] for p in gold}))
            if "vbs" in shares.words:
                verbs = self._tags("vbs", sentence, shares.words["vbs"])[1]
                found = {p: each for p, each in found.items() if verbs[p] == PREDICATE}
                self._add("srl, predicates found", sentence, (gold, found))

    def _add(self, name, sentence, pair):
        self._pairs.setdefault((name, sentence.group), []).append(pair)

    def _tags(self, task, sentence, rows):
        """Gold and predicted tags."""
        labels = self._labels[task]
        if task in SEGMENTS:
            return sentence.tags[task], best_tags(rows, labels, self._moves[task])
        return sentence.tags[task], [labels[k] for k in rows.argmax(-1)]

    def figures(self):
        """{(task, group): accuracy or F1}."""
        return {key: _figure(key[0], pairs) for key, pairs in sorted(self._pairs.items())}


def _without(tags, misc):
    """Tags of entities without MISC, or else without the other types."""
    return ["O" if tag.endswith("-MISC") == misc else tag for tag in tags]


def score_dev(network, read, sentences):
    """The figures of a network; read: inputs.Reader, sentences: those of dev."""
    scorer, seen = Scorer(network.labels), [read(s.words) for s in sentences]
    for number, shares in shares_of(network, seen, [s.roles or () for s in sentences]):
        scorer.add(sentences[number], shares)
    return scorer.figures()


def _figure(task, pairs):
    if task == "pos":
        return score_tokens(pairs).accuracy
    if task == "vbs":
        return score_tokens(pairs).labels[PREDICATE].f1
    if task.startswith("srl"):
        return score_roles(pairs).overall.f1
    if task == "psg":
        return score_trees(pairs).totals.brackets.f1
    return score_chunks(pairs).overall.f1
