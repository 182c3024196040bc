"""Lists of lemmas as a type of resource.

The lemma of a word depends on its tag. A list is named after the network that predicts
the tags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.features.protocol import ResourceType
from senna_py.labels.lemmas import Lemmas

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from senna_py.features.protocol import Resource


class LemmaLists(ResourceType):
    """Lists of lemmas, each named after the task whose tags it needs, such as `pos`.

    The settings name dictionary files. `tagging.lexical` learns the lemmas from them
    during a training run, so `read` returns an empty dict.
    """

    place = setting = "lemmas"
    settings = {"lemmas": {}}  # noqa: RUF012 - never changed
    expected = "a list of files"
    noun = "list of lemmas by"

    def accepts(self, value: Any) -> bool:
        return (
            type(value) is list
            and value != []
            and all(type(path) is str for path in value)
        )

    def from_array(self, array: NDArray[np.uint8], name: str) -> Resource:
        return Lemmas(array, name)

    def describe(self, resource: Any) -> dict[str, int]:
        table = resource.table
        return {
            "endings": sum(map(len, resource.endings.values())),
            "words": len(resource.words),
            "known": table.n_words if table else 0,
            "irregular": table.n_forms if table else 0,
        }

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        return [f"lemmas by {name}: {_counts(n)}" for name, n in descriptions.items()]


def _counts(n: Mapping[str, int]) -> str:
    counts = f"{n['endings']:,} endings, {n['words']:,} words"
    if n["known"]:
        counts += f", a dictionary of {n['known']:,} words and ends, and "
        counts += f"{n['irregular']:,} irregular forms"
    return counts
