"""Batches of tokens out of column files, for `senna-tag`."""

from dataclasses import replace

import numpy as np

from senna_py.corpora.conll import DOCUMENT_MARK
from senna_py.corpora.conllu import ConlluFile
from senna_py.corpora.layouts import LayoutFile
from senna_py.corpora.places import BatchPlace, ColumnLine
from senna_py.io.streaming import BATCH_BYTES


class ColumnText:
    """The tokens of a file of some layout, as lines of text in which they stand."""

    def __init__(self, path, layout, multiwords, encoding):
        """Open the file; raises SennaError naming it."""
        if layout == "conllu":
            file = ConlluFile(path, multiwords, encoding)
            self._sentences = _conllu_sentences(file)
        else:
            file = LayoutFile(path, layout, ["word"], encoding=encoding)
            self._sentences = _layout_sentences(file)
        self.source = file.source

    def batches(self, tokenizer, document):
        """Yield pairs of Tokens and their BatchPlace; raises SennaError naming a line.

        A space stands between tokens, but where CoNLL-U says that there is none.
        """
        sentences, given, size, place = [], [], 0, BatchPlace(document)
        for forms, spaces, line in self._sentences:
            if (
                size >= BATCH_BYTES
            ):  # not before the next is read: the last one is kept to the end
                yield (
                    _tokens(tokenizer, sentences),
                    replace(place, column_lines=tuple(given)),
                )
                begun = (each.line for each in reversed(given) if each.begins_paragraph)
                paragraph, size = next(begun, place.paragraph), place.character + size
                place = replace(place, paragraph=paragraph, character=size)
                sentences, given, size = [], [], 0
            sentences.append((forms, spaces))
            given.append(line)
            size += sum(map(len, forms)) + sum(spaces[:-1]) + 1  # with the newline
        if sentences:
            yield (
                _tokens(tokenizer, sentences),
                replace(place, column_lines=tuple(given)),
            )


def _conllu_sentences(file):
    """Yield forms, whether a space follows each, and the ColumnLine of sentences."""
    begins = True
    for sentence in file:
        begins = begins or sentence.begins_paragraph
        after = b" " if sentence.spaces[-1] else b""
        rows = [line - sentence.first_line for line in sentence.lines]
        name = sentence.comment("sent_id")
        given = ColumnLine(
            sentence.lines[0], name, after, begins, sentence.file_lines, rows
        )
        yield sentence.forms, sentence.spaces, given
        begins = False


def _layout_sentences(file):
    """Yield the same of a file whose first column has the words; a mark begins a
    document.
    """
    begins = True
    for sentence in file:
        (forms,) = sentence.columns
        if forms == [DOCUMENT_MARK]:
            begins = True
            continue
        yield forms, [True] * len(forms), ColumnLine(sentence.line, None, b" ", begins)
        begins = False


def _tokens(tokenizer, sentences):
    """Tokens of pairs of forms and whether a space follows each; every sentence is a
    line.
    """
    parts = []  # a token and what follows it, alternately
    for forms, spaces in sentences:
        for form, space in zip(forms, spaces, strict=True):
            parts += form.encode("utf-8", "surrogateescape"), b" " * space
        parts[-1] = b"\n"
    place = np.cumsum([0, *map(len, parts)], dtype=np.int32)
    begin, end = place[:-1:2].copy(), place[1::2].copy()
    counts = np.array([len(forms) for forms, _ in sentences])
    last = np.cumsum(counts) - 1
    lines = begin[last + 1 - counts], end[last]
    return tokenizer.placed(b"".join(parts), begin, end, counts, *lines)
