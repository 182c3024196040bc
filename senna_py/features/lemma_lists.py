"""Lemmas as models keep them: a resource, which the networks whose tags it goes by
bring along.
"""

from senna_py.features.protocol import ResourceKind
from senna_py.labels.lemmas import Lemmas


class LemmaLists(ResourceKind):
    """Lemmas by the task of their tags, such as `pos`: a run learns them.

    Settings name the files of a dictionary, which the learning reads
    (`tagging.lexical`).
    """

    place = setting = "lemmas"
    settings = {"lemmas": {}}  # noqa: RUF012 - never changed
    expected = "a list of files"
    noun = "list of lemmas by"

    def accepts(self, value):
        return (
            type(value) is list
            and value != []
            and all(type(path) is str for path in value)
        )

    def read(self, settings, directory):
        return {}

    def from_array(self, array, name):
        return Lemmas(array, name)

    def describe(self, resource):
        table = resource.table
        return {
            "endings": sum(map(len, resource.endings.values())),
            "words": len(resource.words),
            "known": table.n_words if table else 0,
            "irregular": table.n_forms if table else 0,
        }

    def lines(self, found):
        return [f"lemmas by {name}: {_counts(n)}" for name, n in found.items()]


def _counts(n):
    counts = f"{n['endings']:,} endings, {n['words']:,} words"
    if n["known"]:
        counts += f", a dictionary of {n['known']:,} words and ends, and "
        counts += f"{n['irregular']:,} irregular forms"
    return counts
