"""Taggers that begin with an encoder of `senna-lm train encoder`."""

import zlib
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError, SettingError
from senna_py.lm.encoder.model import EncoderModel, digest_of_vectors
from senna_py.lm.model_files import open_model
from senna_py.networks.dilated import DilatedSettings

__all__ = ["Pretrained", "read_pretrained"]

_SETTINGS = ("width", "kernel", "dilations")


def read_pretrained(config, directory, words, vectors):
    """The Pretrained that a Config names, or None if it names none.

    directory: below which its file stands; words: Vocabulary, the dictionary; vectors:
    float32[n_words, dim]. Raises SennaError for a file that is no encoder or is of another
    dictionary or of other vectors, SettingError for settings that are not those of the encoder.
    """
    if not config.network.encoder:
        return None
    path = Path(directory) / config.network.encoder
    model = open_model(path)
    if not isinstance(model, EncoderModel):
        raise SennaError(f"{path}: a language model of the kind {model.kind}, not an encoder")
    if model.words.keys() != words.keys():
        raise SennaError(f"{path}: made with another dictionary than {words.name}")
    if "vectors" in model.arrays:
        vectors = model.table("word")
    elif model.digest != digest_of_vectors(vectors):
        raise SennaError(f"{path}: made with other vectors than {words.name}")
    network = model.network(vectors)
    _check_settings(config, path, model.shape)
    return Pretrained(model, network, vectors)


def _check_settings(config, path, shape):
    network = config.network
    found = {
        "width": network.width, "kernel": DilatedSettings.kernels(network),
        "dilations": network.dilations,
    }  # fmt: skip
    wanted = {"width": shape.width, "kernel": [shape.kernel] * len(shape.dilations),
              "dilations": list(shape.dilations)}  # fmt: skip
    for name in _SETTINGS:
        if found[name] != wanted[name]:
            raise SettingError(
                f"network.{name}: {getattr(network, name)}, but {path} has {getattr(shape, name)}"
            )
    for name, size in shape.features.items():
        if config.features.get(name) != size:
            given = config.features.get(name, "not given")
            raise SettingError(f"features.{name}: {given}, but {path} has vectors of {size}")


class Pretrained:
    """An encoder that networks begin with.

    vocabularies: keys of its features by name; word_vectors: float32[n_words, dim], those that it
    was trained with.
    """

    what = "encoder"

    def __init__(self, model, network, vectors):
        """model: EncoderModel; network: its DilatedNetwork; vectors: float32[n_words, dim]."""
        self._names, self._network = ("word", *model.shape.features), network
        self.vocabularies, self.word_vectors = model.vocabularies, vectors

    def digest(self):
        """A number that tells it from others."""
        total = 0
        for array in (*self._network.tables[1:], *self._network.arrays().values()):
            total = zlib.crc32(np.ascontiguousarray(array), total)
        return total

    def begin(self, network, names, keys):
        """Change a new DilatedNetwork so that its states are those of the encoder.

        names: of the network's features; keys: its labels, which are new. What the encoder does not
        know has vectors, but the weight 0 at first: it changes states only as far as training wants
        it to.
        """
        own, rows = self._network, {}
        first = 0
        for name, table in zip(self._names, own.tables, strict=True):
            rows[name] = own.input_weight[first : first + table.shape[1]]
            first += table.shape[1]
        first = 0
        for k, name in enumerate(names):
            end = first + network.tables[k].shape[1]
            network.input_weight[first:end] = rows.get(name, 0)
            if name in self._names:
                network.tables[k][...] = own.tables[self._names.index(name)]
            first = end
        for name in ("input_bias", "norm_gain", "norm_shift"):
            getattr(network, name)[...] = getattr(own, name)
        for name, array in own.blocks.items():
            network.blocks[name][...] = array
