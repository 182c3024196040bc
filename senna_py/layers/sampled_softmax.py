"""Softmax over a large vocabulary, trained on a sample of it (Bengio and Senecal 2008).

The sample is drawn once for a batch, and each score is corrected by how often its word is expected
in the sample (Jean et al. 2015, section 3), so that the scores become those of the whole softmax.
"""

import numpy as np

__all__ = ["SampledSoftmax"]


class SampledSoftmax:
    """Scores y = b + W features of words, and a softmax of the word that came and of drawn ones.

    log P = y[target] - c[target] - log(the sum of exp(y - c) over the target and the drawn words),
    where exp(c) is how often a word is expected among the drawn ones. A target that is drawn as
    well is one of them: only so is the best y the logarithm of the word's share, up to a number
    that is the same for all words. weight: float32[n_words, n_features]; bias: float32[n_words];
    name: of the arrays in files. Fan-in: n_features.
    """

    def __init__(self, weight, bias, name="output"):
        """Hold the arrays themselves, not copies: training changes them in place."""
        self.weight, self.bias, self.name = weight, bias, name

    def parameters(self):
        """Arrays by their names in files."""
        return {f"{self.name}_weight": self.weight, f"{self.name}_bias": self.bias}

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        return dict.fromkeys(self.parameters(), self.weight.shape[1])

    def scores(self, features):
        """y of all words: float32[n, n_words]."""
        out = features @ self.weight.T
        out += self.bias
        return out

    def forward(self, features, target, drawn, log_expected):
        """Log P of the targets, float[n], and the trace; the cost is -sum log P.

        features: float32[n, n_features]; target: int32[n]; drawn: int32[n_drawn], words may come
        twice; log_expected: float32[n_words], c.
        """
        correction = self.bias - log_expected
        own = np.einsum("ij,ij->i", features, self.weight[target]) + correction[target]
        others = features @ self.weight[drawn].T
        others += correction[drawn]
        largest = np.maximum(own, others.max(axis=1, initial=-np.inf))
        others -= largest[:, None]
        np.exp(others, out=others)
        total = others.sum(axis=1) + np.exp(own - largest)
        others /= total[:, None]
        log_p = own - largest - np.log(total)
        return log_p, (features, target, drawn, others, np.exp(log_p) - 1)

    def backward(self, trace, gradients):
        """d(cost)/d(features); gives `gradients` those of weight and bias, of rows they concern."""
        features, target, drawn, d_others, d_own = trace
        rows = np.concatenate([target, drawn])
        d_weight = np.concatenate([d_own[:, None] * features, d_others.T @ features])
        d_bias = np.concatenate([d_own, d_others.sum(axis=0)])
        gradients.rows(f"{self.name}_weight", len(self.weight), rows, d_weight)
        gradients.rows(f"{self.name}_bias", len(self.bias), rows, d_bias[:, None])
        return d_own[:, None] * self.weight[target] + d_others @ self.weight[drawn]
