"""Mixtures of language models: P = sum_k weight_k P_k (Bengio et al. 2003, section 2).

The weights are equal, or learned by EM on validation text: one for each model, or one
for each model and each bin of how often the context occurred, as in the interpolated
trigram (section 4.1).
"""

import json
import os
from pathlib import Path

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
from senna_py.lm.ngram.interpolated import learn_weights, take_mixture_weights
from senna_py.models.tensors import write_tensors

_MOST_PARTS = 100


class MixtureModel(LanguageModel):
    """A mixture of models of the same words.

    parts: list of LanguageModel; weights: float32[n_bins, n_parts], rows sum to 1;
    binner: index of the part that gives the bin of a context, or None for a single bin;
    paths: of the parts' files; info: a dict of how it was made.
    """

    kind = "mixture"

    def __init__(self, parts, weights, binner, paths, info):
        """Mix the parts; raises SennaError if their words differ, for a mixture, or too
        many.
        """
        _check_number(len(parts))
        self.parts, self.weights, self.binner = parts, weights, binner
        self.paths, self.info = paths, info
        lists = [part.word_list for part in parts]
        _check_words(lists, paths)
        self.word_list = next((words for words in lists if words.is_open), lists[0])
        for part, path in zip(parts, paths, strict=True):
            if part.kind == self.kind:
                raise SennaError(f"{path}: a mixture within a mixture")
        orders = [part.order for part in parts]
        self.order = None if None in orders else max(orders)
        self._maps = [_Map(self.word_list, words) for words in lists]

    def scorer(self):
        return _MixtureScorer(self)

    def components(self, ids):
        """P of each word by each part: float64[n, n_parts]; bin of its context:
        int64[n].
        """
        return self.components_by([part.scorer() for part in self.parts], ids)

    def components_by(self, scorers, ids, before=NO_WORDS):
        """`components` from Scorers of the parts that have already read `before`."""
        pairs = zip(scorers, self._maps, strict=True)
        by_part = np.stack([scorer.take(to_part(ids)) for scorer, to_part in pairs], 1)
        if self.binner is None:
            return 10**by_part, np.zeros(len(ids), np.int64)
        to_part = self._maps[self.binner]
        return 10**by_part, self.parts[self.binner].bins(to_part(ids), to_part(before))

    def mix(self, probabilities, bins):
        """log10 of the mixture of what `components` returns: float64[n]."""
        return np.log10(
            np.einsum("ij,ij->i", probabilities, self.weights[bins], dtype=float)
        )

    def probabilities(self, before):
        before = np.asarray(before, np.int32)
        by_part = [
            part.probabilities(to_part(before))[to_part.known]
            for part, to_part in zip(self.parts, self._maps, strict=True)
        ]
        which = 0
        if self.binner is not None:
            ids = np.append(before, self.word_list.unknown).astype(np.int32)
            which = self.parts[self.binner].bins(self._maps[self.binner](ids))[-1]
        return np.einsum("ij,i->j", np.stack(by_part), self.weights[which], dtype=float)

    def describe(self):
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

    def write(self, path):
        """Write the weights and the parts' paths relative to `path`, in one step."""
        base = os.path.abspath(os.path.dirname(path) or ".")
        names = [os.path.relpath(os.path.abspath(part), base) for part in self.paths]
        about = metadata(self.kind, self.info) | {
            "parts": json.dumps(names),
            "binner": json.dumps(self.binner),
        }
        write_tensors(path, about, {"weights": self.weights.astype(np.float32)})


def _check_number(n):
    if n > _MOST_PARTS:
        raise SennaError(
            f"a mixture of {n:,} models, of which it may have {_MOST_PARTS}"
        )


class _MixtureScorer(Scorer):
    def __init__(self, model):
        self._model = model
        self._scorers = [part.scorer() for part in model.parts]
        self._before = NO_WORDS

    def take(self, ids):
        model = self._model
        out = model.mix(*model.components_by(self._scorers, ids, self._before))
        out[ids == model.word_list.begin] = 0
        keep = model.parts[model.binner].order - 1 if model.binner is not None else 0
        self._before = last_words(self._before, ids, keep)
        return out


class _Map:
    """Replaces indices of a WordList, int32[n], by those in a part's; known:
    int32[n_words].
    """

    def __init__(self, word_list, part):
        """word_list: is open if that of the part is."""
        self.known, self._from, self._to = (
            part.indices(word_list.words),
            word_list,
            part,
        )

    def __call__(self, ids):
        out = self.known[self._from.closed(ids)]
        if self._to.is_open:
            own = ids >= self._from.first
            out[own] = self._to.indices(self._from.words_at(ids[own]))
        return out


def _check_words(lists, paths):
    """Raise SennaError unless WordLists have the same words; paths: of the models'
    files.
    """
    words = [word.encode("utf-8", "surrogateescape") for word in lists[0].words]
    for other, path in zip(lists, paths, strict=True):
        if lists[0].marks != other.marks:
            raise SennaError(
                f"{path}: one model has marks of sentences and another has not"
            )
        missing = next((word for word in words if word not in other.index), None)
        if missing is not None or len(other) != len(words):
            found = (
                repr(missing.decode("utf-8", "replace"))
                if missing
                else f"{len(other):,} words"
            )
            raise SennaError(
                f"{path}: not of the same words as the first model: {found}"
            )


def learn_mixture(parts, paths, kind, read_held_out=None, note=None):
    """MixtureModel of `parts` with weights of a kind, learned on validation text.

    kind: `fixed`, alike; `learned`; or `frequency`, those for each frequency of the
    context.
    read_held_out: function from a WordList to the text's word indices, int32[n]; None:
    no text. Raises SennaError for what cannot be mixed.
    """
    binner = None
    if kind == "frequency":
        binner = next(
            (k for k, part in enumerate(parts) if hasattr(part, "bins")), None
        )
        if binner is None:
            raise UsageError(
                "weights by frequency need an interpolated n-gram model among them"
            )
    n_bins = 1 if binner is None else len(parts[binner].weights)
    weights = np.full((n_bins, len(parts)), 1 / len(parts), np.float32)
    model = MixtureModel(parts, weights, binner, paths, {"weights": kind})
    held_out = read_held_out(model.word_list) if read_held_out else ()
    if not len(held_out):
        if kind != "fixed":
            raise UsageError("learning weights needs validation text: give --valid")
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


def read_mixture(found, arrays, info, path, open_model):
    """MixtureModel of a file's metadata and arrays; `open_model` reads each part's
    file.
    """
    try:
        names, binner = parse_json(found["parts"]), parse_json(found["binner"])
    except ValueError as error:
        raise SennaError(f"parts, binner: not JSON: {error}") from None
    if (
        not isinstance(names, list)
        or not names
        or not all(isinstance(n, str) for n in names)
    ):
        raise SennaError("parts: expected a list of names")
    if wrong := path_problem(names):
        raise SennaError(f"parts: {wrong} in a name")
    _check_number(len(names))
    paths = [str(Path(path).parent / name) for name in names]
    parts = [open_model(name) for name in paths]
    n_bins = 1
    if binner is not None:
        if type(binner) is not int or not 0 <= binner < len(parts):
            raise SennaError(f"binner {binner!r}: no such part")
        if not hasattr(parts[binner], "bins"):
            raise SennaError(f"{paths[binner]}: no interpolated n-gram model")
        n_bins = len(parts[binner].weights)
    weights = take_mixture_weights(arrays, (n_bins, len(parts)))
    return MixtureModel(parts, weights, binner, paths, info)
