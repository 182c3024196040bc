"""Encoders in files: float16 arrays, the keys of features, the dictionary, and how they came."""

import json
import re
import zlib
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.io.nesting import parse_json
from senna_py.layers.lookup import table_name
from senna_py.lm.encoder.network import Shape
from senna_py.lm.encoder.words import check_features, padding_of
from senna_py.lm.language_model import LanguageModel, metadata
from senna_py.models.tensors import write_tensors
from senna_py.networks.dilated import DilatedNetwork
from senna_py.text.vocabulary import Vocabulary

__all__ = ["EncoderModel", "digest_of_vectors", "read_encoder"]

_DIGEST = re.compile(r"[0-9]+ [0-9a-f]{8}")


@dataclass
class EncoderModel(LanguageModel):
    """An encoder that was trained to predict hidden words: it scores no text from left to right.

    shape: network.Shape; arrays: float16 by name, those of a DilatedNetwork with its output layer
    as `projection_weight` and `projection_bias`, its tables but the first, which is `vectors` if
    it was trained, and the softmax's `output_weight` and `output_bias`; vocabularies: keys of each
    feature; words: Vocabulary, the dictionary; output_words: int32[n], which of them the softmax
    has; digest: of the vectors that it was trained with; info: dict, how it was trained.
    """

    shape: Shape
    arrays: dict
    vocabularies: dict
    words: Vocabulary
    output_words: np.ndarray
    digest: str
    info: dict

    kind = "encoder"

    @classmethod
    def of_training(cls, shape, network, features, words, output_words, trained, info):
        """EncoderModel of an EncoderNetwork and its FormFeatures; trained: whether vectors are."""
        arrays = network.parameters()
        for k, table in enumerate(network.network.tables):
            arrays[table_name(k)] = table
        vectors = arrays.pop(table_name(0))
        if trained:
            arrays["vectors"] = vectors
        with np.errstate(over="ignore"):
            half = {name: array.astype(np.float16) for name, array in arrays.items()}
        given = "" if trained else digest_of_vectors(vectors)
        return cls(shape, half, features.vocabularies, words, output_words, given, info)

    @property
    def word_list(self):
        """See LanguageModel; raises SennaError."""
        raise SennaError("an encoder predicts hidden words from both sides: it scores no text")

    def describe(self):
        """See LanguageModel."""
        shape, n = self.shape, sum(array.size for array in self.arrays.values())
        features = ", ".join(
            f"{name} ({len(self.vocabularies[name]):,} of {dim})"
            for name, dim in shape.features.items()
        )
        return [
            ("kind", self.kind), ("words", f"{len(self.words):,}"),
            ("words to predict", f"{len(self.output_words):,}"), ("features", features),
            ("width", str(shape.width)), ("kernel", str(shape.kernel)),
            ("dilations", " ".join(map(str, shape.dilations))),
            ("projection", str(shape.projection)), ("parameters", counted(n, "number")),
            *((key, str(value)) for key, value in self.info.items()),
        ]  # fmt: skip

    def table(self, name):
        """Vectors of a feature's keys, or of `word` if they were trained: float32[n_keys, dim]."""
        if name == "word":
            return self.arrays["vectors"].astype(np.float32)
        return self.arrays[table_name(1 + list(self.shape.features).index(name))].astype(np.float32)

    def network(self, vectors=None):
        """A DilatedNetwork with the projection as output layer; vectors: if none were trained."""
        vectors = self.table("word") if "vectors" in self.arrays else vectors
        tables = [vectors, *(self.table(name) for name in self.shape.features)]
        absent = {name for group in DilatedNetwork.optional for name in group}
        arrays = dict.fromkeys(absent)
        for name in DilatedNetwork.array_names({"dilations": self.shape.dilations}):
            if name not in absent:
                found = self.arrays[name.replace("output", "projection")]
                arrays[name] = found.astype(np.float32)
        padding = padding_of(["word", *self.shape.features], self.vocabularies, self.words)
        sizes = {"dilations": list(self.shape.dilations)}
        return DilatedNetwork.of_arrays(sizes, tables, padding, arrays)

    def write(self, path):
        """Write the model to the file `path`, in one step."""
        arrays = dict(self.arrays)
        for name, vocabulary in {"words": self.words, **self.vocabularies}.items():
            key = name if name == "words" else f"keys/{name}"
            arrays[key] = np.frombuffer(vocabulary.data, np.uint8)
        arrays["output_words"] = self.output_words
        s = self.shape
        about = {
            "features": s.features, "width": s.width, "kernel": s.kernel,
            "dilations": list(s.dilations), "projection": s.projection,
        }  # fmt: skip
        found = {"shape": json.dumps(about), "vectors": self.digest}
        write_tensors(path, metadata(self.kind, self.info) | found, arrays)


def digest_of_vectors(vectors):
    """What tells word vectors from others, once they are float16: a str."""
    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(np.asarray(vectors).astype(np.float16))
    return f"{len(half)} {zlib.crc32(half):08x}"


def read_encoder(found, arrays, info):
    """EncoderModel of a file's metadata, arrays and information; see `model_files.open_model`."""
    shape = _shape(found["shape"])
    words = _vocabulary(arrays, "words", "words")
    vocabularies = {name: _vocabulary(arrays, f"keys/{name}", name) for name in shape.features}
    output_words = np.array(arrays.take("output_words", np.int32, (None,)))
    if ((output_words < 0) | (output_words >= len(words))).any() or (
        len(np.unique(output_words)) < len(output_words)
    ):
        raise SennaError("array 'output_words': expected numbers of different words")
    digest = found["vectors"]
    if digest if "vectors" in arrays else not _DIGEST.fullmatch(digest):
        raise SennaError("vectors: expected either their array or what tells them from others")
    halves = _take_halves(arrays, shape, len(words), vocabularies, len(output_words))
    model = EncoderModel(shape, halves, vocabularies, words, output_words, digest, info)
    dim = len(halves["input_weight"]) - sum(shape.features.values())
    model.network(np.zeros((len(words), dim), np.float32)).check()
    return model


def _vocabulary(arrays, name, shown):
    data = arrays.take(name, np.uint8, (None,)).tobytes()
    if not data.endswith(b"\n"):
        raise SennaError(f"{name}: the last key is cut off")
    return Vocabulary(data, shown)


def _take_halves(arrays, shape, n_words, vocabularies, n_output):
    """All arrays of float16, by name, with the sizes that the shape and the keys ask for."""
    half = np.float16
    dim = arrays.take("input_weight", half, (None, shape.width)).shape[0]
    dim -= sum(shape.features.values())
    if dim < 1:
        raise SennaError("array 'input_weight': too few rows for its features")
    sizes = DilatedNetwork.planned_shapes(
        SimpleNamespace(**vars(shape) | {"hidden": 0}),
        {"input": dim + sum(shape.features.values()), "tags": shape.projection}, False,
    )  # fmt: skip
    absent = {name for group in DilatedNetwork.optional for name in group}
    wanted = {
        name.replace("output", "projection"): size
        for name, size in sizes.items() if name not in absent
    }  # fmt: skip
    wanted["projection_weight"] = shape.width, shape.projection
    wanted |= {"output_weight": (n_output, shape.projection), "output_bias": (n_output,)}
    for k, (name, size) in enumerate(shape.features.items(), 1):
        wanted[table_name(k)] = len(vocabularies[name]), size
    if "vectors" in arrays:
        wanted["vectors"] = n_words, dim
    return {name: arrays.take(name, half, size) for name, size in wanted.items()}


def _shape(text):
    try:
        values = parse_json(text)
        values["dilations"] = tuple(values["dilations"])
        shape = Shape(**values)
        sizes = [shape.width, shape.kernel, shape.projection]
        sizes += [*shape.dilations, *shape.features.values()]
        if not all(type(n) is int and 0 < n < 1 << 20 for n in sizes):
            raise ValueError(f"sizes {sizes}")
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise SennaError(f"shape: damaged: {error}") from None
    check_features(shape.features)
    return shape
