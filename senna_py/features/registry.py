"""All kinds of features, one per line, and the kinds of resources that they need.

docs/reference/file-formats.md has their values. Each table has the key `PADDING`, for
what is outside a sentence; that of a label has `UNAVAILABLE` too, for what its network
does not know.
"""

from collections.abc import Iterable
from functools import lru_cache

from senna_py.features.caps import Caps, SentenceCaps
from senna_py.features.gazetteer import InGazetteer
from senna_py.features.label import Label, Word
from senna_py.features.lemma_lists import LemmaLists
from senna_py.features.protocol import Feature, ResourceKind
from senna_py.features.spans import Prefix, Shape, Suffix
from senna_py.features.word_class import WordClass

_KINDS = (
    Word,
    Caps,
    SentenceCaps,
    Suffix,
    Prefix,
    Shape,
    InGazetteer,
    WordClass,
    Label,  # last, because it matches any name
)

# By `ResourceKind.place`.
RESOURCES: dict[str, ResourceKind] = {
    kind.place: kind
    for kind in (*(each.resource_kind for each in _KINDS), LemmaLists())
    if kind is not None
}


@lru_cache(maxsize=1024)
def find_feature(name: str) -> Feature:
    """The feature called `name`; raises SennaError if it has a kind's prefix but is
    malformed.
    """
    return next(found for kind in _KINDS if (found := kind.parse(name)) is not None)


def networks_read(names: Iterable[str]) -> list[str]:
    """Networks whose labels of words are among features; raises SennaError for a
    malformed name.
    """
    return [each.name for each in map(find_feature, names) if not each.of_tokens]
