"""A sentence splitter that learns from a treebank's own text.

Between any two tokens of a paragraph a sentence may begin. A logistic regression says whether one
does, from the words around the place, their shapes, whether a blank and an open quotation or
bracket are there, whether a word has a capital that it lacks elsewhere, and from what the rules
(`text.sentences`) say. Its features are pairs of such values, each hashed to a weight, so that the
splitter has a fixed size.
"""

from zlib import crc32

import numpy as np

from senna_py.errors import SennaError

__all__ = ["N_KNOWN", "N_WEIGHTS", "SentenceSplitter"]

N_WEIGHTS = 1 << 15
N_KNOWN = 1 << 16
_N_EPOCHS, _RATE, _DECAY = 80, 0.5, 2e-5  # tuned on French, Italian and Turkish dev sets
_LEAST = -0.5  # log-odds: a missing end costs as much as a wrong one, and is likelier
_MIX = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio, of Fibonacci hashing
_SHIFT = np.uint64(64 - N_WEIGHTS.bit_length() + 1)
_WIDE = np.uint64(1 << 13)  # more than any shape with a bit
_OPEN, _CLOSED = frozenset("([{«"), frozenset(")]}»")
_MARKS = _OPEN | _CLOSED | {'"', "''", "“", "”", "„"}
_REACH = 100


class SentenceSplitter:
    """Finds the sentences of paragraphs from their tokens; shared by threads.

    weights: float32[N_WEIGHTS]; known: bool[N_KNOWN], the places of words in small letters;
    abbreviations: a tuple of str, those that its tokenizer knows besides its own.
    """

    def __init__(self, weights, known, abbreviations=()):
        """Hold the arrays; raises SennaError if they have another size or are not finite."""
        if weights.shape != (N_WEIGHTS,) or known.shape != (N_KNOWN,):
            raise SennaError(f"weights {list(weights.shape)} and words {list(known.shape)}, "
                             f"expected {N_WEIGHTS} and {N_KNOWN}")  # fmt: skip
        if not np.isfinite(weights).all():
            raise SennaError("a weight is not finite")
        self.weights = np.asarray(weights, np.float32)
        self.known = np.asarray(known, bool)
        self.abbreviations = abbreviations

    @classmethod
    def learn(cls, tokens, blank, rules, starts, gold, abbreviations=()):
        """Learn from tokenized paragraphs whose sentences are known.

        tokens, blank, rules, starts: see `begins`; gold: bool[n_tokens], whether a sentence begins
        at each token; abbreviations: see SentenceSplitter. The same data give the same splitter.
        """
        known = np.zeros(N_KNOWN, bool)
        known[_places([token for token in tokens if token.islower()])] = True
        index, free = _features(tokens, blank, rules, starts, known)
        index, target = index[free], gold[free].astype(np.float32)
        weights = np.zeros(N_WEIGHTS)
        squares = np.full(N_WEIGHTS, 1e-8)
        flat = index.ravel()
        for _ in range(_N_EPOCHS):
            error = _logistic(weights[index].sum(axis=1)) - target
            sums = np.bincount(flat, np.repeat(error, index.shape[1]), minlength=N_WEIGHTS)
            gradient = sums / max(len(index), 1) + _DECAY * weights
            squares += gradient * gradient
            weights -= _RATE * gradient / np.sqrt(squares)
        # As models hold them.
        return cls(weights.astype(np.float16), known, abbreviations)

    def begins(self, tokens, blank, rules, starts):
        """Mark the tokens that begin a sentence: bool[n_tokens].

        tokens: list of str; blank: bool[n_tokens], whether white space is before each; rules:
        bool[n_tokens], whether a sentence begins there by the rules; starts: int[n_paragraphs + 1],
        paragraph p owns the tokens `starts[p]:starts[p + 1]`, and its first begins a sentence.
        """
        index, free = _features(tokens, blank, rules, starts, self.known)
        found = np.ones(len(tokens), bool)
        found[free] = self.weights[index[free]].sum(axis=1) > _LEAST
        return found


def _logistic(x):
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def _shape_of(word):
    """Return the kind of a word: capitals, small letters, digits, or the marks themselves."""
    first = word[0]
    if first.isalpha():
        if not word[:1].isupper():
            return 1
        return 2 if len(word) == 1 else 3 if word.isupper() else 4
    if first.isdigit():
        return 5 if word.isdigit() else 6
    return 16 + crc32(word[:2].encode("utf-8", "replace")) % 4096


def _codes(words, of):
    """Code of each word, computed once for each: uint64[n_words]."""
    known = {}
    for word in words:
        if word not in known:
            known[word] = of(word)
    return np.array([known[word] for word in words], np.uint64)


def _places(words):
    """Places of words, in small letters, in what is known: int64[n_words]."""
    codes = _codes(words, lambda w: crc32(w.lower().encode("utf-8", "surrogatepass")))
    return (codes % np.uint64(N_KNOWN)).astype(np.int64)


def _around(codes, starts, by):
    """The codes of the tokens `by` places further on, 0 beyond the paragraph."""
    out = np.zeros_like(codes)
    if by < 0:
        out[-by:] = codes[:by]
    else:
        out[: len(codes) - by] = codes[by:]
    for step in range(abs(by)):
        edge = starts[:-1] + step if by < 0 else starts[1:] - 1 - step
        out[edge[(edge >= 0) & (edge < len(out))]] = 0
    return out


def _inside(words, blank, starts):
    """Mark tokens in quotation marks (1), in brackets (2) or both: uint64[n_words].

    The closing mark counts as inside. What no mark of the same paragraph closes, `_REACH` tokens
    further on at most, counts for nothing: `a)`, inches, a quotation of which the end is missing.
    """
    out = np.zeros(len(words), np.uint64)
    places = [i for i, word in enumerate(words) if word in _MARKS]
    blank_behind = np.append(blank[1:], True)
    paragraph, quote, brackets = -1, -_REACH, []
    for i, of in zip(places, np.searchsorted(starts, places, "right").tolist(), strict=True):
        if of != paragraph:
            paragraph, quote, brackets = of, -_REACH, []
        if words[i] in _OPEN:
            brackets.append(i)
        elif words[i] in _CLOSED:
            begin = brackets.pop() if brackets else -_REACH
            if i - begin < _REACH:
                out[begin + 1 : i + 1] |= np.uint64(2)
        elif i - quote < _REACH and (blank_behind[i] or not blank[i]):
            out[quote + 1 : i + 1] |= np.uint64(1)
            quote = -_REACH
        else:  # the first of a pair, or one that can only open: before a word, behind a blank
            quote = i
    return out


def _features(tokens, blank, rules, starts, known):
    """Weights that count at each token, and whether it is not the first of its paragraph.

    Returns int64[n_tokens, n_features], bool[n_tokens].
    """
    starts = np.asarray(starts, np.int64)
    form = _codes(tokens, _code)
    small = _codes(tokens, lambda word: _code(word.lower()))
    end = _codes(tokens, lambda word: _code(word[-3:].lower()))
    shape = _codes(tokens, _shape_of)
    # A capital where the word has none elsewhere says most of a place without a full stop.
    usual = known[_places(tokens)].astype(np.uint64) | (shape << np.uint64(1))
    form_1, small_2 = _around(form, starts, -1), _around(small, starts, -2)
    shape_1, shape_2 = _around(shape, starts, -1), _around(shape, starts, -2)
    small_next, shape_next = _around(small, starts, 1), _around(shape, starts, 1)
    state = blank.astype(np.uint64) | (rules.astype(np.uint64) << np.uint64(1))
    inside = _inside(tokens, blank, starts)
    shape_state, usual_state = shape * 4 + state, usual * 4 + state
    pairs = [
        (state, inside), (form_1, state), (form, state), (form_1, shape), (shape_1, form),
        (small_2, form_1), (form, small_next), (shape_1 * _WIDE + shape, state),
        (shape_2 * _WIDE + shape_1, shape * _WIDE + shape_next),
        (_around(end, starts, -1), shape_state), (inside * _WIDE + shape_1, shape_state),
        (small, shape_1 * 4 + state), (form_1, form), (shape_next * 4 + state, shape),
        (small_2, shape_state), (usual, state), (usual * _WIDE + shape_1, state),
        (usual_state, form_1), (usual_state, _around(usual, starts, -1)),
        (usual_state, _around(usual, starts, 1)),
    ]  # fmt: skip
    index = np.empty((len(tokens), len(pairs)), np.int64)
    for k, (one, other) in enumerate(pairs):
        mixed = (one * _MIX + other + np.uint64(k + 1)) * _MIX
        mixed ^= mixed >> np.uint64(29)
        index[:, k] = (mixed * _MIX) >> _SHIFT
    free = np.ones(len(tokens), bool)
    free[starts[:-1][np.diff(starts) > 0]] = False
    return index, free


def _code(word):
    return crc32(word.encode("utf-8", "surrogatepass")) + 1
