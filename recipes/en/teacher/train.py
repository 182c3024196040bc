"""Train a teacher of the English model on all tasks together, on a GPU or a processor.

python recipes/en/teacher/train.py CORPORA ENCODER RUN [--seed N] [--device cpu]
[OPTION...]

CORPORA is described in recipes/README.md, and ENCODER in mpnet.py. RUN gets
`teacher.safetensors` (float16), `teacher.json` and `checkpoint.pt`; a run that was
stopped continues from the checkpoint. Dev scores are printed after each epoch. To try
the script, limit the sentences of each list of corpora with --sentences, and the steps
with --steps.
"""

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path

import corpora
import numpy as np
import torch
from inputs import Inputs, Names, Ragged, Reader, batches_of, frequent_shapes, put
from network import WORD_TASKS, Teacher, all_spans, rounding
from predict import dev_figures
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

from senna_py.labels.tasks import find_task
from senna_py.tagging.targets import learner_of

WEIGHTS = {
    "pos": 1.0,
    "chk": 1.0,
    "ner": 1.0,
    "pt0": 0.5,
    "vbs": 1.0,
    "upos": 0.5,
    "psg": 1.0,
    "srl": 0.6,
    "arc": 1.0,
    "rel": 0.5,
}
LONGEST = 100  # words of a sentence
HEAD_RATE, ENCODER_RATES = 1e-3, (1e-4, 5e-5)  # the latter by whether the seed is odd
WARM_UP = 0.06  # of all steps
# How often a tag of roles, a type of several phrases must occur.
LEAST_ROLE, LEAST_TYPE = (
    15,
    5,
)
UNKNOWN = -100
MINUTES = 10  # between checkpoints


def labels_of(sentences):
    """Return {task: list of str}, the labels that the network knows, and types of
    trees.
    """
    tags = {
        task: {tag for s in sentences for tag in s.tags.get(task, ())}
        for task in WORD_TASKS
    }
    found = {task: sorted(tags[task]) for task in WORD_TASKS}
    found["ner"] = corpora.entity_tags()
    for task, k in (("rel", 1), ("upos", 2)):
        found[task] = sorted({label for s in sentences if s.dep for label in s.dep[k]})
    counts = Counter(
        tag for s in sentences for tags in (s.roles or {}).values() for tag in tags
    )
    found["srl"] = sorted(tag for tag, n in counts.items() if n >= LEAST_ROLE)
    types = learner_of(find_task("psg"))
    trees = [s.tree for s in sentences if s.tree]
    types.find_keys(corpora.gold_of_trees(trees), LEAST_TYPE)
    found["psg"] = [key.removeprefix("B-") for key in types.keys[1::4]]
    return found, types


class Gold:
    """The gold labels of sentences, as numbers in arrays."""

    def __init__(self, sentences, labels, types):
        """Take sentences; for `labels` and `types`, see labels_of."""
        number = {
            task: {label: k for k, label in enumerate(labels[task])} for task in labels
        }

        def flat(task, rows):
            known = number[task]
            return np.array(
                [known.get(x, UNKNOWN) for row in rows for x in row], np.int16
            )

        nothing = [[None] * len(s.words) for s in sentences]
        both = list(zip(sentences, nothing, strict=True))
        self.words = Ragged([len(s.words) for s in sentences])
        self._tags = {
            task: flat(task, [s.tags.get(task, none) for s, none in both])
            for task in WORD_TASKS
            if task != "ner"
        }
        for task, k in (("rel", 1), ("upos", 2)):
            self._tags[task] = flat(
                task, [s.dep[k] if s.dep else none for s, none in both]
            )
        heads = [s.dep[0] if s.dep else [UNKNOWN] * len(none) for s, none in both]
        self._tags["arc"] = np.array(
            [int(head) for row in heads for head in row], np.int16
        )
        bits = {
            options: sum(1 << number["ner"][tag] for tag in options)
            for s in sentences
            for options in s.options or ()
            if options
        }
        every = (1 << len(labels["ner"])) - 1
        self._entities = np.array(
            [bits.get(x, every) for s, none in both for x in s.options or none]
        )
        self.has_tree = np.array([s.tree is not None for s in sentences])
        trees = [
            corpora.constituents(s.tree, types) if s.tree else () for s in sentences
        ]
        self._spans = Ragged(list(map(len, trees)))
        spans = [(*span, kind) for tree in trees for span, kind in tree]
        self._span = np.array(spans, int).reshape(-1, 3)
        roles = [s.roles or {} for s in sentences]
        self._predicates = Ragged(list(map(len, roles)))
        self._predicate = np.array([p for row in roles for p in row], int)
        self._roles = Ragged([len(tags) for row in roles for tags in row.values()])
        self._role = flat("srl", [tags for row in roles for tags in row.values()])

    def predicates(self, rows):
        """Return int64[2, P] of some sentences, and the numbers of the predicates."""
        of, _, at = self._predicates.entries(rows)
        return np.stack([of, self._predicate[at]]), at

    def targets(self, rows):
        """Return {task: int64[B, N]} of some sentences.

        For entities, a number has the bits of the labels that a word may have.
        """
        n = int(self.words.length[rows].max())
        of, place, at = self.words.entries(rows)
        found = {}
        for task, array in (*self._tags.items(), ("ner", self._entities)):
            out = np.full((len(rows), n), UNKNOWN if task != "ner" else -1, np.int64)
            out[of, place] = array[at]
            found[task] = out
        return found

    def spans(self, rows):
        """Return int64[B, N, N], 1 + the type of each span, or 0 if it has none."""
        n = int(self.words.length[rows].max())
        out = np.zeros((len(rows), n, n), np.int64)
        of, _, at = self._spans.entries(rows)
        first, last, kind = self._span[at].T
        out[of, first, last] = 1 + kind
        return out

    def roles(self, predicates, n):
        """Return int64[P, N] of some predicates."""
        out = np.full((len(predicates), n), UNKNOWN, np.int64)
        of, place, at = self._roles.entries(predicates)
        out[of, place] = self._role[at]
        return out


def costs(network, batch, gold, rows):
    """Return {task: cost, divided by the number of words of the batch}."""
    found, target = {}, {task: put(array) for task, array in gold.targets(rows).items()}
    states, n = network.states(batch), batch.mask.shape[1]
    scores = network.words(states)

    def add(task, score, gold):
        cost = F.cross_entropy(
            score.flatten(0, -2), gold.flatten(), ignore_index=UNKNOWN, reduction="sum"
        )
        found[task] = cost / batch.length.sum()

    for task in WORD_TASKS:
        if task != "ner":
            add(task, scores[task], target[task])
    may = (target["ner"][..., None] >> torch.arange(scores["ner"].shape[-1]) & 1).bool()
    cost = scores["ner"].logsumexp(-1) - scores["ner"].masked_fill(
        ~may, -1e9
    ).logsumexp(-1)
    found["ner"] = (cost * batch.mask).sum() / batch.length.sum()
    if gold.has_tree[rows].any():
        spans = all_spans(batch.mask & put(gold.has_tree[rows], torch.bool)[:, None])
        phrases = network.phrases(states, spans)
        add("psg", phrases, put(gold.spans(rows))[tuple(spans)])
        predicates, numbers = gold.predicates(rows)
        if len(numbers):
            roles = network.roles(
                states, put(predicates), scores["pos"], spans, phrases
            )
            add("srl", roles, put(gold.roles(numbers, n)))
    has_arcs = (target["arc"] != UNKNOWN).any(1)
    if has_arcs.any():
        words, head = states["dep"][has_arcs], target["arc"][has_arcs]
        arcs = network.heads["dep"]
        add("arc", arcs.heads(words, batch.mask[has_arcs]), head)
        add("rel", arcs.relations(words, head.clamp(min=0)), target["rel"][has_arcs])
    return found


class Training:
    """The network in training, and its progress."""

    def __init__(self, options):
        """Take the options of the command line."""
        self.options, self.run, self.step = options, Path(options.run), 0
        sentences = [
            s for s in corpora.training(options.corpora) if len(s.words) <= LONGEST
        ]
        sentences = sentences[:: max(1, len(sentences) // options.sentences)]
        corpora.add_dependencies(sentences, options.corpora)
        self.labels, types = labels_of(sentences)
        shapes = frequent_shapes(s.words for s in sentences)
        self.read = Reader(
            options.encoder, Names(f"{options.corpora}/gazetteers"), shapes
        )
        self.inputs = Inputs([s.words for s in sentences], self.read)
        self.gold = Gold(sentences, self.labels, types)
        self.times = np.array([s.times for s in sentences])
        torch.manual_seed(options.seed)
        self.network = Teacher(self.labels)
        self.network.encoder.load(options.encoder)
        self.run.mkdir(parents=True, exist_ok=True)
        about = {"labels": self.labels, "shapes": shapes, "seed": options.seed}
        (self.run / "teacher.json").write_text(json.dumps(about), encoding="utf8")
        of_encoder, others = [], []
        for name, parameter in self.network.named_parameters():
            (of_encoder if name.startswith(("encoder", "seen")) else others).append(
                parameter
            )
        self.rates = ENCODER_RATES[options.seed % 2], HEAD_RATE
        groups = [{"params": each} for each in (of_encoder, others)]
        self.optimizer = torch.optim.AdamW(
            groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True
        )
        self.plan = [
            batch for epoch in range(options.epochs) for batch in self._epoch(epoch)
        ]
        self.n_steps = min(options.steps, len(self.plan))

    def _epoch(self, epoch):
        """Yield the batches of an epoch, which reads sentences as often as their source
        says.
        """
        rng = np.random.default_rng([self.options.seed, epoch])
        times = self.times.astype(int) + (rng.random(len(self.times)) < self.times % 1)
        rows = np.repeat(np.arange(len(times)), times)
        batches = batches_of(self.inputs.pieces.length[rows], self.options.pieces, rng)
        return [rows[batch] for batch in batches] + [None]  # where it ends

    def learn(self, rows):
        """Make one step; return {task: cost}."""
        # So that runs can go on.
        torch.manual_seed(1000 * self.step + self.options.seed)
        rng = np.random.default_rng([self.options.seed, 1000, self.step])
        with rounding():
            found = costs(self.network, self.inputs.batch(rows, rng), self.gold, rows)
        done, warm = self.step / self.n_steps, WARM_UP
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = rate * min(
                (self.step + 1) / self.n_steps / warm, (1 - done) / (1 - warm)
            )
        self.optimizer.zero_grad(set_to_none=True)
        sum(WEIGHTS[task] * cost for task, cost in found.items()).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        return found

    def save(self):
        """Write the checkpoint, and the network in its final form."""
        state = self.network.state_dict()
        half = {name: value.half().contiguous() for name, value in state.items()}
        _replace(self.run / "teacher.safetensors", lambda path: save_file(half, path))
        state = {
            "network": state,
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
        }
        _replace(self.run / "checkpoint.pt", lambda path: torch.save(state, path))

    def resume(self):
        """Continue from the checkpoint, if there is one."""
        path = self.run / "checkpoint.pt"
        if path.exists():
            state = torch.load(
                path, weights_only=True, map_location=self.options.device
            )
            self.network.load_state_dict(state["network"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step = state["step"]
            print(f"goes on from step {self.step}", flush=True)


def _replace(path, write):
    new = path.with_name(path.name + ".new")
    write(new)
    os.replace(new, path)


def train(training, dev):
    """Train to the end; `dev` has sentences."""
    began = saved = time.monotonic()
    words, found = 0, {}
    training.network.train()
    for rows in training.plan[training.step : training.n_steps]:
        if rows is not None:
            found = training.learn(rows)
            words += int(training.inputs.words.length[rows].sum())
        training.step += 1
        if training.step % training.options.every == 0:
            told = " ".join(
                f"{task} {cost:.3f}" for task, cost in sorted(found.items())
            )
            rate = words / (time.monotonic() - began)
            print(
                f"step {training.step}/{training.n_steps} {rate:.0f} words/s {told}",
                flush=True,
            )
        if time.monotonic() - saved > 60 * MINUTES:
            training.save()
            saved = time.monotonic()
        if rows is None or training.step == training.n_steps:
            print(
                dev_figures([training.network.eval()], training.read, dev), flush=True
            )
            training.network.train()
    training.save()


def main():
    """Train a teacher."""
    parser = argparse.ArgumentParser()
    for name in ("corpora", "encoder", "run"):
        parser.add_argument(name)
    for name, value in (
        ("seed", 1),
        ("epochs", 5),
        ("pieces", 8000),
        ("every", 100),
        ("steps", 10**9),
        ("sentences", 10**9),
    ):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument(
        "--device", default="cuda" if torch.cuda.is_available() else "cpu"
    )
    options = parser.parse_args()
    torch.set_default_device(options.device)
    torch.set_flush_denormal(True)  # else Adam crawls on a processor
    training = Training(options)
    training.resume()
    dev = corpora.read(corpora.DEV, options.corpora)
    dev = dev[:: max(1, len(dev) // options.sentences)]
    corpora.add_dependencies(dev, options.corpora, "dev")
    train(training, dev)


if __name__ == "__main__":
    main()
