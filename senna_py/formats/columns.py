"""The formats `senna` and `conll`: layers as padded or as tab-separated columns.

Each structure of a layer has a class that creates its columns. A column has a cell for
each token, and a cell consists of pieces: indices of texts, the word of the row, and
numbers. Each piece of a row except the first includes the separator before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.merging import merge_words
from senna_py.corpora.escapes import escape_role, quote
from senna_py.formats.base import Printer
from senna_py.formats.links import link_texts
from senna_py.kernels.text.columns import WORD, ZERO, Texts, write_rows
from senna_py.labels.tag_schemes import convert
from senna_py.labels.tasks import SENNA, TABLE, Structure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.layer import Layer
    from senna_py.corpora.places import BatchPlace
    from senna_py.labels.tasks import Task
    from senna_py.model import Model
    from senna_py.tagger import Tagger
    from senna_py.text.tokens import Tokens

    Ints = NDArray[np.int32]

_DIGITS = 10  # The maximum number of digits of a number.
_WORD_WIDTH, _LABEL_WIDTH = 15, 10  # The widths of SENNA's columns in characters.
_NONE = "-"  # The value of a token that is not an anchor.


class Cells(NamedTuple):
    """The cells of a column. A cell is a run of pieces; at most one is the word.

    Attributes:
        piece: int32[n_pieces], the pieces of all cells; see `write_rows`.
        first: int64[n_tokens + 1], the index of the first piece of each token, and the
            number of pieces.
    """

    piece: Ints
    first: NDArray[np.int64]

    @classmethod
    def one_each(cls, n_tokens: int, pieces: np.integer[Any] | int | Ints) -> Cells:
        """Return cells of one piece.

        Args:
            n_tokens: The number of tokens.
            pieces: int32[n_tokens], or one piece for all tokens.
        """
        return cls(np.full(n_tokens, pieces, np.int32), np.arange(n_tokens + 1))

    @classmethod
    def counted(
        cls, counts: NDArray[Any], pieces: np.integer[Any] | int | Ints
    ) -> Cells:
        """Return cells with varying numbers of pieces.

        Args:
            counts: int[n_tokens], the number of pieces of each cell.
            pieces: int32[sum(counts)], or one piece that is repeated.
        """
        first = np.append(0, np.cumsum(counts, dtype=np.int64))
        return cls(np.full(first[-1], pieces, np.int32), first)


class _Encoded(NamedTuple):
    """Concatenated texts in UTF-8, and the size of each in bytes."""

    data: bytes
    sizes: list[int]


def _encode(texts: Iterable[str]) -> _Encoded:
    texts = [*texts]
    joined = "".join(texts)
    if joined.isascii():
        return _Encoded(joined.encode(), [*map(len, texts)])
    encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
    return _Encoded(b"".join(encoded), [*map(len, encoded)])


class _BatchTexts:
    """The texts of a batch, to which pieces refer by index."""

    def __init__(self) -> None:
        self._data: list[bytes] = []
        self._sizes: list[int] = []

    def add(self, encoded: _Encoded) -> np.int32:
        """Add texts, and return the index of the first one, which is also its piece."""
        first = np.int32(len(self._sizes))
        self._data.append(encoded.data)
        self._sizes += encoded.sizes
        return first

    def joined(self) -> Texts:
        """Return all texts in the form that `write_rows` requires."""
        start = np.cumsum([0, *self._sizes]).astype(np.int32)
        return Texts(np.frombuffer(b"".join(self._data), np.uint8), start)


class _LabelTexts:
    """Caches the encoded texts of label names, but only of the latest names.

    Threads may share it, because the cache is replaced by a single assignment.
    """

    def __init__(self, write: Callable[[Sequence[str]], list[str]]) -> None:
        self._write = write
        self._last: tuple[Sequence[str], _Encoded] = (), _encode(())

    def encoded(self, names: Sequence[str]) -> _Encoded:
        """Return the encoded texts of all names, in order."""
        last_names, encoded = self._last
        if names is not last_names:
            encoded = _encode(self._write(names))
            self._last = names, encoded
        return encoded


class _Layout(NamedTuple):
    """The layout of columns.

    Attributes:
        padded: Whether columns have SENNA's fixed widths; otherwise fields are
            separated by tabs and quoted as in CSV.
        scheme: The scheme of tags, one of `tag_schemes.SCHEMES`.
    """

    padded: bool
    scheme: str

    @property
    def word_width(self) -> int:
        """The width of the column of words, or 0 if it is not padded."""
        return _WORD_WIDTH if self.padded else 0

    def field(
        self, label: str, before: str = "\t", escape: Callable[[str], str] = quote
    ) -> str:
        """Return a label with a separator before it; `escape` quotes a field of CSV."""
        return before + (label.rjust(_LABEL_WIDTH) if self.padded else escape(label))

    def tag(
        self, tag: str, before: str = "\t", escape: Callable[[str], str] = quote
    ) -> str:
        """Return an IOBES tag in the scheme of the layout; see `field`."""
        return self.field(convert(tag, self.scheme), before, escape)


class _TokenColumn:
    """The column of words."""

    names: tuple[str, ...] = ("word",)

    def cells(
        self, tokens: Tokens, layers: Mapping[str, Layer], texts: _BatchTexts
    ) -> list[Cells]:
        """Return the cells of the columns, and add their texts to `texts`."""
        return [Cells.one_each(len(tokens), WORD)]


class _OffsetColumns:
    """The columns of the start and end offset of each token, in characters."""

    names = ("start", "end")

    def __init__(self, layout: _Layout) -> None:
        self._separators = _encode(("\t", " " if layout.padded else "\t"))

    def cells(
        self, tokens: Tokens, layers: Mapping[str, Layer], texts: _BatchTexts
    ) -> list[Cells]:
        tab = texts.add(self._separators)
        start, end = ZERO - tokens.offsets().T
        pieces = tab, start, tab + 1, end
        return [Cells.one_each(len(start), each) for each in pieces]


class _LabelColumn:
    """The column of the labels of tokens, or of the tags of flat spans."""

    def __init__(self, task: Task, layout: _Layout) -> None:
        self.names = (task.name,)
        self._task = task
        write = layout.field if task.shape.each_token else layout.tag
        self._labels = _LabelTexts(lambda names: [*map(write, names)])

    def cells(
        self, tokens: Tokens, layers: Mapping[str, Layer], texts: _BatchTexts
    ) -> list[Cells]:
        layer = layers[self._task.name]
        if self._task.shape.each_token:
            names, label = layer.names, layer.label
        else:
            tags = layer.sequence_tags(tokens.starts)
            names, label = tags.names, tags.tag
        piece = label + texts.add(self._labels.encoded(names))
        return [Cells.one_each(len(tokens), piece)]


class _HeadColumns:
    """The columns of heads and relations of tokens.

    A head is the number of a token in the sentence, from 1, or 0 for the root.
    """

    def __init__(self, task: Task, layout: _Layout) -> None:
        self.names = (task.anchor_name, task.label_name)
        self._task = task.name
        self._tab = _encode("\t")
        self._labels = _LabelTexts(lambda names: [*map(layout.field, names)])

    def cells(
        self, tokens: Tokens, layers: Mapping[str, Layer], texts: _BatchTexts
    ) -> list[Cells]:
        layer, starts = layers[self._task], tokens.starts
        assert layer.anchor is not None, "each token hangs on one or on nothing"
        first = np.repeat(starts[:-1], np.diff(starts))
        number = np.where(layer.anchor < 0, 0, layer.anchor - first + 1)
        label = layer.label + texts.add(self._labels.encoded(layer.names))
        pieces: tuple[Any, ...] = texts.add(self._tab), ZERO - number, label
        return [Cells.one_each(len(tokens), each) for each in pieces]


class _AnchorColumns:
    """The columns of anchors (predicates), and of the tags of their spans (roles).

    Each anchor has a padded column of tags; if columns are separated by tabs, all
    anchors share one column.
    """

    def __init__(self, task: Task, layout: _Layout) -> None:
        self.names = (task.anchor_name, task.shape.name)
        self._task, self._padded = task.name, layout.padded
        self._marks = _encode(("\t", f"\t{_NONE:>{layout.word_width}}"))
        later = "\t" if layout.padded else "|"
        # The tags for the first anchor of a sentence, and for its other anchors.
        self._labels = _LabelTexts(
            lambda names: [
                layout.tag(name, before, escape_role)
                for before in ("\t", later)
                for name in names
            ]
        )

    def cells(
        self, tokens: Tokens, layers: Mapping[str, Layer], texts: _BatchTexts
    ) -> list[Cells]:
        layer, starts = layers[self._task], tokens.starts
        assert layer.anchors is not None, "spans hang on tokens"
        tags = layer.sequence_tags(starts)
        n_anchors = np.diff(np.searchsorted(layer.anchors, starts))
        lengths = np.diff(starts)
        tab = texts.add(self._marks)
        label = texts.add(self._labels.encoded(tags.names))
        is_anchor = np.zeros(len(tokens), bool)
        is_anchor[layer.anchors] = True
        lacks = np.repeat((n_anchors == 0) & (not self._padded), lengths)
        return [
            Cells.one_each(len(tokens), np.where(is_anchor, tab, tab + 1)),
            Cells.counted(is_anchor, WORD),
            Cells.counted(
                np.repeat(n_anchors, lengths),
                _beside_each_other(
                    tags.tag, n_anchors, lengths, label, len(tags.names)
                ),
            ),
            Cells.counted(lacks, tab + 1),
        ]


def _beside_each_other(
    tag: Ints, n_rows: Ints, lengths: Ints, piece: np.int32, n_names: int
) -> Ints:
    """Transpose tags from one row for each anchor to the cells of tokens.

    Args:
        tag: int[n_tags], the tags of the tokens of each sentence, in one row for each
            anchor.
        n_rows: int[n_sentences], the number of anchors of each sentence.
        lengths: int[n_sentences], the number of tokens of each sentence.
        piece: The piece of the first tag name, for the first anchor of a sentence.
        n_names: The number of tag names, which is added to pieces for other anchors.

    Returns:
        int32[n_tags], the pieces of each token for all anchors of its sentence.
    """
    counts = np.repeat(n_rows, lengths)  # the number of tags of each token
    ends = np.cumsum(counts, dtype=np.int64)
    anchor = np.arange(len(tag)) - np.repeat(ends - counts, counts)
    # The first row of a sentence begins with the tag of its first token.
    first = np.cumsum(n_rows * lengths, dtype=np.int64) - n_rows * lengths
    place = np.arange(len(counts)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    source = anchor * np.repeat(np.repeat(lengths, lengths), counts)
    source += np.repeat(np.repeat(first, lengths) + place, counts)
    pieces = tag[source] + piece
    pieces[anchor > 0] += n_names
    return pieces


class _BracketColumn:
    """The column of the brackets around nested spans, such as `(S(NP*` at a token."""

    def __init__(self, task: Task, layout: _Layout) -> None:
        self.names = (task.attribute or task.name,)
        self._task = task.name
        self._marks = _encode(("\t", "*", ")"))
        self._labels = _LabelTexts(lambda names: [f"({name}" for name in names])

    def cells(
        self, tokens: Tokens, layers: Mapping[str, Layer], texts: _BatchTexts
    ) -> list[Cells]:
        layer, n = layers[self._task], len(tokens)
        tab = texts.add(self._marks)
        opening = layer.label + texts.add(self._labels.encoded(layer.names))
        return [
            Cells.one_each(n, tab),
            Cells.counted(np.bincount(layer.begin, minlength=n), opening),
            Cells.one_each(n, tab + 1),
            Cells.counted(np.bincount(layer.end - 1, minlength=n), tab + 2),
        ]


class _LinkColumn:
    """The column of the links that begin at each token; see the module `links`."""

    def __init__(self, task: Task, layout: _Layout) -> None:
        self.names = (task.name,)
        self._task, self._layout = task.name, layout

    def cells(
        self, tokens: Tokens, layers: Mapping[str, Layer], texts: _BatchTexts
    ) -> list[Cells]:
        links = link_texts(layers[self._task], tokens.starts)
        fields = ["|".join(map(escape_role, each)) or _NONE for each in links]
        first = texts.add(_encode(map(self._layout.field, fields)))
        return [Cells.one_each(len(tokens), np.arange(len(fields)) + first)]


# The classes that create the columns of a task.
_COLUMNS: dict[Structure, Callable[[Task, _Layout], Any]] = {
    Structure.TAGS: _LabelColumn,
    Structure.SPANS: _LabelColumn,
    Structure.FRAMES: _AnchorColumns,
    Structure.TREE: _BracketColumn,
    Structure.HEADS: _HeadColumns,
    Structure.LINKS: _LinkColumn,
}


class ColumnPrinter(Printer):
    """Prints SENNA's columns: one token per line and an empty line after each sentence.

    Words are padded to 15 characters and tags to 10. Both offsets are in one column,
    and each predicate has a column of roles. Columns are in the order of the tagger's
    tasks.
    """

    splits_lines = True
    padded = True

    @classmethod
    def tasks(
        cls, model: Model, asked: tuple[str, ...], predicates: str
    ) -> Iterable[str] | None:
        """Return the tasks that the user named.

        By default, they are SENNA's tasks if the model has these and others. Otherwise,
        the result is None.
        """
        available = model.default_tasks(predicates)
        senna = tuple(task for task in SENNA if TABLE[task].default)
        return asked or (senna if {*senna} < {*available} else None)

    def __init__(
        self,
        tagger: Tagger,
        words: bool = True,
        offsets: bool = False,
        scheme: str = "iobes",
        header: bool = False,
        by_word: bool = False,
    ) -> None:
        """Prepare the columns.

        Args:
            tagger: The tagger whose tasks have columns.
            words: Whether to print the words.
            offsets: Whether to print the character offsets of each token.
            scheme: The scheme of tags, one of `tag_schemes.SCHEMES`.
            header: Whether a file begins with the names of the columns.
            by_word: Whether words that are not in the text have separate lines, instead
                of one line for their surface token.
        """
        super().__init__(tagger)
        self._header, self._layout = header, _Layout(self.padded, scheme)
        self._by_word = by_word
        self._columns: list[Any] = [_TokenColumn()] if words else []
        if offsets:
            self._columns.append(_OffsetColumns(self._layout))
        tasks = map(tagger.task, tagger.tasks)
        self._columns += [
            _COLUMNS[task.shape.structure](task, self._layout) for task in tasks
        ]

    def header(self) -> bytes:
        """Return a line of the names of the columns, or nothing if not requested."""
        names = (name for column in self._columns for name in column.names)
        return ("\t".join(names) + "\n").encode() if self._header else b""

    def format(self, annotations: Annotations, place: BatchPlace) -> memoryview:
        """Return the rows for a batch in UTF-8, as a memoryview."""
        # The rows of a column file stay rows.
        if not (self._by_word or place.column_lines):
            annotations = merge_words(annotations)
        tokens, layers = annotations.tokens, annotations.layers
        forms, batch_texts = tokens.with_forms(), _BatchTexts()
        cells = [
            run
            for column in self._columns
            for run in column.cells(tokens, layers, batch_texts)
        ]
        texts = batch_texts.joined()
        piece = np.concatenate([np.empty(0, np.int32), *(run.piece for run in cells)])
        first = np.empty((len(cells), len(tokens) + 1), np.int64)
        before = 0
        for row, run in zip(first, cells, strict=True):
            np.add(run.first, before, out=row)
            before += len(run.piece)
        out = np.empty(self._most_bytes(forms, cells, texts), np.uint8)
        size = write_rows(
            forms.raw,
            forms.begin,
            forms.end,
            forms.starts,
            self._layout.word_width,
            texts,
            piece,
            first,
            out,
        )
        return memoryview(out.data)[:size]

    def _most_bytes(self, tokens: Tokens, cells: list[Cells], texts: Texts) -> int:
        """Return an upper bound for the number of bytes of the rows.

        It may be generous, because pages that are not written take no memory.
        """
        sizes = np.diff(texts.start)
        words = 2 * int((tokens.end - tokens.begin).sum(dtype=np.int64))
        # A word is padded, or it is quoted and its quotation marks are doubled.
        words += len(tokens) * (self._layout.word_width + 2)
        n_bytes = len(tokens) + tokens.n_sentences
        for piece, _ in cells:
            if WORD in piece:
                n_bytes += words
            else:
                is_text = piece >= 0
                n_bytes += int(sizes[piece[is_text]].sum(dtype=np.int64))
                n_bytes += _DIGITS * int(np.count_nonzero(~is_text))
        return n_bytes


class TabPrinter(ColumnPrinter):
    """Prints tab-separated columns, for readers of CSV.

    The number of columns does not depend on the sentence.
    """

    padded = False
