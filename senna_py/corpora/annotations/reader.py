"""The interface of the readers of JSON exports."""

from typing import Any, Protocol

from senna_py.corpora.annotations.texts import AnnotatedText


class ItemReader(Protocol):
    """Reads the items of a JSON export, each of which has a text.

    Attributes:
        tool: The name of the tool.
        expected: What an item looks like, for messages.
        skipped: What the items are for which `read` returns None, for a note.
    """

    tool: str
    expected: str
    skipped: str

    def fits(self, item: Any) -> bool:
        """Return whether a JSON value looks like an item of the tool."""

    def read(self, item: Any, place: str) -> AnnotatedText | None:
        """Return the text of an item, or None if the item is to be skipped.

        Args:
            item: The JSON value.
            place: The place of the item.

        Raises:
            ValueError: If the item is malformed.
        """
