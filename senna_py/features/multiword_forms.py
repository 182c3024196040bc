"""Lists of forms of multiword tokens, as a type of resource of learned tokenizers.

The lists contain the forms that always or never consist of several words in the
training data. A network decides about all other forms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.features.protocol import ResourceType
from senna_py.kernels.text.word_forms import find_spans
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Resource
    from senna_py.text.tokens import Tokens

# The names of the lists of forms that always or never consist of several words.
ALWAYS, NEVER = "always", "never"


class FormList:
    """A list of look-up forms; several threads may share it.

    Attributes:
        forms: The forms.
        array: uint8[n_bytes], one form per line; see Resource.
    """

    def __init__(self, data: bytes, name: str) -> None:
        """Parse the lines of a list; messages contain `name`."""
        self.forms = Vocabulary(data, name)
        self.array = np.frombuffer(data, np.uint8)

    @classmethod
    def of(cls, forms: Iterable[str]) -> FormList:
        """Create a list of distinct look-up forms, which are sorted."""
        text = "".join(f"{form}\n" for form in sorted(forms))
        return cls(text.encode("utf-8", "surrogateescape"), "forms")

    def has(self, tokens: Tokens) -> NDArray[np.bool_]:
        """Return whether the form of each token is in the list: bool[n_tokens]."""
        index = np.empty(len(tokens), np.int32)
        places = tokens.folded_begin, tokens.folded_end
        find_spans(tokens.folded, *places, self.forms.table, -1, index)
        return index >= 0


class MultiwordForms(ResourceType):
    """The lists ALWAYS and NEVER as a type of resource that no setting names."""

    place = setting = "multiwords"
    expected = "nothing"
    noun = "list of tokens that are multiword tokens"

    def from_array(self, array: NDArray[np.uint8], name: str) -> Resource:
        """Return a list that a native model stores."""
        return FormList(array.tobytes(), name)

    def describe(self, resource: Any) -> int:
        """Return the number of forms of a list."""
        return len(resource.forms)

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        """Return a line with the number of forms of each list."""
        counts = (f"{n:,} {name}" for name, n in descriptions.items())
        return [f"forms that are multiword tokens: {', '.join(counts)}"]
