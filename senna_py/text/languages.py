"""The tokenizer of languages other than English, and its rules.

Text is divided into words by Unicode text segmentation (UAX 29), which `regex`
implements. A TOML file for each language, in this package, lists exceptions: strings to
join (abbreviations, ordinals, hyphens) and strings to split (elisions, clitics). Its
lists are:

- titles: Abbreviations that do not end a sentence, such as `Hr`, without the final
  period, in any case.
- abbreviations: Other abbreviations, such as `usw`.
- spaced: Abbreviations whose parts are tokens if there are spaces between them, such as
  `z.B`.
- numbered: Words that are abbreviations only before a number, such as `Nr`.
- numbered_endings: Suffixes of such words, such as `str` in `Hauptstr. 5`.
- starters: Words that begin a sentence after an abbreviation.
- elisions: Words that end with an apostrophe, such as `l` in `l'homme`; `*` means all
  words.
- clitics: Suffixes after an apostrophe, such as `s` in `geht's`.
- enclitics: Suffixes after a hyphen, such as `il` in `dit-il`.
- linking: Infixes between a word and an enclitic, such as `t` in `a-t-il`.
- whole: Words that are not split, such as `aujourd'hui`.
- ordinals: Words before which a number keeps its period (`3. Oktober`). If a language
  has this list, a number also keeps its period before a word in lower case.
- ordinals_after: Words after which a number keeps its period (`der 2. Weltkrieg`).
- number_parts: Parts of numerals, which keep their periods as digits do (`yirmibir.`).
- units: Units that are split from a number, such as `h` in `15h30`.
- apart: A hyphen if hyphens split words, and a slash if slashes split numbers.
- opening, closing: Quotation marks and brackets, if they differ from the default.

If `capitals` is true, sentences begin only with capitals, even after `!` and `?`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text import known_texts as kernels
from senna_py.kernels.text.sentences import CLOSING, FINAL, OPENING
from senna_py.text.characters import byte_offsets
from senna_py.text.emoticons import emoticon_pattern, emoticon_states
from senna_py.text.known_texts import COLON, read_words
from senna_py.text.text_trie import TextTrie
from senna_py.text.tokenizer_kinds import OTHER_LANGUAGES

if TYPE_CHECKING:
    import regex
    from numpy.typing import NDArray

    from senna_py.text.text_trie import TrieArray

_Lists = Mapping[str, Sequence[str]]

_OPENING = [*"\"“‘'«‹„‚([-–—*¿¡", "--"]
_CLOSING = [*"\"”’'»›)]}」』）"]
# Marks that end a sentence no matter what follows.
_FINAL = [*"。！？؟۔।॥．"]


@cache
def read_language(name: str) -> tuple[dict[str, list[str]], bool]:
    """Return the lists of a language by list name, and its `capitals` setting.

    Args:
        name: One of `tokenizer_kinds.LANGUAGES`.
    """
    if name == OTHER_LANGUAGES:  # It has no lists.
        return {}, False
    from senna_py.io.toml import read_toml  # noqa: PLC0415 - most models do not need it

    table = read_toml(Path(__file__).with_name(f"{name}.toml"))
    capitals = table.pop("capitals", False)
    lists = {
        key: [word for line in value for word in line.split()]
        for key, value in table.items()
    }
    return lists, capitals


_BLANK = r"[^\S\n]"  # a space within a line
_INK = r"(?![\s\x1c-\x1f])"  # the next character is not white space to `str.isspace`
# An address contains no spaces, typographic quotes, dashes or ellipses, and it does not
# end with punctuation of the sentence. It closes only brackets that it has opened.
_OUTSIDE = r"\s\x1c-\x1f\u2013-\u201f…‹›«»、。〈-】！（），(){}\[\]"
_IN_BRACKETS = (
    r"[(\[{](?:[^\s\x1c-\x1f()\[\]{}]|[(\[{][^\s\x1c-\x1f()\[\]{}]*[)\]}])*[)\]}]"
)
_PATH = (
    rf"""(?:[^{_OUTSIDE}]|{_IN_BRACKETS})*(?:[^{_OUTSIDE}<>"'`,.;:!?]|{_IN_BRACKETS})"""
)
_NUMBER = r"\d++(?:[.,:/]\d++)*+"
# The particle of a name, which may follow an initial.
_PARTICLE = r"(?:van|von|der|den|de|ter|ten|di|da|do|dos|del|du)"
_FIGURES = r"(?:\w*\d\w*|\p{Lu}*[IVX]{2,}\p{Ll}?)"
# A word by UAX 29, except that a colon, or a period before a capital, ends it.
_WORD = r"(?:[\w&&[^_]](?:\B(?!:|\.\p{Lu}).)*+)"


def _hyphens(lists: _Lists) -> tuple[str, str]:
    """Return a pattern for hyphens that join words, and one for enclitics."""
    if "-" in lists.get("apart", []):
        return r"(?!)", r"(?!)"
    if "enclitics" not in lists:
        return r"-(?=\w)", r"(?!)"
    linking = r"(?:(?i:\L<linking>)-)?" if "linking" in lists else ""
    others = r"(?:-(?i:\L<enclitics>))*+(?![\w'’-])"  # donne-le-moi
    clitic = rf"-{linking}(?i:\L<enclitics>)(?={others})"
    return rf"(?!{clitic})-(?=\w)", rf"(?<=\w){clitic}"


def _periods(lists: _Lists) -> list[str]:
    """Return patterns for tokens that keep their periods."""
    patterns = [_spaced(chain.split(".")) for chain in lists.get("spaced", [])]
    if "abbreviations" in lists or "titles" in lists:
        patterns.append(
            rf"(?i:\L<abbreviated>)\.-(?:(?i:\L<abbreviated>)\.|{_WORD}(?:-{_WORD})*+)"
        )
        patterns.append(r"(?i:\L<abbreviated>)\.(?!\w|\.\.)")
    if "numbered_endings" in lists:
        patterns.append(rf"\p{{L}}{{1,40}}?\L<numbered_endings>\.(?={_BLANK}?\d)")
    if "numbered" in lists:
        patterns.append(rf"(?i:\L<numbered>)\.(?={_BLANK}?(?:\d|[IVXLC]+\b))")
    if "ordinals" in lists:
        follows = rf"(?={_BLANK}++(?:\p{{Ll}}|\L<ordinals>\b))"
        words = r"|(?i:\L<number_parts>)++" if "number_parts" in lists else ""
        patterns.append(rf"(?:\d{{1,3}}|[IVXL]+{words})\.{follows}")
    if "ordinals_after" in lists:
        patterns.append(
            rf"(?<=\b(?i:\L<ordinals_after>){_BLANK})\d{{1,3}}\.(?={_BLANK}++\p{{Lu}})"
        )
    return patterns


def _spaced(parts: Sequence[str]) -> str:
    """Return a pattern for any part of an abbreviation that is next to another part."""
    first = [rf"{part}\.(?={_BLANK}{after}\.)" for part, after in pairwise(parts)]
    return "|".join([*first, rf"(?<=\b{parts[-2]}\.{_BLANK}){parts[-1]}\."])


def _apostrophes(lists: _Lists) -> list[str]:
    """Return patterns for elisions, for words before a clitic, and for clitics."""
    patterns = []
    elisions = lists.get("elisions", [])
    if elisions == ["*"]:
        patterns.append(r"\p{Lu}[\p{L}\p{M}]+['’]s(?!\w)")  # a foreign name
        patterns.append(r"[\p{L}\p{M}]++['’](?=\w)")
    elif elisions:
        patterns.append(r"(?i:\L<elisions>)['’](?=[\w\"«“])")
    if "clitics" in lists:
        clitic = r"['’](?i:\L<clitics>)(?![\w'’])"
        patterns += [rf"[\p{{L}}\p{{M}}]++(?={clitic})", rf"(?<=\w){clitic}"]
    return patterns


def _numbers(lists: _Lists, joining: str) -> list[str]:
    """Return patterns for numbers; `joining` matches a hyphen that joins words."""
    patterns = []
    has_apostrophes = "elisions" in lists or "clitics" in lists
    suffix = "" if has_apostrophes else r"(?:['’]\p{L}+)?"  # 1970'li
    if "units" in lists:
        patterns.append(r"\d++(?=\L<units>(?:\d\d)?(?!\w))")
        patterns.append(r"(?<=\d)\L<units>(?=\d\d(?!\w)|(?!\w))")
    patterns.append(r"\d{1,3}\.(?:[ªº]|er)(?!\w)")
    number = _NUMBER
    if "/" in lists.get("apart", []):
        date = r"\d{1,2}/\d{1,2}/\d{2,4}(?!\w)"
        number = rf"(?:{date}|{_NUMBER.replace('/', '')})"
    else:
        patterns.append(rf"{_FIGURES}(?:/{_FIGURES})++(?![\w/])")  # IIb/IIIa
    patterns.append(rf"(?:(?<!\S)[+−-])?{number}(?:{joining}\d++)*+(?!\w){suffix}")
    return patterns


@cache
def _pattern(name: str, abbreviations: tuple[str, ...]) -> regex.Pattern[str]:
    """Return the pattern for tokens of a language, with additional abbreviations."""
    import regex  # noqa: PLC0415 - most models do not need it

    lists, _ = read_language(name)
    joining, enclitic = _hyphens(lists)
    if COLON in abbreviations:
        joining = rf"(?:{joining}|(?<=\p{{L}}):(?=\p{{L}}))"
    word = rf"{_WORD}(?:{joining}{_WORD})*+[¼½¾]?"
    lists_of_periods: _Lists = lists
    if abbreviations:
        lists_of_periods = {**lists, "abbreviations": abbreviations}
    alternatives = [
        # A fast test for most words, which gives the same tokens as the patterns below.
        r"[\p{Latin}\p{Greek}\p{Cyrillic}]++(?=[\s,;])",
        rf"(?:(?:[A-Za-z]\w{{0,20}}:)?(?<!\w)[A-Za-z][\w+-]{{0,30}}://|www\.|mailto:){_PATH}/?",
        r"(?<!\w)[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})(?!\w)",
        r"(?<!\w)(?:[CcGg]\+\+|[CF]#)(?!\w)",
        r"\w[\w.+%-]*@\w+(?:[.-]\w+)*",
        rf"\w[\w-]*(?:\.[\w-]+)*\.(?i:\L<endings>)(?![\w@])(?:/(?:{_PATH})?)?",
        rf"(?<!\S)(?:{emoticon_pattern()})(?![^\s!,.?])",
        r"(?<!\w)[@#](?=\d*[^\W\d])\w+",
        r"(?i:\L<whole>)(?![\w'’])" if "whole" in lists else r"(?!)",
        *_periods(lists_of_periods),
        r"(?:\p{L}\.){2,}",
        # initials
        rf"\p{{Lu}}\.(?:(?={_BLANK}?(?:\p{{Lu}}|{_PARTICLE}\b))|(?:-\p{{Lu}}\.)+)",
        r"°[CFK](?!\w)|['’]\d\d(?![\w'’])",
        *_apostrophes(lists),
        enclitic,
        *_numbers(lists, joining),
        rf"(?<!\S)\?(?=\p{{Ll}}){word}",  # `?` replaces a letter lost in conversion
        rf"{word}(?:\(\p{{L}}{{1,2}}\))?",  # étudiant(e)
        r"\+/[−-]|[!?]+|\.{2,}|-{2,}|([*=~_])\1*|''|``",
        rf"{_INK}\X",
    ]
    sets = {
        key: value
        for key, value in lists.items()
        if key not in ("titles", "abbreviations")
    }
    return regex.compile(
        "(?V1w)" + "|".join(alternatives),
        abbreviated=[
            *lists.get("titles", []),
            *lists.get("abbreviations", []),
            *({*abbreviations} - {COLON}),
        ],
        endings=read_words("name_endings.txt"),
        ignore_unused=True,
        **sets,
    )


def language_ranges(
    data: bytes, name: str, abbreviations: tuple[str, ...] = ()
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first byte of each token and the byte after it: two int32[n_tokens].

    Args:
        data: The text. Tokens do not depend on other lines. A byte that is not valid
            UTF-8 is a token.
        name: One of `tokenizer_kinds.LANGUAGES`.
        abbreviations: Additional abbreviations. COLON among them means that letters
            joined by a colon are one token.
    """
    text = data.decode("utf-8", "surrogateescape")
    spans = np.array(
        [m.span() for m in _pattern(name, abbreviations).finditer(text)], np.int32
    )
    spans = spans.reshape(-1, 2)
    if not data.isascii():
        spans = byte_offsets(text)[spans]
    return np.ascontiguousarray(spans[:, 0]), np.ascontiguousarray(spans[:, 1])


@cache
def language_trie(name: str, abbreviations: tuple[str, ...] = ()) -> TrieArray:
    """Return the trie of the word lists that the sentence splitter uses for a language.

    Args:
        name: One of `tokenizer_kinds.LANGUAGES`.
        abbreviations: Additional abbreviations.
    """
    lists, _ = read_language(name)
    trie = TextTrie()
    titles = lists.get("titles", [])
    others = [*lists.get("abbreviations", []), *abbreviations]
    trie.add_all(kernels.ABBREVIATIONS, titles, kernels.ALWAYS | kernels.TITLE)
    trie.add_all(kernels.ABBREVIATIONS, others, kernels.ALWAYS)
    trie.add_all(kernels.ABBREVIATIONS, lists.get("numbered", []), kernels.NUMBERED)
    trie.add_states(kernels.EMOTICONS, emoticon_states(kernels.GLUED, 1))
    trie.add_all(kernels.STARTERS, lists.get("starters", []), exact=True)
    trie.add_all(kernels.MARKS, lists.get("opening", _OPENING), OPENING, exact=True)
    trie.add_all(kernels.MARKS, lists.get("closing", _CLOSING), CLOSING, exact=True)
    trie.add_all(kernels.MARKS, _FINAL, FINAL, exact=True)
    return trie.array()
