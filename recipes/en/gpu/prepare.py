"""Make the arrays that train.py reads.

usage: prepare.py CORPORA MODEL OUT [SENTENCES]    (recipes/en/teacher on PYTHONPATH)

CORPORA is described in recipes/README.md. It has {ewt,gum}/train.conllu, running text
that teachers labeled in labels/, and the output of everyday.py, tweets.py and
hyphens.py of recipes/en. The words, lists and word classes of MODEL are used. With
SENTENCES, only so many sentences of the text and of the corpora are read, to try the
script. Running text comes first, then the corpora. Labels of words have numbers of
their own: the labels of one task come after those of another.
"""

import json
from collections import Counter
from pathlib import Path

import corpora
import numpy as np
from labels import OF_OTHERS as MOST
from labels import Labels

from senna_py.cli.scripts import run_script
from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch, TrainingTokens
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.layers.lookup import dense
from senna_py.models.native import NativeModel
from senna_py.text.tokenizer import Tokenizer

# Tables of one width stand together, so that one look-up serves them all.
GROUPS = {
    15: ["suffix.3", "suffix.4", "suffix.5", "class.brown.20"],
    10: [
        "shape",
        "suffix.1",
        "suffix.2",
        "prefix.2",
        "prefix.3",
        "prefix.4",
        "class.brown.10",
    ],
    5: ["caps", "prefix.1", "class.casing", "class.brown.4", "class.brown.6"],
}
LISTS = "location", "organisation", "first", "last", "misc"
OF_SENTENCE = ["sentence.caps", *(f"gazetteer.{name}" for name in LISTS)]
# Sentences that everyday.py, tweets.py and hyphens.py made.
MADE = [
    corpora.Source("made", "everyday/pos.tsv", "word pos", "pos", times=0.5),
    corpora.Source("made", "tweets/pos.tsv", "word pos", "pos", times=0.5),
    corpora.Source("made", "everyday/chk.tsv", "word - chk", "chk", times=0.5),
    corpora.Source(
        "made", "conll2000/hyphens.txt", "word - chk", "chk", (0.0, 0.9), 0.5
    ),
]
WORD = "pos", "chk", "ner", "pt0", "vbs", "upos", "val", "feats"
MIN_COUNT, MIN_FEATS, LONGEST = 5, 4, 100


def starts(counts):
    """Return where pieces of some lengths begin, and where the last one ends."""
    return np.append(0, np.cumsum(np.asarray(counts, np.int64)))


def features(model, sentences):
    """Return rows of tables for each form and sentence, and the keys of the tables."""
    resources = {
        place: {name: model.resource(place, name) for name in model.resources(place)}
        for place in RESOURCES
    }
    tokens, vocabularies = Tokenizer(model.words).pretokenized(sentences), {}
    names = [name for group in GROUPS.values() for name in group]
    for name in [*names, *OF_SENTENCE]:
        feature = find_feature(name)
        resource_type = feature.resource_type
        resource = resource_type and resources[resource_type.place][feature.resource]
        given = TrainingTokens(
            tokens, MIN_COUNT, resource, {"gazetteer_places": True}, ()
        )
        vocabularies[name] = feature.vocabulary(given)
    own = Assembly(OF_SENTENCE, vocabularies, resources)(Batch(tokens))
    number = {}
    form = np.array(
        [number.setdefault(w, len(number)) for s in sentences for w in s], np.int32
    )
    forms = Tokenizer(model.words).pretokenized([[word] for word in number])
    rows = Assembly(["word", *names], vocabularies, resources)(Batch(forms))
    arrays = {f"types.{name}": rows[:, k] for k, name in enumerate(["word", *names])}
    arrays |= {
        "form": form,
        "own": own.astype(np.uint8),
        "len": [len(s) for s in sentences],
    }
    return arrays, {name: list(v.keys()) for name, v in vocabularies.items()}


def of_text(labels, n_text, offset):
    """Return the arrays of what teachers say about the first `n_text` sentences."""
    begin = starts([len(s) for s in labels.sentences[:n_text]])
    n = int(begin[-1])
    out = {
        name: labels[key][:n]
        for name, key in (
            ("head", "dep.head"),
            ("rel", "dep.relation"),
            ("dep.share", "dep.share"),
        )
    }
    best, share = (
        np.zeros((n, len(WORD)), np.int16),
        np.zeros((n, len(WORD)), np.float16),
    )
    at, label, its = [], [], []
    for k, task in enumerate(WORD[:-1]):  # teachers know no features
        best[:, k], rest = labels[f"{task}.best"][:n], np.ones(n, np.float32)
        if task != "val":  # the other labels that a word may have
            of = np.cumsum(labels[f"{task}.other.gap"].astype(np.int64))
            of = of[: np.searchsorted(of, n)]
            its.append(labels[f"{task}.other.share"][: len(of)] / np.float32(2 * MOST))
            rest -= np.bincount(of, its[-1], n)
            at.append(of)
            label.append(
                labels[f"{task}.other"][: len(of)].astype(np.int16) + offset[k]
            )
        share[:, k] = np.maximum(rest, 0.01)
    at, label, its = map(np.concatenate, (at, label, its))
    order = np.argsort(at, kind="stable")
    out |= {
        "best": best,
        "best.share": share,
        "open": np.zeros(n, np.uint8),
        "other.word": at[order],
        "other": label[order],
        "other.share": its[order],
        "other.start": np.searchsorted(at[order], begin),
    }
    at = np.cumsum(labels["psg.gap"].astype(np.int64))
    first = np.searchsorted(at, begin)
    at = at[: first[-1]] - np.repeat(begin[:-1], np.diff(first))
    size = labels["psg.words"][: len(at)]
    out |= {
        "span.begin": at,
        "span.end": at + size - 1,
        "span": labels["psg"][: len(at)],
        "span.share": labels["psg.share"][: len(at)],
        "span.start": first,
        "has_tree": np.ones(n_text, np.uint8),
    }
    at = np.cumsum(labels["srl.predicate.gap"].astype(np.int64))
    first = np.searchsorted(at, begin)
    of = np.cumsum(labels["srl.gap"].astype(np.int64))  # the predicate of each entry
    of = of[: np.searchsorted(of, first[-1])]
    sentence = np.repeat(np.arange(n_text), np.diff(first))
    out |= {
        "place": at[: first[-1]] - begin[sentence],
        "predicate.start": first,
        "role.predicate": of - first[sentence[of]],
        "role.word": labels["srl.word"][: len(of)],
        "role": labels["srl"][: len(of)],
        "role.share": labels["srl.share"][: len(of)],
        "role.start": np.searchsorted(of, first),
    }
    return out


def of_corpora(sentences, labels, types):
    """Return the same arrays for Sentences of corpora."""
    number = {
        task: {label: k for k, label in enumerate(names)}
        for task, names in labels.items()
    }
    n = sum(len(s.words) for s in sentences)
    best = np.full((n, len(WORD)), -1, np.int16)
    is_open, head, rel, share = (np.zeros(n, np.uint8) for _ in range(4))
    spans, places, roles, counts, first = [], [], [], [], 0
    for s in sentences:
        here, tags = (
            slice(first, first + len(s.words)),
            {k: v for k, v in s.tags.items() if k != "ner"},
        )
        if s.dep:
            head[here], relations = (
                s.dep[0],
                [number["rel"].get(x, -1) for x in s.dep[1]],
            )
            rel[here], share[here] = (
                np.maximum(relations, 0),
                MOST * (np.array(relations) >= 0),
            )
            tags |= {"upos": s.dep[2], "feats": s.dep[3]}
        for task in tags:
            best[here, WORD.index(task)] = [number[task].get(x, -1) for x in tags[task]]
        for i, options in enumerate(s.options or (), first):
            if options and len(options) == 1:
                best[i, WORD.index("ner")] = number["ner"][next(iter(options))]
            elif options:  # MISC or nothing
                is_open[i] = 1
        mine = corpora.constituents(s.tree, types) if s.tree else []
        spans += [(i, j, number) for (i, j), number in sorted(mine)]
        known = [
            (k, w, number["srl"][x])
            for k, p in enumerate(sorted(s.roles or ()))
            for w, x in enumerate(s.roles[p])
            if x != "O" and x in number["srl"]
        ]
        places += sorted(s.roles or ())
        roles += known
        counts.append((len(mine), len(s.roles or ()), len(known), s.tree is not None))
        first = here.stop
    spans, roles = (np.array(x, np.int64).reshape(-1, 3).T for x in (spans, roles))
    n_spans, n_places, n_roles, has_tree = np.array(counts).T
    none = np.empty(0, np.int64)
    return {
        "best": best,
        "best.share": best >= 0,
        "open": is_open,
        "head": head,
        "rel": rel,
        "dep.share": share,
        "other.word": none,
        "other": none,
        "other.share": none,
        "other.start": np.zeros(len(sentences) + 1),
        "span.begin": spans[0],
        "span.end": spans[1],
        "span": spans[2],
        "span.share": np.full(len(spans[0]), MOST),
        "span.start": starts(n_spans),
        "has_tree": has_tree,
        "place": places,
        "predicate.start": starts(n_places),
        "role.predicate": roles[0],
        "role.word": roles[1],
        "role": roles[2],
        "role.share": np.full(len(roles[0]), MOST),
        "role.start": starts(n_roles),
    }


def main(directory, model, out, limit=None):
    """Write OUT/arrays.npz and OUT/about.json."""
    directory, out, limit = Path(directory), Path(out), limit and int(limit)
    model, given = NativeModel(model), Labels(directory / "labels")
    text = given.sentences[:limit]
    train = corpora.training(directory) + corpora.read(MADE, directory)
    train = [s for s in train if len(s.words) <= LONGEST][:limit]
    corpora.add_dependencies(train, directory)
    labels = dict(given.index["labels"])
    counts = Counter(x for s in train if s.dep for x in s.dep[3])
    labels["feats"] = sorted(x for x, n in counts.items() if n >= MIN_FEATS)
    types = corpora.types_of(labels["psg"])
    offset = starts([len(labels[task]) for task in WORD])
    arrays, keys = features(model, text + [s.words for s in train])
    first, then = of_text(given, len(text), offset), of_corpora(train, labels, types)
    for name, array in first.items():
        more = then[name]
        if name.endswith(".start"):
            more = np.asarray(more, np.int64)[1:] + array[-1]
        arrays[name] = np.concatenate([array, np.asarray(more).astype(array.dtype)])
    arrays["best"] = np.maximum(arrays["best"], 0) + offset[:-1].astype(np.int16)
    arrays |= {
        "times": np.array([s.times for s in train], np.float32),
        "vectors": dense(model.vectors).astype(np.float32),
    }
    np.savez(
        out / "arrays.npz",
        **{name: np.asarray(array) for name, array in arrays.items()},
    )
    about = {
        "groups": GROUPS,
        "of_sentence": OF_SENTENCE,
        "word": WORD,
        "labels": labels,
        "keys": keys,
        "min_count": MIN_COUNT,
        "unknown": model.words.position("UNKNOWN"),
    }
    (out / "about.json").write_text(json.dumps(about))


if __name__ == "__main__":
    run_script(main, __doc__)
