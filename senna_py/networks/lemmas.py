"""Lemmas of a batch of sentences: a layer beside those of networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.labels.lemmas import MOST_FOLLOWING, Lemmas
from senna_py.labels.tasks import LEMMA, find_task
from senna_py.text.tokens import Tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray


def lemmas_of(
    tokens: Tokens,
    lemmas: Lemmas,
    tags: NDArray[np.int32],
    names: tuple[str, ...],
    is_auxiliary: NDArray[np.bool_] | None = None,
) -> Layer:
    """Find the lemmas of Tokens, once for all words with the same form and tag.

    tags: int32[n_tokens], of each token, numbers in `names`; is_auxiliary:
    bool[n_tokens], or None if nobody knows.
    """
    keys = tokens.first_equal() * np.int64(len(names)) + tags
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    forms, chosen = [*tokens.texts(first)], [names[i] for i in tags[first].tolist()]
    found, number = _Found(lemmas.of_tokens(forms, chosen)), number.astype(np.int32)
    pairs = zip(forms, chosen, strict=True)
    uncertain = [k for k, pair in enumerate(pairs) if pair in lemmas.uncertain]
    if uncertain:
        _go_by_context(tokens, lemmas, tags, names, uncertain, number, found)
    if is_auxiliary is not None and lemmas.auxiliaries:
        _check_auxiliaries(tokens, lemmas, np.flatnonzero(is_auxiliary), number, found)
    return Layer(find_task(LEMMA), found.lemmas, number)


class _Found:
    """The lemmas of a batch by their numbers; others join them."""

    def __init__(self, lemmas: list[str]) -> None:
        self.lemmas = lemmas
        self._numbers: dict[str, int] = {}

    def number(self, lemma: str) -> int:
        """Return the number of a lemma, which joins the others if it is new."""
        if not self._numbers:  # most batches ask for none
            self._numbers = {each: k for k, each in enumerate(self.lemmas)}
        if lemma not in self._numbers:
            self._numbers[lemma] = len(self.lemmas)
            self.lemmas.append(lemma)
        return self._numbers[lemma]


def _go_by_context(
    tokens: Tokens,
    lemmas: Lemmas,
    tags: NDArray[np.int32],
    names: tuple[str, ...],
    uncertain: list[int],
    number: NDArray[np.int32],
    found: _Found,
) -> None:
    """Change the lemmas of words that have several, by what follows.

    uncertain: the numbers of their lemmas by form and tag alone; number:
    int32[n_tokens], changed.
    """
    places = np.flatnonzero(np.isin(number, uncertain))
    ends = tokens.starts[np.searchsorted(tokens.starts, places, "right")]
    for place, end in zip(places.tolist(), ends.tolist(), strict=True):
        seen = slice(place, min(end, place + 1 + MOST_FOLLOWING))
        own = [names[i] for i in tags[seen].tolist()]
        alone = found.lemmas[number[place]]
        lemma = lemmas.in_context(alone, [*tokens.texts(seen)], own, 0)
        number[place] = found.number(lemma)


def _check_auxiliaries(
    tokens: Tokens,
    lemmas: Lemmas,
    places: NDArray[np.int64],
    number: NDArray[np.int32],
    found: _Found,
) -> None:
    """Change the lemmas that no auxiliary has; places: of the tokens that are
    auxiliaries.
    """
    of_places = np.unique(number[places]).tolist()
    wrong = [k for k in of_places if found.lemmas[k] not in lemmas.auxiliaries]
    places = places[np.isin(number[places], wrong)]
    for place, form in zip(places.tolist(), tokens.texts(places), strict=True):
        lemma = lemmas.of_auxiliary(form, found.lemmas[number[place]])
        number[place] = found.number(lemma)
