"""Lists of the Treebank tokenizer and the sentence splitter, as one trie."""

import re
from collections import Counter
from functools import cache, reduce
from itertools import chain
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.kernels.text import treebank as kernels
from senna_py.kernels.text.sentences import CLOSING, OPENING
from senna_py.text.characters import APOSTROPHES
from senna_py.text.emoticons import emoticon_states

COLON = ":"  # among abbreviations: letters on both sides of a colon are one token

_SCHEMES = (
    "http://",
    "https://",
    "ftp://",
    "www.",
    "mailto:",
    "tel:",
    "urn:",
    "doi:",
    "magnet:",
    "about:",
)
_OPERATORS = (
    "->",
    "-->",
    "<-",
    "<--",
    "<->",
    "<-->",
    "=>",
    "==>",
    "<=",
    ">=",
    "<=>",
    "!=",
    "!==",
    "+=",
    "-=",
    "*=",
    "/=",
    ":=",
    "::",
    "&&",
)
_CLOSING = ('"', "''", "'", "’", "”", ")", "]", "}", "-RRB-", "-RSB-", "-RCB-")
_OPENING = ('"', "``", "`", "'", "‘", "“", "(", "[", "-LRB-", "-LSB-", "--", "-", "*")
_TITLES = ("title", "rank", "latin")
_ANYWHERE = (
    "month",
    "weekday",
    "place",
    "company",
    "degree",
    "court",
    "unit",
    "taxon",
    "note",
)
ABBREVIATION_KINDS = {
    **dict.fromkeys(_TITLES, kernels.ALWAYS | kernels.TITLE),
    **dict.fromkeys(_ANYWHERE, kernels.ALWAYS),
    "reference": kernels.NUMBERED | kernels.LETTERED,
    "count": kernels.NUMBERED,
    "book": kernels.NUMBERED,
    "verse": kernels.VERSE,
    "inner": kernels.INNER,
    "newspaper": kernels.INNER | kernels.NEWSPAPER,
    "measure": kernels.MEASURE,
}
KINDS_AROUND = {
    "follower": kernels.FOLLOWER,
    "counted": kernels.COUNTED,
    "determiner": kernels.DETERMINER,
    "epithet": kernels.EPITHET,
    "ending": kernels.EPITHET_END,
    "opener": kernels.OPENER,
}
_ORDINARY = {
    "small": kernels.SMALL,
    "shouted": kernels.SHOUTED,
    "called": kernels.CALLED,
    "name": kernels.NAME,
}
_NEIGHBORS = {
    "(verb)": kernels.BEFORE_VERB,
    "(state)": kernels.BEFORE_STATE,
    "(habit)": kernels.NOT_HABIT,
}
_UNITS = {
    "hour": kernels.ANY_NUMBER | kernels.HOUR,
    "any": kernels.ANY_NUMBER,
    "long": kernels.LONG_NUMBER,
    "medium": kernels.MEDIUM_NUMBER,
    "short": kernels.SHORT_NUMBER,
    "amount": kernels.AMOUNT,
    "name": kernels.NUMBER_NAME,
}
_MOST_INT16 = 1 << 15  # nodes of a trie
_MOST_CHARACTERS = 50_000
_ABBREVIATION = re.compile(r"[^\W\d_](?:[.'’/-]*[^\W\d_])*\.")
_WITH_COLON = re.compile(r"[^\W\d_]+:[^\W\d_]+")


@cache
def read_words(name):
    """All words of the list `name` of this package, without comments, in order: {str:
    None}.
    """
    return dict.fromkeys(chain.from_iterable(read_list(name)))


def read_list(name):
    """Lines of the list `name` of this package, without comments: a list of lists of
    str.
    """
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


@cache
def all_abbreviations():
    """All abbreviations of English, of any kind: a set of str."""
    lines = read_list("abbreviations.txt")
    return {key for kind, *keys in lines if kind in ABBREVIATION_KINDS for key in keys}


class TextTrie:
    """Texts of several lists, for kernels to walk through (`kernels.text.treebank`)."""

    def __init__(self):
        self._roots = [
            {} for _ in range(kernels.N_ROOTS)
        ]  # nodes by byte, and a number at VALUE

    def add(self, root, text, value=1, exact=False):
        """Enter `text` with a value; the bits of several values are combined.

        Unless `exact`, it is found in either case and with either apostrophe.
        """
        node = self._roots[root]
        for char in text:
            forms = (char.encode(),) if exact else _forms(char)
            target = reduce(_below, forms[0][1:], _below(node, forms[0][0]))
            for form in forms[1:]:
                if len(form) == 1:  # as most are: start-up waits for this
                    node[form[0]] = target
                else:
                    reduce(_below, form[:-1], node)[form[-1]] = target
            node = target
        node[kernels.VALUE] = node.get(kernels.VALUE, 0) | value

    def add_states(self, root, states):
        """Enter all texts that an automaton accepts: `states` as of
        `emoticons.emoticon_states`.
        """
        nodes = [self._roots[root], *({} for _ in states[1:])]
        shared: dict[
            tuple, dict
        ] = {}  # what the bytes behind the first of some characters lead to
        for node, (value, targets) in zip(nodes, states, strict=True):
            if value:
                node[kernels.VALUE] = value
            _add_paths(
                node,
                [(char.encode(), target) for char, target in targets.items()],
                nodes,
                shared,
            )

    def add_all(self, root, texts, value=1, exact=False):
        """Enter several texts, see `add`."""
        for text in texts:
            self.add(root, text, value, exact)

    def array(self):
        """The trie for kernels: int16[n_nodes, 257], or int32 of many nodes."""
        nodes, number = (
            [*self._roots],
            {id(root): k for k, root in enumerate(self._roots)},
        )
        places, values = [], []
        ends: dict[int, int] = {}  # nodes that nothing follows are one for each value
        for row, node in enumerate(nodes):  # which grow
            first = row * (kernels.VALUE + 1)
            for byte, below in node.items():
                places.append(first + byte)
                if byte == kernels.VALUE:
                    values.append(below)
                    continue
                is_end = len(below) == 1 and kernels.VALUE in below
                known, key = (
                    (ends, below[kernels.VALUE]) if is_end else (number, id(below))
                )
                if (value := known.get(key)) is None:
                    value = known[key] = len(nodes)
                    nodes.append(below)
                values.append(value)
        out = np.full(
            (len(nodes), kernels.VALUE + 1),
            -1,
            np.int16 if len(nodes) <= _MOST_INT16 else np.int32,
        )
        out[:, kernels.VALUE] = 0
        out.reshape(-1)[places] = values
        return out


def _below(node: dict, byte: int) -> dict:
    return node.setdefault(byte, {})


@cache
def _forms(char: str) -> tuple[bytes, ...]:
    """The bytes of a character in either case, or of all apostrophes."""
    forms = APOSTROPHES if char == "'" else dict.fromkeys((char.lower(), char.upper()))
    return tuple(form.encode() for form in forms)


def _add_paths(
    node: dict,
    paths: list[tuple[bytes, int]],
    ends: list[dict],
    shared: dict[tuple, dict],
) -> None:
    """Enter into a node the bytes of each path, which lead to its number in `ends`.

    Paths with the same bytes to the same ends share their nodes.
    """
    longer: dict[int, list[tuple[bytes, int]]] = {}
    for path, end in paths:
        if len(path) == 1:
            node[path[0]] = ends[end]
        else:
            longer.setdefault(path[0], []).append((path[1:], end))
    for byte, rest in longer.items():
        if (key := tuple(rest)) not in shared:
            shared[key] = {}
            _add_paths(shared[key], rest, ends, shared)
        node[byte] = shared[key]


def read_abbreviations(path):
    """Abbreviations of a user's file, see `parse_abbreviations`."""
    with Source(path) as source:
        return parse_abbreviations(read_lines(source), source.name)


def parse_abbreviations(lines, name):
    """Abbreviations of lines of bytes, without their last periods: a tuple of str.

    Lines that begin with `#` are left out. Raises SennaError with `name` and the line,
    and if there are more than 50,000 characters of them, each of which takes a kilobyte
    or two.
    """
    found, room = [], _MOST_CHARACTERS
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise SennaError(f"{name}: line {number}: not UTF-8") from None
        if len(text.split()) > 1 and not text.startswith("#"):
            raise SennaError(
                f"{name}: line {number}: expected one word, found {text!r}"
            )
        if text.rstrip(".") and not text.startswith("#"):
            found.append(text.rstrip("."))
            room -= len(found[-1])
            if room < 0:
                raise SennaError(
                    f"{name}: line {number}: more than {_MOST_CHARACTERS:,} "
                    "characters of abbreviations"
                )
    return tuple(dict.fromkeys(found))


def learn_abbreviations(sentences, torn):
    """Abbreviations that a treebank has as tokens, without their last periods: a tuple
    of str.

    sentences: have `forms`, a list of str, and `spaces`, whether a blank follows each;
    torn: forms that a tokenizer does not find. A word as often without its period is
    none; nor is an initial, which rules find. COLON is one if it is within tokens
    (`SVT:s`) more often than between two.
    """
    kept, bare, names = Counter(), Counter(), {}
    for sentence in sentences:
        forms = sentence.forms
        for form in forms:
            if _WITH_COLON.fullmatch(form):
                kept[names.setdefault(COLON, COLON)] += 1
            elif _ABBREVIATION.fullmatch(form) and (len(form) > 2 or form.islower()):
                kept[form[:-1].lower()] += 1
                if form in torn:
                    names.setdefault(form[:-1].lower(), form[:-1])
            elif form != COLON:
                bare[form.lower()] += 1
        glued = zip(
            forms,
            forms[1:],
            forms[2:],
            sentence.spaces,
            sentence.spaces[1:],
            strict=False,
        )
        bare[COLON] += sum(
            mark == COLON
            and not (space or other)
            and before[-1].isalpha()
            and after[0].isalpha()
            for before, mark, after, space, other in glued
        )
    return tuple(name for word, name in names.items() if kept[word] > bare[word])


@cache
def known_texts(own=()):
    """The trie of the lists of this package, and of own abbreviations: int16[n_nodes,
    257].
    """
    trie = TextTrie()
    trie.add_all(kernels.ABBREVIATIONS, {*own} - {COLON}, kernels.ALWAYS)
    _add_contractions(trie)
    for kind, *keys in read_list("abbreviations.txt"):
        if kind in KINDS_AROUND:
            trie.add_all(kernels.AROUND, keys, KINDS_AROUND[kind], exact=True)
        else:
            trie.add_all(kernels.ABBREVIATIONS, keys, ABBREVIATION_KINDS[kind])
    known = {word.lower() for word in own}
    for kind, *keys in read_list("ordinary_words.txt"):
        others = [key for key in keys if key.lower() not in known]
        trie.add_all(kernels.ORDINARY, others, _ORDINARY[kind], exact=True)
    trie.add_all(kernels.PREFIXES, read_words("prefixes.txt"))
    trie.add_all(kernels.ENDINGS, read_words("name_endings.txt"))
    trie.add_all(kernels.SLASHED, read_words("slashed_words.txt"))
    trie.add_all(kernels.KEYS, read_words("keys.txt"))
    trie.add_states(kernels.EMOTICONS, emoticon_states(kernels.GLUED, 1))
    trie.add_all(kernels.SCHEMES, _SCHEMES, exact=True)
    trie.add_all(kernels.OPERATORS, _OPERATORS, exact=True)
    trie.add_all(kernels.IONS, read_words("ions.txt"), exact=True)
    for name, *units in read_list("units.txt"):
        trie.add_all(kernels.UNITS, units, _UNITS[name], exact=True)
    for name in read_words("markup.txt"):
        trie.add(kernels.MARKUP, name, kernels.ENTITY if name[0] == "&" else 1)
    trie.add_all(kernels.STARTERS, read_words("sentence_starters.txt"), exact=True)
    trie.add_all(kernels.MARKS, _CLOSING, CLOSING, exact=True)
    trie.add_all(kernels.MARKS, _OPENING, OPENING, exact=True)
    return trie.array()


def _add_contractions(trie: TextTrie) -> None:
    """Enter what `contractions.txt` lists."""
    for first, *rest in read_list("contractions.txt"):
        if not rest:
            trie.add(kernels.WHOLE, first)
        elif first in _NEIGHBORS:
            trie.add_all(kernels.NEIGHBORS, rest, _NEIGHBORS[first])
        elif first != "*":
            condition = _NEIGHBORS.get(rest[-1], 0)
            others = rest[:-1] if condition else rest
            trie.add(kernels.HALVES, "".join([first, *others]), len(first) | condition)
            for k in range(len(others) - 1):
                left = "".join(others[k:])
                trie.add(kernels.HALVES, left, len(others[k]) | kernels.LATER)
        elif rest != ["n't"]:  # which the tokenizer splits by what precedes it
            trie.add(kernels.CLITICS, rest[0][1:])
