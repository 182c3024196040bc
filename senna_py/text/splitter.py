"""A sentence splitter that learns from a treebank's own text.

At each place where a sentence may begin, a logistic regression says whether one does:
from the words around the place and their shapes, from whether they usually have a
capital or, with their full stop, are abbreviations (Kiss and Strunk 2006), from the
marks, quotations and brackets there, from how informal the text around is, and from
what the rules (`text.sentences`) say. Its features are tuples of such values, each
hashed to a weight, so that the splitter has a fixed size.

No sentence is thought to begin with a small letter behind a word without a mark or a
quotation, with a mark that can only close, or behind the number of an item of a list.
One begins with the next number of a list whose number before began a sentence: `1) this
2) that`.
"""

import re
from collections import deque
from copy import copy
from functools import cached_property, lru_cache
from zlib import crc32

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.numbers import ints_of

N_WEIGHTS = 1 << 18
N_KNOWN = 1 << 18
_N_EPOCHS, _RATE, _DECAY, _DAMPING = (
    80,
    0.5,
    4.0,
    25.0,
)  # tuned on dev sets of four languages
_LEAST = -0.12  # log-odds: a missing end is a little likelier than a wrong one
_MIX = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio, of Fibonacci hashing
_SHIFT = np.uint64(64 - N_WEIGHTS.bit_length() + 1)
_WIDE = np.uint64(1 << 13)  # more than any shape
_RUNNING_WEIGHT = 0.3
_REACH = 100  # tokens between the marks of a pair
_PART = 1 << 15  # places whose features are in memory at once
_LONG = 100  # bytes of words whose facts are not kept
_LONGEST_ITEM = 4  # tokens of the number of an item: `(`, `2`, `)`, `.`
_NEAR = 80  # tokens that tell whether text is informal

# What a word is, beside its codes: bits.
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
_IN_MARKS = _ITEM | _FINAL | _BRACKET | _BULLET  # of the tokens of an item's number
_OPENING, _CLOSING = frozenset("([{«“„‘"), frozenset(")]}»”")
_QUOTES = frozenset(['"', "''", "“", "”", "„"])
_EITHER = frozenset(['"', "''", "'", "’"])
_NOT_FIRST = frozenset(
    [*",;:%.!?/", *_CLOSING, "''", "n't", "'s", "'re", "'m", "'ve", "'ll", "'d"]
)
_STOPS = frozenset([".", "!", "?"])
_GOES_ON = frozenset([",", ";", "and", "or", "&"])
_BULLETS = frozenset("•‣⁃◦▪●")
_ITEMS = re.compile(r"(?:[A-Za-z]|[IVX]+|[ivx]+|\d+)\.?")  # numbers of a list
# Kinds of what is known of words; the codes of these endings make different places of
# one word.
_USUALLY_SMALL, _USUALLY_CAPITAL, _ABBREVIATION = (
    np.uint64(k * 0x9E3779B1) for k in range(3)
)


class SentenceSplitter:
    """Finds the sentences of paragraphs from their tokens; shared by threads.

    weights: float32[N_WEIGHTS]; known: bool[N_KNOWN], the places of words that are
    usually small, usually have a capital, or are abbreviations; abbreviations: a tuple
    of str, those that its tokenizer knows besides its own.
    """

    def __init__(self, weights, known, abbreviations=()):
        """Hold the arrays; raises SennaError if they have another size or are not
        finite.
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
    def learn(cls, treebank, gold, running, abbreviations=()):
        """Learn from tokenized paragraphs whose sentences are known.

        treebank: tokens and rules, see `begins`; gold: int64[n_sentences], where
        sentences begin;
        running: tokens and rules of edited text of which no more is known than that a
        sentence ends with a mark and begins with a capital. The same data give the same
        splitter.
        """
        texts = [_Text(*treebank), _Text(*running)]
        known = _count_words(texts)
        index = np.concatenate([text.features(known) for text in texts])
        target = np.append(np.isin(texts[0].places, gold), texts[1].sure_begins())
        share = np.repeat([1, _RUNNING_WEIGHT], [len(text.places) for text in texts])
        used = ~np.isnan(target)
        return cls(_train(index[used], target[used], share[used]), known, abbreviations)

    def begins(self, tokens, rules):
        """Index of the first token of each sentence: int64[n_sentences].

        tokens: Tokens of paragraphs, the first of which begins a sentence; rules:
        int64[n_sentences], the same by the rules.
        """
        text, found = _Text(tokens, rules), [tokens.starts[:-1]]
        for part in text.parts():
            scores = self.weights[part.features(self.known)].sum(axis=1)
            found.append(part.places[scores > _LEAST])
        begins = np.union1d(found[0], np.concatenate(found))
        begins = np.union1d(found[0], begins[~text.behind_items(begins)])
        items = text.items(tokens, begins)
        if not len(items):
            return begins
        begins = np.union1d(begins, items)
        return np.union1d(found[0], begins[~text.behind_items(begins)])


def _train(index, target, share):
    """Weights as models hold them, by AdaGrad on the whole of the data."""
    weights = np.zeros(N_WEIGHTS)
    squares = np.full(N_WEIGHTS, _DAMPING)
    flat = index.ravel()
    for _ in range(_N_EPOCHS):
        logits = np.clip(weights[index].sum(axis=1), -30, 30)
        error = (1 / (1 + np.exp(-logits)) - target) * share
        sums = np.bincount(flat, np.repeat(error, index.shape[1]), minlength=N_WEIGHTS)
        gradient = sums + _DECAY * weights
        squares += gradient * gradient
        weights -= _RATE * gradient / np.sqrt(squares)
    return weights.astype(np.float16)


def _code(word):
    return crc32(word.encode("utf-8", "surrogatepass")) + 1


def _shape_of(word):
    """Return the kind of a word: capitals, small letters, digits, or the marks
    themselves.
    """
    first = word[0]
    if first.isalpha() and word[-1] == ".":
        inner = "." in word[:-1]
        kind = 8 if len(word) == 2 else 10 if inner else 12 if word.isupper() else 14
        return kind + first.isupper()
    if first.isalpha():
        if not first.isupper():
            return 1
        return 2 if len(word) == 1 else 3 if word.isupper() else 4
    if first.isdigit():
        return 5 if word.isdigit() else 6
    return 16 + crc32(word[:2].encode("utf-8", "replace")) % 4096


def _bits_of(word):
    first = word[0]
    return (
        _SMALL * first.islower()
        | _CAPITAL * first.isupper()
        | _FINAL * (word[-1] in ".!?…。！？")
        | _WORD * first.isalnum()
        | _CLOSES * (word in _CLOSING or word in _EITHER)
        | _OPENS
        * (word in _OPENING or word in _EITHER or word in ("*", "-", "--", "``"))
        | _BRACKET * (word in "([{«)]}»")
        | _QUOTE * (word in _QUOTES)
        | _NEVER * (word in _NOT_FIRST)
        | _I * (word == "i")
        | _STOP * (word in _STOPS)
        | _ITEM * (_ITEMS.fullmatch(word) is not None)
        | _BULLET * (word in _BULLETS)
    )


@lru_cache(1 << 17)
def _facts(word):
    """What is to be known of a word, UTF-8: form, small form, its end, stem, shape,
    length, bits.

    The stem is the small form without a last full stop.
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


class _Text:
    """Tokens and their facts, and the places where a sentence may begin.

    places: int64[n_places]; of each, the token before the marks that close there
    (`stop`) and the one after the marks that open there (`first`).
    """

    def __init__(self, tokens, rules):
        rows = {}
        n = len(tokens)
        # Row 0 is what stands beyond a paragraph.
        row = (rows.setdefault(word, len(rows) + 1) for word in tokens.texts())
        self.row = np.fromiter(row, np.int64, n)
        facts = (
            _facts if max(map(len, rows), default=0) <= _LONG else _facts.__wrapped__
        )
        table = np.array([(0,) * len(_FACTS), *map(facts, rows)], np.uint64)
        self.facts = dict(zip(_FACTS, table.T.copy(), strict=True))
        self.starts = tokens.starts
        self.bits = self.facts["bits"].astype(np.int16)[self.row]
        self.blank = np.append(True, tokens.begin[1:] != tokens.end[:-1])[:n]
        self.rules = np.zeros(n, bool)
        self.rules[rules] = True
        self._find_places()

    def _find_places(self):
        n, starts = len(self.row), self.starts
        lengths = np.diff(starts)
        begin, end = np.repeat(starts[:-1], lengths), np.repeat(starts[1:], lengths)
        token = np.arange(n, dtype=np.int32)
        stop = token - 1
        for _ in range(2):
            closes = (self.bits[stop] & _CLOSES != 0) & (stop > begin)
            stop = np.where(closes, stop - 1, stop)
        behind_word = (stop == token - 1) & (
            self.bits[stop] & (_WORD | _FINAL) == _WORD
        )
        small = self.bits & _SMALL != 0
        quoted = (stop < token - 1) & (
            self.bits[token - 1] & _BRACKET == 0
        )  # “No!” and
        may = ~(small & (behind_word | quoted)) & (self.bits & _NEVER == 0) | self.rules
        self.places = np.flatnonzero(may & (token > begin))
        self.begin, self.end = begin[self.places], end[self.places]
        self.stop = stop[self.places]
        first = self.places.copy()
        for _ in range(2):
            opens = (self.bits[first] & _OPENS != 0) & (first + 1 < self.end)
            first = np.where(opens, first + 1, first)
        self.first = first

    def parts(self):
        """Yield the text with some of its places at a time: their features take most
        memory.
        """
        if len(self.places) <= _PART:
            yield self
            return
        self._inside, self._informal  # noqa: B018 - once for all
        for k in range(0, len(self.places), _PART):
            part = copy(self)
            for name in ("places", "begin", "end", "stop", "first"):
                setattr(part, name, getattr(self, name)[k : k + _PART])
            yield part

    def items(self, tokens, starts):
        """Where the next item of a list begins within a sentence that begins with one:
        int64[n].

        As in `1) this 2) that`, `a. This b. That`, `• this • that`, not in `1) this and
        2) that`. starts: int64[n_sentences].
        """
        found, before, sentence, behind = [], None, -1, -1
        places = self._marked_items(starts)
        owners = np.searchsorted(starts, places, "right") - 1
        for i, of in zip(ints_of(places), ints_of(owners), strict=True):
            if i == starts[of]:
                before, sentence = self._mark(tokens, i), of
            elif before is None or not (of == sentence or starts[of] == behind):
                before = None
                continue
            elif _follows(mark := self._mark(tokens, i), before):
                before, sentence = (
                    mark if tokens.text(i - 1) not in _GOES_ON else None,
                    of,
                )
                if before:
                    found.append(i)
            behind = i + 1
            while (
                behind < len(tokens)
                and self.bits[behind] & _IN_MARKS
                and behind < i + 4
            ):
                behind += 1
        return np.array(found, np.int64)

    def _marked_items(self, starts):
        """The first tokens of what may number an item, in sentences that begin so:
        int64[n].
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

    def _mark(self, tokens, i):
        """The mark of an item at token `i`: what is before its number, this, and what
        is behind.
        """
        before = tokens.text(i)
        if self.bits[i] & _BULLET:
            return before, "", ""
        before = before if self.bits[i] & _BRACKET else ""
        number = tokens.text(i + len(before))
        last = range(i + len(before) + 1, len(tokens))[:2]
        behind = re.match(r"[.)\]]*", "".join(tokens.text(k) for k in last))[0]
        return before, number, behind

    def behind_items(self, starts):
        """Whether only a label or the number of an item and a period are before each
        start.

        As in `2.`, `(b).`, `iv.)`, `• 3.` and `NOTE:`.
        """
        size = np.diff(starts, prepend=starts[:1])  # of the sentence before
        n_items = dotted = np.zeros(len(starts), int)
        marks = (size > 0) & (size <= _LONGEST_ITEM)
        for k in range(1, _LONGEST_ITEM + 1):
            bits = np.where(size >= k, self.bits[np.maximum(starts - k, 0)], _BRACKET)
            n_items = n_items + (bits & _ITEM != 0)
            dotted = dotted | bits & _FINAL
            marks = marks & (bits & _IN_MARKS != 0)
        colon = self.facts["form"][self.row[starts - 1]] == _code(":")
        label = (
            (size == 2) & colon & (self.bits[np.maximum(starts - 2, 0)] & _WORD != 0)
        )
        return (
            label
            | marks & (dotted != 0) & (n_items == 1)
            | self._behind_frames(starts, size)
        )

    def _behind_frames(self, starts, size):
        """Whether only a mark that also ends the paragraph is before each start: `---
        Note ---`.
        """
        out = np.zeros(len(starts), bool)
        alone = np.flatnonzero((size == 1) & (self.bits[starts - 1] & _WORD == 0))
        mark = starts[alone] - 1
        paragraph = np.searchsorted(self.starts, mark, "right")
        last = self.starts[paragraph] - 1
        out[alone] = (self.starts[paragraph - 1] == mark) & (
            self.row[last] == self.row[mark]
        )
        return out

    def _at(self, name, tokens):
        """A fact about tokens around each place, one a place; 0 beyond its
        paragraph.
        """
        inside = (tokens >= self.begin) & (tokens < self.end)
        return self.facts[name][np.where(inside, self.row[tokens % len(self.row)], 0)]

    @cached_property
    def _inside(self):
        """Mark tokens in quotation marks (1), in brackets (2) or both: uint64[n_words].

        The closing mark counts as inside. What no mark of the same paragraph closes,
        `_REACH` tokens further on at most, counts for nothing: `a)`, inches, a
        quotation without its end.
        """
        out = np.zeros(len(self.row), np.uint8)
        places = np.flatnonzero(self.bits & (_BRACKET | _QUOTE))
        blank_behind = np.append(self.blank[1:], True)
        paragraph, quote, brackets = -1, -_REACH, deque(maxlen=_REACH)
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
            elif i - quote < _REACH and (blank_behind[i] or not self.blank[i]):
                out[quote + 1 : i + 1] |= 1
                quote = -_REACH
            else:  # the first of a pair, or one that can only open: before a word, behind a blank
                quote = i
        return out

    @cached_property
    def _informal(self):
        """Where small letters follow a full stop, or are `i`: bool[n_words], and their
        sums.
        """
        small_next = np.append(self.bits[1:] & _SMALL != 0, False)
        small_next[self.starts[1:] - 1] = (
            False  # another paragraph tells nothing of this one
        )
        event = (self.bits & _STOP != 0) & small_next | (self.bits & _I != 0)
        return event, np.append(np.int32(0), np.cumsum(event, dtype=np.int32))

    def _informal_near(self):
        """How often text is informal near each place but there, up to 2:
        uint64[n_places].
        """
        event, count = self._informal
        before = np.maximum(self.begin, self.places - _NEAR)
        after = np.minimum(self.end, self.places + _NEAR)
        return np.minimum(count[after] - count[before] - event[self.stop], 2).astype(
            np.uint64
        )

    def _ended(self):
        """Whether the paragraph of each place ends with a final mark:
        uint64[n_places].
        """
        final = self.bits & _FINAL != 0
        ends = final | (self.bits & _CLOSES != 0) & np.append(False, final[:-1])
        return ends[self.end - 1].astype(np.uint64)

    def features(self, known):
        """Weights that count at each place: int64[n_places, n_features]."""
        if "usual" not in self.facts:
            self.facts["usual"], self.facts["abbreviation"] = self._known(known)
        here, at = self.places, self._at
        form, small, shape = at("form", here), at("small", here), at("shape", here)
        form_1, shape_1, end_1 = (
            at(name, here - 1) for name in ("form", "shape", "end")
        )
        small_2, shape_2 = at("small", here - 2), at("shape", here - 2)
        small_next, shape_next = at("small", here + 1), at("shape", here + 1)
        # A capital where the word has none elsewhere says most of a place without a
        # full stop.
        kind, kind_1, kind_next = (
            at("usual", here + by) * _WIDE + at("shape", here + by) for by in (0, -1, 1)
        )
        stop, word = self.stop, self.stop - 1
        stop_shape, word_shape = at("shape", stop), at("shape", word)
        closed = np.minimum(here - 1 - stop, 2).astype(np.uint64)
        opened = np.minimum(self.first - here, 2).astype(np.uint64)
        first_kind = at("usual", self.first) * _WIDE + at("shape", self.first)
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
            (kind, state, form_1),
            (kind, state, kind_1),
            (kind, state, kind_next),
            (kind_1, kind, kind_next),
            (at("form", stop), first_kind, closed),
            (abbreviated, stop_shape, first_kind),
            (word_shape, abbreviated, stop_shape, first_kind, opened),
            (informal, stop_shape, at("shape", self.first)),
            (informal, stop_shape, word_shape, at("small", self.first)),
            (begun, stop_shape, state),
            (size, self._ended(), marked),
            (size, stop_shape, shape),
            (self._ended(), marked, shapes),
            (size, at("small", self.first), marked),
        )

    def sure_begins(self):
        """Of edited text, whether a sentence begins at each place, NaN where marks do
        not tell.
        """
        here, word = self.places, self.stop - 1
        final = self.bits[self.stop] & _FINAL != 0
        target = np.where(final & (self.bits[here] & _SMALL == 0), np.nan, 0)
        plain = (self.bits[self.stop] & _STOP != 0) & (self.stop == here - 1)
        long = (self._at("shape", word) == 1) & (self._at("length", word) > 4)
        target[plain & long & self.rules[here] & (self.bits[here] & _CAPITAL != 0)] = 1
        return target

    def uses(self):
        """Codes of words as they are used.

        Small ones, those with a capital behind a small word, and stems before a full
        stop that a small word or a mark follows, or anything else: four arrays of
        uint64.
        """
        small = self.bits & _SMALL != 0
        behind_small = np.append(False, small[:-1])
        code, stem = self.facts["small"][self.row], self.facts["stem"][self.row]
        joined = (
            self.bits & _STOP != 0
        ) & ~self.blank  # a word and its full stop apart
        stem = np.where(joined, np.roll(stem, 1), stem)
        dotted = joined | (self.bits & _FINAL != 0) & (self.bits & _WORD != 0)
        goes_on = np.append(self.bits[1:] & (_SMALL | _NEVER) != 0, False)
        capital = (self.bits & _CAPITAL != 0) & behind_small
        return (
            code[small],
            code[capital],
            stem[dotted & goes_on],
            stem[dotted & ~goes_on],
        )

    def _known(self, known):
        """How each word of `facts` is usually written, and whether it is an
        abbreviation.
        """
        small = known[_places_of(self.facts["small"], _USUALLY_SMALL)]
        capital = known[_places_of(self.facts["small"], _USUALLY_CAPITAL)]
        abbreviation = known[_places_of(self.facts["stem"], _ABBREVIATION)]
        return small + 2 * capital.astype(np.uint64), abbreviation.astype(np.uint64)


def _closes(bits):
    """Whether tokens are brackets that close."""
    return bits & (_BRACKET | _CLOSES) == _BRACKET | _CLOSES


def _follows(mark, before):
    """Whether an item with a mark follows the one with the mark before, see
    `_Text.items`.
    """
    if before is None or (mark[0], mark[2]) != (before[0], before[2]):
        return False
    if mark[1].isdecimal() and before[1].isdecimal():
        return len(mark[1]) < 4 and int(mark[1]) == int(before[1]) + 1
    if len(mark[1]) == len(before[1]) == 1:
        return ord(mark[1]) == ord(before[1]) + 1
    return mark[1] == ""


def _places_of(codes, kind):
    """Places of words in what is known of a kind: int64[n_words]."""
    return ((((codes + kind) * _MIX) >> np.uint64(32)) % np.uint64(N_KNOWN)).astype(
        np.int64
    )


def _hashed(*features):
    """Weights of features, each a tuple of uint64[n]: int64[n, n_features]."""
    index = np.empty((len(features[0][0]), len(features)), np.int64)
    for k, values in enumerate(features):
        mixed = np.uint64(k + 1)
        for value in values:
            mixed = (mixed + value) * _MIX
            mixed ^= mixed >> np.uint64(29)
        index[:, k] = (mixed * _MIX) >> _SHIFT
    return index


def _count_words(texts):
    """What is known of the words of texts: bool[N_KNOWN]."""
    counts = [
        np.concatenate(codes)
        for codes in zip(*(text.uses() for text in texts), strict=True)
    ]
    small, capital, followed, others = counts
    known = np.zeros(N_KNOWN, bool)
    known[_places_of(_mostly(small, capital, 1, 2), _USUALLY_SMALL)] = True
    known[_places_of(_mostly(capital, small, 2, 2), _USUALLY_CAPITAL)] = True
    known[_places_of(_mostly(followed, others, 3, 0.5), _ABBREVIATION)] = True
    return known


def _mostly(codes, others, least, times):
    """Codes that occur `least` times, and more than `times` as often as they do among
    others.
    """
    found, count = np.unique(codes, return_counts=True)
    other, other_count = np.unique(np.append(others, np.uint64(0)), return_counts=True)
    place = np.minimum(np.searchsorted(other, found), len(other) - 1)
    against = np.where(other[place] == found, other_count[place], 0)
    return found[(count >= least) & (count > times * against)]
