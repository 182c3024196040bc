"""Scoring of text with a language model, for `senna-lm score`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

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

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath
    from senna_py.io.streaming import Pause
    from senna_py.lm.language_model import LanguageModel


@dataclass
class Totals:
    """Counts and total log probabilities of scored text.

    Attributes:
        tokens: The number of tokens, including `</s>`.
        known_log10: The sum of the log10 probabilities of known tokens.
        unknown: The number of unknown words.
        unknown_log10: The sum of the log10 probabilities of unknown words.
        lines: The number of lines with words.
        ends: The number of `</s>` tokens.
    """

    tokens: int = 0
    known_log10: float = 0.0
    unknown: int = 0
    unknown_log10: float = 0.0
    lines: int = 0
    ends: int = 0

    @classmethod
    def of(
        cls,
        log10: NDArray[np.float64],
        unknown: NDArray[np.bool_],
        n_lines: int,
        n_ends: int,
    ) -> Totals:
        """Return the totals of some tokens.

        Args:
            log10: float64[n], the log10 probability of each token.
            unknown: bool[n], whether each token is an unknown word.
            n_lines: The number of lines.
            n_ends: The number of `</s>` tokens.
        """
        return cls(
            tokens=len(log10),
            known_log10=float(log10[~unknown].sum()),
            unknown=int(unknown.sum()),
            unknown_log10=float(log10[unknown].sum()),
            lines=n_lines,
            ends=n_ends,
        )

    def add(self, other: Totals) -> None:
        """Add the totals of more text to these totals."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def log10(self) -> float:
        """The sum of the log10 probabilities of all tokens."""
        return self.known_log10 + self.unknown_log10

    @property
    def perplexity(self) -> float:
        """The perplexity of all tokens; NaN if there are none."""
        return _perplexity(self.log10, self.tokens)

    @property
    def perplexity_of_known(self) -> float:
        """The perplexity of known tokens, including `</s>`; NaN if no word is known.

        Unknown words all have the probability of `<unk>`, which is high. If they
        counted, gibberish would score better than real text. For the same reason, the
        perplexity is not computed from `</s>` alone.
        """
        known = self.tokens - self.unknown
        return _perplexity(self.known_log10, known if known > self.ends else 0)

    def __str__(self) -> str:
        lines = f"{counted(self.lines, 'line')}, " if self.lines else ""
        return (
            f"{lines}{counted(self.tokens, 'token')}, {self.unknown:,} unknown, "
            f"perplexity without unknown words {self.perplexity_of_known:.4f}, "
            f"with them {self.perplexity:.4f}, log10 probability {self.log10:.2f}"
        )


def _perplexity(log10: float, count: int) -> float:
    if not count:
        return float("nan")
    with np.errstate(over="ignore"):
        return float(np.float64(10) ** (-log10 / count))


class ScoredLine(NamedTuple):
    """A line and its scores.

    Attributes:
        texts: The tokens.
        log10: The log10 probability of each token.
        unknown: Whether each token is an unknown word.
        totals: The totals of the line.
    """

    texts: list[bytes]
    log10: list[float]
    unknown: list[bool]
    totals: Totals


class _Part(NamedTuple):
    """A block that is ready to be scored.

    Attributes:
        block: The block.
        ids: int32[n], the stream of its word indices.
        before: int32[m], the context before the block; empty if it is not needed.
    """

    block: Block
    ids: NDArray[np.int32]
    before: NDArray[np.int32]


@dataclass
class Scored:
    """A block and its scores.

    Attributes:
        block: The block.
        log10: float64[n], the log10 probability of each token.
        places: int32[n], the index of each token in `block.words`, or -1 for `</s>`.
        unknown: bool[n], whether each token is an unknown word.
        ends: int64[n_lines], the index after the last token of each line.
    """

    block: Block
    log10: NDArray[np.float64]
    places: NDArray[np.int32]
    unknown: NDArray[np.bool_]
    ends: NDArray[np.int64]

    def totals(self) -> Totals:
        """Return the totals of the block."""
        return Totals.of(
            self.log10, self.unknown, len(self.ends), int((self.places < 0).sum())
        )

    def lines(self) -> Iterator[ScoredLine]:
        """Yield the scores of each line that has words."""
        n_ends = int((self.places < 0).any())
        names = [*self.block.words, END.encode()]
        texts = [names[place] for place in self.places.tolist()]
        for begin, end in pairwise([0, *self.ends.tolist()]):
            log10, unknown = self.log10[begin:end], self.unknown[begin:end]
            totals = Totals.of(log10, unknown, 1, n_ends)
            yield ScoredLine(texts[begin:end], log10.tolist(), unknown.tolist(), totals)


def _columns(scored: Scored) -> bytes:
    """Return scores as rows of columns, with an empty row after each line of text.

    The columns are the word, its log10 probability, and 1 if the word is unknown or 0
    if not. The last row of a line contains the totals.
    """
    out = []
    for texts, log10, unknown, totals in scored.lines():
        rows = zip(texts, log10, unknown, strict=True)
        out += [b"%s\t%.6f\t%d\n" % row for row in rows]
        perplexities = totals.perplexity_of_known, totals.perplexity
        sums = (totals.log10, totals.unknown, *perplexities)
        out.append(b"\t%.6f\t%d\t%.4f\t%.4f\n\n" % sums)
    return b"".join(out)


def _json_lines(scored: Scored) -> bytes:
    """Return scores as a JSON object for each line of text.

    A byte that is not valid UTF-8 is written as `\\udcXX`.
    """
    out = []
    for texts, log10, unknown, totals in scored.lines():
        record = {
            "tokens": [text.decode("utf-8", "surrogateescape") for text in texts],
            "log10": [round(value, 6) for value in log10],
            "unknown": [i for i, is_unknown in enumerate(unknown) if is_unknown],
            "total": round(totals.log10, 6),
            "perplexity": round(totals.perplexity_of_known, 4),
            "perplexity_with_unknown": round(totals.perplexity, 4),
        }
        line = json_text(record, ensure_ascii=False) + "\n"
        out.append(line.encode("utf-8", "backslashreplace"))
    return b"".join(out)


_PRINTERS: dict[str, Callable[[Scored], bytes]] = {
    "columns": _columns,
    "jsonl": _json_lines,
    "summary": lambda scored: b"",
}


def score_text(
    model: LanguageModel,
    paths: Sequence[str],
    format: str = "columns",
    output: AnyPath | None = None,
    jobs: int = 1,
    *,
    live: bool = False,
    progress: bool | None = None,
    independent: bool = False,
    tokenize: Callable[[bytes], bytes] | None = None,
) -> Totals:
    """Score text with a language model, and write the scores.

    Args:
        model: The language model.
        paths: The paths of the files, which are read as one stream; `-` is standard
            input.
        format: The output format: `columns`, `jsonl`, or `summary` for no output.
        output: The path of the output, or None for standard output.
        jobs: The number of threads. A model with unlimited context uses only one thread
            unless `independent` is true.
        live: See `open_output`.
        progress: See `FileProgress`.
        independent: Whether each line is scored without the lines before it.
        tokenize: See `read_blocks`.

    Returns:
        The totals of the text.

    Raises:
        SennaError: If a file cannot be read or written, if there are no words, or if
            the model is damaged.
    """
    totals = Totals()
    scorer = BlockScorer(model, independent)

    def work(part: _Part) -> tuple[bytes, Totals]:
        scored = scorer.score(part)
        return _PRINTERS[format](scored), scored.totals()

    with (
        open_output(output, paths, live) as out,
        FileProgress(paths, progress) as report,
    ):
        for path in paths:
            with Source(path) as source:
                parts = scorer.parts(read_blocks(source, tokenize=tokenize))
                n_threads = jobs if scorer.parallel else 1
                for printed, of_block in ordered_map(work, parts, n_threads):
                    if printed:
                        out.write(printed)
                    report.update(source.position(), of_block.lines)
                    totals.add(of_block)
                report.finish()
        if not totals.lines:
            raise SennaError(f"{_name_of(paths)}: no words in the text")
    return totals


def _name_of(paths: Sequence[str]) -> str:
    if len(paths) > 1:
        return f"{len(paths)} files"
    return "standard input" if paths[0] == "-" else paths[0]


class BlockScorer:
    """Scores the blocks of a text.

    Attributes:
        parallel: Whether `score` may be called from several threads and in any order.
            Otherwise the model has unlimited context, and its blocks must be scored in
            order.
    """

    def __init__(self, model: LanguageModel, independent: bool = False) -> None:
        """Prepare to score a new text.

        Args:
            model: The language model.
            independent: Whether each line is scored without the lines before it.
        """
        self._model = model
        self._independent = independent
        self.parallel = model.order is not None or independent
        self._scorer = model.scorer()
        self._before = NO_WORDS

    def parts(self, blocks: Iterable[Block | Pause]) -> Iterator[_Part | Pause]:
        """Yield a part for each block, and PAUSE for each PAUSE."""
        for block in blocks:
            if block is PAUSE:
                yield PAUSE
                continue
            ids = block.stream(self._model.word_list)
            yield _Part(block, ids, self._before)
            if self.parallel and not (self._independent or self._model.word_list.marks):
                n_before = self._model.n_before()
                self._before = last_words(self._before, ids, n_before)

    def score(self, part: _Part) -> Scored:
        """Return the scores of a part.

        Unless `parallel` is true, parts must be scored in order.

        Raises:
            SennaError: If a probability is above 1 or NaN, as in a damaged model.
        """
        block, ids, _ = part
        # The check below finds overflows.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            log10 = self._log10(part)
        # In a damaged model, valid numbers may still result in a probability above 1.
        if (bad := np.flatnonzero(~(log10 <= ROUNDING))).size:
            raise SennaError(
                f"{self._model.name}: damaged: it gives a word the log10 probability "
                f"{log10[bad[0]]:g}"
            )
        word_list = self._model.word_list
        lengths = block.lengths()
        is_token = np.ones(len(ids), bool)
        if word_list.marks:
            is_token = ids != word_list.begin
            lengths += 1  # `</s>`
        return Scored(
            block,
            log10[is_token],
            block.places(word_list)[is_token],
            word_list.are_unknown(ids[is_token]),
            np.cumsum(lengths),
        )

    def _log10(self, part: _Part) -> NDArray[np.float64]:
        """Return the log10 probability of each word of a part: float64[n].

        The value of `<s>` is 0.
        """
        block, ids, before = part
        if not self.parallel:
            return self._scorer.take(ids)
        if not self._independent:
            return self._model.log10_probabilities(ids, before)
        n_marks = 2 if self._model.word_list.marks else 0
        ends = np.cumsum(block.lengths() + n_marks)
        lines = np.split(ids, ends[:-1])
        by_line = map(self._model.log10_probabilities, lines)
        return np.concatenate([np.empty(0), *by_line])


def score_stream(model: LanguageModel, ids: NDArray[np.int32]) -> Totals:
    """Return the totals of a stream.

    The numbers of lines and of `</s>` are 0 if the stream has no marks.

    Args:
        model: The language model.
        ids: int32[n], the word indices.
    """
    log10 = model.log10_probabilities(ids)
    word_list = model.word_list
    n_begins = int((ids == word_list.begin).sum())
    totals = Totals.of(log10, word_list.are_unknown(ids), n_begins, n_begins)
    totals.tokens -= n_begins  # `<s>` is not predicted, and its log10 is 0
    return totals
