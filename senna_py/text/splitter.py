"""A sentence splitter that is trained on the text of a treebank.

At each place where a sentence may begin, a logistic regression decides whether one
does. It considers the words around the place and their shapes; whether these words
usually have a capital or, with their period, are abbreviations (Kiss and Strunk 2006);
marks, quotations and brackets; how informal the surrounding text is; and whether the
rules begin a sentence there (`text.sentences`). Features are tuples of such values.
Each is hashed to the index of a weight, so the splitter has a fixed size.

Some places are excluded. Unless the rules begin a sentence there, no sentence begins
with a lower-case letter directly after a word or a quotation, or with a mark that
cannot be first. No sentence begins between the number of a list item and its text.
Conversely, a sentence begins at the next number of a list if the previous number began
a sentence: `1) this 2) that`.
"""

from __future__ import annotations

import re
from collections import deque
from copy import copy
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.numbers import ints_of
from senna_py.text.equal_texts import group_texts
from senna_py.text.tokens import Tokens, distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    _Codes = NDArray[np.uint64]
    _Places = NDArray[np.integer]

N_WEIGHTS = 1 << 18
N_KNOWN = 1 << 18
# These hyperparameters were tuned on the development sets of four languages.
_N_EPOCHS, _RATE, _DECAY, _DAMPING = 80, 0.5, 4.0, 25.0
# The log-odds above which a sentence begins. They are below 0, because missing a
# sentence is a little worse than beginning a wrong one.
_LEAST = -0.12
_MIX = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio, for Fibonacci hashing
_SHIFT = np.uint64(64 - N_WEIGHTS.bit_length() + 1)
_WIDE = np.uint64(1 << 13)  # greater than the class of any shape
_EDITED_WEIGHT = 0.3  # the weight of places in text whose sentences are not known
_REACH = 100  # the maximum distance between the marks of a pair, in tokens
_PART = 1 << 15  # the number of places whose features are in memory at a time
_LONG = 100  # in bytes; facts are not cached if a text has a longer word
_LONGEST_ITEM = 4  # the maximum number of tokens of an item number: `(`, `2`, `)`, `.`
# The number of tokens before and after a place that determine whether text is informal.
_NEAR = 80

# Properties of a word, as bits.
(
    _SMALL,
    _CAPITAL,
    _FINAL,
    _WORD,
    _CLOSES,
    _OPENS,
    _BRACKET,
    _QUOTE,
    _NEVER,
    _I,
    _STOP,
    _ITEM,
) = (1 << k for k in range(12))
_BULLET = 1 << 12
_IN_MARKS = _ITEM | _FINAL | _BRACKET | _BULLET  # the tokens of an item number
_OPENING, _CLOSING = frozenset("([{«“„‘"), frozenset(")]}»”")
_QUOTES = frozenset(['"', "''", "“", "”", "„"])
_EITHER = frozenset(['"', "''", "'", "’"])
_NOT_FIRST = frozenset(
    [*",;:%.!?/", *_CLOSING, "''", "n't", "'s", "'re", "'m", "'ve", "'ll", "'d"]
)
_STOPS = frozenset([".", "!", "?"])
_GOES_ON = frozenset([",", ";", "and", "or", "&"])
_BULLETS = frozenset("•‣⁃◦▪●")
_ITEMS = re.compile(r"(?:[A-Za-z]|[IVX]+|[ivx]+|\d+)\.?")  # numbers of list items
# The facts that are learned about words. Each is an offset that is added to the hash of
# a word, so that the word has a different bit of `known` for each fact.
_USUALLY_SMALL, _USUALLY_CAPITAL, _ABBREVIATION = (
    np.uint64(k * 0x9E3779B1) for k in range(3)
)


class RuleSentences(NamedTuple):
    """The tokens of paragraphs, and the sentences that the rules find in them.

    Attributes:
        tokens: The tokens, in which each paragraph is one sentence.
        begins: int64[n_sentences], the first token of each sentence by the rules.
    """

    tokens: Tokens
    begins: NDArray[np.integer]


class _Item(NamedTuple):
    """The mark of a list item: a bracket or bullet, a number, and closing marks.

    Parts that are missing are empty strings.
    """

    before: str
    number: str
    after: str


class SentenceSplitter:
    """Splits paragraphs into sentences, given their tokens; threads may share it.

    Attributes:
        weights: float32[N_WEIGHTS], the weights of the hashed features.
        known: bool[N_KNOWN], a hash table of the words that are usually in lower case,
            usually have a capital, or are abbreviations.
        abbreviations: The abbreviations that the tokenizer needs besides its own.
    """

    def __init__(
        self,
        weights: NDArray[np.floating],
        known: NDArray[np.bool_],
        abbreviations: tuple[str, ...] = (),
    ) -> None:
        """Check and store the arrays.

        Raises:
            SennaError: If an array has the wrong size, or a weight is not finite.
        """
        if weights.shape != (N_WEIGHTS,) or known.shape != (N_KNOWN,):
            raise SennaError(
                f"weights {list(weights.shape)} and words {list(known.shape)}, "
                f"expected {N_WEIGHTS} and {N_KNOWN}"
            )
        if not np.isfinite(weights).all():
            raise SennaError("a weight is not finite")
        self.weights = np.asarray(weights, np.float32)
        self.known = np.asarray(known, bool)
        self.abbreviations = abbreviations

    @classmethod
    def learn(
        cls,
        treebank: RuleSentences,
        gold: _Places,
        edited: RuleSentences,
        abbreviations: tuple[str, ...] = (),
    ) -> SentenceSplitter:
        """Return a splitter that is trained on tokenized paragraphs.

        Training is deterministic.

        Args:
            treebank: Paragraphs whose sentences are known.
            gold: int64[n_sentences], the first token of each of these sentences.
            edited: Paragraphs of edited text whose sentences are not known, but all end
                with a final mark and begin with a capital.
            abbreviations: The abbreviations that the tokenizer needs besides its own.
        """
        texts = [_Text(*treebank), _Text(*edited)]
        known = _learn_words(texts)
        index = np.concatenate([text.features(known) for text in texts])
        is_begin = np.isin(texts[0].places, gold).astype(np.float64)
        target = np.append(is_begin, texts[1].sure_begins())
        n_places = [len(text.places) for text in texts]
        importance = np.repeat([1, _EDITED_WEIGHT], n_places)
        used = ~np.isnan(target)
        weights = _train(index[used], target[used], importance[used])
        return cls(weights, known, abbreviations)

    def begins(self, tokens: Tokens, rules: _Places) -> _Places:
        """Return the first token of each sentence: int64[n_sentences].

        Args:
            tokens: The tokens, in which each paragraph is one sentence.
            rules: int64[n], the first tokens of the sentences by the rules.
        """
        text = _Text(tokens, rules)
        paragraphs = tokens.starts[:-1]
        likely = [paragraphs]
        for part in text.parts():
            scores = self.weights[part.features(self.known)].sum(axis=1)
            likely.append(part.places[scores > _LEAST])
        begins = distinct(*likely)
        begins = distinct(paragraphs, begins[~text.follows_item_number(begins)])
        items = text.items(tokens, begins)
        if not len(items):
            return begins
        begins = distinct(begins, items)
        return distinct(paragraphs, begins[~text.follows_item_number(begins)])


def _train(
    index: _Places, target: NDArray[np.float64], importance: NDArray[np.float64]
) -> NDArray[np.float16]:
    """Return the weights of a logistic regression, as models store them.

    It is trained by AdaGrad, with all data as one batch, and L2 regularization.

    Args:
        index: int64[n_places, n_features], the indices of the weights whose sum is the
            log-odds of each place.
        target: float64[n_places], 1 where a sentence begins, otherwise 0.
        importance: float64[n_places], the weight of each place in the cost.

    Returns:
        float16[N_WEIGHTS].
    """
    weights = np.zeros(N_WEIGHTS)
    squares = np.full(N_WEIGHTS, _DAMPING)
    flat = index.ravel()
    for _ in range(_N_EPOCHS):
        logits = np.clip(weights[index].sum(axis=1), -30, 30)
        error = (1 / (1 + np.exp(-logits)) - target) * importance
        sums = np.bincount(flat, np.repeat(error, index.shape[1]), minlength=N_WEIGHTS)
        gradient = sums + _DECAY * weights
        squares += gradient * gradient
        weights -= _RATE * gradient / np.sqrt(squares)
    return weights.astype(np.float16)


def _code(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass")) + 1


def _shape_of(word: str) -> int:
    """Return the class of a word's shape: its case, its digits, or its first two marks.

    The first two marks are hashed. Classes are less than 2 ** 13.
    """
    first = word[0]
    if first.isalpha():
        return _shape_with_period(word) if word[-1] == "." else _shape_of_letters(word)
    if first.isdigit():
        return 5 if word.isdigit() else 6
    return 16 + crc32(word[:2].encode("utf-8", "replace")) % 4096


def _shape_of_letters(word: str) -> int:
    if not word[0].isupper():
        return 1
    if len(word) == 1:
        return 2
    return 3 if word.isupper() else 4


def _shape_with_period(word: str) -> int:
    capital = int(word[0].isupper())
    if len(word) == 2:
        return 8 + capital
    if "." in word[:-1]:
        return 10 + capital
    return (12 if word.isupper() else 14) + capital


def _bits_of(word: str) -> int:
    """Return the properties of a word as bits, such as _SMALL and _CAPITAL."""
    first = word[0]
    closes = word in _CLOSING or word in _EITHER
    opens = word in _OPENING or word in _EITHER or word in ("*", "-", "--", "``")
    properties = (
        (_SMALL, first.islower()),
        (_CAPITAL, first.isupper()),
        (_FINAL, word[-1] in ".!?…。！？"),
        (_WORD, first.isalnum()),
        (_CLOSES, closes),
        (_OPENS, opens),
        (_BRACKET, word in "([{«)]}»"),
        (_QUOTE, word in _QUOTES),
        (_NEVER, word in _NOT_FIRST),
        (_I, word == "i"),
        (_STOP, word in _STOPS),
        (_ITEM, _ITEMS.fullmatch(word) is not None),
        (_BULLET, word in _BULLETS),
    )
    return sum(bit for bit, holds in properties if holds)


@lru_cache(1 << 17)
def _facts(word: bytes) -> tuple[int, ...]:
    """Return the values of _FACTS for a word: hashes, its shape, length and properties.

    `end` is the hash of the last three letters, and `stem` the hash of the word without
    final periods, both in lower case.
    """
    text = word.decode("utf-8", "surrogateescape")
    small = text.lower()
    return (
        _code(text),
        _code(small),
        _code(small[-3:]),
        _code(small.rstrip(".")),
        _shape_of(text),
        min(len(text), 15),
        _bits_of(text),
    )


_FACTS = ("form", "small", "end", "stem", "shape", "length", "bits")


class _Uses(NamedTuple):
    """The hashes of all occurrences of words, grouped by use.

    Attributes:
        small: uint64[n], words in lower case.
        capital: uint64[n], capitalized words after a word in lower case.
        inner: uint64[n], the stems of words whose period cannot end a sentence, because
            a lower-case word follows, or a mark that cannot be first.
        final: uint64[n], the stems of other words with a period.
    """

    small: _Codes
    capital: _Codes
    inner: _Codes
    final: _Codes


class _Text:
    """The tokens of a text, facts about them, and where sentences may begin.

    Attributes:
        places: int64[n_places], the tokens that may begin a sentence.
        begin: int64[n_places], the first token of the paragraph of each place.
        end: int64[n_places], the token after that paragraph.
        stop: int64[n_places], the token before the place, or before up to two closing
            marks in front of it.
        first: int64[n_places], the token at the place, or after up to two opening marks
            there.
    """

    def __init__(self, tokens: Tokens, rules: _Places) -> None:
        n, spelled = len(tokens), tokens.with_forms()
        first, group = group_texts(spelled.data, spelled.begin, spelled.end)
        # Row 0 of the table is for positions outside a paragraph.
        self.row = group + 1
        words = [*spelled.texts(first)]
        is_long = max(map(len, words), default=0) > _LONG
        facts = _facts.__wrapped__ if is_long else _facts
        table = np.array([(0,) * len(_FACTS), *map(facts, words)], np.uint64)
        self.facts = dict(zip(_FACTS, table.T.copy(), strict=True))
        self.starts = tokens.starts
        self.bits = self.facts["bits"].astype(np.int16)[self.row]
        self.blank = np.append(True, tokens.begin[1:] != tokens.end[:-1])[:n]
        self.rules = np.zeros(n, bool)
        self.rules[rules] = True
        self._find_places()

    def _find_places(self) -> None:
        """Set `places`, `begin`, `end`, `stop` and `first`."""
        n, starts = len(self.row), self.starts
        lengths = np.diff(starts)
        begin, end = np.repeat(starts[:-1], lengths), np.repeat(starts[1:], lengths)
        token = np.arange(n, dtype=np.int32)
        stop = token - 1
        for _ in range(2):
            closes = (self.bits[stop] & _CLOSES != 0) & (stop > begin)
            stop = np.where(closes, stop - 1, stop)
        is_word = self.bits[stop] & (_WORD | _FINAL) == _WORD
        after_word = (stop == token - 1) & is_word
        small = self.bits & _SMALL != 0
        # For example, `and` in “No!” and.
        after_quote = (stop < token - 1) & (self.bits[token - 1] & _BRACKET == 0)
        goes_on = small & (after_word | after_quote)
        may = ~goes_on & (self.bits & _NEVER == 0) | self.rules
        self.places = np.flatnonzero(may & (token > begin))
        self.begin, self.end = begin[self.places], end[self.places]
        self.stop = stop[self.places]
        first = self.places.copy()
        for _ in range(2):
            opens = (self.bits[first] & _OPENS != 0) & (first + 1 < self.end)
            first = np.where(opens, first + 1, first)
        self.first = first

    def parts(self) -> Iterator[_Text]:
        """Yield copies of the text with at most _PART places each, to limit memory."""
        if len(self.places) <= _PART:
            yield self
            return
        self._inside, self._informal  # noqa: B018 - computes them once for all parts
        for k in range(0, len(self.places), _PART):
            part = copy(self)
            for name in ("places", "begin", "end", "stop", "first"):
                setattr(part, name, getattr(self, name)[k : k + _PART])
            yield part

    def items(self, tokens: Tokens, starts: _Places) -> _Places:
        """Return the first tokens of list items that must begin a sentence: int64[n].

        They continue a list whose first item begins a sentence, as in `1) this 2)
        that`, `a. This b. That` and `• this • that`, but not in `1) this and 2) that`.

        Args:
            tokens: The tokens.
            starts: int64[n_sentences], the first token of each sentence so far.
        """
        begins: list[int] = []
        item: _Item | None = None  # the previous item of the list
        item_sentence = -1
        item_end = -1
        places = self._marked_items(starts)
        owners = np.searchsorted(starts, places, "right") - 1
        for place, sentence in zip(ints_of(places), ints_of(owners), strict=True):
            start = starts[sentence]
            if place == start:
                item, item_sentence = self._item(tokens, place), sentence
            elif item is None or not (sentence == item_sentence or start == item_end):
                item = None
                continue
            elif _follows(new := self._item(tokens, place), item):
                item, item_sentence = new, sentence
                if tokens.text(place - 1) in _GOES_ON:
                    item = None
                else:
                    begins.append(place)
            item_end = self._end_of_mark(place)
        return np.array(begins, np.int64)

    def _end_of_mark(self, place: int) -> int:
        """Return the token after the mark of the item that begins at `place`."""
        end = place + 1
        last = min(place + _LONGEST_ITEM, len(self.bits))
        while end < last and self.bits[end] & _IN_MARKS:
            end += 1
        return end

    def _marked_items(self, starts: _Places) -> _Places:
        """Return the tokens that may begin a list item: int64[n].

        Only sentences that may themselves begin with an item are searched.

        Args:
            starts: int64[n_sentences], the first token of each sentence.
        """
        begun = self.bits[starts] & (_ITEM | _BULLET | _OPENS) != 0
        if not begun.any():
            return starts[:0]
        begun |= self.bits[starts - 1] & (_ITEM | _BRACKET) != 0
        begun |= self.bits[np.maximum(starts - 2, 0)] & _ITEM != 0
        last = len(self.bits) - 1
        places = np.flatnonzero(self.bits & (_ITEM | _BULLET))
        places = places[begun[np.searchsorted(starts, places, "right") - 1]]
        first, second = (self.bits[np.minimum(places + k, last)] for k in (1, 2))
        glued, both = (~self.blank[np.minimum(places + k, last)] for k in (1, 2))
        dot = glued & (first & _STOP != 0)
        closed = glued & _closes(first) | dot & both & _closes(second)
        small = dot & (self.bits[places] & _SMALL != 0) & (second & _CAPITAL != 0)
        marked = closed | small | (self.bits[places] & _BULLET != 0)
        opened = closed & ~self.blank[places]
        places = np.where(opened, places - 1, places)[marked]
        return places[self.blank[places]]

    def _item(self, tokens: Tokens, i: int) -> _Item:
        """Return the mark of the item that begins at token `i`."""
        before = tokens.text(i)
        if self.bits[i] & _BULLET:
            return _Item(before, "", "")
        before = before if self.bits[i] & _BRACKET else ""
        number = tokens.text(i + len(before))
        following = range(i + len(before) + 1, len(tokens))[:2]
        text = "".join(tokens.text(k) for k in following)
        return _Item(before, number, text[: len(text) - len(text.lstrip(".)]"))])

    def follows_item_number(self, starts: _Places) -> NDArray[np.bool_]:
        """Return whether the sentence before each start is only a label or item number.

        Such a sentence is, for instance, `2.`, `(b).`, `iv.)`, `• 3.` or `NOTE:`. The
        first mark of a frame counts, too (`_follows_frame`).

        Args:
            starts: int64[n], the first token of each sentence.

        Returns:
            bool[n].
        """
        size = np.diff(starts, prepend=starts[:1])  # the length of the sentence before
        n_items = dotted = np.zeros(len(starts), int)
        marks = (size > 0) & (size <= _LONGEST_ITEM)
        for k in range(1, _LONGEST_ITEM + 1):
            bits = np.where(size >= k, self.bits[np.maximum(starts - k, 0)], _BRACKET)
            n_items = n_items + (bits & _ITEM != 0)
            dotted = dotted | bits & _FINAL
            marks = marks & (bits & _IN_MARKS != 0)
        colon = self.facts["form"][self.row[starts - 1]] == _code(":")
        is_word = self.bits[np.maximum(starts - 2, 0)] & _WORD != 0
        label = (size == 2) & colon & is_word
        number = marks & (dotted != 0) & (n_items == 1)
        return label | number | self._follows_frame(starts, size)

    def _follows_frame(self, starts: _Places, size: _Places) -> NDArray[np.bool_]:
        """Return whether each start follows a mark that frames its paragraph: bool[n].

        In `--- Note ---`, for instance, the first mark is not a sentence.

        Args:
            starts: int64[n], the first token of each sentence.
            size: int64[n], the number of tokens of the sentence before.
        """
        out = np.zeros(len(starts), bool)
        alone = np.flatnonzero((size == 1) & (self.bits[starts - 1] & _WORD == 0))
        mark = starts[alone] - 1
        paragraph = np.searchsorted(self.starts, mark, "right")
        last = self.starts[paragraph] - 1
        begins_paragraph = self.starts[paragraph - 1] == mark
        out[alone] = begins_paragraph & (self.row[last] == self.row[mark])
        return out

    def _at(self, name: str, tokens: _Places) -> _Codes:
        """Return the fact `name` of one token for each place: uint64[n_places].

        It is 0 if the token is outside the paragraph of the place.
        """
        inside = (tokens >= self.begin) & (tokens < self.end)
        return self.facts[name][np.where(inside, self.row[tokens % len(self.row)], 0)]

    @cached_property
    def _inside(self) -> NDArray[np.uint8]:
        """Whether each token is in quotation marks (1), in brackets (2) or both (3).

        It is 0 for other tokens: uint8[n_tokens]. The closing mark counts as inside.
        Marks count only if their partner is in the same paragraph and less than
        `_REACH` tokens away, unlike in `a)`, in inches, and in a quotation that
        continues.
        """
        out = np.zeros(len(self.row), np.uint8)
        places = np.flatnonzero(self.bits & (_BRACKET | _QUOTE))
        blank_after = np.append(self.blank[1:], True)
        paragraph, quote = -1, -_REACH
        brackets: deque[int] = deque(maxlen=_REACH)
        owners = np.searchsorted(self.starts, places, "right")
        for i, of in zip(ints_of(places), ints_of(owners), strict=True):
            if of != paragraph:
                paragraph, quote = of, -_REACH
                brackets.clear()
            if self.bits[i] & _BRACKET and self.bits[i] & _OPENS:
                brackets.append(i)
            elif self.bits[i] & _BRACKET:
                begin = brackets.pop() if brackets else -_REACH
                if i - begin < _REACH:
                    out[begin + 1 : i + 1] |= 2
            elif i - quote < _REACH and (blank_after[i] or not self.blank[i]):
                out[quote + 1 : i + 1] |= 1
                quote = -_REACH
            else:  # it opens: no quote is open nearby, or only a space before it
                quote = i
        return out

    @cached_property
    def _informal(self) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Whether each token is an informal mark, and the cumulative counts of them.

        Informal marks are `.`, `!` and `?` before lower-case words, and the word `i`.
        The results are bool[n_tokens] and int32[n_tokens + 1].
        """
        small_next = np.append(self.bits[1:] & _SMALL != 0, False)
        small_next[self.starts[1:] - 1] = False  # the next word is in another paragraph
        event = (self.bits & _STOP != 0) & small_next | (self.bits & _I != 0)
        return event, np.append(np.int32(0), np.cumsum(event, dtype=np.int32))

    def _informal_near(self) -> _Codes:
        """Return the number of informal marks near each place: uint64[n_places].

        It is at most 2, and excludes the mark at the place itself.
        """
        event, count = self._informal
        before = np.maximum(self.begin, self.places - _NEAR)
        after = np.minimum(self.end, self.places + _NEAR)
        return np.minimum(count[after] - count[before] - event[self.stop], 2).astype(
            np.uint64
        )

    def _ended(self) -> _Codes:
        """Return whether the paragraph of each place ends with a final mark.

        A closing mark may follow it. The result is uint64[n_places], 0 or 1.
        """
        final = self.bits & _FINAL != 0
        ends = final | (self.bits & _CLOSES != 0) & np.append(False, final[:-1])
        return ends[self.end - 1].astype(np.uint64)

    def features(self, known: NDArray[np.bool_]) -> _Places:
        """Return the hashed features of each place: int64[n_places, n_features].

        Args:
            known: bool[N_KNOWN]; see SentenceSplitter.

        Returns:
            Indices of weights.
        """
        if "usual" not in self.facts:
            self.facts["usual"], self.facts["abbreviation"] = self._known(known)
        here, at = self.places, self._at
        form, small, shape = at("form", here), at("small", here), at("shape", here)
        form_1, shape_1, end_1 = (
            at(name, here - 1) for name in ("form", "shape", "end")
        )
        small_2, shape_2 = at("small", here - 2), at("shape", here - 2)
        small_next, shape_next = at("small", here + 1), at("shape", here + 1)
        # Without a period, the best evidence is a capital on a usually lower-case word.
        case, case_1, case_next = (
            at("usual", here + by) * _WIDE + at("shape", here + by) for by in (0, -1, 1)
        )
        stop, word = self.stop, self.stop - 1
        stop_shape, word_shape = at("shape", stop), at("shape", word)
        closed = np.minimum(here - 1 - stop, 2).astype(np.uint64)
        opened = np.minimum(self.first - here, 2).astype(np.uint64)
        first_case = at("usual", self.first) * _WIDE + at("shape", self.first)
        abbreviated = (
            at("abbreviation", stop) * 2 + at("abbreviation", word) + closed * 4
        )
        state = self.blank[here] + self.rules[here].astype(np.uint64) * 2
        inside, informal = self._inside[here].astype(np.uint64), self._informal_near()
        size = np.minimum(np.log2(self.end - self.begin + 1), 11).astype(np.uint64)
        marked = (at("bits", stop) & np.uint64(_FINAL)) + self.rules[here]
        begun = np.minimum(here - self.begin, 4).astype(np.uint64)
        shapes = shape_1 * _WIDE + shape
        return _hashed(
            (state, inside),
            (form_1, state),
            (form, state),
            (form_1, shape),
            (shape_1, form),
            (small_2, form_1),
            (form, small_next),
            (shapes, state),
            (shapes, shape_2, shape_next),
            (end_1, shape, state),
            (inside, shapes, state),
            (small, shape_1, state),
            (form_1, form),
            (shape_next, shape, state),
            (small_2, shape, state),
            (case, state, form_1),
            (case, state, case_1),
            (case, state, case_next),
            (case_1, case, case_next),
            (at("form", stop), first_case, closed),
            (abbreviated, stop_shape, first_case),
            (word_shape, abbreviated, stop_shape, first_case, opened),
            (informal, stop_shape, at("shape", self.first)),
            (informal, stop_shape, word_shape, at("small", self.first)),
            (begun, stop_shape, state),
            (size, self._ended(), marked),
            (size, stop_shape, shape),
            (self._ended(), marked, shapes),
            (size, at("small", self.first), marked),
        )

    def sure_begins(self) -> NDArray[np.float64]:
        """Return whether a sentence of edited text begins at each place.

        Returns:
            float64[n_places], 1 or 0, or NaN where marks and case are not conclusive.
        """
        here, word = self.places, self.stop - 1
        final = self.bits[self.stop] & _FINAL != 0
        target = np.where(final & (self.bits[here] & _SMALL == 0), np.nan, 0)
        plain = (self.bits[self.stop] & _STOP != 0) & (self.stop == here - 1)
        long = (self._at("shape", word) == 1) & (self._at("length", word) > 4)
        target[plain & long & self.rules[here] & (self.bits[here] & _CAPITAL != 0)] = 1
        return target

    def uses(self) -> _Uses:
        """Return the hashes of the words, grouped by use."""
        small = self.bits & _SMALL != 0
        after_small = np.append(False, small[:-1])
        code, stem = self.facts["small"][self.row], self.facts["stem"][self.row]
        # The period of a word may be a token of its own.
        joined = (self.bits & _STOP != 0) & ~self.blank
        stem = np.where(joined, np.roll(stem, 1), stem)
        dotted = joined | (self.bits & _FINAL != 0) & (self.bits & _WORD != 0)
        goes_on = np.append(self.bits[1:] & (_SMALL | _NEVER) != 0, False)
        capital = (self.bits & _CAPITAL != 0) & after_small
        return _Uses(
            code[small],
            code[capital],
            stem[dotted & goes_on],
            stem[dotted & ~goes_on],
        )

    def _known(self, known: NDArray[np.bool_]) -> tuple[_Codes, _Codes]:
        """Return the learned facts of each row of the table: two uint64[n_rows].

        The first has 1 for words that are usually in lower case, plus 2 for words that
        usually have a capital. The second has 1 for abbreviations.
        """
        small = known[_places_of(self.facts["small"], _USUALLY_SMALL)]
        capital = known[_places_of(self.facts["small"], _USUALLY_CAPITAL)]
        abbreviation = known[_places_of(self.facts["stem"], _ABBREVIATION)]
        return small + 2 * capital.astype(np.uint64), abbreviation.astype(np.uint64)


def _closes(bits: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return whether tokens are closing brackets, given their properties."""
    return bits & (_BRACKET | _CLOSES) == _BRACKET | _CLOSES


def _follows(item: _Item, previous: _Item) -> bool:
    """Return whether an item has the same style as `previous`, and the next number."""
    if (item.before, item.after) != (previous.before, previous.after):
        return False
    number, last = item.number, previous.number
    if number.isdecimal() and last.isdecimal():
        return len(number) < 4 and int(number) == int(last) + 1
    if len(number) == len(last) == 1:
        return ord(number) == ord(last) + 1
    return number == ""


def _places_of(codes: _Codes, fact: np.uint64) -> _Places:
    """Return the indices in `known` of a fact about words: int64[n_words].

    Args:
        codes: uint64[n_words], the hashes of the words.
        fact: The offset of the fact, such as _ABBREVIATION.
    """
    mixed = ((codes + fact) * _MIX) >> np.uint64(32)
    return (mixed % np.uint64(N_KNOWN)).astype(np.int64)


def _hashed(*features: tuple[_Codes, ...]) -> _Places:
    """Return the index of the weight of each feature: int64[n, n_features].

    Args:
        *features: For each feature, a tuple of uint64[n], which are hashed together.
    """
    index = np.empty((len(features[0][0]), len(features)), np.int64)
    for k, values in enumerate(features):
        mixed = np.full(len(index), k + 1, np.uint64)
        for value in values:
            mixed = (mixed + value) * _MIX
            mixed ^= mixed >> np.uint64(29)
        index[:, k] = (mixed * _MIX) >> _SHIFT
    return index


def _learn_words(texts: Iterable[_Text]) -> NDArray[np.bool_]:
    """Return the hash table of facts about words, from their uses in texts.

    Returns:
        bool[N_KNOWN]; see SentenceSplitter.
    """
    uses = [text.uses() for text in texts]
    small, capital, inner, final = map(np.concatenate, zip(*uses, strict=True))
    known = np.zeros(N_KNOWN, bool)
    known[_places_of(_mostly(small, capital, 1, 2), _USUALLY_SMALL)] = True
    known[_places_of(_mostly(capital, small, 2, 2), _USUALLY_CAPITAL)] = True
    known[_places_of(_mostly(inner, final, 3, 0.5), _ABBREVIATION)] = True
    return known


def _mostly(codes: _Codes, others: _Codes, least: int, times: float) -> _Codes:
    """Return the hashes that are frequent enough in `codes`, compared with `others`.

    A hash is returned if it occurs in `codes` at least `least` times, and more than
    `times` as often as in `others`.

    Args:
        codes: uint64[n], a hash for each occurrence of a word.
        others: uint64[n_others], the hashes of occurrences in another use.
        least: The minimum number of occurrences in `codes`.
        times: The factor for the number of occurrences in `others`, which may be below
            1.

    Returns:
        uint64, distinct hashes in increasing order.
    """
    distinct, count = np.unique(codes, return_counts=True)
    other, other_count = np.unique(np.append(others, np.uint64(0)), return_counts=True)
    place = np.minimum(np.searchsorted(other, distinct), len(other) - 1)
    against = np.where(other[place] == distinct, other_count[place], 0)
    return distinct[(count >= least) & (count > times * against)]
