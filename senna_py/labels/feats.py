"""Morphological features of a word, in the notation of Universal Dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeVar

    _Default = TypeVar("_Default")


class Feats(str):
    """Features as they are written, `Number=Plur|Person=3`, and their values by name.

    >>> feats = Feats("Number=Plur|Person=3")
    >>> feats["Number"], feats.get("Case"), feats.to_dict()
    ('Plur', None, {'Number': 'Plur', 'Person': '3'})
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, str]:
        """The values by name; none of `_`, which stands for no features."""
        pairs = (each.partition("=") for each in self.split("|") if "=" in each)
        return {name: value for name, _, value in pairs}

    def get(self, name: str, default: _Default | None = None) -> str | _Default | None:
        """The value of a feature, or the default where the word does not have it."""
        return self.to_dict().get(name, default)

    def __getitem__(self, key: Any) -> str:
        """The value of the feature of a name; by a number or a slice, characters."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = self.to_dict()
        if key not in found:
            raise KeyError(f"{key}: the features are {self}")
        return found[key]
