"""The layer of lemmas of a batch of sentences, which needs no network."""

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
    """Return the layer of the lemmas of tokens.

    A lemma is looked up once for all tokens with the same form and tag.

    Args:
        tokens: The tokens.
        lemmas: The rules and lists of the language.
        tags: int32[n_tokens], the index in `names` of each token's tag.
        names: The names of the tags.
        is_auxiliary: bool[n_tokens], whether each token is an auxiliary, or None if
            this is not known.
    """
    keys = tokens.first_equal() * np.int64(len(names)) + tags
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    forms, tag_names = [*tokens.texts(first)], [names[i] for i in tags[first].tolist()]
    numbers = _LemmaNumbers(lemmas.of_tokens(forms, tag_names))
    number = number.astype(np.int32)
    pairs = zip(forms, tag_names, strict=True)
    uncertain = [k for k, pair in enumerate(pairs) if pair in lemmas.uncertain]
    if uncertain:
        _go_by_context(tokens, lemmas, tags, names, uncertain, number, numbers)
    if is_auxiliary is not None and lemmas.auxiliaries:
        _check_auxiliaries(
            tokens, lemmas, np.flatnonzero(is_auxiliary), number, numbers
        )
    return Layer(find_task(LEMMA), numbers.lemmas, number)


class _LemmaNumbers:
    """The lemmas of a batch, to which layers refer by index.

    A lemma may occur several times, because each pair of a form and a tag has one.
    """

    def __init__(self, lemmas: list[str]) -> None:
        self.lemmas = lemmas
        self._numbers: dict[str, int] = {}

    def number(self, lemma: str) -> int:
        """Return the index of a lemma, which is appended if it is new."""
        # Created on first use, because most batches need no look-ups.
        if not self._numbers:
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
    numbers: _LemmaNumbers,
) -> None:
    """Choose the lemmas of ambiguous words by the words that follow.

    Args:
        tokens: The tokens.
        lemmas: The rules and lists of the language.
        tags: int32[n_tokens], the index in `names` of each token's tag.
        names: The names of the tags.
        uncertain: The indices of the lemmas of the ambiguous pairs of form and tag.
        number: int32[n_tokens], the index of each token's lemma, which is changed in
            place.
        numbers: The lemmas, to which new ones are appended.
    """
    places = np.flatnonzero(np.isin(number, uncertain))
    ends = tokens.starts[np.searchsorted(tokens.starts, places, "right")]
    for place, end in zip(places.tolist(), ends.tolist(), strict=True):
        window = slice(place, min(end, place + 1 + MOST_FOLLOWING))
        tag_names = [names[i] for i in tags[window].tolist()]
        alone = numbers.lemmas[number[place]]
        lemma = lemmas.in_context(alone, [*tokens.texts(window)], tag_names, 0)
        number[place] = numbers.number(lemma)


def _check_auxiliaries(
    tokens: Tokens,
    lemmas: Lemmas,
    places: NDArray[np.int64],
    number: NDArray[np.int32],
    numbers: _LemmaNumbers,
) -> None:
    """Replace the lemmas of auxiliaries that are not lemmas of any auxiliary.

    Args:
        tokens: The tokens.
        lemmas: The rules and lists of the language.
        places: int64[n], the indices of the tokens that are auxiliaries.
        number: int32[n_tokens], the index of each token's lemma, which is changed in
            place.
        numbers: The lemmas, to which new ones are appended.
    """
    of_places = np.unique(number[places]).tolist()
    wrong = [k for k in of_places if numbers.lemmas[k] not in lemmas.auxiliaries]
    places = places[np.isin(number[places], wrong)]
    for place, form in zip(places.tolist(), tokens.texts(places), strict=True):
        lemma = lemmas.of_auxiliary(form, numbers.lemmas[number[place]])
        number[place] = numbers.number(lemma)
