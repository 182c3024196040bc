"""Scoring text with a language model, for `senna-lm score`."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.io.nesting import json_text
from senna_py.io.output import open_output
from senna_py.io.parallel import ordered_map
from senna_py.io.progress import FileProgress
from senna_py.io.streaming import PAUSE, Source
from senna_py.lm.language_model import NO_WORDS, ROUNDING, last_words
from senna_py.lm.text.blocks import Block, read_blocks
from senna_py.lm.word_list import END


@dataclass
class Totals:
    """Sums over scored text.

    tokens: number of tokens, `</s>` included; unknown: of unknown words among them;
    known_log10, unknown_log10: sums of the log10 of probabilities of the others and of
    these; lines: number of lines that have words; ends: number of `</s>`.
    """

    tokens: int = 0
    known_log10: float = 0.0
    unknown: int = 0
    unknown_log10: float = 0.0
    lines: int = 0
    ends: int = 0

    @classmethod
    def of(cls, log10, unknown, n_lines, n_ends):
        """Totals of tokens: float64[n], log10 of their probabilities; bool[n], whether
        unknown.
        """
        known = log10[~unknown], log10[unknown]
        return cls(
            len(log10),
            float(known[0].sum()),
            len(known[1]),
            float(known[1].sum()),
            n_lines,
            n_ends,
        )

    def add(self, other):
        """Add the Totals of more text to these."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def log10(self):
        """Sum of the log10 of the probabilities of all tokens."""
        return self.known_log10 + self.unknown_log10

    @property
    def perplexity(self):
        """Perplexity of all tokens; NaN if there are none."""
        return _perplexity(self.log10, self.tokens)

    @property
    def perplexity_of_known(self):
        """Perplexity of all tokens except unknown words; NaN if no word is known.

        Unknown words share the probability of `<unk>`, which is high: with them,
        gibberish is likelier than text. What ends a line of such words says as little
        about it.
        """
        known = self.tokens - self.unknown
        return _perplexity(self.known_log10, known * (known > self.ends))

    def __str__(self):
        lines = f"{counted(self.lines, 'line')}, " if self.lines else ""
        return (
            f"{lines}{counted(self.tokens, 'token')}, {self.unknown:,} unknown, "
            f"perplexity without unknown words {self.perplexity_of_known:.4f}, "
            f"with them {self.perplexity:.4f}, log10 probability {self.log10:.2f}"
        )


def _perplexity(log10, count):
    with np.errstate(over="ignore"):
        return float(np.float64(10) ** (-log10 / count)) if count else float("nan")


@dataclass
class Scored:
    """A Block and its scores.

    log10: float64[n], of the probability of each token; places: int32[n], of its word
    in the block, or -1 for `</s>`; unknown: bool[n]; ends: int64[n_lines], the end of
    each line.
    """

    block: Block
    log10: np.ndarray
    places: np.ndarray
    unknown: np.ndarray
    ends: np.ndarray

    def totals(self):
        """Totals of the block."""
        return Totals.of(
            self.log10, self.unknown, len(self.ends), int((self.places < 0).sum())
        )

    def lines(self):
        """Yield for each line its tokens as bytes, their log10, whether unknown, and
        its Totals.
        """
        n_ends = int((self.places < 0).any())
        names = [*self.block.words, END.encode()]
        texts = [names[place] for place in self.places.tolist()]
        for begin, end in pairwise([0, *self.ends.tolist()]):
            log10, unknown = self.log10[begin:end], self.unknown[begin:end]
            totals = Totals.of(log10, unknown, 1, n_ends)
            yield texts[begin:end], log10.tolist(), unknown.tolist(), totals


def _columns(scored):
    """Rows of word, log10 and 1 for unknown; a row of the line's sums; a blank line."""
    out = []
    for texts, log10, unknown, totals in scored.lines():
        out += [
            b"%s\t%.6f\t%d\n" % row for row in zip(texts, log10, unknown, strict=True)
        ]
        known, all_ = totals.perplexity_of_known, totals.perplexity
        out.append(
            b"\t%.6f\t%d\t%.4f\t%.4f\n\n" % (totals.log10, totals.unknown, known, all_)
        )
    return b"".join(out)


def _json_lines(scored):
    """A JSON object per line; bytes outside UTF-8 are lone surrogates, written as
    `\\udcXX`.
    """
    out = []
    for texts, log10, unknown, totals in scored.lines():
        found = {
            "tokens": [text.decode("utf-8", "surrogateescape") for text in texts],
            "log10": [round(each, 6) for each in log10],
            "unknown": [i for i, value in enumerate(unknown) if value],
            "total": round(totals.log10, 6),
            "perplexity": round(totals.perplexity_of_known, 4),
            "perplexity_with_unknown": round(totals.perplexity, 4),
        }
        out.append(
            json_text(found, ensure_ascii=False).encode("utf-8", "backslashreplace")
        )
    return b"".join(line + b"\n" for line in out)


_PRINTERS = {"columns": _columns, "jsonl": _json_lines, "summary": lambda scored: b""}


def score_text(
    model,
    paths,
    form="columns",
    output=None,
    jobs=1,
    *,
    live=False,
    progress=None,
    independent=False,
    tokenize=None,
):
    """Score text by a LanguageModel and print it, block by block; returns its Totals.

    paths: of files, read as one stream; `-` is standard input; form: columns, jsonl or
    summary, which prints nothing; output: file to write to, or None for standard
    output; jobs: threads;
    live: see `open_output`; progress: see FileProgress; independent: whether each line
    is scored as if it were the first; tokenize: see `read_blocks`. Raises SennaError if
    a file cannot be read or written, and if there are no words.
    """
    totals, scorer = Totals(), BlockScorer(model, independent)

    def work(part):
        scored = scorer.score(part)
        return _PRINTERS[form](scored), scored.totals()

    with (
        open_output(output, paths, live) as out,
        FileProgress(paths, progress) as report,
    ):
        for path in paths:
            with Source(path) as source:
                parts = scorer.parts(read_blocks(source, tokenize=tokenize))
                for printed, found in ordered_map(
                    work, parts, jobs if scorer.parallel else 1
                ):
                    if printed:
                        out.write(printed)
                    report.update(source.position(), found.lines)
                    totals.add(found)
                report.finish()
        if not totals.lines:
            one = "standard input" if paths[0] == "-" else paths[0]
            name = one if len(paths) == 1 else f"{len(paths)} files"
            raise SennaError(f"{name}: no words in the text")
    return totals


class BlockScorer:
    """Scores the Blocks of a text by a model, one after the other or on several
    threads.

    parallel: whether threads may call `score`: `parts` then finds what stands before
    each block.
    """

    def __init__(self, model, independent=False):
        """Begin a text; independent: whether each line is scored as if it were the
        first.
        """
        self._model, self._independent = model, independent
        self.parallel = model.order is not None or independent
        self._scorer = None if self.parallel else model.scorer()
        self._before = NO_WORDS

    def parts(self, blocks):
        """Yield each block with its word indices and those before it; PAUSE is passed
        on.
        """
        for block in blocks:
            if block is PAUSE:
                yield PAUSE
                continue
            ids = block.stream(self._model.word_list)
            yield block, ids, self._before
            if self.parallel and not (self._independent or self._model.word_list.marks):
                self._before = last_words(self._before, ids, self._model.order - 1)

    def score(self, part):
        """Scored of one of the `parts`; in their order unless `parallel`."""
        block, ids, before = part
        with np.errstate(
            over="ignore", invalid="ignore", divide="ignore"
        ):  # it is checked below
            if self._independent:  # lines know nothing of others
                ends = np.cumsum(block.lengths() + 2 * self._model.word_list.marks)
                lines = np.split(ids, ends[:-1])
                log10 = np.concatenate(
                    [np.empty(0), *map(self._model.log10_probabilities, lines)]
                )
            elif self.parallel:
                log10 = self._model.log10_probabilities(ids, before)
            else:
                log10 = self._scorer.take(ids)
        # No probability is more than 1, though each number of the model may be fine.
        if (bad := np.flatnonzero(~(log10 <= ROUNDING))).size:
            raise SennaError(
                f"{self._model.name}: damaged: it gives a word the log10 probability "
                f"{log10[bad[0]]:g}"
            )
        word_list = self._model.word_list
        kept = ids != word_list.begin if word_list.marks else slice(None)
        ends = np.cumsum(block.lengths() + word_list.marks)
        ids = ids[kept]
        return Scored(
            block,
            log10[kept],
            block.places(word_list)[kept],
            word_list.are_unknown(ids),
            ends,
        )


def score_stream(model, ids):
    """Totals of a stream of word indices: int32[n]; lines and ends are counted if it
    has marks.
    """
    log10, word_list = model.log10_probabilities(ids), model.word_list
    n_begins = int((ids == word_list.begin).sum())
    totals = Totals.of(log10, word_list.are_unknown(ids), n_begins, n_begins)
    totals.tokens -= n_begins  # which are not predicted: their log10 is 0
    return totals
