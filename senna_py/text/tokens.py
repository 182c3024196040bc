"""Tokens of a batch of sentences, and the tokenizer."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.numbers import ints_of
from senna_py.kernels.text import tokens as kernels
from senna_py.kernels.text.dictionary import enter_words
from senna_py.labels.brackets import BRACKETS
from senna_py.text.characters import KIND, LOWER, cover_characters
from senna_py.text.known_texts import known_texts, learn_abbreviations
from senna_py.text.languages import (
    LANGUAGES,
    language_ranges,
    language_trie,
    read_language,
)
from senna_py.text.paragraphs import join_lines
from senna_py.text.sentences import sentence_indices
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.treebank import treebank_ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.text.vocabulary import Vocabulary

    Ints = NDArray[np.int32]
    AnyInts = NDArray[np.integer]

TOKENIZERS = ("senna", "treebank", "english", *LANGUAGES)  # kinds of a Tokenizer

_LARGE = 1 << 20  # bytes of a batch whose arrays are not copied
_SENTENCES = 1000  # of a treebank, at a time
# What the Penn Treebank writes for marks. Where tokens are given, they are looked up as
# the marks.
_ESCAPES = {
    b"``": b'"',
    b"''": b'"',
    **{form.encode(): mark.encode() for mark, form in BRACKETS.items()},
}
_ESCAPED_MARK = re.compile(rb"\\([/*])")
_ESCAPED = re.compile(rb"``|''|-[LR][RSC]B-|\\[/*]")
_CUT_WORD = re.compile(
    rb"(?<![\w\x80-\xff-])([A-Za-z\x80-\xff]+)-[ \t]([a-z\x80-\xff]+)(?![\w\x80-\xff-])"
)
_CUT = re.compile(rb"-\s")
# Others are folded to `'` as by SENNA. Within a token a backtick is an apostrophe: n`t,
# `s.
_ODD_APOSTROPHE = re.compile(
    "´|ʼ|＇|(?<=[A-Za-z])`(?=[A-Za-z])|^`(?=[A-Za-z])".encode()
)
_BACKTICK = re.compile(rb"`(?<=[A-Za-z]`)(?=[A-Za-z])")
_INVISIBLE = re.compile(
    "\u00ad|\u2060".encode()
)  # a soft hyphen; a joiner, which UAX 29 ignores
_ODD = re.compile("´|ʼ|＇|\u00ad|\u2060".encode())
_LONGEST_BATCH = (
    1 << 29
)  # bytes; positions in folded text, at most twice as long, are int32


@dataclass
class Tokens:
    """The tokens of a batch, ragged by sentence: sentence s owns `starts[s]:starts[s +
    1]`.

    data: bytes, the raw text; begin, end: int32[n_tokens], bytes in `data`; word:
    int32[n_tokens], dictionary index; folded, kind: uint8[n_folded], the text that
    features read (see `text.text`), with folded_begin, folded_end: int32[n_tokens];
    starts: int32[n_sentences + 1];
    source: int32[n_sentences], the number of the line or text that each sentence came
    from (of the sentence, after `split`), which stands in `data` at text_begin,
    text_end: int32[n_sentences];
    line_begin: int32[n_sentences], where the line begins. Inputs without a token make
    no sentence.
    """

    data: bytes
    begin: Ints
    end: Ints
    word: Ints
    folded: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    folded_begin: Ints
    folded_end: Ints
    starts: Ints
    source: Ints
    line_begin: Ints
    text_begin: Ints
    text_end: Ints
    raw: NDArray[np.uint8] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.raw = np.frombuffer(self.data, np.uint8)

    def __len__(self) -> int:
        return len(self.begin)

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.starts) - 1

    def text(self, token: int) -> str:
        """Raw text of a token as str; bytes outside UTF-8 become surrogate escapes."""
        return self.data[self.begin[token] : self.end[token]].decode(
            "utf-8", "surrogateescape"
        )

    def texts(self, rows: Any = ...) -> Iterator[bytes]:
        """Yield the raw text of each token as bytes; rows: int[n], of these alone."""
        data, begin, end = self.data, self.begin[rows], self.end[rows]
        return (data[i:j] for i, j in zip(ints_of(begin), ints_of(end), strict=True))

    def first_equal(self) -> Ints:
        """The first token whose raw text is that of each: int32[n_tokens]."""
        slots = np.full(1 << (2 * len(self)).bit_length(), -1, np.int32)
        first = np.empty(len(self), np.int32)
        enter_words(self.raw, self.begin, self.end, slots, first)
        return first

    def offsets(self) -> Ints:
        """First and end character of each token in its line: int32[n_tokens, 2]."""
        if self.data.isascii():
            line = np.repeat(self.line_begin, np.diff(self.starts))
            return np.stack([self.begin - line, self.end - line], axis=1)
        out = np.empty((len(self), 2), np.int32)
        kernels.count_characters(
            self.raw, self.begin, self.end, self.line_begin, self.starts, out
        )
        return out

    def sentences(self, first: int, last: int) -> Tokens:
        """Sentences `first` to `last`, exclusive, as a batch of their own."""
        a, b = self.starts[first], self.starts[last]
        return Tokens(
            self.data,
            self.begin[a:b],
            self.end[a:b],
            self.word[a:b],
            self.folded,
            self.kind,
            self.folded_begin[a:b],
            self.folded_end[a:b],
            self.starts[first : last + 1] - a,
            self.source[first:last],
            self.line_begin[first:last],
            self.text_begin[first:last],
            self.text_end[first:last],
        )

    def parts(self, size: int) -> Iterator[Tokens]:
        """Yield batches of whole sentences with at most `size` tokens, or of one
        sentence.
        """
        for first, last in sentence_blocks(self.starts, size):
            yield self.sentences(first, last)

    def cut(self, longest: int) -> Tokens:
        """The same tokens with sentences of at most `longest` tokens.

        A longer sentence is cut after the last `.`, `!` or `?` token that lets its part
        be longer than half of `longest`, else after `longest` tokens.
        """
        if np.diff(self.starts).max(initial=0) <= longest:
            return self
        final = (self.end - self.begin == 1) & np.isin(
            self.raw[self.begin], list(b".!?")
        )
        starts, owner = [0], []
        for s in range(self.n_sentences):
            stop = int(self.starts[s + 1])
            while starts[-1] < stop:
                part = min(starts[-1] + longest, stop)
                if part < stop:
                    half = starts[-1] + longest // 2
                    ends = np.flatnonzero(final[half:part])
                    part = half + int(ends[-1]) + 1 if len(ends) else part
                starts.append(part)
                owner.append(s)
        return replace(
            self,
            starts=np.array(starts, np.int32),
            source=self.source[owner],
            line_begin=self.line_begin[owner],
            text_begin=self.text_begin[owner],
            text_end=self.text_end[owner],
        )

    def split(self, first: AnyInts) -> Tokens:
        """The same tokens with more sentences: one begins at each token in `first`:
        int[n], sorted.

        The text of each sentence runs from its first token to its last.
        """
        starts = np.union1d(self.starts, first).astype(np.int32)
        owner = np.searchsorted(self.starts, starts[:-1], side="right") - 1
        return replace(
            self,
            starts=starts,
            source=np.arange(len(owner), dtype=np.int32),
            line_begin=self.line_begin[owner],
            text_begin=self.begin[starts[:-1]],
            text_end=self.end[starts[1:] - 1],
        )


class Tokenizer:
    """Finds tokens and their dictionary index; shared by threads."""

    def __init__(
        self,
        words: Vocabulary,
        kind: str = "senna",
        abbreviations: Iterable[str] = (),
        splitter: SentenceSplitter | None = None,
        join_hyphens: bool = False,
    ) -> None:
        """Look words up in `words`: a searchable Vocabulary with the key UNKNOWN.

        kind: how raw text is tokenized, one of TOKENIZERS: `senna`, which uses the
        dictionary, `treebank`, `english`, the same with words split at hyphens, as UD
        English has them, or another language (`text.languages`); abbreviations: more of
        them, without their last period;
        splitter: what finds sentences, on top of the rules, and knows still more;
        join_hyphens: whether a word of the dictionary that a hyphen and white space cut
        in two, as at the end of a line, is one token. Raises SennaError for another
        kind, and if SENNA's is to join words.
        """
        if kind not in TOKENIZERS:
            known = ", ".join(TOKENIZERS)
            raise SennaError(f"no such tokenizer: {kind!r}; there are {known}")
        learned = splitter.abbreviations if splitter is not None else ()
        self.abbreviations = tuple(dict.fromkeys((*abbreviations, *learned)))
        if join_hyphens and kind == "senna":
            raise SennaError(
                "SENNA's tokens are never joined; the tokenizer must be another"
            )
        self.kind, self.splitter, self.join_hyphens = kind, splitter, join_hyphens
        self.words = words
        self.unknown = words.position("UNKNOWN")

    def lines(self, data: bytes, whitespace: bool = False) -> Tokens:
        """Tokens of lines, a sentence each; whitespace: whether ASCII white space parts
        them.
        """
        newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")).astype(
            np.int32
        )
        begin = np.append(np.int32(0), newlines + np.int32(1))
        end = np.append(newlines, np.int32(len(data)))
        if whitespace:
            return self._unescaped(self._tokens(data, begin, end, kernels.WHITESPACE))
        if self.kind == "senna":
            return self._tokens(data, begin, end, kernels.SENNA)
        return self._language(data, data, begin, end)

    def document(self, text: str, paragraphs: bool = False) -> Tokens:
        """Tokens of one text; see `documents`."""
        return self.documents([text], paragraphs)[0]

    def documents(
        self, texts: Iterable[str], paragraphs: bool = False
    ) -> tuple[Tokens, NDArray[np.int64]]:
        """Tokens of texts, a paragraph on each line, in sentences; and the text that
        each is of.

        Offsets count from the text's start. paragraphs: whether they end at empty lines
        instead.
        """
        encoded = [
            join_lines(_encode(each)) if paragraphs else _encode(each) for each in texts
        ]
        data, begin, _ = _join(encoded, b"\n")
        tokens = self.split_sentences(self.lines(data))
        owner = np.searchsorted(begin, tokens.text_begin, "right") - 1
        tokens.line_begin = begin[owner]
        return tokens, owner

    def texts(self, texts: Sequence[str]) -> Tokens:
        """Tokens of a list of str, each one sentence; a newline is white space like any
        other.
        """
        data, begin, end = _join([*map(_encode, texts)])
        if self.kind == "senna":
            return self._tokens(data, begin, end, kernels.SENNA)
        lines = np.frombuffer(data.replace(b"\n", b" "), np.uint8).copy()
        lines[end[:-1]] = ord("\n")
        return self._language(data, lines.tobytes(), begin, end)

    def pretokenized(self, sentences: Sequence[Sequence[str]]) -> Tokens:
        """Tokens as given, lists of non-empty str; a sentence's text joins them by one
        space.
        """
        counts = np.array([len(sentence) for sentence in sentences], np.int64)
        data, begin, end = _join(
            [_encode(token) for each in sentences for token in each]
        )
        stop = np.cumsum(counts)
        kept = np.flatnonzero(counts)
        text_begin, text_end = (
            np.zeros_like(counts, np.int32),
            np.zeros_like(counts, np.int32),
        )
        text_begin[kept], text_end[kept] = (
            begin[(stop - counts)[kept]],
            end[stop[kept] - 1],
        )
        return self._unescaped(
            self.placed(data, begin, end, counts, text_begin, text_end)
        )

    def split_sentences(self, tokens: Tokens, whitespace: bool = False) -> Tokens:
        """The same tokens, of `lines`, with each line cut into its sentences
        (`text.sentences`).

        These are found from the tokens themselves or, if they are SENNA's, from the
        Treebank tokens of the same text. whitespace: whether they are the user's.
        """
        found = self._rule_starts(tokens, whitespace)
        if self.splitter is not None:
            found = self.splitter.begins(tokens, found)
        return tokens.split(found)

    def learn_abbreviations(self, sentences: Iterable[Any]) -> tuple[str, ...]:
        """Abbreviations that this tokenizer tears, see
        `known_texts.learn_abbreviations`.
        """
        sentences, torn = list(sentences), set()
        for begin in range(0, len(sentences), _SENTENCES):
            part = sentences[begin : begin + _SENTENCES]
            found = self.texts(
                [
                    "".join(
                        form + " " * space
                        for form, space in zip(each.forms, each.spaces, strict=True)
                    )
                    for each in part
                ]
            )
            for s, (a, b) in zip(found.source, pairwise(found.starts), strict=True):
                torn.update({*part[s].forms} - {found.text(t) for t in range(a, b)})
        return learn_abbreviations(sentences, torn)

    def learn_sentences(
        self,
        paragraphs: Iterable[tuple[str, Sequence[int]]],
        running: Iterable[str] = (),
    ) -> SentenceSplitter:
        """A splitter that learned from paragraphs: pairs of the text and where
        sentences begin.

        These are characters of the text, which has no newline. running: paragraphs of
        edited text of which no more is known. Raises SennaError for SENNA's tokens, or
        none.
        """
        if self.kind == "senna":
            raise SennaError(
                "SENNA's tokens have no splitter; the tokenizer must be another"
            )
        lines, begins, n_bytes = [], [], 0
        for text, starts in paragraphs:
            lines.append(text.encode("utf-8", "surrogateescape"))
            begins += [
                n_bytes + len(text[:i].encode("utf-8", "surrogateescape"))
                for i in starts
            ]
            n_bytes += len(lines[-1]) + 1
        tokens = self.lines(b"\n".join(lines))
        if not len(tokens):
            raise SennaError("no sentence to learn from")
        gold = np.unique(np.searchsorted(tokens.begin, begins))
        unknown = self.lines("\n".join(running).encode("utf-8", "surrogateescape"))
        return SentenceSplitter.learn(
            (tokens, self._rule_starts(tokens)),
            gold,
            (unknown, self._rule_starts(unknown)),
            self.abbreviations,
        )

    def _rule_starts(self, tokens, whitespace=False):
        """First token of each sentence by the rules: int64[n_sentences]."""
        own = self.abbreviations
        trie, small = known_texts(own), True
        if self.kind in LANGUAGES:
            trie, small = language_trie(self.kind, own), not read_language(self.kind)[1]
        if whitespace or self.kind != "senna":
            places = tokens.begin, tokens.end, tokens.starts
            return sentence_indices(tokens.data, *places, trie, small)
        begin, end = treebank_ranges(tokens.data, own=own)
        lines = np.unique(
            np.searchsorted(begin, np.append(tokens.line_begin, len(tokens.data)))
        )
        found = sentence_indices(tokens.data, begin, end, lines, trie)
        return np.searchsorted(tokens.begin, begin[found])

    def _language(self, data, lines, range_begin, range_end):
        """Tokens of a language in ranges of `data`, which are the lines of `lines`, as
        long.
        """
        cuts = self._cuts(lines) if self.join_hyphens else np.empty(0, np.int32)
        if len(cuts):
            kept = np.ones(len(lines), bool)
            kept[cuts] = kept[cuts + 1] = False
            lines = np.frombuffer(lines, np.uint8)[kept].tobytes()
        if self.kind in LANGUAGES:
            begin, end = language_ranges(lines, self.kind, self.abbreviations)
        else:
            begin, end = treebank_ranges(
                lines, self.kind == "english", self.abbreviations
            )
        if len(cuts):
            joined = cuts - 2 * np.arange(
                len(cuts), dtype=np.int32
            )  # where they were, in `lines`
            begin += 2 * np.searchsorted(joined, begin, "right").astype(np.int32)
            end += 2 * np.searchsorted(joined, end, "left").astype(np.int32)
        counts = np.diff(np.searchsorted(begin, range_begin), append=len(begin))
        found = self.placed(data, begin, end, counts, range_begin, range_end)
        odd = [*cuts]
        if not data.isascii():
            odd += _places(_INVISIBLE if self.kind in LANGUAGES else _ODD, data)
        if self.kind not in LANGUAGES and b"`" in data:
            odd += _places(_BACKTICK, data)
        return self._spelled(found, self._spelling, odd) if odd else found

    def _spelling(self, text: bytes) -> bytes:
        """What a token is looked up as: without what cuts it, and with plain
        apostrophes.
        """
        text = _INVISIBLE.sub(b"", _CUT.sub(b"", text)) or text
        return text if self.kind in LANGUAGES else _ODD_APOSTROPHE.sub(b"'", text)

    def _cuts(self, lines):
        """Places in `lines` of hyphens and blanks that cut a word of the dictionary:
        int32[n].
        """
        found = (
            match.end(1)
            for match in _CUT_WORD.finditer(lines)
            if (match[1] + match[2]).decode("utf-8", "replace").lower() in self.words
        )
        return np.fromiter(found, np.int32)

    def _unescaped(self, tokens):
        """The same tokens, of which those that are the Treebank's escapes are looked up
        as text.

        The tokens of SENNA's models are looked up as they are.
        """
        if self.kind == "senna":
            return tokens
        odd = _places(_ESCAPED, tokens.data)
        if not tokens.data.isascii():
            odd += _places(_INVISIBLE, tokens.data)
        if not odd:
            return tokens
        return self._spelled(
            tokens,
            lambda text: (
                _ESCAPES.get(text)
                or _INVISIBLE.sub(b"", _ESCAPED_MARK.sub(rb"\1", text))
                or text
            ),
            odd,
        )

    def _spelled(
        self, tokens: Tokens, spell: Callable[[bytes], bytes], places: Sequence[int]
    ) -> Tokens:
        """The same tokens, of which those at some places of `data` are looked up
        otherwise.

        That is as what the function `spell` makes of their bytes.
        """
        rows = np.unique(np.searchsorted(tokens.begin, places, "right") - 1)
        rows = rows[rows >= 0]
        data, begin, end = _join([*map(spell, tokens.texts(rows))])
        found = self._tokens(data, begin, end, kernels.GIVEN)
        behind = len(tokens.folded)  # where the text of the others ends
        changed = {}
        for name, first in (
            ("word", 0),
            ("folded_begin", behind),
            ("folded_end", behind),
        ):
            changed[name] = getattr(tokens, name).copy()
            changed[name][rows] = getattr(found, name) + np.int32(first)
        folded = np.concatenate([tokens.folded, found.folded])
        kind = np.concatenate([tokens.kind, found.kind])
        return replace(tokens, folded=folded, kind=kind, **changed)

    def placed(
        self,
        data: bytes,
        begin: Ints,
        end: Ints,
        counts: AnyInts,
        text_begin: Ints,
        text_end: Ints,
    ) -> Tokens:
        """Tokens that stand in `data` at begin, end: int32[n_tokens].

        Text s, at text_begin[s], text_end[s]: int32[n_texts], has counts[s] of them.
        Raises SennaError for an empty one, of which kernels would have no character.
        """
        if not (begin < end).all():
            raise SennaError("a token is an empty string")
        found = self._tokens(data, begin, end, kernels.GIVEN)
        source = np.flatnonzero(counts).astype(np.int32)
        found.starts = np.append(0, np.cumsum(counts[source])).astype(np.int32)
        found.source = source
        found.line_begin = found.text_begin = text_begin[source]
        found.text_end = text_end[source]
        return found

    def _tokens(self, data, range_begin, range_end, splitting):
        if len(data) > _LONGEST_BATCH:
            raise SennaError(
                f"a text of {len(data):,} bytes; the limit is {_LONGEST_BATCH:,}"
            )
        cover_characters(data)
        # One entry a byte is the most that can be needed; pages not written take no
        # memory.
        words = self.words.table
        folded = np.empty(2 * len(data) + 1, np.uint8)
        kind = np.empty_like(folded)
        origin = np.empty(len(folded), np.int32)
        per_token = [np.empty(len(data), np.int32) for _ in range(5)]
        starts = np.empty(len(range_begin) + 1, np.int32)
        source = np.empty(len(range_begin), np.int32)
        n_tokens, n_sentences, n_folded = kernels.tokenize(
            np.frombuffer(data, np.uint8),
            range_begin,
            range_end,
            splitting,
            KIND,
            LOWER,
            words,
            self.unknown,
            np.empty(words.longest + 1, np.uint64),
            folded,
            kind,
            origin,
            *per_token,
            starts,
            source,
        )
        # Of large arrays, what was not written takes no memory, and a copy would take
        # more.
        kept = (lambda array: array) if len(data) > _LARGE else np.copy
        begin, end, folded_begin, folded_end, word = (
            kept(a[:n_tokens]) for a in per_token
        )
        source = kept(source[:n_sentences])
        return Tokens(
            data,
            begin,
            end,
            word,
            kept(folded[:n_folded]),
            kept(kind[:n_folded]),
            folded_begin,
            folded_end,
            kept(starts[: n_sentences + 1]),
            source,
            range_begin[source],
            range_begin[source],
            range_end[source],
        )


def _places(pattern: re.Pattern[bytes], data: bytes) -> list[int]:
    """Where the matches of a pattern begin."""
    return [match.start() for match in pattern.finditer(data)]


def _join(encoded, mark=b" "):
    """One byte string of several with a byte between, and where each begins and
    ends.
    """
    lengths = np.array([len(text) for text in encoded], np.int64)
    end = np.cumsum(lengths + 1) - 1
    return mark.join(encoded), (end - lengths).astype(np.int32), end.astype(np.int32)


def _encode(text):
    """UTF-8 bytes that have as many characters as `text`, so that offsets hold for
    both.
    """
    try:  # of each token that is given: `suppress` takes four times as long
        return text.encode()
    except UnicodeEncodeError:
        pass
    with suppress(UnicodeEncodeError):
        escaped = text.encode("utf-8", "surrogateescape")
        if escaped.decode("utf-8", "surrogateescape") == text:
            return escaped
    # A lone surrogate that stands for no byte, or bytes that together are another
    # character.
    return text.encode("utf-8", "replace")


def sentence_blocks(starts: np.ndarray, n_words: int) -> Iterator[tuple[int, int]]:
    """Yield first and last, exclusive, of as many sentences as have n_words, but always
    one.
    """
    first = 0
    while first < len(starts) - 1:
        last = int(starts.searchsorted(starts[first] + n_words, side="right")) - 1
        last = max(first + 1, last)
        yield first, last
        first = last
