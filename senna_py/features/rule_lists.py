"""A user's rules as a type of resource, which `senna-model build` stores in a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import ResourceType

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Resource

RULES = "rules"  # The name of the type, and of the only resource of this type.
_SHOWN = {"tokens": "text", "words": "form", "entities": "phrases"}


class StoredRules:
    """Rules as JSON, which `rules.file` reads.

    Attributes:
        text: The JSON.
        array: The JSON as UTF-8, uint8[n_bytes].
    """

    def __init__(self, text: str) -> None:
        """Store the JSON."""
        self.text = text
        self.array = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


class RuleLists(ResourceType):
    """Rules as a type of resource that no setting names."""

    place = setting = RULES
    expected = "nothing"
    noun = "rules"

    def from_array(self, array: NDArray[np.uint8], name: str) -> Resource:
        """Return the rules that a native model stores."""
        try:
            text = array.tobytes().decode("utf-8", "surrogatepass")
            if not isinstance(json.loads(text), dict):
                raise ValueError
        except (ValueError, RecursionError):
            raise SennaError(f"{name}: damaged rules") from None
        return StoredRules(text)

    def describe(self, resource: Any) -> Any:
        """Return the tables of the rules."""
        return json.loads(resource.text)

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        """Return a line for each sort of rules, which lists what they are about."""
        lines = []
        for name, tables in descriptions[RULES].items():
            if name not in _SHOWN:
                continue
            shown: list[str] = []
            for table in tables:
                values = [
                    table.get(key, []) for key in (_SHOWN[name], "pattern", "patterns")
                ]
                for value in values:
                    shown += [value] if isinstance(value, str) else value
            lines.append(f"rules for {name}: {', '.join(map(str, shown))}")
        return lines
