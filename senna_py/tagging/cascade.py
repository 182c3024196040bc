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


class Predictor:
    """A network of a native model that labels the words of Sentences."""

    def __init__(self, path: AnyPath, name: str) -> None:
        """path: of the model; name: of the network; raises SennaError if it labels no words."""
        model = NativeModel(path)
        if name not in model.networks:
            raise SennaError(f"{model.path}: it has no {name} network")
        self.part = model.part(name)
        if self.part.network.labels != "words":
            raise SennaError(f"{model.path}: its {name} network does not label single words")
        self.keys = self.part.labels.keys()
        self._labels = [other for other in networks_read(self.part.features) if other != name]
        self._assembly = Assembly.of_network(model, name)
        self._tokenizer = Tokenizer(model.words)

    def __call__(self, sentences: Sentences) -> list[list[str]]:
        """Tags of Sentences, whose columns have what this network takes from others."""
        for name in self._labels:
            if name not in sentences.columns:
                raise SennaError(f"{self.part.name} needs {name}, which comes after it or never")
        index, starts = index_of(sentences, self._tokenizer, self._assembly, self._labels)
        answer = self.part.network.tag(WordBatch(index, starts))
        tags = [self.keys[i] for i in answer.labels.tolist()]
        return [tags[a:b] for a, b in pairwise(starts)]


def add_predictions(run: AnyPath, name: str, sentences: Iterable[Sentences]) -> list[str]:
    """Put the labels that a run's model predicts into the column `name` of a list of Sentences.

    run: path of the run or model. Returns the labels that there are, a list of str.
    """
    predictor = Predictor(run, name)
    for each in sentences:
        each.columns[name] = predictor(each)
    return predictor.keys
