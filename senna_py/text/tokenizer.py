"""The tokenizer, which finds tokens and looks them up in the dictionary of a model."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.text import tokens as kernels
from senna_py.text.characters import KIND, LOWER, cover_characters
from senna_py.text.english_ranges import continued_words
from senna_py.text.equal_texts import group_texts
from senna_py.text.expansion import expand
from senna_py.text.joined_tokens import join_abbreviations, join_addresses
from senna_py.text.known_texts import known_texts
from senna_py.text.languages import language_trie, read_language
from senna_py.text.learned_tokens import LearnedTokens
from senna_py.text.lookup_forms import (
    odd_places,
    places_of_escapes,
    plain_form,
    unescaped_form,
)
from senna_py.text.paragraphs import join_lines
from senna_py.text.rule_tokens import rule_ranges
from senna_py.text.sentences import sentence_indices
from senna_py.text.tokenizer_kinds import (
    ENGLISH_UD,
    LANGUAGES,
    LEARNED,
    SENNA,
    TOKENIZERS,
)
from senna_py.text.tokens import Tokens, distinct
from senna_py.text.treebank import treebank_ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from numpy.typing import NDArray

    _Scalar = TypeVar("_Scalar", bound=np.generic)

    from senna_py.text.exceptions import TokenExceptions
    from senna_py.text.learned_tokens import TokenFinder
    from senna_py.text.splitter import SentenceSplitter
    from senna_py.text.tokens import AnyInts, Ints
    from senna_py.text.vocabulary import Vocabulary
    from senna_py.text.word_splitting import WordSplitter

_LARGE = 1 << 20  # in bytes; the arrays of larger batches are not copied
_CUT_WORD = re.compile(
    rb"(?<![\w\x80-\xff-])([A-Za-z\x80-\xff]+)-[ \t]([a-z\x80-\xff]+)(?![\w\x80-\xff-])"
)
# In bytes. Offsets in the folded text are int32, and it may be twice as long.
_LONGEST_BATCH = 1 << 29


class Tokenizer:
    """Splits text into tokens and looks them up in a dictionary.

    Threads may share a tokenizer.
    """

    def __init__(
        self,
        words: Vocabulary,
        kind: str = SENNA,
        abbreviations: Iterable[str] = (),
        splitter: SentenceSplitter | None = None,
        join_hyphens: bool = False,
        word_splitter: WordSplitter | None = None,
        finder: TokenFinder | None = None,
        exceptions: TokenExceptions | None = None,
    ) -> None:
        """Prepare a tokenizer.

        Args:
            words: The dictionary, whose keys must be distinct and include UNKNOWN.
            kind: How raw text is split, one of TOKENIZERS (`text.tokenizer_kinds`):
                `senna`, which uses the dictionary; `treebank`; `english`, which also
                splits words at hyphens as UD English does; another language
                (`text.languages`); or `learned`, which uses `finder`.
            abbreviations: Additional abbreviations, without final periods.
            splitter: A trained splitter, which refines the sentences of the rules and
                has its own additional abbreviations; or None. With a `finder`, it
                replaces the sentences that the network finds.
            join_hyphens: Whether to join a word of the dictionary that is broken by a
                hyphen and white space, as at the end of a line.
            word_splitter: The splitter that divides multiword tokens in `expand`, or
                None to leave them whole.
            finder: The trained network that finds the tokens and sentences of a
                `learned` tokenizer; None for others.
            exceptions: The texts that are always divided into the same tokens, or None.

        Raises:
            SennaError: If `kind` is unknown, if `senna` is combined with
                `join_hyphens`, or if `learned` has no `finder`.
        """
        if kind not in TOKENIZERS:
            known = ", ".join(TOKENIZERS)
            raise SennaError(f"no such tokenizer: {kind!r}; there are {known}")
        learned = splitter.abbreviations if splitter is not None else ()
        self.abbreviations = tuple(dict.fromkeys((*abbreviations, *learned)))
        if join_hyphens and kind == SENNA:
            raise SennaError(
                "SENNA's tokens are never joined; the tokenizer must be another"
            )
        if kind == LEARNED and finder is None:
            raise SennaError(
                f"a tokenizer of the kind {kind!r} needs a trained network"
            )
        self.kind, self.finder, self.exceptions = kind, finder, exceptions
        self.splitter = splitter
        self.join_hyphens = join_hyphens
        self.word_splitter = word_splitter
        self.words = words
        self.unknown = words.position("UNKNOWN")

    @property
    def finds_words(self) -> bool:
        """Whether surface tokens may consist of several words."""
        return self.kind == ENGLISH_UD or self.word_splitter is not None

    def lines(self, data: bytes, whitespace: bool = False) -> Tokens:
        """Return the tokens of lines, with each line as one sentence.

        Args:
            data: The lines, as UTF-8.
            whitespace: Whether to split only at ASCII white space.
        """
        begin, end = line_ranges(data)
        if whitespace:
            return self._unescaped(self._tokens(data, begin, end, kernels.WHITESPACE))
        if self.kind == SENNA:
            return self._senna(data, begin, end)
        return self._language(data, data, begin, end)

    def document(self, text: str, paragraphs: bool = False) -> Tokens:
        """Return the tokens of one text, in sentences; see `documents`."""
        return self.documents([text], paragraphs)[0]

    def documents(
        self, texts: Iterable[str], paragraphs: bool = False
    ) -> tuple[Tokens, NDArray[np.int64]]:
        """Split texts into sentences and tokens.

        The `offsets` of the tokens are relative to the beginning of their text.

        Args:
            texts: The texts.
            paragraphs: Whether paragraphs end at empty lines, instead of at each
                newline.

        Returns:
            The tokens, and the index of the text of each sentence: int64[n_sentences].
        """
        encoded = [_encode(text) for text in texts]
        if paragraphs:
            encoded = [join_lines(text) for text in encoded]
        data, begin, _ = _join(encoded, b"\n")
        tokens = self.split_sentences(self.lines(data))
        owner = np.searchsorted(begin, tokens.text_begin, "right") - 1
        tokens.line_begin = begin[owner]
        return tokens, owner

    def texts(self, texts: Sequence[str]) -> Tokens:
        """Return the tokens of texts, with each text as one sentence.

        Newlines in a text are white space.
        """
        data, begin, end = _join([*map(_encode, texts)])
        if self.kind == SENNA:
            return self._senna(data, begin, end)
        lines = np.frombuffer(data.replace(b"\n", b" "), np.uint8).copy()
        lines[end[:-1]] = ord("\n")
        return self._language(data, lines.tobytes(), begin, end)

    def pretokenized(
        self,
        sentences: Sequence[Sequence[str]],
        spaces: Sequence[Sequence[bool]] | None = None,
    ) -> Tokens:
        """Return the tokens of sentences that are already lists of tokens.

        The text of a sentence is its tokens joined with spaces. Empty lists are
        skipped.

        Args:
            sentences: The sentences.
            spaces: For each sentence, whether a space follows each token. By default,
                spaces follow all tokens. With `spaces`, no sentence may be empty.

        Raises:
            SennaError: If a token is an empty string.
        """
        counts = np.array([len(sentence) for sentence in sentences], np.int64)
        encoded = [_encode(token) for sentence in sentences for token in sentence]
        if spaces is None:
            data, begin, end = _join(encoded)
        else:
            data, begin, end = _join_some(encoded, [*chain.from_iterable(spaces)])
        stop = np.cumsum(counts)
        rows = np.flatnonzero(counts)
        text_begin = np.zeros_like(counts, np.int32)
        text_begin[rows] = begin[(stop - counts)[rows]]
        text_end = np.zeros_like(counts, np.int32)
        text_end[rows] = end[stop[rows] - 1]
        return self._unescaped(
            self.placed(data, begin, end, counts, text_begin, text_end)
        )

    def split_sentences(self, tokens: Tokens, whitespace: bool = False) -> Tokens:
        """Return the same tokens with each line split into its sentences.

        Args:
            tokens: The tokens, from `lines`.
            whitespace: The value that `lines` was called with.
        """
        if tokens.begins_sentence is not None:
            return tokens.split(np.flatnonzero(tokens.begins_sentence))
        starts = self.rule_starts(tokens, whitespace)
        if self.splitter is not None:
            starts = self.splitter.begins(tokens, starts)
        return tokens.split(starts)

    def rule_starts(self, tokens: Tokens, whitespace: bool = False) -> AnyInts:
        """Return the first token of each sentence by the rules: int64[n_sentences].

        The rules (`text.sentences`) see these tokens or, if they are SENNA's, the
        Treebank tokens of the same text.

        Args:
            tokens: The tokens, from `lines`.
            whitespace: The value that `lines` was called with.
        """
        kind = self.kind if self.finder is None else self.finder.rules
        if kind in LANGUAGES:
            trie = language_trie(kind, self.abbreviations)
            _, capitals = read_language(kind)
            small = not capitals
        else:
            trie = known_texts(self.abbreviations)
            small = True
        if whitespace or self.kind != SENNA:
            places = tokens.begin, tokens.end, tokens.starts
            return sentence_indices(tokens.data, *places, trie, small)
        begin, end = treebank_ranges(tokens.data, abbreviations=self.abbreviations)
        ends = np.append(tokens.line_begin, len(tokens.data))
        lines = distinct(np.searchsorted(begin, ends))
        firsts = sentence_indices(tokens.data, begin, end, lines, trie)
        return np.searchsorted(tokens.begin, begin[firsts])

    def expand(self, tokens: Tokens, is_multiword: NDArray[np.bool_]) -> Tokens:
        """Return the words of surface tokens; see `text.expansion`.

        Without a `word_splitter`, the tokens are returned as they are.

        Args:
            tokens: The surface tokens.
            is_multiword: bool[n_tokens], whether each token consists of several words.
        """
        if self.word_splitter is None:
            return tokens
        expanded = expand(tokens, is_multiword, self.word_splitter)
        return self._looked_up(expanded.tokens, expanded.rows)

    def _senna(self, data: bytes, range_begin: Ints, range_end: Ints) -> Tokens:
        """Return SENNA's tokens of some ranges of `data`; see `_language`."""
        tokens = self._tokens(data, range_begin, range_end, kernels.SENNA)
        if self.exceptions is None:
            return tokens
        begin, end = self.exceptions.places(data, tokens.begin, tokens.end)
        if np.array_equal(begin, tokens.begin) and np.array_equal(end, tokens.end):
            return tokens
        counts = np.diff(np.searchsorted(begin, range_begin), append=len(begin))
        return self.placed(data, begin, end, counts, range_begin, range_end)

    def _language(
        self, data: bytes, lines: bytes, range_begin: Ints, range_end: Ints
    ) -> Tokens:
        """Return the tokens of some ranges of `data`, by the rules of `self.kind`.

        Args:
            data: The raw text.
            lines: A text of the same length as `data`, in which each range is a line.
            range_begin: int32[n_ranges], the first byte of each range.
            range_end: int32[n_ranges], the byte after each range.
        """
        cuts = self._cuts(lines) if self.join_hyphens else np.empty(0, np.int32)
        if len(cuts):
            is_kept = np.ones(len(lines), bool)
            is_kept[cuts] = is_kept[cuts + 1] = False
            lines = np.frombuffer(lines, np.uint8)[is_kept].tobytes()
        surface = self._surface_tokens(lines)
        begin, end = surface.begin, surface.end
        if len(cuts):
            # The offsets in the shortened `lines` at which two bytes were removed.
            joined = cuts - 2 * np.arange(len(cuts), dtype=np.int32)
            begin += 2 * np.searchsorted(joined, begin, "right").astype(np.int32)
            end += 2 * np.searchsorted(joined, end, "left").astype(np.int32)
        counts = np.diff(np.searchsorted(begin, range_begin), append=len(begin))
        tokens = self.placed(data, begin, end, counts, range_begin, range_end)
        if self.finder is not None:
            tokens.begins_sentence = surface.begins_sentence
            if self.splitter is not None:
                begins = self.splitter.begins(tokens, self.rule_starts(tokens))
                tokens.begins_sentence = np.zeros(len(tokens), bool)
                tokens.begins_sentence[begins] = True
        english = self.kind not in (*LANGUAGES, LEARNED)
        if odd := [*cuts.tolist(), *odd_places(data, english)]:
            spell = partial(plain_form, english=english)
            tokens = self._respelled(tokens, spell, odd)
        if self.finder is not None:
            if self.word_splitter is None:
                return tokens
            is_multiword = self.finder.multiwords(tokens, surface.is_multiword)
            return self.expand(tokens, is_multiword)
        if self.kind == ENGLISH_UD:
            continues = continued_words(data, begin, end, range_begin)
            tokens.continues = continues if continues.any() else None
        return tokens

    def _surface_tokens(self, lines: bytes) -> LearnedTokens:
        """Return the tokens of lines, by a network or by rules, and by the exceptions.

        Without a network, no token ends a sentence or consists of several words.
        """
        if self.finder is not None:
            tokens = self.finder.find(lines, *line_ranges(lines))
            tokens = join_addresses(tokens, lines)
            if self.abbreviations:
                tokens = join_abbreviations(tokens, lines, self.abbreviations)
        else:
            begin, end = rule_ranges(lines, self.kind, self.abbreviations)
            none = np.zeros(len(begin), bool)
            tokens = LearnedTokens(begin, end, none, none)
        if self.exceptions is None:
            return tokens
        return self.exceptions.apply(tokens, lines)

    def _cuts(self, lines: bytes) -> Ints:
        """Return the offsets of the hyphens that break known words: int32[n]."""
        places = (
            match.end(1)
            for match in _CUT_WORD.finditer(lines)
            if (match[1] + match[2]).decode("utf-8", "replace").lower() in self.words
        )
        return np.fromiter(places, np.int32)

    def _unescaped(self, tokens: Tokens) -> Tokens:
        """Look up tokens with Treebank escapes again, without their escapes.

        SENNA's tokenizer does not do this, and returns `tokens`.
        """
        if self.kind == SENNA:
            return tokens
        places = places_of_escapes(tokens.data)
        return self._respelled(tokens, unescaped_form, places) if places else tokens

    def _respelled(
        self, tokens: Tokens, spell: Callable[[bytes], bytes], places: Sequence[int]
    ) -> Tokens:
        """Return the tokens with some of them looked up in another spelling.

        Args:
            tokens: The tokens.
            spell: A function that returns the other spelling of a token.
            places: Offsets in `data`. The token at or before each offset is looked up
                again.
        """
        rows = distinct(np.searchsorted(tokens.begin, places, "right") - 1)
        return self._looked_up(tokens, rows[rows >= 0], spell)

    def _looked_up(
        self,
        tokens: Tokens,
        rows: AnyInts,
        spell: Callable[[bytes], bytes] = unescaped_form,
    ) -> Tokens:
        """Return the tokens with new look-ups for some of them.

        Args:
            tokens: The tokens.
            rows: The indices of the tokens that are looked up again.
            spell: Maps a token to the spelling under which it is looked up.
        """
        if not len(rows):
            return tokens
        spelled = tokens.with_forms()
        places = spelled.begin[rows], spelled.end[rows]
        distinct_rows, number = group_texts(spelled.data, *places)
        forms = spelled.texts(rows[distinct_rows])
        data, begin, end = _join([*map(spell, forms)])
        new = self._tokens(data, begin, end, kernels.GIVEN)
        word = tokens.word.copy()
        word[rows] = new.word[number]
        n_folded = np.int32(len(tokens.folded))  # the new text is appended
        folded_begin, folded_end = tokens.folded_begin.copy(), tokens.folded_end.copy()
        folded_begin[rows] = new.folded_begin[number] + n_folded
        folded_end[rows] = new.folded_end[number] + n_folded
        return replace(
            tokens,
            word=word,
            folded=np.concatenate([tokens.folded, new.folded]),
            kind=np.concatenate([tokens.kind, new.kind]),
            folded_begin=folded_begin,
            folded_end=folded_end,
        )

    def placed(
        self,
        data: bytes,
        begin: Ints,
        end: Ints,
        counts: AnyInts,
        text_begin: Ints,
        text_end: Ints,
    ) -> Tokens:
        """Return the tokens at given offsets, with each text as one sentence.

        Args:
            data: The raw text.
            begin: int32[n_tokens], the first byte of each token.
            end: int32[n_tokens], the byte after each token.
            counts: int[n_texts], the number of tokens in each text.
            text_begin: int32[n_texts], the first byte of each text.
            text_end: int32[n_texts], the byte after each text.

        Raises:
            SennaError: If a token is empty, because kernels read its first character.
        """
        if not (begin < end).all():
            raise SennaError("a token is an empty string")
        tokens = self._tokens(data, begin, end, kernels.GIVEN)
        source = np.flatnonzero(counts).astype(np.int32)
        tokens.starts = np.append(0, np.cumsum(counts[source])).astype(np.int32)
        tokens.source = source
        tokens.line_begin = tokens.text_begin = text_begin[source]
        tokens.text_end = text_end[source]
        return tokens

    def _tokens(
        self, data: bytes, range_begin: Ints, range_end: Ints, splitting: int
    ) -> Tokens:
        if len(data) > _LONGEST_BATCH:
            raise SennaError(
                f"a text of {len(data):,} bytes; the limit is {_LONGEST_BATCH:,}"
            )
        cover_characters(data)
        # There is at most one token per byte. Unused pages take no memory.
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

        def shortened(array: NDArray[_Scalar], length: int) -> NDArray[_Scalar]:
            """Return the first `length` elements, as a copy if the batch is small."""
            array = array[:length]
            return array if len(data) > _LARGE else array.copy()

        begin, end, folded_begin, folded_end, word = (
            shortened(array, n_tokens) for array in per_token
        )
        source = shortened(source, n_sentences)
        return Tokens(
            data,
            begin,
            end,
            word,
            shortened(folded, n_folded),
            shortened(kind, n_folded),
            folded_begin,
            folded_end,
            shortened(starts, n_sentences + 1),
            source,
            range_begin[source],
            range_begin[source],
            range_end[source],
        )


def line_ranges(data: bytes) -> tuple[Ints, Ints]:
    """Return the first byte of each line and the byte after it: two int32[n_lines]."""
    is_newline = np.frombuffer(data, np.uint8) == ord("\n")
    newlines = np.flatnonzero(is_newline).astype(np.int32)
    begin = np.append(np.int32(0), newlines + np.int32(1))
    return begin, np.append(newlines, np.int32(len(data)))


class _Joined(NamedTuple):
    """Joined texts, and the offsets of each text.

    Attributes:
        data: The texts, with one byte between adjacent texts.
        begin: int32[n_texts], the first byte of each text.
        end: int32[n_texts], the byte after each text.
    """

    data: bytes
    begin: Ints
    end: Ints


def _join(encoded: Sequence[bytes], mark: bytes = b" ") -> _Joined:
    """Join texts, with the byte `mark` between them."""
    lengths = np.array([len(text) for text in encoded], np.int64)
    end = np.cumsum(lengths + 1) - 1
    begin = (end - lengths).astype(np.int32)
    return _Joined(mark.join(encoded), begin, end.astype(np.int32))


def _join_some(encoded: Sequence[bytes], spaces: Sequence[bool]) -> _Joined:
    """Join texts, with spaces only after those for which `spaces` is True."""
    parts = [
        text + b" " if has_space else text
        for text, has_space in zip(encoded, spaces, strict=True)
    ]
    end = np.cumsum([len(part) for part in parts], dtype=np.int64)
    begin = (end - [len(part) for part in parts]).astype(np.int32)
    return _Joined(b"".join(parts), begin, (end - np.array(spaces)).astype(np.int32))


def _encode(text: str) -> bytes:
    """Return a text as UTF-8 that has the same number of characters.

    Surrogate escapes become the bytes that they encode, and other lone surrogates `?`.
    """
    try:  # `suppress` is four times as slow, and this runs for each pretokenized token
        return text.encode()
    except UnicodeEncodeError:
        pass
    with suppress(UnicodeEncodeError):
        escaped = text.encode("utf-8", "surrogateescape")
        if escaped.decode("utf-8", "surrogateescape") == text:
            return escaped
    # There is a lone surrogate that is not an escape, or there are escapes whose bytes
    # together encode one character.
    return text.encode("utf-8", "replace")
