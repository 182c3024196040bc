"""Words from characters: convolution and maximum over time (Kim et al. 2016, equations
5 and 6).
"""

import numpy as np

from senna_py.kernels.nn.convolution import add_to_tables, max_of_windows
from senna_py.layers.protocol import Layer


class Convolution(Layer):
    """y = tanh(max over t of H * Q[t : t + w] + b), for each filter H of each width w.

    Q[t : t + w] are the vectors of w characters in a row; H * Q is the sum of their
    products.

    vectors: float32[n_characters, dim], Q; row 0 is padding, which is zero and stays
    so; weights: for each width w, float32[w, dim, n_filters], H; biases: for each
    width, float32[n_filters].
    """

    def __init__(self, vectors, weights, biases):
        self.vectors, self.weights, self.biases = vectors, weights, biases

    def parameters(self):
        found = {"character_vectors": self.vectors}
        for weight, bias in zip(self.weights, self.biases, strict=True):
            found |= {
                f"filter_weight.{len(weight)}": weight,
                f"filter_bias.{len(weight)}": bias,
            }
        return found

    def forward(self, characters, starts):
        """Features y of words, and what `backward` needs.

        characters: int32[n]; starts: int64[n_words + 1], where words begin in it. A
        word has as many characters as the widest filter, or more. Returns
        float32[n_words, n_filters of all].
        """
        used, local = np.unique(characters, return_inverse=True)
        local, vectors = local.astype(np.int32), self.vectors[used]
        features, places = [], []
        for weight, bias in zip(self.weights, self.biases, strict=True):
            table = np.ascontiguousarray(np.matmul(vectors, weight).transpose(1, 0, 2))
            out = np.empty((len(starts) - 1, len(bias)), vectors.dtype)
            place = np.empty(out.shape, np.int32)
            max_of_windows(table, local, starts, out, place)
            features.append(np.tanh(out + bias))
            places.append(place)
        features = np.concatenate(features, 1)
        return features, (used, local, places, features)

    def backward(self, d_features, kept, gradients):
        used, local, places, features = kept
        slopes, first = d_features * (1 - features * features), 0
        vectors, d_vectors = self.vectors[used], np.zeros_like(self.vectors)
        for weight, place in zip(self.weights, places, strict=True):
            width, n_filters = len(weight), weight.shape[2]
            own = np.ascontiguousarray(slopes[:, first : first + n_filters])
            first += n_filters
            d_table = np.zeros((len(used), width, n_filters), vectors.dtype)
            add_to_tables(own, place, local, d_table)
            by_place = d_table.transpose(1, 0, 2)
            gradients.add(f"filter_weight.{width}", vectors.T @ by_place)
            gradients.add(f"filter_bias.{width}", own.sum(0))
            d_vectors[used] += (by_place @ weight.transpose(0, 2, 1)).sum(0)
        d_vectors[0] = 0
        gradients.add("character_vectors", d_vectors)
