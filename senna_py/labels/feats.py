"""Morphological features of a word, in the notation of Universal Dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeVar

    _Default = TypeVar("_Default")


class Feats(str):
    """A str with the features of a word, whose values can be accessed by name.

    >>> feats = Feats("Number=Plur|Person=3")
    >>> feats["Number"], feats.get("Case"), feats.to_dict()
    ('Plur', None, {'Number': 'Plur', 'Person': '3'})
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, str]:
        """Return the values by name; the dict is empty for `_`, which means none."""
        pairs = (pair.partition("=") for pair in self.split("|") if "=" in pair)
        return {name: value for name, _, value in pairs}

    def get(self, name: str, default: _Default | None = None) -> str | _Default | None:
        """Return the value of a feature, or the default if the word has none."""
        return self.to_dict().get(name, default)

    def __getitem__(self, key: Any) -> str:
        """Return the value of a feature, given its name.

        As for any str, an index or a slice returns characters.

        Raises:
            KeyError: If the word does not have the feature.
        """
        if not isinstance(key, str):
            return super().__getitem__(key)
        features = self.to_dict()
        if key not in features:
            raise KeyError(f"{key}: the features are {self}")
        return features[key]
