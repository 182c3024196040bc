"""Mixtures of language models: P = sum_k weight_k P_k (Bengio et al. 2003, section 2).

The weights are equal, or they are learned by EM on validation text. Learned weights may
depend on the frequency of the context: each bin of frequencies then has its own
weights, as in the interpolated trigram model (Bengio et al. 2003, section 4.1).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.io.nesting import parse_json
from senna_py.io.paths import path_problem
from senna_py.lm.language_model import (
    NO_WORDS,
    LanguageModel,
    Scorer,
    last_words,
    metadata,
)
from senna_py.lm.ngram.interpolated import (
    InterpolatedModel,
    learn_weights,
    take_mixture_weights,
)
from senna_py.lm.word_list import OpenWordList
from senna_py.models.tensors import write_tensors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from senna_py.io.files import AnyPath
    from senna_py.lm.arrays import Arrays
    from senna_py.lm.word_list import WordList

    Ids = NDArray[np.int32]

_MOST_PARTS = 100


class MixtureModel(LanguageModel):
    """A mixture of models with the same words.

    Attributes:
        parts: The models.
        weights: float32[n_bins, n_parts], the weights, whose rows sum to 1.
        binner: The index of the interpolated model that determines the bin of a
            context, or None if there is a single bin.
        paths: The paths of the models' files.
        info: Facts about the training as JSON values.
    """

    kind = "mixture"

    def __init__(
        self,
        parts: Sequence[LanguageModel],
        weights: NDArray[np.float32],
        binner: int | None,
        paths: Sequence[str],
        info: dict[str, Any],
    ) -> None:
        """Create a mixture; see the attributes of the class.

        Raises:
            SennaError: If the words of the models differ, if a model is a mixture
                itself, or if there are too many models.
        """
        _check_number(len(parts))
        self.parts = parts
        self.weights = weights
        self.binner = binner
        self.paths = paths
        self.info = info
        lists = [part.word_list for part in parts]
        _check_words(lists, paths)
        self.word_list = next((words for words in lists if words.is_open), lists[0])
        for part, path in zip(parts, paths, strict=True):
            if part.kind == self.kind:
                raise SennaError(f"{path}: a mixture within a mixture")
        orders = [part.order for part in parts if part.order is not None]
        self.order = max(orders) if len(orders) == len(parts) else None
        self._maps = [_Map(self.word_list, words) for words in lists]

    def scorer(self) -> Scorer:
        return _MixtureScorer(self)

    def components(self, ids: Ids) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return each word's probability by each model, and the bin of its context.

        Args:
            ids: int32[n], a stream of words.

        Returns:
            The probabilities, float64[n, n_parts], and the bins, int64[n].
        """
        return self.components_by([part.scorer() for part in self.parts], ids)

    def components_by(
        self, scorers: Sequence[Scorer], ids: Ids, before: Ids = NO_WORDS
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the results of `components`, computed by scorers.

        Args:
            scorers: A scorer for each model, which has already read `before`.
            ids: int32[n], the next words of the stream.
            before: int32[m], the words before `ids`, for the bins of contexts.

        Returns:
            The probabilities, float64[n, n_parts], and the bins, int64[n].
        """
        pairs = zip(scorers, self._maps, strict=True)
        by_part = np.stack([scorer.take(to_part(ids)) for scorer, to_part in pairs], 1)
        if self.binner is None:
            return 10**by_part, np.zeros(len(ids), np.int64)
        return 10**by_part, self._bins(ids, before)

    def _bins(self, ids: Ids, before: Ids = NO_WORDS) -> NDArray[np.int64]:
        """Return the bin of the context of each word: int64[n].

        Args:
            ids: int32[n], the words.
            before: int32[m], the words before `ids`.
        """
        assert self.binner is not None, "there is a single bin"
        part, to_part = self.parts[self.binner], self._maps[self.binner]
        assert isinstance(part, InterpolatedModel), "only these have bins"
        return part.bins(to_part(ids), to_part(before))

    def mix(
        self, probabilities: NDArray[np.float64], bins: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the log10 probabilities of the mixture: float64[n].

        Args:
            probabilities: float64[n, n_parts], from `components`.
            bins: int64[n], from `components`.
        """
        return np.log10(
            np.einsum("ij,ij->i", probabilities, self.weights[bins], dtype=float)
        )

    def probabilities(self, before: ArrayLike) -> NDArray[np.float64]:
        before = np.asarray(before, np.int32)
        by_part = [
            part.probabilities(to_part(before))[to_part.known]
            for part, to_part in zip(self.parts, self._maps, strict=True)
        ]
        bin_of_context = 0
        if self.binner is not None:
            ids = np.append(before, self.word_list.unknown).astype(np.int32)
            bin_of_context = int(self._bins(ids)[-1])
        weights = self.weights[bin_of_context]
        return np.einsum("ij,i->j", np.stack(by_part), weights, dtype=float)

    def describe(self) -> list[tuple[str, str]]:
        rows = [
            (
                f"weights of bin {i}" if len(self.weights) > 1 else "weights",
                " ".join(f"{weight:.3f}" for weight in row),
            )
            for i, row in enumerate(self.weights)
        ]
        return [
            ("kind", "mixture"),
            ("words", f"{len(self.word_list):,}"),
            *(
                (f"model {k}", f"{path}: {dict(part.describe())['kind']}")
                for k, (path, part) in enumerate(
                    zip(self.paths, self.parts, strict=True), 1
                )
            ),
            *((key, str(value)) for key, value in self.info.items()),
            *rows,
        ]

    def write(self, path: AnyPath, half: bool = False) -> None:
        """Write the weights, and the paths of the models relative to `path`.

        The weights are always stored as float32; `half` has no effect.

        Raises:
            SennaError: If the file cannot be written.
        """
        base = os.path.abspath(os.path.dirname(path) or ".")
        names = [os.path.relpath(os.path.abspath(part), base) for part in self.paths]
        about = metadata(self.kind, self.info) | {
            "parts": json.dumps(names),
            "binner": json.dumps(self.binner),
        }
        write_tensors(path, about, {"weights": self.weights.astype(np.float32)})


def _check_number(n: int) -> None:
    if n > _MOST_PARTS:
        raise SennaError(f"a mixture of {n:,} models; the limit is {_MOST_PARTS}")


class _MixtureScorer(Scorer):
    def __init__(self, model: MixtureModel) -> None:
        self._model: MixtureModel = model
        self._scorers = [part.scorer() for part in model.parts]
        self._before = NO_WORDS

    def take(self, ids: Ids) -> NDArray[np.float64]:
        model = self._model
        out = model.mix(*model.components_by(self._scorers, ids, self._before))
        out[ids == model.word_list.begin] = 0
        n_before = 0
        if model.binner is not None:
            n_before = model.parts[model.binner].n_before()
        self._before = last_words(self._before, ids, n_before)
        return out


class _Map:
    """Converts word indices of a mixture to word indices of a part.

    Attributes:
        known: int32[n_words], the index in the part of each word of the mixture.
    """

    def __init__(self, word_list: WordList, part: WordList) -> None:
        """Prepare the conversion between two word lists.

        Args:
            word_list: The word list of the mixture, which must be open if `part` is.
            part: The word list of the part.
        """
        self.known = part.indices(word_list.words)
        self._word_list = word_list
        self._part = part

    def __call__(self, ids: Ids) -> Ids:
        out = self.known[self._word_list.closed(ids)]
        if self._part.is_open:
            assert isinstance(self._word_list, OpenWordList), "open if the part is"
            added = ids >= self._word_list.first
            out[added] = self._part.indices(self._word_list.words_at(ids[added]))
        return out


def _check_words(lists: Sequence[WordList], paths: Sequence[str]) -> None:
    """Check that all models have the same words and sentence marks.

    Raises:
        SennaError: If the words or marks differ. The message names the file of the
            first model that differs.
    """
    words = [word.encode("utf-8", "surrogateescape") for word in lists[0].words]
    for other, path in zip(lists, paths, strict=True):
        if lists[0].marks != other.marks:
            raise SennaError(
                f"{path}: one model has marks of sentences and another does not"
            )
        missing = next((word for word in words if word not in other.index), None)
        if missing is not None or len(other) != len(words):
            difference = f"{len(other):,} words"
            if missing:
                difference = repr(missing.decode("utf-8", "replace"))
            raise SennaError(
                f"{path}: its words are not those of the first model: {difference}"
            )


def learn_mixture(
    parts: Sequence[LanguageModel],
    paths: Sequence[str],
    kind: str,
    read_held_out: Callable[[WordList], Ids] | None = None,
    note: Callable[[str], object] | None = None,
) -> MixtureModel:
    """Create a mixture of models, and learn its weights.

    Args:
        parts: The models.
        paths: The paths of the models' files.
        kind: `fixed` for equal weights, `learned` for learned weights, or `frequency`
            for learned weights that depend on the frequency of the context.
        read_held_out: A function that takes a word list and returns the validation text
            as its indices, int32[n], or None if there is no validation text.
        note: A callback for lines that are shown to the user, or None.

    Raises:
        SennaError: If the models cannot be mixed.
        UsageError: If weights are to be learned without validation text, or `frequency`
            is chosen without an interpolated model.
    """
    binner = None
    if kind == "frequency":
        binner = next(
            (k for k, part in enumerate(parts) if isinstance(part, InterpolatedModel)),
            None,
        )
        if binner is None:
            raise UsageError(
                "weights by frequency need an interpolated n-gram model among the models"
            )
    n_bins = _n_bins(parts, binner)
    weights = np.full((n_bins, len(parts)), 1 / len(parts), np.float32)
    model = MixtureModel(parts, weights, binner, paths, {"weights": kind})
    held_out = read_held_out(model.word_list) if read_held_out else NO_WORDS
    if not len(held_out):
        if kind != "fixed":
            raise UsageError("learning weights requires validation text: give --valid")
        return model
    probabilities, bins = model.components(held_out)
    predicted = held_out != model.word_list.begin
    probabilities, bins = probabilities[predicted], bins[predicted]
    if kind != "fixed":
        weights[:] = learn_weights(probabilities, bins, n_bins)[0]
    alone = 10 ** -np.log10(np.maximum(probabilities, 1e-300)).mean(0)
    mixed = 10 ** -model.mix(probabilities, bins).mean()
    if note:
        for path, perplexity in zip(paths, alone, strict=True):
            note(f"{path}: held-out perplexity {perplexity:.2f}")
        note(f"mixture: held-out perplexity {mixed:.2f}")
    model.info["held-out perplexity"] = round(float(mixed), 3)
    return model


def _n_bins(parts: Sequence[LanguageModel], binner: int | None) -> int:
    part = parts[binner] if binner is not None else None
    return len(part.weights) if isinstance(part, InterpolatedModel) else 1


def read_mixture(
    fields: Mapping[str, str],
    arrays: Arrays,
    info: dict[str, Any],
    path: AnyPath,
    open_model: Callable[[str], LanguageModel],
) -> MixtureModel:
    """Read a mixture and its models.

    Args:
        fields: The metadata of the mixture's file.
        arrays: The arrays of the file.
        info: Facts about the training as JSON values.
        path: The path of the file.
        open_model: A function that reads a model from a path.

    Raises:
        KeyError: If a field or an array is missing.
        SennaError: If a field or an array is not valid, or the models cannot be read or
            mixed.
    """
    try:
        names, binner = parse_json(fields["parts"]), parse_json(fields["binner"])
    except ValueError as error:
        raise SennaError(f"parts, binner: not JSON: {error}") from None
    is_list = isinstance(names, list) and names
    if not is_list or not all(isinstance(name, str) for name in names):
        raise SennaError("parts: expected a list of names")
    if wrong := path_problem(names):
        raise SennaError(f"parts: {wrong} in a name")
    _check_number(len(names))
    paths = [str(Path(path).parent / name) for name in names]
    parts = [open_model(name) for name in paths]
    if binner is not None:
        if type(binner) is not int or not 0 <= binner < len(parts):
            raise SennaError(f"binner {binner!r}: no such part")
        if not isinstance(parts[binner], InterpolatedModel):
            raise SennaError(f"{paths[binner]}: not an interpolated n-gram model")
    weights = take_mixture_weights(arrays, (_n_bins(parts, binner), len(parts)))
    return MixtureModel(parts, weights, binner, paths, info)
