"""Labels that trained networks predict for sentences: features of other networks."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly
from senna_py.features.registry import networks_read
from senna_py.models.native import NativeModel
from senna_py.networks.batch import WordBatch
from senna_py.tagging.inputs import index_of
from senna_py.text.tokens import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.io.files import AnyPath
    from senna_py.tagging.data import Sentences


def add_predictions(path: AnyPath, name: str, sentences: Iterable[Sentences]) -> list[str]:
    """Put the labels that a network of a native model predicts into the column `name`.

    path: of the run or model; sentences: a list of Sentences, whose columns have what the network
    takes from others. Returns the labels that there are, a list of str. Raises SennaError for a
    network that is not there, or does not label single words.
    """
    model = NativeModel(path)
    if name not in model.networks:
        raise SennaError(f"{model.path}: it has no {name} network")
    part = model.part(name)
    if part.network.labels != "words":
        raise SennaError(f"{model.path}: its {name} network does not label single words")
    keys, tokenizer = part.labels.keys(), Tokenizer(model.words)
    reads = [other for other in networks_read(part.features) if other != name]
    assembly = Assembly.of_network(model, name)
    for each in sentences:
        if lacking := next((other for other in reads if other not in each.columns), None):
            raise SennaError(f"{name} needs {lacking}, which comes after it or never")
        index, starts = index_of(each, tokenizer, assembly, reads)
        answer = part.network.tag(WordBatch(index, starts))
        tags = [keys[i] for i in answer.labels.tolist()]
        each.columns[name] = [tags[a:b] for a, b in pairwise(starts)]
    return keys
