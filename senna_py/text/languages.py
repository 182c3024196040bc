"""Tokens of languages: the words of Unicode, changed by rules that a TOML file lists.

UAX 29 says where words end; `regex` knows it. The file of a language beside this one
names what is joined (abbreviations, ordinals, hyphens) and what is split (elisions,
clitics). Its lists are:

- titles: abbreviations that end no sentence, as `Hr`; without their last period, in any
    case
- abbreviations: those that may, as `usw`
- spaced: those of which each part is a token if blanks are between them, as `z.B`
- numbered: those that are ones only before a number, as `Nr`
- numbered_endings: ends of words that are, as `str` in `Hauptstr. 5`
- starters: words that begin a sentence after an abbreviation
- elisions: what an apostrophe ends, as `l` in `l'homme`; `*` is any word
- clitics: what an apostrophe begins at the end of a word, as `s` in `geht's`
- enclitics, linking: what a hyphen begins, as `il` in `dit-il`; what may stand between,
  as `t` in `a-t-il`
- whole: words that stay as they are, as `aujourd'hui`
- ordinals: words before which a number keeps its period (`3. Oktober`); if there is a
  list, it also does before a small letter
- ordinals_after: words behind which it does (`der 2. Weltkrieg`)
- number_parts: parts of numbers in words, which keep their period as figures do
    (`yirmibir.`)
- units: what is cut from a number, as `h` in `15h30`
- apart: hyphen and slash, where they part words (hyphen) and figures (slash)
- opening, closing: quotes, where they are not those of English

If `capitals` is true, sentences begin with capitals only, also after `!` and `?`.
"""

from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from senna_py.kernels.text import treebank as kernels
from senna_py.kernels.text.sentences import CLOSING, FINAL, OPENING
from senna_py.text.emoticons import emoticon_pattern, emoticon_states
from senna_py.text.known_texts import COLON, TextTrie, read_words

# `unicode` is for all others: it has no lists.
LANGUAGES = (
    "dutch",
    "french",
    "german",
    "italian",
    "portuguese",
    "spanish",
    "turkish",
    "unicode",
)
_OPENING = [
    '"',
    "“",
    "‘",
    "'",
    "«",
    "‹",
    "„",
    "‚",
    "(",
    "[",
    "-",
    "--",
    "–",
    "—",
    "*",
    "¿",
    "¡",
]
_CLOSING = ['"', "”", "’", "'", "»", "›", ")", "]", "}", "」", "』", "）"]
_FINAL = [
    "。",
    "！",
    "？",
    "؟",
    "۔",
    "।",
    "॥",
    "．",
]  # which end a sentence whatever follows


@cache
def read_language(name):
    """The lists of a language, one of LANGUAGES: {name: list of str}; and whether
    `capitals`.
    """
    from senna_py.io.toml import read_toml  # noqa: PLC0415 - most models have no use for it

    lists = (
        read_toml(Path(__file__).with_name(f"{name}.toml")) if name != "unicode" else {}
    )
    capitals = lists.pop("capitals", False)
    found = {
        key: [word for line in value for word in line.split()]
        for key, value in lists.items()
    }
    return found, capitals


_BLANK = r"[^\S\n]"  # lines are apart
_INK = r"(?![\s\x1c-\x1f])"  # no blank, as Python has them
# What addresses go on with: no blank, quote, dash or ellipsis of print, and at the end
# none of what the sentence around has. A bracket that closes was opened in the address.
_OUTSIDE = r"\s\x1c-\x1f\u2013-\u201f…‹›«»、。〈-】！（），(){}\[\]"
_IN_BRACKETS = (
    r"[(\[{](?:[^\s\x1c-\x1f()\[\]{}]|[(\[{][^\s\x1c-\x1f()\[\]{}]*[)\]}])*[)\]}]"
)
_PATH = (
    rf"""(?:[^{_OUTSIDE}]|{_IN_BRACKETS})*(?:[^{_OUTSIDE}<>"'`,.;:!?]|{_IN_BRACKETS})"""
)
_NUMBER = r"\d++(?:[.,:/]\d++)*+"
_PARTICLE = (
    r"(?:van|von|der|den|de|ter|ten|di|da|do|dos|del|du)"  # of a name, after an initial
)
_FIGURES = r"(?:\w*\d\w*|\p{Lu}*[IVX]{2,}\p{Ll}?)"
# A word of UAX 29; a colon, or a period before a capital, parts it.
_WORD = r"(?:[\w&&[^_]](?:\B(?!:|\.\p{Lu}).)*+)"


def _hyphens(lists):
    """Patterns of a hyphen that joins words, and of one with what it begins."""
    if "-" in lists.get("apart", []):
        return r"(?!)", r"(?!)"
    if "enclitics" not in lists:
        return r"-(?=\w)", r"(?!)"
    linking = r"(?:(?i:\L<linking>)-)?" if "linking" in lists else ""
    others = r"(?:-(?i:\L<enclitics>))*+(?![\w'’-])"  # donne-le-moi
    clitic = rf"-{linking}(?i:\L<enclitics>)(?={others})"
    return rf"(?!{clitic})-(?=\w)", rf"(?<=\w){clitic}"


def _periods(lists):
    """Patterns of what keeps its period."""
    found = [_spaced(chain.split(".")) for chain in lists.get("spaced", [])]
    if "abbreviations" in lists or "titles" in lists:
        found.append(
            rf"(?i:\L<abbreviated>)\.-(?:(?i:\L<abbreviated>)\.|{_WORD}(?:-{_WORD})*+)"
        )
        found.append(r"(?i:\L<abbreviated>)\.(?!\w|\.\.)")
    if "numbered_endings" in lists:
        found.append(rf"\p{{L}}{{1,40}}?\L<numbered_endings>\.(?={_BLANK}?\d)")
    if "numbered" in lists:
        found.append(rf"(?i:\L<numbered>)\.(?={_BLANK}?(?:\d|[IVXLC]+\b))")
    if "ordinals" in lists:
        follows = rf"(?={_BLANK}++(?:\p{{Ll}}|\L<ordinals>\b))"
        parts = r"|(?i:\L<number_parts>)++" if "number_parts" in lists else ""
        found.append(rf"(?:\d{{1,3}}|[IVXL]+{parts})\.{follows}")
    if "ordinals_after" in lists:
        found.append(
            rf"(?<=\b(?i:\L<ordinals_after>){_BLANK})\d{{1,3}}\.(?={_BLANK}++\p{{Lu}})"
        )
    return found


def _spaced(parts):
    """Pattern of a part of an abbreviation, beside the others."""
    first = [rf"{part}\.(?={_BLANK}{after}\.)" for part, after in pairwise(parts)]
    return "|".join([*first, rf"(?<=\b{parts[-2]}\.{_BLANK}){parts[-1]}\."])


def _apostrophes(lists):
    """Patterns of elisions, of words before a clitic, and of clitics."""
    found = []
    elisions = lists.get("elisions", [])
    if elisions == ["*"]:
        found.append(r"\p{Lu}[\p{L}\p{M}]+['’]s(?!\w)")  # a foreign name
        found.append(r"[\p{L}\p{M}]++['’](?=\w)")
    elif elisions:
        found.append(r"(?i:\L<elisions>)['’](?=[\w\"«“])")
    if "clitics" in lists:
        clitic = r"['’](?i:\L<clitics>)(?![\w'’])"
        found += [rf"[\p{{L}}\p{{M}}]++(?={clitic})", rf"(?<=\w){clitic}"]
    return found


def _numbers(lists, joining):
    """Patterns of numbers; joining: that of a hyphen that joins."""
    found, plain = [], not {"elisions", "clitics"} & set(lists)
    suffix = r"(?:['’]\p{L}+)?" if plain else ""  # 1970'li
    if "units" in lists:
        found.append(r"\d++(?=\L<units>(?:\d\d)?(?!\w))")
        found.append(r"(?<=\d)\L<units>(?=\d\d(?!\w)|(?!\w))")
    found.append(r"\d{1,3}\.(?:[ªº]|er)(?!\w)")
    number = _NUMBER
    if "/" in lists.get("apart", []):
        date = r"\d{1,2}/\d{1,2}/\d{2,4}(?!\w)"
        number = rf"(?:{date}|{_NUMBER.replace('/', '')})"
    else:
        found.append(rf"{_FIGURES}(?:/{_FIGURES})++(?![\w/])")  # IIb/IIIa
    found.append(rf"(?:(?<!\S)[+−-])?{number}(?:{joining}\d++)*+(?!\w){suffix}")
    return found


@cache
def _pattern(name, own):
    """The pattern of the tokens of a language, with its own abbreviations: a tuple of
    str.
    """
    import regex  # noqa: PLC0415 - most models have no use for it

    lists, _ = read_language(name)
    joining, enclitic = _hyphens(lists)
    if COLON in own:
        joining = rf"(?:{joining}|(?<=\p{{L}}):(?=\p{{L}}))"
    word = rf"{_WORD}(?:{joining}{_WORD})*+[¼½¾]?"
    alternatives = [
        # most words; none of the below is one
        r"[\p{Latin}\p{Greek}\p{Cyrillic}]++(?=[\s,;])",
        rf"(?:(?:[A-Za-z]\w{{0,20}}:)?(?<!\w)[A-Za-z][\w+-]{{0,30}}://|www\.|mailto:){_PATH}/?",
        r"(?<!\w)[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})(?!\w)",
        r"(?<!\w)(?:[CcGg]\+\+|[CF]#)(?!\w)",
        r"\w[\w.+%-]*@\w+(?:[.-]\w+)*",
        rf"\w[\w-]*(?:\.[\w-]+)*\.(?i:\L<endings>)(?![\w@])(?:/(?:{_PATH})?)?",
        rf"(?<!\S)(?:{emoticon_pattern()})(?![^\s!,.?])",
        r"(?<!\w)[@#](?=\d*[^\W\d])\w+",
        r"(?i:\L<whole>)(?![\w'’])" if "whole" in lists else r"(?!)",
        *_periods({**lists, "abbreviations": own} if own else lists),
        r"(?:\p{L}\.){2,}",
        # initials
        rf"\p{{Lu}}\.(?:(?={_BLANK}?(?:\p{{Lu}}|{_PARTICLE}\b))|(?:-\p{{Lu}}\.)+)",
        r"°[CFK](?!\w)|['’]\d\d(?![\w'’])",
        *_apostrophes(lists),
        enclitic,
        *_numbers(lists, joining),
        rf"(?<!\S)\?(?=\p{{Ll}}){word}",  # whose first letter an encoding lacked
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
            *({*own} - {COLON}),
        ],
        endings=read_words("name_endings.txt"),
        ignore_unused=True,
        **sets,
    )


def language_ranges(data, name, own=()):
    """Bytes of the tokens of `data`, in which a newline parts whatever is around it.

    name: one of LANGUAGES; own: more abbreviations, and COLON to join letters around
    one: a tuple of str. Returns begin, end: int32[n_tokens]. A byte outside UTF-8 is a
    token of its own.
    """
    text = data.decode("utf-8", "surrogateescape")
    spans = np.array([m.span() for m in _pattern(name, own).finditer(text)], np.int32)
    spans = spans.reshape(-1, 2)
    if not data.isascii():
        code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        escaped = (code >= 0xDC80) & (code <= 0xDCFF)  # a byte each
        size = 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
        place = np.append(0, np.cumsum(np.where(escaped, 1, size))).astype(np.int32)
        spans = place[spans]
    return np.ascontiguousarray(spans[:, 0]), np.ascontiguousarray(spans[:, 1])


@cache
def language_trie(name, own=()):
    """Return the trie of what the sentence splitter knows of a language: int16[n_nodes,
    257].
    """
    (lists, _), trie = read_language(name), TextTrie()
    titles, others = lists.get("titles", []), [*lists.get("abbreviations", []), *own]
    trie.add_all(kernels.ABBREVIATIONS, titles, kernels.ALWAYS | kernels.TITLE)
    trie.add_all(kernels.ABBREVIATIONS, others, kernels.ALWAYS)
    trie.add_all(kernels.ABBREVIATIONS, lists.get("numbered", []), kernels.NUMBERED)
    trie.add_states(kernels.EMOTICONS, emoticon_states(kernels.GLUED, 1))
    trie.add_all(kernels.STARTERS, lists.get("starters", []), exact=True)
    trie.add_all(kernels.MARKS, lists.get("opening", _OPENING), OPENING, exact=True)
    trie.add_all(kernels.MARKS, lists.get("closing", _CLOSING), CLOSING, exact=True)
    trie.add_all(kernels.MARKS, _FINAL, FINAL, exact=True)
    return trie.array()
