"""Label running text by the mean of several teachers, on a GPU or a processor.

python recipes/en/teacher/label.py CORPORA ENCODER SENTENCES OUT RUN... [--device cpu]

SENTENCES has one sentence per line, with words between blanks, as sample.py prints
them. The RUNs were made by train.py from the same corpora. OUT gets the labels; see "On
a GPU" in recipes/README.md. While they are made, OUT has a directory `parts`, from which
a run that was stopped continues. values.py labels values.
"""

import argparse
import shutil
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from inputs import Inputs, batches_of
from labels import BLOCK, OF_OTHERS, OF_WORDS, Labels
from network import WORD_TASKS, load
from predict import mean

LEAST, OTHERS = 2, 2  # parts of the smallest share that is told; other labels of a word


def parts_of(shares, most):
    """Return probabilities as whole numbers of equal parts, of which `most` make 1."""
    return (shares.float() * most).round().long()


def entries(found, outside):
    """Return what is stored of a batch besides the words, as {name: int64[m, n]}.

    This is the best label of each word; sentence, word, label and probability of other
    labels; sentence, first word, last word, type and probability of spans; sentence and
    word of predicates; and for roles the same with word, label and probability. `outside`
    is the label O of roles.
    """
    mask, out = found.mask, {}
    row, place = mask.nonzero().T
    for task in WORD_TASKS:
        top = found.words[task].topk(min(1 + OTHERS, found.words[task].shape[-1]))
        label, share = top.indices[mask], parts_of(top.values[mask], OF_WORDS)
        out[f"{task}.best"] = label[:, :1].T
        word, k = (share[:, 1:] >= LEAST).nonzero().T
        k = k + 1
        out[f"{task}.other"] = torch.stack(
            [row[word], place[word], label[word, k], share[word, k]]
        )
    share = parts_of(found.phrases[:, 1:], OF_OTHERS)
    span, kind = (share >= LEAST).nonzero().T
    out["psg"] = torch.stack([*found.spans[:, span], kind, share[span, kind]])
    out["srl.predicate"] = found.predicates
    share = parts_of(found.roles, OF_OTHERS) * mask[found.predicates[0]][..., None]
    share[..., outside] = 0
    predicate, word, label = (share >= LEAST).nonzero().T
    out["srl"] = torch.stack(
        [*found.predicates[:, predicate], word, label, share[predicate, word, label]]
    )
    out["dep"] = torch.stack(
        [found.head, found.relation, parts_of(found.share, OF_OTHERS)]
    )
    out["dep"] = out["dep"][:, mask]
    return {name: array.cpu().numpy() for name, array in out.items()}


def arrays_of(networks, inputs, most):
    """Return arrays of some sentences by name; words and predicates are counted from 0."""
    told, order = defaultdict(list), []
    outside = networks[0].labels["srl"].index("O")
    for rows in batches_of(inputs.pieces.length, most):
        begin = inputs.words.begin[rows]
        order.append(inputs.words.entries(rows)[2])
        for name, array in entries(mean(networks, inputs.batch(rows)), outside).items():
            if not name.endswith(".best") and name != "dep":
                array[1] += begin[array[0]]  # the word, counted from the first sentence
            if name == "psg":
                array[2] += 1 + begin[array[0]] - array[1]  # words of the span
            told[name].append(array)
    order = np.argsort(np.concatenate(order))
    told = {name: np.concatenate(arrays, 1) for name, arrays in told.items()}
    out = {"len": inputs.words.length}
    for task in WORD_TASKS:
        out[f"{task}.best"] = told[f"{task}.best"][0, order]
        _, word, label, share = told[f"{task}.other"]
        k = np.lexsort((-share, word))
        out |= {
            f"{task}.other.gap": word[k],
            f"{task}.other": label[k],
            f"{task}.other.share": share[k],
        }
    _, word, length, kind, share = told["psg"]
    k = np.lexsort((-share, -length, word))
    out |= {
        "psg.gap": word[k],
        "psg.words": length[k],
        "psg": kind[k],
        "psg.share": share[k],
    }
    place = np.sort(told["srl.predicate"][1])
    _, predicate, word, label, share = told["srl"]
    of = np.searchsorted(place, predicate)
    k = np.lexsort((-share, word, of))
    out |= {
        "srl.predicate.gap": place,
        "srl.gap": of[k],
        "srl.word": word[k],
        "srl": label[k],
        "srl.share": share[k],
    }
    names = ("dep.head", "dep.relation", "dep.share")
    return out | dict(zip(names, told["dep"][:, order], strict=True))


def joined(parts):
    """Return the arrays of all sentences, given those of blocks of sentences."""
    told, words, predicates = defaultdict(list), 0, 0
    for part in parts:
        for name, array in part.items():
            more = 0
            if name.endswith("gap"):
                more = predicates if name == "srl.gap" else words
            told[name].append(array + more)
        words, predicates = (
            words + part["len"].sum(),
            predicates + len(part["srl.predicate.gap"]),
        )
    return {name: np.concatenate(arrays) for name, arrays in told.items()}


def main():
    """Write the labels."""
    parser = argparse.ArgumentParser()
    for name in ("corpora", "encoder", "sentences", "out"):
        parser.add_argument(name)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--pieces", type=int, default=4000)
    parser.add_argument(
        "--device", default="cuda" if torch.cuda.is_available() else "cpu"
    )
    options = parser.parse_args()
    torch.set_default_device(options.device)
    torch.set_flush_denormal(True)
    out, names = Path(options.out), f"{options.corpora}/gazetteers"
    loaded = [load(run, options.encoder, names) for run in options.runs]
    if any(network.labels != loaded[0][0].labels for network, _ in loaded):
        sys.exit(f"{', '.join(options.runs)}: learned from different corpora")
    networks, read = [network for network, _ in loaded], loaded[0][1]
    lines = Path(options.sentences).read_text(encoding="utf-8").rstrip("\n").split("\n")
    sentences = [line.split(" ") for line in lines]
    parts = [
        out / "parts" / f"{first}.npz" for first in range(0, len(sentences), BLOCK)
    ]
    parts[0].parent.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(parts):
        if not part.exists():
            block = sentences[number * BLOCK : (number + 1) * BLOCK]
            arrays = arrays_of(networks, Inputs(block, read), options.pieces)
            new = part.with_name("new.npz")
            np.savez_compressed(new, **arrays)
            new.rename(part)
            print(f"{min((number + 1) * BLOCK, len(sentences))} sentences", flush=True)
    arrays = joined(map(np.load, parts))
    Labels.new(out, sentences, networks[0].labels).add(arrays)
    shutil.rmtree(out / "parts")


if __name__ == "__main__":
    main()
