"""Two language models on the same text, word by word, for `senna-lm compare`.

The models are compared on the words that both know. Which of them is better is decided on samples
of the sentences, see `evaluation.bootstrap`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.evaluation.bootstrap import Estimate, estimate, resampled
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.scoring import BlockScorer, json_line, json_numbers, lines_of_block, perplexity
from senna_py.lm.text.blocks import Block
from senna_py.lm.text.counts import WordCounts
from senna_py.lm.text.streams import read_text
from senna_py.lm.word_list import END

__all__ = ["ComparedText", "Group", "compare_text", "counts_of", "report_lines"]

_CLASSES = (
    (1000, "1,000 and more"),
    (100, "100 to 999"),
    (10, "10 to 99"),
    (1, "1 to 9"),
    (0, "0"),
)
_FEWEST = 10  # sentences that an interval needs


@dataclass
class Group:
    """Words of a kind, and what two models make of them.

    name: str; words: how many; perplexities: of the first and the second model; change: by how
    much the second perplexity is above the first, as a share; its interval is without bounds if
    there are too few sentences.
    """

    name: str
    words: int
    perplexities: tuple
    change: Estimate


def _change(sums):
    """Change of perplexity: float64[n_groups, n_samples]; see `bootstrap.resampled`.

    sums: float64[2, n_samples, n_groups], log10 of the probabilities by the second model minus
    those by the first, and numbers of words. NaN where a sample has no word of a group.
    """
    difference, words = sums
    with np.errstate(invalid="ignore", over="ignore"):
        return (10 ** -(difference / words) - 1).T


def _group(name, words, sums, changes):
    """Group of words: int64[n_sentences]; sums of log10 by both; changes in resampled texts."""
    n = int(words.sum())
    change = perplexity(sums[1] - sums[0], n) - 1
    enough = (words > 0).sum() >= _FEWEST
    found = estimate(change, changes) if enough else Estimate(change, -np.inf, np.inf)
    return Group(name, n, tuple(perplexity(total, n) for total in sums), found)


class ComparedText:
    """A text as two models scored it, collected block by block; a token is what both predict."""

    def __init__(self, models):
        """Begin with an empty text; models: two LanguageModels."""
        self.models = models
        self.marks = all(model.word_list.marks for model in models)
        self.counts = WordCounts()
        self._numbers, self._log10, self._unknown, self._lengths = [], [], [], []

    def add(self, block, both):
        """Add a Block; both: its Scored by each model. Returns the block's Pairs."""
        kept = [slice(None) if self.marks else scored.places >= 0 for scored in both]
        pairs = [*zip(both, kept, strict=True)]
        log10 = np.stack([scored.log10[k] for scored, k in pairs])
        unknown = np.stack([scored.unknown[k] for scored, k in pairs])
        places = both[0].places[kept[0]]
        numbers = self.counts.add(block.words, block.numbers)
        own = np.full(len(places), LINE_END, np.int32)
        own[places >= 0] = numbers[numbers != LINE_END]
        lengths = block.lengths() + self.marks
        self._numbers.append(own)
        self._log10.append(log10)
        self._unknown.append(unknown)
        self._lengths.append(lengths)
        return _Pairs(block, places, log10, unknown.any(0), np.cumsum(lengths))

    def __len__(self):
        """Count the tokens."""
        return sum(map(len, self._numbers))

    def left_out(self):
        """Unknown words: to both models, to the first only and to the second only: three int."""
        a, b = np.concatenate(self._unknown, 1)
        return int((a & b).sum()), int((a & ~b).sum()), int((b & ~a).sum())

    def groups(self, counts=None, samples=1000, seed=1):
        """Groups of the words that both know: all, then by how often they occur: a list.

        counts: dict from bytes to int, how often words occur; None: counts of the text itself.
        Raises SennaError if there is no such word.
        """
        numbers, log10 = np.concatenate(self._numbers), np.concatenate(self._log10, 1)
        known = ~np.concatenate(self._unknown, 1).any(0)
        if not (known & (numbers != LINE_END)).any():
            raise SennaError("the text has no word that both models know")
        n_lines = sum(map(len, self._lengths))
        line = np.repeat(np.arange(n_lines), np.concatenate(self._lengths))[known]
        kind, names = self._kinds(numbers[known], counts)
        place, shape = line * len(names) + kind, (n_lines, len(names))

        def by_line(weights=None):
            found = np.bincount(place, weights, n_lines * len(names)).reshape(shape)
            return np.concatenate([found.sum(1, keepdims=True), found], 1)

        words, sums = by_line(), np.stack([by_line(values[known]) for values in log10])
        table = np.stack([sums[1] - sums[0], words.astype(np.float64)])
        changes = resampled(_change, table, samples, seed)
        return [
            _group(name, words[:, k], sums[:, :, k].sum(1), changes[k])
            for k, name in enumerate(["all words", *names]) if words[:, k].any()
        ]  # fmt: skip

    def _kinds(self, numbers, counts):
        """The place of each token's group in the names of all, and these: int64[n], list of str."""
        of_words = self.counts.counts()
        if counts is not None:
            words = self.counts.words()
            of_words = np.fromiter((counts.get(w, 0) for w in words), np.int64, len(words))
        bounds = [bound for bound, _ in _CLASSES]
        kinds = [sum(n < bound for bound in bounds) for n in of_words.tolist()]
        kind_of_word = np.array([*kinds, len(bounds)])  # `</s>` is at -1
        return kind_of_word[numbers], [*(name for _, name in _CLASSES), END]


class _Pairs(NamedTuple):
    """A Block as two models scored it: see ComparedText.add.

    places: int32[n]; log10: float64[2, n]; left_out: bool[n]; ends: int64[n_lines].
    """

    block: Block
    places: np.ndarray
    log10: np.ndarray
    left_out: np.ndarray
    ends: np.ndarray

    def lines(self):
        """Yield for each line its tokens as bytes, log10 by both: [2, n], and those left out."""
        for texts, line in lines_of_block(self.block, self.places, self.ends):
            yield texts, self.log10[:, line], self.left_out[line]


def _columns(pairs):
    """Rows of word, log10 by both, their difference, 1 if left out; one of sums; a blank line."""
    out = []
    for texts, (a, b), left_out in pairs.lines():
        rows = zip(texts, a.tolist(), b.tolist(), (b - a).tolist(), left_out.tolist(), strict=True)
        out += [b"%s\t%.6f\t%.6f\t%.6f\t%d\n" % row for row in rows]
        sums = a[~left_out].sum(), b[~left_out].sum(), (b - a)[~left_out].sum()
        out.append(b"\t%.6f\t%.6f\t%.6f\t%d\n\n" % (*sums, left_out.sum()))
    return b"".join(out)


def _json_lines(pairs):
    """A JSON object for each line of text."""
    return b"".join(
        json_line(texts, {
            "log10_a": json_numbers(a.tolist(), 6), "log10_b": json_numbers(b.tolist(), 6),
            "left_out": np.flatnonzero(left_out).tolist(),
        })
        for texts, (a, b), left_out in pairs.lines()
    )  # fmt: skip


_PRINTERS = {"columns": _columns, "jsonl": _json_lines, "summary": lambda pairs: b""}


def compare_text(models, text):
    """ComparedText of two LanguageModels on a ScoredText, each word of which is printed.

    Memory grows with the text, by some 25 bytes a word. Raises SennaError as `ScoredText.print`.
    """
    compared = ComparedText(models)
    scorers = [BlockScorer(model, text.independent) for model in models]

    def work(block):
        pairs = compared.add(block, [scorer.score(*scorer.parts([block])) for scorer in scorers])
        return _PRINTERS[text.form](pairs), len(pairs.ends), None

    text.print(iter, work)
    return compared


def counts_of(paths):
    """Occurrences of each word of the text files: dict from bytes to int."""
    text = read_text(paths)
    return dict(zip(text.words, text.counts.tolist(), strict=True))


def report_lines(compared, names, groups):
    """Lines that say what was compared, what was left out, and which model is better."""
    lists = [model.word_list for model in compared.models]
    both, a, b = compared.left_out()
    lines = [f"{letter}: {name}, {counted(len(words), 'word')} in its list"
             for letter, name, words in zip("AB", names, lists, strict=True)]  # fmt: skip
    lines.append(f"left out: {both:,} unknown to both, {a:,} to A only, {b:,} to B only")
    if lists[0].marks != lists[1].marks:
        lines.append(f"left out: {END}, which only one of the models predicts")
    lines += ["", f"{'words that both know':<20} {'words':>11} {'A':>10} {'B':>10}  B beside A"]
    for group in groups:
        a, b = group.perplexities
        lines.append(f"{group.name:<20} {group.words:11,} {a:10.2f} {b:10.2f}  {_verdict(group)}")
    return lines


def _verdict(group):
    change = group.change
    text = f"{100 * change.value:+.2f}%"
    if np.isinf(change.low):
        return f"{text} (too few sentences for an interval)"
    better = ("undecided", "A is better", "B is better")[change.sign]
    return f"{text} ({100 * change.low:+.2f}% to {100 * change.high:+.2f}%): {better}"
