"""The layers of a batch, which the tagger creates and formats print."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from senna_py.answers.layer import Layer
    from senna_py.text.tokens import Tokens


@dataclass
class Annotations:
    """The tokens of a batch with the layers that a Tagger found.

    Attributes:
        tokens: The tokens of the batch.
        layers: The layer of each network that ran, by name, and the lemmas. Networks
            that only provide input for others are included. The layer of an uncertain
            task has a row for each likely label.
        tasks: The names of the requested tasks.
    """

    tokens: Tokens
    layers: Mapping[str, Layer] = field(default_factory=dict)
    tasks: tuple[str, ...] = ()

    @property
    def needed(self) -> frozenset[str]:
        """The tasks that were not requested, but whose layers requested tasks need."""
        needs = (self.layers[task].task.needs for task in self.tasks)
        return frozenset().union(*needs) - {*self.tasks}
