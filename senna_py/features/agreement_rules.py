"""Rules of agreement as a type of resource; a model has at most one list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.features.protocol import ResourceType
from senna_py.labels.agreement import Agreement

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from senna_py.features.protocol import Resource


class AgreementRules(ResourceType):
    """Rules of agreement, named after the task whose labels are the features.

    They are learned from a treebank, so `read` returns an empty dict.
    """

    place = setting = "agreement"
    noun = "rules of agreement for"

    def from_array(self, array: NDArray[np.uint8], name: str) -> Resource:
        return Agreement.from_array(array, name)

    def describe(self, resource: Any) -> dict[str, int]:
        return {"rules": len(resource.features)}

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        return [
            f"agreement of {name} with the tree: {n['rules']:,} rules"
            for name, n in descriptions.items()
        ]
