"""Stand-ins: what replaces the mentions of persons and other things."""

from __future__ import annotations

from senna_py.errors import UsageError
from senna_py.redaction.names import given_name, invented_name
from senna_py.redaction.persons import Entities, words_of
from senna_py.redaction.styles import BY_NUMBER, BY_TYPE, STYLES
from senna_py.redaction.type_names import PERSON


class StandIns:
    """Chooses the stand-ins of a run: the same name always has the same one."""

    def __init__(self, style: str) -> None:
        """Begin a run.

        Args:
            style: One of `STYLES`.

        Raises:
            UsageError: If there is no such style.
        """
        if style not in STYLES:
            raise UsageError(f"no such style: {style!r}; there are {', '.join(STYLES)}")
        self.style = style
        self._entities = Entities()
        self._chosen: dict[tuple[str, int, tuple[str, ...]], str] = {}

    def stand_in(self, type_name: str, text: str) -> str:
        """Return the stand-in of a mention; mentions must come in text order.

        Args:
            type_name: The type of the mention.
            text: The text of the mention.
        """
        if self.style == BY_TYPE:
            return f"[{type_name}]"
        number = self._entities.number(type_name, text)
        if self.style == BY_NUMBER:
            return f"{type_name}_{number}"
        words = words_of(text) if type_name == PERSON else ()
        key = type_name, number, words
        if key not in self._chosen:
            self._chosen[key] = self._invent(*key)
        return self._chosen[key]

    def _invent(self, type_name: str, number: int, words: tuple[str, ...]) -> str:
        """Return an invented name, or a number if none is left.

        Args:
            type_name: The type.
            number: The number of the person or thing.
            words: The words of a mention of a person; otherwise none.
        """
        name = invented_name(type_name, number)
        if name is None:
            return f"{type_name}_{number}"
        if type_name != PERSON:
            return name
        given = given_name(number)
        if self._entities.is_given_name(number, words):
            return given
        return name if len(words) == 1 else f"{given} {name}"
