"""From batches of text to what is printed of them, on several threads."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from senna_py.cli.tag_inputs import Lines, Sentences
from senna_py.errors import SennaError
from senna_py.io.streaming import BATCH_BYTES, ordered_map
from senna_py.kernels.runtime.cold_start import ColdStart

__all__ = ["Job", "Printed"]

_LARGE = 4 * BATCH_BYTES  # a batch that a long line makes larger is worked on in parts
_PART = 1 << 13  # tokens in such a part


@dataclass(frozen=True)
class Printed:
    """Output of a Printer for a batch, how much that is, and of how many bytes of text."""

    data: Any
    n_sentences: int
    n_tokens: int
    n_bytes: int


class Job:
    """The work on batches: tokenize, tag, print. It goes on from one input to the next."""

    def __init__(self, options, tagger, printer, note, jobs=1, waits=False):
        """Work with a Tagger and a Printer that TagOptions made.

        note: called with lines of text for the user; jobs: threads; waits: compile kernels before
        the first batch is tagged, and tag all with them. Raises SennaError for the file of
        predicates.
        """
        self._options, self._tagger, self._printer = options, tagger, printer
        self._note, self._jobs = note, jobs
        self._predicates = _open_predicates(options.usrvbs)
        in_step = self._predicates is not None
        self._cold = None if waits else ColdStart(self.run_kernels, in_step)

    def run(self, batches):
        """Yield Printed of the batches of an input, in order: Lines, Sentences, or None.

        None stands before a wait: all that came before is yielded first.
        """
        return ordered_map(self._print, self._prepared(batches), self._jobs)

    def finish(self):
        """Raise SennaError if there are predicates after those of the last input."""
        if self._predicates is not None:
            self._predicates.finish()

    def _prepared(self, batches):
        """Yield what the threads print: Lines as they are, or Sentences, and None before a wait.

        Tokens are found here, not by the threads, where a predicate file is read in step with them,
        where sentences are counted, and where a long line becomes many batches.
        """
        left = self._options.limit
        for batch in self._cold.batches(batches) if self._cold else batches:
            if batch is None or self._is_ready(batch):
                yield batch
                continue
            with batch.way:
                sentences, error = self._found(batch)
            if left is not None:
                sentences, left = _first(sentences, left)
            yield from self._parts(sentences)
            if error is not None:
                raise SennaError(str(error)) from None
            if left == 0:
                return

    def _is_ready(self, batch):
        """Return whether threads can do all that is to be done with a batch."""
        counts = self._predicates is not None or self._options.limit is not None
        return isinstance(batch, Lines) and not counts and len(batch.text) <= _LARGE

    def _found(self, batch):
        """Sentences of a batch, with marks of predicates, and an error of their file or None."""
        tokens, marks, error = self._tokens(batch), None, None
        if self._predicates is not None:
            marks, count, error = self._predicates.take(np.diff(tokens.starts).tolist())
            tokens = tokens.sentences(0, count)
        return self._sentences(batch, tokens, marks), error

    def _tokens(self, batch):
        if isinstance(batch, Sentences):
            return batch.tokens
        return self._tagger.tokenizer.lines(batch.text, self._options.usrtokens)

    def _sentences(self, batch, tokens, is_predicate=None):
        """Sentences of the tokens of a batch, cut where the tagger takes no longer ones."""
        tokens, longest = self._split(batch, tokens), self._tagger.longest_sentence
        if longest is not None:
            self._note_long(batch.source, np.diff(tokens.starts), longest)
            tokens = tokens.cut(longest)
        return Sentences(batch.source, batch.place, tokens, is_predicate, batch.way)

    def _split(self, batch, tokens):
        if not self._options.split or isinstance(batch, Sentences):
            return tokens
        return self._tagger.tokenizer.split_sentences(tokens, self._options.usrtokens)

    def _note_long(self, source, lengths, longest):
        what = "sentence" if self._options.split else "line"
        quadratic = any(self._tagger.task(name).labels != "words" for name in self._tagger.tasks)
        purpose = "roles and trees" if quadratic else "networks that see all of it"
        for length in lengths[lengths > longest]:
            self._note(
                f"{source}: a {what} of {length:,} tokens is cut into sentences of at most "
                f"{longest:,} for {purpose}"
            )

    def _parts(self, sentences):
        """Yield Sentences in parts; where lines are printed whole, in one."""
        tokens, marks, done = sentences.tokens, sentences.is_predicate, 0
        for part in tokens.parts(_PART) if self._printer.splits_lines else [tokens]:
            chosen = None if marks is None else marks[done : done + len(part)]
            yield replace(sentences, tokens=part, is_predicate=chosen)
            done += len(part)

    def _print(self, batch):
        """Printed of Lines, or of Sentences as `_sentences` makes them."""
        with batch.way:
            if isinstance(batch, Lines):
                batch = self._sentences(batch, self._tokens(batch))
            tokens = batch.tokens
            found = self._tagger.annotate(tokens, batch.is_predicate, self._printer.uncertain)
            data = self._printer.print(found, batch.place)
        n_bytes = int(tokens.text_end[-1:].sum() - tokens.text_begin[:1].sum())
        return Printed(data, tokens.n_sentences, len(tokens), n_bytes)

    def run_kernels(self, lines):
        """Call every kernel on a sample; the result is dropped."""
        tokens = self._split(lines, self._tokens(lines))
        tokens = tokens.cut(self._tagger.longest_sentence or len(tokens))
        marks = None if self._predicates is None else np.ones(len(tokens), bool)
        found = self._tagger.annotate(tokens, marks, self._printer.uncertain)
        self._printer.print(found, lines.place)


def _open_predicates(path):
    """The PredicateFile of a path, or None without one."""
    if path is None:
        return None
    from senna_py.corpora.predicates import PredicateFile

    return PredicateFile(path)


def _first(sentences, left):
    """Sentences of which the first `left` are kept, without the lines after, and what is left."""
    tokens = sentences.tokens
    first = np.unique(tokens.source, return_index=True)[1]  # part with which each begins
    if len(first) <= left:
        return sentences, left - len(first)
    tokens = tokens.sentences(0, int(first[left]))
    end = tokens.data.find(b"\n", tokens.text_end[-1]) + 1 or len(tokens.data)
    return replace(sentences, tokens=replace(tokens, data=tokens.data[:end])), 0
