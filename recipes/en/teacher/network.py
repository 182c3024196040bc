"""The teacher: a small pretrained encoder, and a head for each task.

The encoder is that of MiniLM (Wang et al. 2020), uncased, and sees how words are written and lists
of names beside their pieces. Trees are learned span by span (Teng and Zhang 2018). The head of
roles sees what the network believes of parts of speech and of the constituents around each word and
predicate.
"""

import json
from typing import NamedTuple

import torch
from inputs import N_NAMES, N_SHAPES
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

WORD_TASKS = ("pos", "chk", "ner", "pt0", "vbs")
TASKS = (*WORD_TASKS, "psg", "srl")
FROZEN = "encoder.piece.weight", "encoder.place.weight"
_REACH = 30  # words between word and predicate, and of spans, with weights of their own


def rounding():
    """A context in which products are of bfloat16, except where these are slower than float32."""
    is_fast = torch.backends.cpu.get_cpu_capability() == "AVX512"  # with AVX2: 6 times as long
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_fast)


class Encoder(nn.Module):
    """BERT's encoder; the table of pieces and of their places stays as it is."""

    def __init__(self, config):
        """config: dict, that of Hugging Face's model."""
        super().__init__()
        self.n_heads, size = config["num_attention_heads"], config["hidden_size"]
        self.piece, self.place = nn.Embedding(config["vocab_size"], size), nn.Embedding(512, size)
        self.kind = nn.Parameter(torch.zeros(size))
        self.shape = nn.Embedding(N_SHAPES + 1, size)
        self.names = nn.Linear(N_NAMES, size, bias=False)
        self.norm = nn.LayerNorm(size, eps=1e-12)
        self.layers = nn.ModuleList(_Layer(size) for _ in range(config["num_hidden_layers"]))
        nn.init.zeros_(self.shape.weight)  # so that it begins as it was pretrained
        nn.init.zeros_(self.names.weight)
        self.piece.weight.requires_grad_(False)  # FROZEN
        self.place.weight.requires_grad_(False)

    def load(self, path):
        """Take the weights of a file of Hugging Face's."""
        given = {
            name.removeprefix("bert."): value.float() for name, value in load_file(path).items()
        }
        top = {"piece.weight": "word_embeddings.weight",
               "place.weight": "position_embeddings.weight",
               "norm.weight": "LayerNorm.weight", "norm.bias": "LayerNorm.bias"}  # fmt: skip
        ours = {name: given[f"embeddings.{theirs}"] for name, theirs in top.items()}
        ours["kind"] = given["embeddings.token_type_embeddings.weight"][0]
        names = {"out": "attention.output.dense", "norm1": "attention.output.LayerNorm",
                 "up": "intermediate.dense", "down": "output.dense",
                 "norm2": "output.LayerNorm"}  # fmt: skip
        for n in range(len(self.layers)):
            for part in ("weight", "bias"):
                theirs = f"encoder.layer.{n}"
                ours[f"layers.{n}.qkv.{part}"] = torch.cat(
                    [
                        given[f"{theirs}.attention.self.{x}.{part}"]
                        for x in ("query", "key", "value")
                    ]
                )
                for name, its in names.items():
                    ours[f"layers.{n}.{name}.{part}"] = given[f"{theirs}.{its}.{part}"]
        self.load_state_dict(self.state_dict() | ours)

    def forward(self, batch):
        """States of the pieces below and above each layer: a list of float32[B, T, size]."""
        n = batch.pieces.shape[1]
        shapes = F.pad(batch.shapes + 1, (1, 0)).gather(1, batch.word)
        names = F.pad(batch.names, (0, 0, 1, 0)).gather(
            1, batch.word[..., None].expand(-1, -1, N_NAMES)
        )
        x = self.piece(batch.pieces) + self.place.weight[:n] + self.kind
        x = self.norm(x + self.shape(shapes) + self.names(names))
        found = [F.dropout(x, 0.1, self.training)]
        mask = torch.where(batch.mask, 0.0, -1e4)[:, None, None, :]
        for layer in self.layers:
            found.append(layer(found[-1], mask, self.n_heads))
        return found


class _Layer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)
        self.norm1, self.norm2 = nn.LayerNorm(size, eps=1e-12), nn.LayerNorm(size, eps=1e-12)

    def forward(self, x, mask, n_heads):
        b, t, size = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, n_heads, size // n_heads).permute(2, 0, 3, 1, 4)
        share = (q @ k.transpose(2, 3) * (n_heads / size) ** 0.5 + mask).softmax(-1).to(v.dtype)
        y = (
            (share @ v).transpose(1, 2).reshape(b, t, size)
        )  # faster than the fused one, for sentences
        x = self.norm1(x + F.dropout(self.out(y), 0.1, self.training))
        y = self.down(F.gelu(self.up(x)))
        return self.norm2(x + F.dropout(y, 0.1, self.training))


class Asked(NamedTuple):
    """What is asked of a Batch beside tags of words: S spans, P predicates.

    spans: int64[3, S], the sentence, the first and the last word of each; predicates: int64[2, P],
    the sentence and the word.
    """

    spans: torch.Tensor
    predicates: torch.Tensor


class _Spans(nn.Module):
    """Scores of the types of a span, of which the first is none, from its first and last word."""

    def __init__(self, size, n_types, width=400):
        super().__init__()
        self.begin, self.end = nn.Linear(size, 2 * width), nn.Linear(size, 2 * width)
        self.length = nn.Embedding(_REACH + 1, width)
        self.out = nn.Linear(width, 1 + n_types)
        with torch.no_grad():
            self.out.bias[0] = 4.0  # most spans are no constituents

    def forward(self, words, spans):
        row, i, j = spans
        a, p = self.begin(words)[row, i].chunk(2, -1)
        b, q = self.end(words)[row, j].chunk(2, -1)
        hidden = F.relu(a + b + p * q + self.length((j - i).clamp(max=_REACH)))
        return self.out(F.dropout(hidden, 0.2, self.training))


class _Roles(nn.Module):
    """Scores of the tags of each word, for each predicate."""

    def __init__(self, size, n_tags, n_pos, types, width=256):
        """types: bool[n_types, n_phrases], which phrases each type of constituent has."""
        super().__init__()
        self.register_buffer("types", types.float(), persistent=False)
        self.word, self.predicate = nn.Linear(size, width), nn.Linear(size, width)
        self.distance = nn.Embedding(2 * _REACH + 1, width)
        self.tree, self.edge = (
            nn.Linear(3 * types.shape[1], width),
            nn.Linear(2 * types.shape[1], width),
        )
        self.pos = nn.Linear(n_pos, 2 * width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in (1, 2, 4))
        self.gated = nn.ModuleList(nn.Linear(3 * width, 2 * width) for _ in (1, 2, 4))
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Dropout(0.2), nn.Linear(width, n_tags))

    def forward(self, words, asked, pos, shares):
        """Scores float32[P, N, n_tags].

        pos: shares of parts of speech; shares: float32[S, n_types] of the spans.
        """
        row, p = asked.predicates
        n = words.shape[1]
        around, edges = self._constituents(words, asked, shares)
        of_word, of_predicate = self.pos(pos).chunk(2, -1)
        distance = (torch.arange(n) - p[:, None]).clamp(-_REACH, _REACH) + _REACH
        x = (self.word(words) + self.edge(edges) + of_word)[row] + self.distance(distance)
        x = x + (self.predicate(words) + of_predicate)[row, p][:, None] + self.tree(around)
        x = F.dropout(F.relu(x), 0.2, self.training)
        for step, norm, gated in zip((1, 2, 4), self.norms, self.gated, strict=True):
            y = norm(x)
            y = torch.cat(
                [F.pad(y, (0, 0, step, 0))[:, :n], y, F.pad(y, (0, 0, 0, step))[:, step:]], -1
            )
            x = x + F.glu(gated(y), -1)
        return self.out(x)

    def _constituents(self, words, asked, shares):
        """How many phrases of each label are around word and predicate, only around either, float32
        [P, N, 3 n], and how many begin and end at each word, float32[B, N, 2 n]."""
        b, n, _ = words.shape
        row, p = asked.predicates
        phrases = torch.zeros(b, n, n, self.types.shape[1])
        phrases[tuple(asked.spans)] = (shares @ self.types).float()
        edges = torch.cat([phrases.sum(2), phrases.sum(1)], -1)
        over = phrases.cumsum(1).flip(2).cumsum(2).flip(2)  # of each span, those over it
        over = over.permute(0, 3, 1, 2)
        over = (over.triu() + over.triu(1).transpose(2, 3)).permute(0, 2, 3, 1)
        depth = over.diagonal(dim1=1, dim2=2).transpose(1, 2)
        both = over[row, :, p]
        return torch.cat([both, depth[row] - both, depth[row, p][:, None] - both], -1), edges


class Teacher(nn.Module):
    """The encoder and the heads."""

    def __init__(self, encoder, labels):
        """Make a network with random heads.

        encoder: directory of the encoder; labels: {task: list of str}; those of psg are types of
        constituents, as labels.tree_keys has them. What has no labels has no head.
        """
        super().__init__()
        with open(f"{encoder}/config.json", encoding="utf8") as file:
            config = json.load(file)
        self.encoder, self.labels = Encoder(config), labels
        size = 2 * config["hidden_size"] + 16 + N_NAMES
        self.shape = nn.Embedding(N_SHAPES, 16)
        self.mix = nn.Parameter(torch.zeros(len(TASKS), 1 + config["num_hidden_layers"]))
        with torch.no_grad():
            self.mix[:, -1] = 2.0
        self.heads = nn.ModuleDict({task: nn.Sequential(
            nn.Linear(size, 256), nn.ReLU(), nn.Dropout(0.2), nn.Linear(256, len(labels[task]))
        ) for task in WORD_TASKS if labels[task]})  # fmt: skip
        if not labels["psg"]:
            return
        phrases = sorted({phrase for label in labels["psg"] for phrase in label.split("(")})
        types = torch.tensor([[p in label.split("(") for p in phrases] for label in labels["psg"]])
        self.heads["psg"] = _Spans(size, len(types))
        self.heads["srl"] = _Roles(size, len(labels["srl"]), len(labels["pos"]), types)

    def forward(self, batch, asked):
        """Scores {task: float32[B, N, n]}, of psg float32[S, 1 + n], of srl float32[P, N, n]."""
        states = self.states(batch)
        scores = self.word_scores(states)
        return scores | self.other_scores(states, scores, asked)

    def word_scores(self, states):
        """Scores of the tasks that label words."""
        return {task: self.heads[task](states[task]) for task in WORD_TASKS if task in self.heads}

    def other_scores(self, states, scores, asked):
        """Scores of spans and roles, where any are asked for."""
        found = {}
        if asked.spans.shape[1]:
            found["psg"] = self.heads["psg"](states["psg"], asked.spans)
        if asked.predicates.shape[1]:
            shares = found["psg"].detach().float().softmax(-1)[:, 1:]
            pos = scores["pos"].detach().float().softmax(-1)
            found["srl"] = self.heads["srl"](states["srl"], asked, pos, shares)
        return found

    def states(self, batch):
        """What each task sees of the words: {task: float32[B, N, size]}."""
        rows = torch.arange(len(batch.lengths))[:, None]
        states = torch.stack([torch.cat([x[rows, batch.first], x[rows, batch.last]], -1)
                              for x in self.encoder(batch)])  # fmt: skip
        mixed = torch.einsum("tl,lbnd->tbnd", self.mix.softmax(-1).to(states.dtype), states)
        other = torch.cat([self.shape(batch.shapes), batch.names], -1)
        x = torch.cat([mixed, other.to(mixed.dtype).expand(len(TASKS), -1, -1, -1)], -1)
        x = x * F.dropout(torch.ones_like(x[0]), 0.2, self.training)  # random numbers take time
        return dict(zip(TASKS, x, strict=True))


def all_spans(rows, lengths):
    """int64[3, S]: the spans of the sentences `rows`; lengths: of all sentences."""
    found = [torch.empty(3, 0, dtype=torch.long)]
    for row in rows:
        i, j = torch.triu_indices(lengths[row], lengths[row])
        found.append(torch.stack([torch.full_like(i, row), i, j]))
    return torch.cat(found, 1)
