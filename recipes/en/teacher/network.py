"""The teacher: MPNet's encoder, and a head for each task.

Besides the pieces of words, the encoder sees how words are written, and lists of names.
Trees are learned span by span (Teng and Zhang 2018), and dependencies by a biaffine
head (Dozat and Manning 2017). The head for roles sees the predicted probabilities of
parts of speech, and of the constituents around each word and predicate.
"""

import json
from pathlib import Path

import torch
from inputs import N_NAMES, N_SHAPES, Names, Reader
from mpnet import N_LAYERS, SIZE, Encoder
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

WORD_TASKS = ("pos", "chk", "ner", "pt0", "vbs", "upos")
TASKS = (*WORD_TASKS, "psg", "srl", "dep")
REACH = 30  # words between word and predicate, and of spans, with weights of their own
STEPS = 1, 2, 4  # words to the neighbors that the layers of the head of roles see


def rounding():
    """Return a context in which products are in bfloat16, unless these are slower."""
    device = torch.get_default_device().type
    is_fast = device == "cuda" or torch.backends.cpu.get_cpu_capability() == "AVX512"
    return torch.autocast(device, dtype=torch.bfloat16, enabled=is_fast)


class Spans(nn.Module):
    """Scores of the types of a span, from its first and last word; the first is "none"."""

    def __init__(self, size, n_types, width=400):
        """Make random weights."""
        super().__init__()
        self.begin, self.end = nn.Linear(size, 2 * width), nn.Linear(size, 2 * width)
        self.length = nn.Embedding(REACH + 1, width)
        self.out = nn.Linear(width, 1 + n_types)
        with torch.no_grad():
            self.out.bias[0] = 4.0  # most spans are no constituents

    def forward(self, words, spans):
        """Return scores float32[S, 1 + n_types].

        spans: int64[3, S], sentence, first and last word
        """
        row, i, j = spans
        a, p = self.begin(words)[row, i].chunk(2, -1)
        b, q = self.end(words)[row, j].chunk(2, -1)
        hidden = F.relu(a + b + p * q + self.length((j - i).clamp(max=REACH)))
        return self.out(F.dropout(hidden, 0.2, self.training)).float()


class Roles(nn.Module):
    """Scores of the tags of each word, for each predicate."""

    def __init__(self, size, n_tags, n_pos, types, width=256):
        """Make random weights.

        types: bool[n_types, n_phrases], which phrases each type of constituent contains
        """
        super().__init__()
        n_phrases = types.shape[1]
        self.register_buffer("types", types.float(), persistent=False)
        self.word, self.predicate = nn.Linear(size, width), nn.Linear(size, width)
        self.distance = nn.Embedding(2 * REACH + 1, width)
        self.tree, self.edge = (
            nn.Linear(3 * n_phrases, width),
            nn.Linear(2 * n_phrases, width),
        )
        self.pos = nn.Linear(n_pos, 2 * width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in STEPS)
        self.gated = nn.ModuleList(nn.Linear(3 * width, 2 * width) for _ in STEPS)
        self.out = nn.Sequential(
            nn.LayerNorm(width), nn.Dropout(0.2), nn.Linear(width, n_tags)
        )

    def forward(self, words, predicates, pos, spans, shares):
        """Return scores float32[P, N, n_tags].

        predicates: int64[2, P], sentence and word
        pos: the probabilities of parts of speech
        shares: float32[S, n_types], the probabilities of types of the spans
        """
        row, p = predicates
        n = words.shape[1]
        around, edges = self._constituents(words, predicates, spans, shares)
        of_word, of_predicate = self.pos(pos).chunk(2, -1)
        distance = (torch.arange(n) - p[:, None]).clamp(-REACH, REACH) + REACH
        x = (self.word(words) + self.edge(edges) + of_word)[row] + self.distance(
            distance
        )
        x = (
            x
            + (self.predicate(words) + of_predicate)[row, p][:, None]
            + self.tree(around)
        )
        x = F.dropout(F.relu(x), 0.2, self.training)
        for step, norm, gated in zip(STEPS, self.norms, self.gated, strict=True):
            y = norm(x)
            left, right = (
                F.pad(y, (0, 0, step, 0))[:, :n],
                F.pad(y, (0, 0, 0, step))[:, step:],
            )
            x = x + F.glu(gated(torch.cat([left, y, right], -1)), -1)
        return self.out(x).float()

    def _constituents(self, words, predicates, spans, shares):
        """Count phrases by label, weighted by probability.

        Returns:
            float32[P, N, 3 n], phrases around both word and predicate, or around only one of
            them, and float32[B, N, 2 n], phrases that begin and that end at each word.
        """
        b, n, _ = words.shape
        row, p = predicates
        phrases = torch.zeros(b, n, n, self.types.shape[1])
        phrases[tuple(spans)] = (shares @ self.types).float()
        edges = torch.cat([phrases.sum(2), phrases.sum(1)], -1)
        # Of each span, those over it.
        over = phrases.cumsum(1).flip(2).cumsum(2).flip(2)
        over = over.permute(0, 3, 1, 2)
        over = (over.triu() + over.triu(1).transpose(2, 3)).permute(0, 2, 3, 1)
        depth = over.diagonal(dim1=1, dim2=2).transpose(1, 2)
        both = over[row, :, p]
        return torch.cat(
            [both, depth[row] - both, depth[row, p][:, None] - both], -1
        ), edges


class Arcs(nn.Module):
    """Scores of heads, of which the root is the first, and of relations to given heads."""

    def __init__(self, size, n_relations, width=500, rank=128):
        """Make random weights, except for arcs, whose weights are zero."""
        super().__init__()
        self.root = nn.Parameter(torch.zeros(size))
        self.head, self.dependent = nn.Linear(size, width), nn.Linear(size, width)
        self.arc = nn.Parameter(torch.zeros(width + 1, width))
        self.relation_head, self.relation_dependent = (
            nn.Linear(size, rank) for _ in range(2)
        )
        self.relation = nn.Parameter(
            torch.randn(n_relations, rank + 1, rank + 1) * 0.01
        )

    def _units(self, linear, x, with_one=True):
        x = F.dropout(F.relu(linear(x)), 0.33, self.training)
        return F.pad(x, (0, 1), value=1.0) if with_one else x

    def with_root(self, words):
        """Return the states of the root and the words: [B, 1 + N, size]."""
        return torch.cat([self.root.to(words).expand(len(words), 1, -1), words], 1)

    def heads(self, words, mask):
        """Return scores float32[B, N, 1 + N] of the heads that there are."""
        keys = self._units(self.head, self.with_root(words), with_one=False)
        scores = (
            self._units(self.dependent, words)
            @ self.arc.to(keys)
            @ keys.transpose(1, 2)
        )
        return scores.float().masked_fill(
            ~F.pad(mask, (1, 0), value=True)[:, None], -1e4
        )

    def relations(self, words, head):
        """Return scores float32[B, N, n_relations]; `head` is int64[B, N], 0 for the
        root.
        """
        of_heads = self._units(self.relation_head, self.with_root(words))
        of_heads = of_heads.gather(
            1, head[..., None].expand(-1, -1, of_heads.shape[-1])
        )
        mine = self._units(self.relation_dependent, words)
        return torch.einsum(
            "bnx,rxy,bny->bnr", mine, self.relation.to(mine), of_heads.to(mine)
        ).float()


class Teacher(nn.Module):
    """The encoder and the heads."""

    def __init__(self, labels):
        """Make a network with random weights.

        labels: {task: list of str}; for psg the types of constituents, as in labels.tree_keys,
            and for rel the relations
        """
        super().__init__()
        self.encoder, self.labels = Encoder(), labels
        self.seen_shape = nn.Embedding(N_SHAPES + 1, SIZE)
        self.seen_names = nn.Linear(N_NAMES, SIZE, bias=False)
        # So that it begins as it was pretrained.
        for each in (
            self.seen_shape,
            self.seen_names,
        ):
            nn.init.zeros_(each.weight)
        size = 2 * SIZE + 16 + N_NAMES
        self.shape = nn.Embedding(N_SHAPES, 16)
        self.mix = nn.Parameter(torch.zeros(len(TASKS), 1 + N_LAYERS))
        with torch.no_grad():
            self.mix[:, -1] = 2.0
        self.heads = nn.ModuleDict(
            {
                task: nn.Sequential(
                    nn.Linear(size, 384),
                    nn.ReLU(),
                    nn.Dropout(0.2),
                    nn.Linear(384, len(labels[task])),
                )
                for task in WORD_TASKS
            }
        )
        phrases = sorted(
            {phrase for label in labels["psg"] for phrase in label.split("(")}
        )
        types = torch.tensor(
            [[p in label.split("(") for p in phrases] for label in labels["psg"]]
        )
        self.heads["psg"] = Spans(size, len(types))
        self.heads["srl"] = Roles(size, len(labels["srl"]), len(labels["pos"]), types)
        self.heads["dep"] = Arcs(size, len(labels["rel"]))

    def states(self, batch):
        """Return what each task sees of the words: {task: [B, N, size]}."""
        shapes = F.pad(batch.shapes + 1, (1, 0)).gather(1, batch.word)
        names = F.pad(batch.names, (0, 0, 1, 0))
        names = names.gather(1, batch.word[..., None].expand(-1, -1, N_NAMES))
        n = batch.pieces.shape[1]
        # With its marks.
        mask = torch.arange(n) < 2 + (batch.word > 0).sum(1, keepdim=True)
        pieces = self.encoder(
            batch.pieces, mask, self.seen_shape(shapes) + self.seen_names(names)
        )
        rows = torch.arange(len(pieces[0]))[:, None, None]
        states = torch.stack([x[rows, batch.ends].flatten(2) for x in pieces])
        mixed = torch.einsum(
            "tl,lbnd->tbnd", self.mix.softmax(-1).to(states.dtype), states
        )
        other = torch.cat([self.shape(batch.shapes), batch.names], -1)
        x = torch.cat([mixed, other.to(mixed.dtype).expand(len(TASKS), -1, -1, -1)], -1)
        # Random numbers take time.
        x = x * F.dropout(torch.ones_like(x[0]), 0.2, self.training)
        return dict(zip(TASKS, x, strict=True))

    def words(self, states):
        """Return scores float32[B, N, n] for the tasks that label words."""
        return {task: self.heads[task](states[task]).float() for task in WORD_TASKS}

    def phrases(self, states, spans):
        """Return scores of spans."""
        return self.heads["psg"](states["psg"], spans)

    def roles(self, states, predicates, pos, spans, phrases):
        """Return scores of roles, given the scores of parts of speech and of spans."""
        pos, shares = pos.detach().softmax(-1), phrases.detach().softmax(-1)[:, 1:]
        return self.heads["srl"](states["srl"], predicates, pos, spans, shares)


def all_spans(mask):
    """Return all spans of the words of a batch, int64[3, S]; mask is bool[B, N]."""
    return (mask[:, :, None] & mask[:, None]).triu().nonzero().T


def load(run, encoder, names):
    """Return the network of a run and its Reader; `names` is a directory of lists."""
    about = json.loads((Path(run) / "teacher.json").read_text(encoding="utf8"))
    network = Teacher(about["labels"]).eval()
    network.load_state_dict(load_file(Path(run) / "teacher.safetensors"))
    return network, Reader(encoder, Names(names), about["shapes"])
