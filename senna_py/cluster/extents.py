"""How far a part of a text reaches in lines and characters, so that the next can be placed."""

from dataclasses import dataclass, replace

from senna_py.corpora.places import Place
from senna_py.io.streaming import read_batches

__all__ = ["NOTHING", "Before", "Extent", "extent_of"]

_GOES_ON = -1  # a paragraph that began before the part


@dataclass(frozen=True)
class Extent:
    """Of whole lines: lines, characters: how many; is_blank: whether no line has a token.

    paragraph: the line, from 1, of the paragraph that is open at the end; 0 if none is; -1 if it
    began before; blank: the blank lines at the end.
    """

    lines: int
    characters: int
    paragraph: int
    blank: bytes
    is_blank: bool


@dataclass(frozen=True)
class Before:
    """What stands before a part in its input.

    place: the Place of its first line, for a document without a name; begun: whether a token is
    before; lines: how many lines.
    """

    place: Place
    begun: bool = False

    @property
    def lines(self):
        """Number of lines."""
        return self.place.line - 1

    def after(self, extent):
        """What stands before the next part, with the Extent of this one."""
        if not extent.lines:
            return self
        place = self.place
        if extent.paragraph == _GOES_ON:
            paragraph = place.paragraph or place.line
        else:
            paragraph = extent.paragraph and place.line + extent.paragraph - 1
        return Before(
            replace(
                place,
                line=place.line + extent.lines,
                paragraph=paragraph,
                blank=place.blank + extent.blank if extent.is_blank else extent.blank,
                character=place.character + extent.characters,
            ),
            self.begun or not extent.is_blank,
        )


NOTHING = Before(Place(""))


def extent_of(source, is_blank=None):
    """The Extent of what a Source has left; is_blank: as of Place.after. Raises InputError."""
    place, n_bytes = Place("", paragraph=_GOES_ON), 0
    for data in read_batches(source):
        if data is not None:
            place = place.after(data, is_blank)
            n_bytes += len(data)
    blank = len(place.blank) == n_bytes
    return Extent(place.line - 1, place.character, place.paragraph, place.blank, blank)
