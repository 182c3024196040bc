"""Lists of combinations of labels as a type of resource.

A model has at most one list, which is named COMBINATIONS. It is learned from the
training data, so no setting names it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.features.protocol import ResourceType
from senna_py.labels.tag_combinations import TagCombinations

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from senna_py.features.protocol import Resource

COMBINATIONS = "tags"  # the name of the list in a model


class CombinationLists(ResourceType):
    """Lists of combinations of a tag, a universal part of speech and features.

    A list is learned during a training run, so `read` returns an empty dict.
    """

    place = setting = "combinations"
    noun = "list of combinations of"

    def from_array(self, array: NDArray[np.uint8], name: str) -> Resource:
        return TagCombinations.from_array(array, name)

    def describe(self, resource: Any) -> dict[str, Any]:
        return {"tasks": list(resource.tasks), "combinations": len(resource.rows)}

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        return [
            f"combinations of {', '.join(n['tasks'])}: {n['combinations']:,}"
            for n in descriptions.values()
        ]
