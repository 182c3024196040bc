"""Encoders in files: float16 arrays, the keys of features, the dictionary, and how they came."""

import json
import zlib
from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.features.registry import find_feature
from senna_py.formats.tensors import write_tensors
from senna_py.io.nesting import parse_json
from senna_py.layers.lookup import table_name
from senna_py.lm.encoder.network import Shape
from senna_py.lm.encoder.words import check_features, padding_of
from senna_py.lm.language_model import LanguageModel, metadata
from senna_py.networks.dilated import DilatedNetwork
from senna_py.text.vocabulary import Vocabulary

__all__ = ["EncoderModel", "digest_of_vectors", "read_encoder"]


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


def read_encoder(found, tensors, info):
    """EncoderModel of a file's metadata, arrays and information; see `model_files.open_model`."""
    shape = _shape(found["shape"])
    words = Vocabulary(tensors["words"].tobytes(), "words")
    vocabularies = {
        name: Vocabulary(tensors[f"keys/{name}"].tobytes(), name) for name in shape.features
    }
    arrays = {name: array for name, array in tensors.items() if array.dtype == np.float16}
    if bad := [name for name, array in arrays.items() if not np.isfinite(array).all()]:
        raise SennaError(f"array {bad[0]!r}: not all of its numbers are finite")
    model = EncoderModel(
        shape, arrays, vocabularies, words, np.array(tensors["output_words"]),
        found["vectors"], info,
    )  # fmt: skip
    _check(model)
    return model


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


def _check(model):
    """Raise SennaError unless arrays have the sizes that the shape and the keys ask for."""
    shape, n_words, n_output = model.shape, len(model.words), len(model.output_words)
    dim = 1
    if "vectors" in model.arrays:
        dim = model.arrays["vectors"].shape[-1]
        _check_array(model, "vectors", (n_words, dim))
    for k, (name, size) in enumerate(shape.features.items(), 1):
        find_feature(name)
        _check_array(model, table_name(k), (len(model.vocabularies[name]), size))
    if model.arrays["input_weight"].ndim == 2:
        dim = len(model.arrays["input_weight"]) - sum(shape.features.values())
    _check_array(model, "projection_weight", (shape.width, shape.projection))
    _check_array(model, "output_weight", (n_output, shape.projection))
    _check_array(model, "output_bias", (n_output,))
    network = model.network(np.zeros((n_words, max(dim, 1)), np.float32))
    network.check()
    if {weight.shape[0] for name, weight in network.blocks.items() if name.endswith("weight")} != {
        shape.kernel * shape.width
    }:
        raise SennaError(f"blocks that are not of {shape.kernel} words")


def _check_array(model, name, shape):
    if model.arrays[name].shape != shape:
        raise SennaError(
            f"array {name!r}: {list(model.arrays[name].shape)}, expected {list(shape)}"
        )
