"""From batches of text to what is printed of them, in any thread."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from senna_py.cli.tag_inputs import Batch
from senna_py.corpora.places import BatchPlace
from senna_py.kernels.runtime.pace import way

_PART = 1 << 13  # tokens in a part of a long line
# Words, numbers, names, predicates with arguments, marks and letters of several kinds,
# and tags that are not allowed: a bracket without the other in a name, a negation of
# two verbs.
SAMPLE = """\
Ann Lee of IBM said on Monday that 20 men had left New York, but Mr. Smith (aged 40) didn't go.
He gave her the book that she wanted. He does not eat fish at the café and prefers tea.
Bank (of America said "Smith) Jones Inc" (New York "Stock) Exchange".
"""


@dataclass(frozen=True)
class Printed:
    """Output of a Printer for a batch, how much that is, and `end` of the batch."""

    data: Any
    n_sentences: int
    n_tokens: int
    end: int


class Job:
    """The work on a batch that does not depend on others: tokenize, tag, print."""

    def __init__(self, options, tagger, printer, note):
        """Work with a Tagger and a Printer that TagOptions made; note: see
        `tag_files`.
        """
        self.tagger, self._options, self._printer, self._note = (
            tagger,
            options,
            printer,
            note,
        )

    def print(self, batch):
        """Printed of a Batch."""
        with way():
            return self._print(batch, batch.is_predicate)

    def run_kernels(self):
        """Call every kernel on a sample, compiled; the result is dropped."""
        batch = Batch("", BatchPlace(""), SAMPLE.encode())
        given = self._options.usrvbs is not None
        self._print(batch, np.ones(len(self.lines(batch)), bool) if given else None)

    def _print(self, batch, is_predicate):
        tokens = batch.tokens
        if tokens is None:
            tokens = self.sentences(batch, self.lines(batch))
        found = self.tagger.annotate(tokens, is_predicate, self._printer.uncertain)
        data = self._printer.print(found, batch.place)
        return Printed(data, tokens.n_sentences, len(tokens), batch.end)

    def lines(self, batch):
        """Tokens of a Batch, of which a line is a sentence."""
        if batch.tokens is not None:
            return batch.tokens
        return self.tagger.tokenizer.lines(batch.text, self._options.usrtokens)

    def sentences(self, batch, lines):
        """Tokens in sentences that the tagger takes, of the `lines` of a Batch."""
        tokens, tagger, longest = lines, self.tagger, self.tagger.longest_sentence
        if self._options.split and not batch.place.column_lines:
            tokens = tagger.tokenizer.split_sentences(tokens, self._options.usrtokens)
        if longest is None:
            return tokens
        lengths = np.diff(tokens.starts)
        for length in (
            lengths[lengths > longest] if batch.source else ()
        ):  # the sample has none
            what = "sentence" if self._options.split else "line"
            self._note(
                f"{batch.source}: a {what} of {length:,} tokens is cut into sentences of at most "
                f"{longest:,} for {', '.join(tagger.limiting)}"
            )
        return tokens.cut(longest)

    def parts(self, batch):
        """Yield a Batch with tokens in parts, or whole if its lines are printed
        whole.
        """
        if not self._printer.splits_lines:
            yield batch
            return
        done = 0
        for tokens in batch.tokens.parts(_PART):
            marks = batch.is_predicate
            chosen = None if marks is None else marks[done : done + len(tokens)]
            end = batch.end - len(batch.text) + int(tokens.text_end[-1])
            yield replace(batch, tokens=tokens, is_predicate=chosen, end=end)
            done += len(tokens)
