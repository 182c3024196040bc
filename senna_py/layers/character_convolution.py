"""Convolution over characters (Kim et al. 2016, equations 5 and 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.convolution import add_to_tables, max_of_windows
from senna_py.layers.protocol import Layer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


class Convolution(Layer):
    """Computes the features of a word with filters over its characters.

    The feature of a filter H of width w is y = tanh(max over t of <H, Q[t : t + w]> +
    b). Q[t : t + w] are the vectors of w consecutive characters, and <H, Q> is the sum
    of the elementwise products.

    Attributes:
        vectors: float32[n_characters, dim], the vector of each character. Row 0 is for
            padding, and stays zero.
        weights: The filters of each width w: float32[w, dim, n_filters].
        biases: The biases of the filters of each width: float32[n_filters].
    """

    def __init__(
        self, vectors: NDArray, weights: Sequence[NDArray], biases: Sequence[NDArray]
    ) -> None:
        self.vectors, self.weights, self.biases = vectors, weights, biases

    def parameters(self) -> dict[str, NDArray]:
        arrays = {"character_vectors": self.vectors}
        for weight, bias in zip(self.weights, self.biases, strict=True):
            arrays[f"filter_weight.{len(weight)}"] = weight
            arrays[f"filter_bias.{len(weight)}"] = bias
        return arrays

    def forward(
        self, characters: NDArray, starts: NDArray[np.int64]
    ) -> tuple[NDArray, Any]:
        """Return the features of words, float32[n_words, n_features], and the trace.

        Args:
            characters: int32[n], the indices of the characters of all words. Each word
                is padded to at least the width of the widest filter.
            starts: int64[n_words + 1], where each word begins in `characters`.
        """
        used, local = np.unique(characters, return_inverse=True)
        local, vectors = local.astype(np.int32), self.vectors[used]
        by_width, places = [], []
        for weight, bias in zip(self.weights, self.biases, strict=True):
            table = np.ascontiguousarray(np.matmul(vectors, weight).transpose(1, 0, 2))
            out = np.empty((len(starts) - 1, len(bias)), vectors.dtype)
            place = np.empty(out.shape, np.int32)
            max_of_windows(table, local, starts, out, place)
            by_width.append(np.tanh(out + bias))
            places.append(place)
        features = np.concatenate(by_width, 1)
        return features, (used, local, places, features)

    def backward(self, d_features: NDArray, trace: Any, gradients: Gradients) -> None:
        used, local, places, features = trace
        slopes, first = d_features * (1 - features * features), 0
        vectors, d_vectors = self.vectors[used], np.zeros_like(self.vectors)
        for weight, place in zip(self.weights, places, strict=True):
            width, n_filters = len(weight), weight.shape[2]
            d_out = np.ascontiguousarray(slopes[:, first : first + n_filters])
            first += n_filters
            d_table = np.zeros((len(used), width, n_filters), vectors.dtype)
            add_to_tables(d_out, place, local, d_table)
            by_place = d_table.transpose(1, 0, 2)
            gradients.add(f"filter_weight.{width}", vectors.T @ by_place)
            gradients.add(f"filter_bias.{width}", d_out.sum(0))
            d_vectors[used] += (by_place @ weight.transpose(0, 2, 1)).sum(0)
        d_vectors[0] = 0
        gradients.add("character_vectors", d_vectors)
