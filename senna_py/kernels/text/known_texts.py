"""The trie of known texts, such as abbreviations and emoticons, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.characters import WORD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes

# All lists of texts are in one trie, int16[n_nodes, 257]. A node has the next node for
# each byte, or -1, and in column VALUE the value of the text that ends there, or 0.
# Each list has its own root. Roots are int64, because kernels are compiled for every
# type.
VALUE = 256
HALVES = np.int64(0)  # words that are two or three tokens; see CHARACTERS
CLITICS = np.int64(1)  # endings of HALVES after an apostrophe
WHOLE = np.int64(2)  # words that begin with an apostrophe
ABBREVIATIONS = np.int64(3)  # abbreviations without their last period
# Emoticons, which are tokens after a blank, or anywhere if their value is GLUED.
EMOTICONS = np.int64(4)
SCHEMES = np.int64(5)  # prefixes of addresses, such as `http:` and `www.`
STARTERS = np.int64(6)  # words that begin sentences
MARKS = np.int64(7)  # quotes, brackets and dashes around sentences
# Prefixes that stay joined to the word after a hyphen even if hyphens separate words.
PREFIXES = np.int64(8)
ENDINGS = np.int64(9)  # the last parts of names of hosts and files
SLASHED = np.int64(10)  # words that contain a slash
MARKUP = np.int64(11)  # HTML entities, and names of HTML tags
ORDINARY = np.int64(12)  # words and names that are spelled like an abbreviation
KEYS = np.int64(13)  # keyboard keys before a plus sign, as in `Ctrl+L`
AROUND = np.int64(14)  # words around abbreviations that disambiguate them
# Units that are separate from a number, as in `5pm`, and numbers that are names.
UNITS = np.int64(15)
NEIGHBORS = np.int64(16)  # words next to which some of HALVES are two tokens
IONS = np.int64(17)  # chemical symbols followed by a sign
OPERATORS = np.int64(18)  # operators and arrows of several signs
N_ROOTS = 19

# Values of HALVES: the number of characters of the first token, and bits of conditions.
CHARACTERS = 7
LATER = 8  # only after a letter: the rest of a word that is three tokens
BEFORE_VERB = 16  # only before a word whose value in NEIGHBORS has this bit
BEFORE_STATE = 32  # like BEFORE_VERB, with another bit
NOT_HABIT = 64  # only if neither neighbor has this bit

# Bits of the values of units: the numbers after which a unit is a token.
ANY_NUMBER = 1
LONG_NUMBER = 2  # of at least two digits and not a year
SHORT_NUMBER = 4  # of at most two digits
MEDIUM_NUMBER = 64  # of two or three digits
AMOUNT = 8  # after a currency sign
HOUR = 16  # the unit may also precede a hyphen
NUMBER_NAME = 32  # no unit: a name that begins with a digit

# Bits of the values of abbreviations, which tell when they keep their period.
ALWAYS = 1  # whatever follows
NUMBERED = 2  # before a number
TITLE = 4  # whatever follows, and no sentence ends after it
INNER = 8  # unless a capital or the end of the line follows
LETTERED = 16  # before a letter or Roman numeral that names a part
VERSE = 32  # before a chapter and a verse
MEASURE = 64  # like INNER, but after a number and not before one
NEWSPAPER = 128  # not after a determiner, even if INNER

# Bits of the values of words around abbreviations.
FOLLOWER = 1  # may follow the letter of a part, as in `Fig. A for`
COUNTED = 2  # may precede the number I, as in `World War I`
DETERMINER = 4  # may precede a title in lower case
EPITHET = 8  # the name of a species, after the initial of its genus
EPITHET_END = 16  # the last two letters of other epithets
OPENER = 32  # may begin a sentence whose first phrase ends with an abbreviation

# Bits of the values of ordinary words, which tell when a period is not part of them.
SMALL = 1  # unless a comma, colon or semicolon follows the period
SHOUTED = 2  # if the line ends or a capitalized word follows
NAME = 4  # if the line ends or a word of STARTERS follows, but not after a comma
CALLED = 8  # like NAME after a determiner, otherwise like SHOUTED

ENTITY = 2  # the value of an entity in MARKUP; tags have 1
GLUED = 2  # the value of emoticons that need no blank before them; others have 1


@borrowing_kernel
def longest_entry(
    raw: Bytes, kind: Bytes, i: int, trie: NDArray[np.int16], root: np.int64
) -> tuple[int, int]:
    """Find the longest entry of the trie under `root` that begins at `i`.

    Return its end and value, or (i, 0) if there is none. The entry must not be followed
    by a letter, digit or underscore.
    """
    end = j = i
    value = 0
    node = trie[root, raw[i]]
    while node >= 0:
        j += 1
        if trie[node, VALUE] and not kind[j] & WORD:
            end, value = j, trie[node, VALUE]
        node = trie[node, raw[j]]
    return end, value


@borrowing_kernel
def listed(
    raw: Bytes, i: int, stop: int, trie: NDArray[np.int16], root: np.int64
) -> int:
    """Return the value of the entry `raw[i:stop]` under `root`, or 0 if there is none."""
    node = root
    while i < stop and node >= 0:
        node = trie[node, raw[i]]
        i += 1
    return trie[node, VALUE] if i == stop and node >= 0 else 0
