"""Lemmas as models keep them: a resource, which the networks whose tags it goes by bring along."""

from senna_py.features.protocol import ResourceKind
from senna_py.labels.lemmas import Lemmas


class LemmaLists(ResourceKind):
    """Lemmas by the task of their tags, such as `pos`: a run learns them, no setting names any."""

    place = setting = "lemmas"
    settings = {}  # noqa: RUF012 - never changed
    noun = "list of lemmas by"

    def read(self, settings, directory):
        return {}

    def from_array(self, array, name):
        return Lemmas(array, name)

    def describe(self, resource):
        return {"endings": sum(map(len, resource.endings.values())), "words": len(resource.words)}

    def lines(self, found):
        return [f"lemmas by {name}: {n['endings']:,} endings, {n['words']:,} words"
                for name, n in found.items()]  # fmt: skip
