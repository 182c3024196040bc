"""N-gram models by the formulas of textbooks, with dictionaries: slow, and easy to
check.
"""

import math
from collections import Counter

from senna_py.lm.word_list import WordList

BEGIN, END = 1, 2  # indices of the marks, where a list has them


def word_list(n_words, marks):
    """WordList of `n_words` words in all, `<unk>` and the marks included."""
    return WordList.of_words([f"w{i}" for i in range(n_words - 1 - 2 * marks)], marks)


def grams(stream, order, marks):
    """Counter of the n-grams of a list of indices; `<s>` is in none but as its first
    word.
    """
    found = (tuple(stream[i : i + order]) for i in range(len(stream) - order + 1))
    return Counter(gram for gram in found if not (marks and BEGIN in gram[1:]))


def contexts(stream, order, marks):
    """For each word of the stream, the words before it in its sentence, order - 1 at
    most.
    """
    out = []
    for t in range(len(stream)):
        h = []
        for w in reversed(stream[:t]):
            if len(h) == order - 1:
                break
            h.insert(0, w)
            if marks and w == BEGIN:
                break
        out.append(tuple(h))
    return out


class PlainKneserNey:
    """Interpolated modified Kneser-Ney: Chen and Goodman (1998), equations 25 to 27."""

    def __init__(self, stream, order, n_words, marks, fallback):
        self.order, self.n_words, self.marks = order, n_words, marks
        raw = {k: grams(stream, k, marks) for k in range(1, order + 1)}
        self.counts = {order: raw[order]}
        for k in range(1, order):
            adjusted = Counter(gram[1:] for gram in raw[k + 1])
            for gram, count in raw[k].items():
                if marks and gram[0] == BEGIN:
                    adjusted[gram] = count
            if not marks and len(stream) >= k:
                adjusted[tuple(stream[:k])] += 1
            self.counts[k] = adjusted
        if marks:
            self.counts[1].pop((BEGIN,), None)
        self.discounts = {
            k: self._discounts(c, fallback) for k, c in self.counts.items()
        }

    @staticmethod
    def _discounts(counts, fallback):
        n = Counter(counts.values())
        if not all(n[j] for j in (1, 2, 3, 4)):
            return fallback
        y = n[1] / (n[1] + 2 * n[2])
        found = tuple(j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
        return found if all(0 < d <= j for j, d in enumerate(found, 1)) else fallback

    def probability(self, word, context):
        """P(word | context), a tuple of at most order - 1 indices."""
        k = len(context) + 1
        lower = (
            1 / (self.n_words - self.marks)
            if k == 1
            else self.probability(word, context[1:])
        )
        continued = {g: c for g, c in self.counts[k].items() if g[:-1] == context and c}
        total = sum(continued.values())
        if not total:
            return lower
        discount = (0, *self.discounts[k])
        left = sum(discount[min(c, 3)] for c in continued.values())
        count = continued.get((*context, word), 0)
        return (count - discount[min(count, 3)] + left * lower) / total

    def log10_probabilities(self, stream):
        """As LanguageModel has it."""
        return [
            0.0 if self.marks and w == BEGIN else math.log10(self.probability(w, h))
            for w, h in zip(
                stream, contexts(stream, self.order, self.marks), strict=True
            )
        ]


class PlainInterpolated:
    """Relative frequencies mixed by given weights: Bengio et al. (2003), section
    4.1.
    """

    def __init__(self, stream, order, n_words, marks, weights):
        self.order, self.n_words, self.marks, self.weights = (
            order,
            n_words,
            marks,
            weights,
        )
        self.counts = {k: grams(stream, k, marks) for k in range(1, order + 1)}
        if marks:
            del self.counts[1][(BEGIN,)]
        self.size = self.counts[1].total()

    def continued(self, context):
        """How often a context was followed by a word."""
        counts = self.counts[len(context) + 1]
        return sum(c for gram, c in counts.items() if gram[:-1] == context)

    def bin(self, context):
        """Footnote 4."""
        return max(math.ceil(-math.log((1 + self.continued(context)) / self.size)), 0)

    def parts(self, word, context):
        """p_0, p_1, ... of the word."""
        found = [1 / (self.n_words - self.marks)]
        for k in range(1, self.order + 1):
            h = context[len(context) - k + 1 :] if k > 1 else ()
            total = self.continued(h) if len(context) >= k - 1 else 0
            found.append(self.counts[k][(*h, word)] / total if total else found[-1])
        return found

    def probability(self, word, context):
        """The mixture."""
        weights = self.weights[self.bin(context)]
        return sum(
            a * p for a, p in zip(weights, self.parts(word, context), strict=True)
        )
