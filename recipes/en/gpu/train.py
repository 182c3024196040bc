"""Train one trunk with a head for each task, with PyTorch, on a GPU or a processor.

usage: train.py ARRAYS OUT [--start RUN] [--seconds S] [--steps N] [--device cpu]
[OPTION...]

ARRAYS is what prepare.py wrote. OUT gets weights.npz, settings.json and about.json, for
convert.py. The network is the same as in the package: a BlockNetwork with linear heads
for words, and the heads of a ChartNetwork for trees, of a DilatedNetwork for roles, and
of an ArcNetwork for dependencies.

--start: the OUT of another run, with whose weights this one begins
--own: how many of the last blocks entities have for themselves
--words: how many words of running text are used
--gold: which share of the words that are read comes from the corpora
--only: the one task that is learned
"""

import argparse
import json
import shutil
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

TEXT = 20_000  # sentences that are sorted by length at once
REACH, HIDDEN = 20, {"psg": 224, "srl": 192, "dep": 256}
WEIGHT = {
    "pos": 1,
    "chk": 1,
    "vbs": 1,
    "dep": 1,
    "pt0": 0.5,
    "upos": 0.5,
    "val": 0.5,
    "feats": 0.5,
    "rel": 0.5,
}
MOST = 25  # shares are counted in parts of so many


def options():
    """Return the options of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("arrays", type=Path)
    parser.add_argument("out", type=Path)
    for name, value in {
        "width": 256,
        "kernel": 3,
        "batch": 14_000,
        "steps": 10**9,
        "seed": 1,
        "seconds": 467.0,
        "rate": 3e-3,
        "dropout": 0.12,
        "input-dropout": 0.15,
        "unknown": 0.05,
        "gold": 0.33,
        "ner": 5.0,
        "psg": 1.0,
        "srl": 0.6,
        "dilations": "1,2,4,8,1,2,4",
        "words": 10**9,
        "only": "",
        "start": "",
        "own": 0,
        "device": "cuda" if torch.cuda.is_available() else "cpu",
    }.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return parser.parse_args()


o = options()
torch.set_default_device(o.device)
torch.manual_seed(o.seed)
ABOUT = json.loads((o.arrays / "about.json").read_text())
ARRAYS = np.load(o.arrays / "arrays.npz")
LABELS, WORD = ABOUT["labels"], ABOUT["word"]
GROUPS = {int(size): names for size, names in ABOUT["groups"].items()}
OFFSET = np.cumsum([0, *(len(LABELS[task]) for task in WORD)]).tolist()
WEIGHT |= {"ner": o.ner, "psg": o.psg, "srl": o.srl}
if o.only:
    WEIGHT = {task: WEIGHT[task] * (task == o.only) for task in WEIGHT}
OUTSIDE = LABELS["srl"].index("O")
OF_TASK = torch.tensor([float(WEIGHT[t]) for t in WORD])
OF_LABEL = torch.tensor([float(WEIGHT[t]) for t in WORD for _ in LABELS[t]])
NER = OFFSET[WORD.index("ner")]
EITHER = torch.tensor(
    [NER + k for k, x in enumerate(LABELS["ner"]) if x == "O" or "MISC" in x]
)


def put(array):
    """Return the array on the device."""
    array = np.ascontiguousarray(array)
    return torch.from_numpy(
        array.astype(np.float32 if array.dtype.kind == "f" else np.int64)
        if array.nbytes < 1e8
        else array
    ).to(o.device)


class Data:
    """Sentences and their labels, on the device."""

    def __init__(self):
        """Read ARRAYS."""
        names = [
            n
            for n in ARRAYS.files
            if not n.startswith("types.") and n not in ("vectors", "times")
        ]
        self.arrays = {name: put(ARRAYS[name]) for name in names}
        self.len, self.times = ARRAYS["len"].astype(np.int64), ARRAYS["times"]
        self.begin = put(np.append(0, np.cumsum(self.len)))
        self.n_text = len(self.len) - len(self.times)
        self.n_read = int(np.searchsorted(np.cumsum(self.len[: self.n_text]), o.words))

    def batch(self, ids):
        """Return the places of the words of sentences, padded."""
        ids = put(ids)
        length, n = self.arrays["len"][ids], int(self.arrays["len"][ids].max())
        mask = torch.arange(n) < length[:, None]
        begin = self.begin[ids]
        at = torch.where(mask, begin[:, None] + torch.arange(n), 0)
        return {"ids": ids, "n": n, "mask": mask, "begin": begin, "at": at}

    @staticmethod
    def entries(arrays, name, ids):
        """Return which of some sentences each entry of `name` belongs to, and its
        number.
        """
        first = arrays[f"{name}.start"][ids]
        count = arrays[f"{name}.start"][ids + 1] - first
        row = torch.repeat_interleave(torch.arange(len(ids)), count)
        return row, (first - (count.cumsum(0) - count))[row] + torch.arange(len(row))

    def plan(self, rng):
        """Yield the numbers of the sentences of batches without end; corpora have their
        share.
        """
        gold = (self.len[self.n_text :] * self.times).sum() / self.times.sum()
        text = self.len[: self.n_text].mean()
        n_text = int(TEXT * (1 - o.gold))
        n_gold = int(TEXT * o.gold * text / gold)

        def cycle(make, n):
            rest = np.empty(0, np.int64)
            while True:
                while len(rest) < n:
                    rest = np.concatenate([rest, rng.permutation(make())])
                yield rest[:n]
                rest = rest[n:]

        def corpora():
            times = self.times.astype(int) + (
                rng.random(len(self.times)) < self.times % 1
            )
            return np.repeat(np.arange(len(times)), times) + self.n_text

        texts, golds = (
            cycle(lambda: np.arange(self.n_read), n_text),
            cycle(corpora, n_gold),
        )
        while True:
            ids = rng.permutation(np.concatenate([next(texts), next(golds)]))
            ids = ids[np.argsort(self.len[ids], kind="stable")]
            found, begin = [], 0
            for end in range(1, len(ids) + 1):
                if end == len(ids) or (end + 1 - begin) * self.len[ids[end]] > o.batch:
                    found.append(ids[begin:end])
                    begin = end
            yield from (found[k] for k in rng.permutation(len(found)))


class Block(nn.Module):
    """x + gated convolution(layer norm(x)); see layers/gated_convolution.py."""

    def __init__(self, dilation):
        """Make a block; it sees words that are `dilation` apart."""
        super().__init__()
        self.norm, self.linear = (
            nn.LayerNorm(o.width),
            nn.Linear(o.kernel * o.width, 2 * o.width),
        )
        self.dilation = dilation

    def forward(self, x, mask):
        y, far = self.norm(x) * mask, o.kernel // 2 * self.dilation
        y = F.pad(y, (0, 0, far, far))
        y = torch.cat(
            [y[:, k * self.dilation :][:, : x.shape[1]] for k in range(o.kernel)], -1
        )
        return x + F.dropout(F.glu(self.linear(y), -1), o.dropout)


class Pairs(nn.Module):
    """Units of pairs of words; see layers/pairs.py."""

    def __init__(self, n, n_rows, n_out):
        """Make a head of `n` units, with `n_rows` distances and `n_out` outputs."""
        super().__init__()
        self.word, self.predicate = (
            nn.Linear(o.width, 2 * n, bias=False) for _ in range(2)
        )
        self.bias = nn.Parameter(torch.zeros(n))
        self.distances = nn.Parameter(torch.randn(n_rows, n) * 0.1)
        self.out = nn.Linear(n, n_out)

    def units(self, x, y, far):
        """Return the units of pairs of states that broadcast against each other.

        x belongs to words, y to predicates or last words, and `far` has their distances.
        """
        (a, f), (p, g) = self.word(x).chunk(2, -1), self.predicate(y).chunk(2, -1)
        return F.dropout(
            F.relu(a + p + self.bias + self.distances[far] + f * g), o.dropout
        )


class Arcs(nn.Module):
    """Scores of heads, the root first, and of relations; see networks/arcs.py."""

    def __init__(self, n, n_relations, rank=64):
        """Make a head of `n` units, for a word as dependent and as head, and the
        relations.
        """
        super().__init__()
        self.hidden = nn.Linear(o.width, 2 * n)
        self.root, self.arc = (
            nn.Parameter(torch.rand(n)),
            nn.Parameter(torch.zeros(n, n + 1)),
        )
        self.distances = nn.Parameter(torch.zeros(2 * REACH + 1, n))
        self.dependent, self.head = nn.Linear(n, rank), nn.Linear(n, rank)
        self.relation_distances = nn.Parameter(torch.zeros(2 * REACH + 1, rank))
        self.out = nn.Linear(rank, n_relations)

    def forward(self, x, head):
        """Return scores [B, N, 1 + N] of heads, and [B, N, R] of relations to given
        heads.
        """
        d, h = F.dropout(F.relu(self.hidden(x)), o.dropout).chunk(2, -1)
        h = torch.cat([self.root.to(h).expand(len(x), 1, -1), h], 1)
        order = torch.arange(x.shape[1])
        far = (order - order[:, None]).clamp(-REACH, REACH) + REACH
        near = (d @ self.distances.T).gather(2, far.expand(len(x), -1, -1))
        keys = h @ self.arc
        scores = (d @ keys[..., :-1].transpose(1, 2) + keys[..., -1][:, None]).float()
        scores = scores + F.pad(near.float() - 1e4 * torch.eye(len(order)), (1, 0))
        first = self.dependent(d)
        second = self.head(h).gather(1, head[..., None].expand(-1, -1, first.shape[-1]))
        far = torch.where(head > 0, (head - 1 - order).clamp(-REACH, REACH), 0) + REACH
        return scores, self.out(
            first * second + F.embedding(far, self.relation_distances)
        )


class Network(nn.Module):
    """The trunk and its heads."""

    def __init__(self):
        """Begin with the word vectors of ARRAYS."""
        super().__init__()
        self.words = nn.Parameter(put(ARRAYS["vectors"]).clone())
        names = [(size, name) for size, group in GROUPS.items() for name in group]
        names += [(5, name) for name in ABOUT["of_sentence"]]
        self.tables = nn.ParameterDict(
            {
                name.replace(".", "_"): nn.Parameter(
                    torch.randn(len(ABOUT["keys"][name]), size)
                )
                for size, name in names
            }
        )
        self.names = [name for _, name in names]
        of_forms = ["word", *self.names[: -len(ABOUT["of_sentence"])]]
        self.forms = put(np.stack([ARRAYS[f"types.{name}"] for name in of_forms], 1))
        n_in = self.words.shape[1] + sum(size for size, _ in names)
        self.input = nn.Linear(n_in, o.width)
        self.blocks = nn.ModuleList(Block(int(d)) for d in o.dilations.split(","))
        self.norm, self.output = nn.LayerNorm(o.width), nn.Linear(o.width, OFFSET[-1])
        last = o.dilations.split(",")[len(self.blocks) - o.own :]
        self.ner_blocks = nn.ModuleList(Block(int(d)) for d in last)
        self.ner_norm = nn.LayerNorm(o.width)
        self.psg = Pairs(HIDDEN["psg"], REACH + 1, 1 + len(LABELS["psg"]))
        self.srl = Pairs(HIDDEN["srl"], 2 * REACH + 1, len(LABELS["srl"]))
        self.dep = Arcs(HIDDEN["dep"] // 2, len(LABELS["rel"]))
        with torch.no_grad():
            self.psg.out.bias[0] = -3.0

    def states(self, arrays, b):
        """Return the states of words for all tasks, and for entities."""
        rows = torch.cat(
            [self.forms[arrays["form"][b["at"]].long()], arrays["own"][b["at"]].long()],
            -1,
        )
        masked = torch.rand(b["at"].shape) < o.unknown
        word = torch.where(masked, ABOUT["unknown"], rows[..., 0])
        x = [F.embedding(word, self.words)]
        x += [
            F.embedding(rows[..., k], self.tables[n.replace(".", "_")])
            for k, n in enumerate(self.names, 1)
        ]
        x = self.input(F.dropout(torch.cat(x, -1), o.input_dropout))
        mask, fork = b["mask"][..., None], len(self.blocks) - o.own
        for block in self.blocks[:fork]:
            x = block(x, mask)
        y = x
        for block in self.blocks[fork:]:
            x = block(x, mask)
        for block in self.ner_blocks:
            y = block(y, mask)
        x = F.dropout(self.norm(x), o.dropout)
        return x, F.dropout(self.ner_norm(y), o.dropout) if o.own else x


def words_cost(m, a, b, x, y):
    """Return the costs of labels of words; a label of an entity may be open for MISC."""
    n, mask = b["n"], b["mask"]
    best, share = (
        a["best"][b["at"]].long(),
        a["best.share"][b["at"]].float() * mask[..., None],
    )
    row, k = Data.entries(a, "other", b["ids"])
    label, its = a["other"][k].long(), a["other.share"][k].float()
    place = row * n + a["other.word"][k] - b["begin"][row]
    scores = list(m.output(x).split(np.diff(OFFSET).tolist(), -1))
    if o.own:
        its_own = slice(NER, NER + len(LABELS["ner"]))
        scores[WORD.index("ner")] = F.linear(
            y, m.output.weight[its_own], m.output.bias[its_own]
        )
    lp = torch.cat([s.float().log_softmax(-1) for s in scores], -1)
    others = lp.flatten()[place * OFFSET[-1] + label]
    found = {
        "words": -(lp.gather(-1, best) * share * OF_TASK).sum()
        - (others * its * OF_LABEL[label]).sum()
    }
    is_open = a["open"][b["at"]] * mask
    found["open"] = -WEIGHT["ner"] * (lp[..., EITHER].logsumexp(-1) * is_open).sum()
    return found


def trees_cost(m, a, b, x):
    """Return the costs of trees: of what is a constituent, and of the labels."""
    n, mask, size = b["n"], b["mask"], len(b["ids"])
    order = torch.arange(n)
    far = (order - order[:, None]).clamp(0, REACH)
    units = m.psg.units(x[:, :, None], x[:, None], far)
    z = F.linear(units, m.psg.out.weight[:1], m.psg.out.bias[:1])[..., 0].float()
    row, k = Data.entries(a, "span", b["ids"])
    i, j = a["span.begin"][k].long(), a["span.end"][k].long()
    its = a["span.share"][k].float() / MOST
    target = (
        torch.zeros(size * n * n).index_add(0, (row * n + i) * n + j, its).clamp(max=1)
    )
    may = (
        (order[:, None] <= order)
        & mask[:, None]
        & (a["has_tree"][b["ids"]] > 0)[:, None, None]
    )
    spans = torch.where(may, F.softplus(z) - z * target.view(z.shape), 0.0).sum()
    units = m.psg.units(x[row, i], x[row, j], (j - i).clamp(max=REACH))
    scores = F.linear(units, m.psg.out.weight[1:], m.psg.out.bias[1:]).float()
    kinds = F.cross_entropy(scores, a["span"][k].long(), reduction="none")
    return {"psg": WEIGHT["psg"] * (spans + (kinds * its).sum())}


def roles_cost(m, a, b, x):
    """Return the cost of the roles of each word and predicate."""
    n, mask = b["n"], b["mask"]
    of, k = Data.entries(a, "predicate", b["ids"])
    if not len(of):
        return {}
    place = a["place"][k].long()
    far = (torch.arange(n) - place[:, None]).clamp(-REACH, REACH) + REACH
    lp = (
        m.srl.out(m.srl.units(x[of], x[of, place][:, None], far))
        .float()
        .log_softmax(-1)
    )
    first = torch.searchsorted(of, torch.arange(len(b["ids"])))  # of each sentence
    row, k = Data.entries(a, "role", b["ids"])
    at = (first[row] + a["role.predicate"][k]) * n + a["role.word"][k]
    its = a["role.share"][k].float() / MOST
    rest = torch.zeros(len(of) * n).index_add(0, at, its)
    rest = (1 - rest).clamp(min=0) * mask[of].flatten()
    gain = (lp[..., OUTSIDE].flatten() * rest).sum()
    gain += (lp.flatten(0, 1)[at, a["role"][k].long()] * its).sum()
    return {"srl": -WEIGHT["srl"] * gain}


def arcs_cost(m, a, b, x):
    """Return the costs of heads and of relations."""
    mask, here = b["mask"], b["at"]
    head, its = a["head"][here].long() * mask, a["dep.share"][here] / MOST * mask
    its = its * (head != 1 + torch.arange(b["n"]))  # teachers chose heads word by word
    scores, relations = m.dep(x, head)
    lp = scores.masked_fill(
        ~F.pad(mask, (1, 0), value=True)[:, None], -1e4
    ).log_softmax(-1)
    found = {
        "arc": -WEIGHT["dep"] * (lp.gather(-1, head[..., None])[..., 0] * its).sum()
    }
    lp = (
        relations.float()
        .log_softmax(-1)
        .gather(-1, a["rel"][here].long()[..., None])[..., 0]
    )
    return found | {"rel": -WEIGHT["rel"] * (lp * its).sum()}


def cost(m, data, ids):
    """Return the costs of a batch by task, each per word, and the number of words."""
    a, b = data.arrays, data.batch(ids)
    x, y = m.states(a, b)
    found = words_cost(m, a, b, x, y)
    for task, more in (("psg", trees_cost), ("srl", roles_cost), ("dep", arcs_cost)):
        if WEIGHT[task]:
            found |= more(m, a, b, x)
    words = int(b["mask"].sum())
    return {name: value / words for name, value in found.items()}, words


def arrays_of(m):
    """Return views of the weights, by task and by the names of the package's networks."""
    s = {k: v.detach() for k, v in m.state_dict().items()}
    out = {f"tables/{name}": s[f"tables.{name.replace('.', '_')}"] for name in m.names}
    out |= {
        "tables/word": s["words"],
        "input_weight": s["input.weight"].T,
        "input_bias": s["input.bias"],
    }
    fork = len(m.blocks) - o.own
    names = [(f"block{k + 1}", f"blocks.{k}") for k in range(len(m.blocks))]
    names += [(f"ner/block{fork + k + 1}", f"ner_blocks.{k}") for k in range(o.own)]
    for name, block in names:
        for part, its in (
            ("norm.weight", "gain"),
            ("norm.bias", "shift"),
            ("linear.weight", "weight"),
            ("linear.bias", "bias"),
        ):
            array = s[f"{block}.{part}"]
            out[f"{name}_{its}"] = array.T if array.ndim > 1 else array
    for first in ("", "ner/") if o.own else ("",):
        norm = first.replace("/", "_") + "norm"
        out |= {
            f"{first}norm_gain": s[f"{norm}.weight"],
            f"{first}norm_shift": s[f"{norm}.bias"],
        }
    for task, a, z in zip(WORD, OFFSET, OFFSET[1:], strict=False):
        out |= {
            f"{task}/output_weight": s["output.weight"][a:z].T,
            f"{task}/output_bias": s["output.bias"][a:z],
        }
    for name in ("hidden", "dependent", "head", "output"):
        part = name.replace("output", "out")
        out |= {
            f"dep/{name}_weight": s[f"dep.{part}.weight"].T,
            f"dep/{name}_bias": s[f"dep.{part}.bias"],
        }
    out |= {
        f"dep/{n}": s[f"dep.{n}"] for n in ("root", "distances", "relation_distances")
    }
    out |= {"dep/arc_weight": s["dep.arc"][:, :-1], "dep/arc_bias": s["dep.arc"][:, -1]}
    for task in ("psg", "srl"):
        n = HIDDEN[task]
        for name, first in (("word", "hidden"), ("predicate", "predicate")):
            both = s[f"{task}.{name}.weight"].T
            out |= {
                f"{task}/{first}_weight": both[:, :n],
                f"{task}/{name}_factor": both[:, n:],
            }
        out |= {
            f"{task}/hidden_bias": s[f"{task}.bias"],
            f"{task}/distances": s[f"{task}.distances"],
            f"{task}/output_weight": s[f"{task}.out.weight"].T,
            f"{task}/output_bias": s[f"{task}.out.bias"],
        }
    return out


def begin_with(m, run):
    """Copy the weights of another run.

    Rows of tables are copied by their keys; new rows are zeros.
    """
    given, keys = (
        np.load(run / "weights.npz"),
        json.loads((run / "about.json").read_text())["keys"],
    )
    for name, array in arrays_of(m).items():
        known = given[name if name in given else name.rpartition("/")[2]].astype(
            np.float32
        )
        table = name.removeprefix("tables/")
        if table in keys:
            row = {key: k for k, key in enumerate(keys[table])}
            rows = np.array([row.get(key, -1) for key in ABOUT["keys"][table]])
            known = np.where(rows[:, None] >= 0, known[rows], 0)
        array.copy_(torch.from_numpy(known))


def main():
    """Train the network, and write OUT."""
    data, m, n_words = Data(), Network().train(), 0
    if o.start:
        begin_with(m, Path(o.start))
        n_words = json.loads((Path(o.start) / "settings.json").read_text())[
            "trained_words"
        ]
    others = [p for name, p in m.named_parameters() if name != "words"]
    adam = torch.optim.Adam(
        [{"params": [m.words]}, {"params": others}], betas=(0.9, 0.98)
    )
    start = time.time()
    for step, ids in enumerate(data.plan(np.random.default_rng(o.seed))):
        done = max(step / o.steps, (time.time() - start) / o.seconds)
        if done >= 1:
            break
        rate = o.rate * min(1, (step + 1) / 200) * (1 - done)
        adam.param_groups[0]["lr"], adam.param_groups[1]["lr"] = rate / 3, rate
        with torch.autocast(o.device, torch.bfloat16, enabled=o.device == "cuda"):
            costs, words = cost(m, data, ids)
        adam.zero_grad(set_to_none=True)
        sum(costs.values()).backward()
        nn.utils.clip_grad_norm_(m.parameters(), 5.0)
        adam.step()
        n_words += words
        if step % 500 == 0:
            print(
                step,
                n_words,
                {name: round(float(c), 3) for name, c in costs.items()},
                flush=True,
            )
    o.out.mkdir(parents=True, exist_ok=True)
    arrays = {
        n: a.float().cpu().numpy().astype(np.float16) for n, a in arrays_of(m).items()
    }
    np.savez(o.out / "weights.npz", **arrays)
    settings = {
        name: value for name, value in vars(o).items() if name not in ("arrays", "out")
    }
    settings |= {"trained_words": n_words, "reach": REACH, "hidden": HIDDEN}
    (o.out / "settings.json").write_text(json.dumps(settings))
    shutil.copy(o.arrays / "about.json", o.out)


main()
