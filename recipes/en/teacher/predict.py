"""Predictions of teachers: the mean of the probabilities of several networks."""

from collections import defaultdict
from typing import NamedTuple

import corpora
import numpy as np
import torch
from inputs import Inputs, batches_of, put
from network import WORD_TASKS, all_spans, rounding

from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.roles import score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.labels.tag_schemes import segments
from senna_py.labels.tasks import PREDICATE

SURE = 0.5  # probability from which on a word is a predicate


class Found(NamedTuple):
    """Probabilities of a Batch with S spans and P predicates.

    mask: bool[B, N], where there is a word
    words: {task: [B, N, n]}
    spans, phrases: int64[3, S], and [S, 1 + n], of which the first is "none"
    predicates, roles: int64[2, P], and [P, N, n]
    head: int64[B, N], 0 for the root; with it its probability and its likeliest relation
    """

    mask: torch.Tensor
    words: dict
    spans: torch.Tensor
    phrases: torch.Tensor
    predicates: torch.Tensor
    roles: torch.Tensor
    head: torch.Tensor
    share: torch.Tensor
    relation: torch.Tensor


def _mean(scores):
    return sum(each.softmax(-1) for each in scores) / len(scores)


@torch.no_grad()
def mean(networks, batch, given=None):
    """Return the Found of a Batch.

    given: int64[2, P], predicates besides the words that are predicates with a probability
        of at least SURE
    """
    with rounding():
        states = [network.states(batch) for network in networks]
        each = list(zip(networks, states, strict=True))
        scores = [network.words(its) for network, its in each]
        words = {task: _mean([its[task] for its in scores]) for task in WORD_TASKS}
        verb = networks[0].labels["vbs"].index(PREDICATE)
        is_one = (words["vbs"][..., verb] >= SURE) & batch.mask
        if given is not None:
            is_one[tuple(given)] = True
        predicates, spans = is_one.nonzero().T, all_spans(batch.mask)
        phrases = [network.phrases(its, spans) for network, its in each]
        roles = _mean(
            [
                network.roles(its, predicates, own["pos"], spans, its_phrases)
                for (network, its), own, its_phrases in zip(
                    each, scores, phrases, strict=True
                )
            ]
        )
        arcs = [(network.heads["dep"], its["dep"]) for network, its in each]
        share, head = _mean([arc.heads(x, batch.mask) for arc, x in arcs]).max(-1)
        relation = _mean([arc.relations(x, head) for arc, x in arcs]).argmax(-1)
    phrases = _mean(phrases)
    return Found(
        batch.mask, words, spans, phrases, predicates, roles, head, share, relation
    )


def dev_figures(networks, read, sentences, most=4000):
    """Return accuracy or F1 for each task and corpus, as text.

    Each word gets its likeliest label, so tags need not follow each other, and heads need
    not form a tree. For roles, the predicates are given. MISC counts only in Wikigold, as a
    score of its own. `sentences` come from corpora.
    """
    inputs, pairs = Inputs([s.words for s in sentences], read), defaultdict(list)
    for rows in batches_of(inputs.pieces.length, most):
        chosen = [sentences[row] for row in rows]
        given = [(k, p) for k, s in enumerate(chosen) for p in s.roles or ()]
        given = put(np.array(given, int).reshape(-1, 2).T)
        found = mean(networks, inputs.batch(rows), given)
        for name, group, pair in _pairs(found, chosen, networks[0].labels):
            pairs[name, group].append(pair)
    lines = defaultdict(list)
    for (name, group), each in sorted(pairs.items()):
        lines[name].append(f"{group} {_figure(name, each):.2f}")
    return "\n".join(f"dev {name}: {', '.join(each)}" for name, each in lines.items())


def _pairs(found, sentences, labels):
    """Yield a task, a corpus, and gold and predicted labels, for each sentence of a
    batch.
    """
    best = {task: shares.argmax(-1).tolist() for task, shares in found.words.items()}
    kind = found.phrases.argmax(-1)
    phrases = [set() for _ in sentences]
    spans = torch.cat([found.spans, kind[None]])[:, kind > 0]
    for row, i, j, k in spans.T.tolist():
        phrases[row].add((i, j, labels["psg"][k - 1]))
    roles = [{} for _ in sentences]
    tags = found.roles.argmax(-1).tolist()
    for (row, p), its in zip(found.predicates.T.tolist(), tags, strict=True):
        roles[row][p] = [labels["srl"][k] for k in its]
    heads, relations = found.head.tolist(), found.relation.tolist()
    types = corpora.types_of(labels["psg"])
    for row, s in enumerate(sentences):
        n = len(s.words)
        mine = {
            task: [labels[task][k] for k in best[task][row][:n]] for task in WORD_TASKS
        }
        gold = s.tags | ({"upos": s.dep[2]} if s.dep else {})
        for task in gold:
            if task != "ner":
                yield task, s.group, (gold[task], mine[task])
        if s.options:
            pair = s.tags["ner"], mine["ner"]
            yield "ner", s.group, [_without(tags, True) for tags in pair]
            if s.group == "wikigold":
                yield "ner, MISC", s.group, [_without(tags, False) for tags in pair]
        if s.tree:
            tree = corpora.constituents(s.tree, types)
            yield (
                "psg",
                s.group,
                ({(*span, labels["psg"][k]) for span, k in tree}, phrases[row]),
            )
        if s.roles is not None:
            both = s.roles, {p: roles[row][p][:n] for p in s.roles}
            yield (
                "srl",
                s.group,
                [{p: segments(x) for p, x in each.items()} for each in both],
            )
        if s.dep:
            arcs = list(zip(map(int, s.dep[0]), s.dep[1], strict=True))
            names = [labels["rel"][k] for k in relations[row][:n]]
            its = list(zip(heads[row], names, strict=False))
            yield "las", s.group, (arcs, its)
            yield "uas", s.group, ([h for h, _ in arcs], [h for h, _ in its])


def _without(tags, misc):
    """Return tags of entities without MISC, or without all other types."""
    return ["O" if tag.endswith("-MISC") == misc else tag for tag in tags]


def _figure(name, pairs):
    if name == "srl":
        return score_roles(pairs).overall.f1
    if name == "psg":
        both = sum(len(gold & found) for gold, found in pairs)
        return 200 * both / max(1, sum(len(gold) + len(found) for gold, found in pairs))
    if name in ("chk", "pt0") or name.startswith("ner"):
        return score_chunks(pairs).overall.f1
    if name == "vbs":
        return score_tokens(pairs).labels[PREDICATE].f1
    same = [a == b for gold, found in pairs for a, b in zip(gold, found, strict=True)]
    return 100 * sum(same) / len(same)
