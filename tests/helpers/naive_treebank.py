"""Treebank tokens and sentences said again: one regular expression, and plain Python over lists."""

import re
from functools import cache
from unicodedata import category

from senna_py.kernels.text import treebank as kernels
from senna_py.text.known_texts import ABBREVIATION_KINDS, read_list, read_words

_BYTES = "utf-8", "surrogateescape"
_APOSTROPHES = "'’‛´′＇"  # and U+02BC, for which `naive_spans` takes one of these
_APOSTROPHE = f"[{_APOSTROPHES}]"
# Ends of URLs and addresses that belong to the sentence around them.
_CLOSES = rf"""<>"`”)\],.;:!?{_APOSTROPHES}"""
_TRAILING = rf"[^\s{_CLOSES}]"


@cache
def listed(name, *kinds):
    """Entries of some kinds of a list of the package: a set of str."""
    return {key for kind, *keys in read_list(name) if kind in kinds for key in keys}


@cache
def _abbreviations(bits):
    """Abbreviations of the kinds with one of some bits, in small letters."""
    kinds = (kind for kind, value in ABBREVIATION_KINDS.items() if value & bits)
    return {key.lower() for key in listed("abbreviations.txt", *kinds)}


def _around(kind):
    return listed("abbreviations.txt", kind)


def _ordinary(kind):
    """Pattern of the ordinary words of a kind, before a period that no comma or colon follows."""
    return rf"(?:{'|'.join(listed('ordinary_words.txt', kind))})\.(?![,;:])"


@cache
def _ends(starters):
    """Pattern of what follows a sentence."""
    words = "|".join(map(re.escape, read_words("sentence_starters.txt")))
    begins = rf"(?:{words})(?!\w)" if starters else rf"{_class_of(_is_capital)}(?![A-Z])"
    return rf"(?:[{_CLOSES}]*[^\S\n]*[“‘\"'(]?(?:\n|\Z|{begins}))"


def _literal(text):
    """Pattern for `text` in any case and with either apostrophe."""
    parts = []
    for char in text:
        if char == "'":
            parts.append(_APOSTROPHE)
        elif char.isalpha():
            parts.append(f"[{char.upper()}{char.lower()}]")
        else:
            parts.append(re.escape(char))
    return "".join(parts)


def _any_of(texts):
    """Pattern for any of `texts`, as a tree over their first characters."""
    by_first = {}
    for text in texts:
        by_first.setdefault(text[:1].lower(), set()).add(text[1:])
    optional = "" in by_first
    by_first.pop("", None)
    branches = [_literal(c) + _any_of(rest) for c, rest in sorted(by_first.items())]
    if not branches:
        return ""
    joined = branches[0] if len(branches) == 1 and not optional else f"(?:{'|'.join(branches)})"
    return joined + ("?" if optional else "")


@cache
def _contractions():
    """Patterns of first halves, of what follows a clitic's apostrophe, and of whole words."""
    lines = read_list("contractions.txt")
    clitics = [second for first, *rest in lines if first == "*" for second in rest]
    halves = [(first, rest[0]) for first, *rest in lines if first != "*" and rest]
    whole = [first for first, *rest in lines if not rest]
    first_half = "|".join(rf"{_literal(a)}(?={_literal(b)}\b)" for a, b in halves)
    clitic = _any_of([text[1:] for text in clitics if text != "n't"])
    return first_half, clitic, _any_of(whole)


@cache
def _class_of(test):
    """Pattern of a character that passes `test`."""
    return f"[{''.join(re.escape(c) for c in map(chr, range(0x110000)) if test(c))}]"


def _is_mark(char):
    return category(char).startswith("M") or char in "\u00ad\u200c\u200d\u2060"


def _is_capital(char):
    return char.isalnum() and not char.isdecimal() and (char.isupper() or char.isdigit())


_KEY = {"\ufe0f": "\ua000", "\u20e3": "\ua001"}  # letters that stand for these marks behind words
_LETTER = r"[^\W\d_]"
_SPACE = r"[^\S\n]?"  # lines are apart, so that many can be searched at once
_PHONE = r"(?:\d+(?:-\d+){2,}|(?!\d{4}-)\d+-\d{4})(?!\w)(?!-\w)"


def _names():
    """Patterns of URLs, mail addresses, hosts and files."""
    path = rf"/(?:\S*{_TRAILING})?"
    drive = rf"[A-Za-z0-9_]:\\(?=\S)(?:\S*{_TRAILING})?"
    last = r"(?!\w)(?![.\-+%@]\w)(?!\.{2,}@\w)"
    return [
        drive,
        rf"(?:https?://|ftp://|www\.|mailto:)\S*{_TRAILING}/?",
        r"\w+(?:[.\-+%]\w+|\.{2,}(?=@\w+(?:-\w+)*\.\w))*@\w+(?:[.\-]\w+)*",
        rf"\w+(?:[.\-]\w+)*\.{_any_of(read_words('name_endings.txt'))}{last}(?:{path})?",
        rf"\w+(?:[.\-]\w+)*\.[a-z]{{2,}}(?=/\w){path}",
    ]


def _part():
    """Pattern of a letter or Roman numeral that names a part."""
    followers = "|".join(_around("follower"))
    end = rf"(?!\w|{_APOSTROPHE})"
    return (
        rf"(?:(?:[A-Za-z][0-9]+|[CILVX]{{2,}}|[ivx]{{2,}}|[B-HJ-Zb-hj-np-tvwyz]){end}"
        rf"|[AIai]{end}(?=[).:;\]]|{_SPACE}(?:\n|\Z)| of(?!\w))"
        rf"|[Aa]{end}(?= (?:{followers})(?!\w)))"
    )


def _abbreviated(split):
    """Patterns of abbreviations, letters with periods, tickers and initials."""
    keys = _abbreviations(kernels.ALWAYS)
    dotted = _any_of(key for key in keys if "." in key)
    always = _any_of(key for key in keys if "." not in key)
    called = "|".join(rf"(?<=(?<!\w){word} )" for word in sorted(_around("determiner")))
    ordinary = (
        rf"{_ordinary('small')}|{_ordinary('shouted')}{_ends(False)}"
        rf"|(?:{called}){_ordinary('called')}{_ends(True)}"
        rf"|(?!{called}){_ordinary('called')}{_ends(False)}"
        rf"|(?<![(\[])(?<!, ){_ordinary('name')}{_ends(True)}"
    )
    inner, numbered = (_any_of(_abbreviations(bit)) for bit in (kernels.INNER, kernels.NUMBERED))
    lettered, verse = (_any_of(_abbreviations(bit)) for bit in (kernels.LETTERED, kernels.VERSE))
    within = r"(?:(?<=[(\[])|(?<=[\w,] ))(?=[A-Z])"
    end = rf"(?!{_SPACE}(?:\n|\Z|{_class_of(_is_capital)}))"
    hyphens = "" if split else r"(?:-\w+)*"
    hyphened = r"(?=-\w)" if split else r"(?:-\w+)+"
    return [
        rf"(?=[A-Za-z][A-Za-z.\-]{{0,9}}\.)(?:{dotted}\.(?![a-z\d.])|(?!{ordinary})"
        rf"{always}\.(?![a-z\d.])|{inner}\.(?![a-z\d.]){end}"
        rf"|(?!{_ordinary('small')})(?:{numbered}\.(?={_SPACE}\d)"
        rf"|{verse}\.(?={_SPACE}\d+[.:]\d)|{lettered}\.(?=[^\S\n]{_part()})"
        rf"|{within}{lettered}\.(?=[^\S\n][AIai](?!\w|{_APOSTROPHE})))){hyphens}",
        rf"(?:{_LETTER}\.(?:-(?={_LETTER}\.))?){{2,}}"
        rf"(?:{'' if split else hyphened + '|'}{_LETTER}(?![\w.]))?",
        r"[A-Z]{2,}\.[A-Z]{1,2}(?=\))",
        rf"(?<!°)[A-Z]\.(?:(?=[,;:]|{_APOSTROPHE}{_LETTER})|(?<!I\.)(?:{hyphened}|(?={_SPACE}[A-Z])"
        rf"|(?:(?=[)\]])|(?<=, [A-Z]\.)(?= ))(?!{_ends(False)})))",  # an initial
    ]


def _words(clitic, split):
    """Pattern of words that are joined."""
    # Apostrophes that start no clitic; periods before a lower-case letter or digit; & @ and _
    # between letters; hyphens.
    joined = (
        rf"{_APOSTROPHE}(?!{clitic}\b)(?!(?<=[nN]{_APOSTROPHE})[tT]\b)(?=[^\W_])"
        rf"|\.(?=[a-z\d])|[.,:/](?<=\d.)(?=\d)|(?!{_entity()})[&@_](?=\w)|{_key()}\+(?=\w)"
    )
    part, end = r"\w+", ""
    if split:
        prefix = _any_of(read_words("prefixes.txt"))
        part = rf"(?:{prefix}-(?=\w))*(?:(?:{prefix}|{_LETTER}{{1,2}})-(?!\S)|\w+)"
    else:
        dotted = "|".join(_abbreviated(False)[:2])
        joined += rf"|-(?=\w)(?!{dotted})"
        end = rf"(?:-(?:{dotted})(?:-\w+)*)?"
    return rf"{part}(?:(?:{joined}){part})*(?!(?<=[nN]){_APOSTROPHE}[tT]\b){end}"


def _key():
    keys = [rf"(?<=\b{_literal(key)})" for key in read_words("keys.txt")]
    return f"(?:{'|'.join(keys)})"


@cache
def _entity():
    names = "|".join(_literal(name) for name in read_words("markup.txt") if name[0] == "&")
    return rf"(?:&#(?=[^\n]{{1,7}};)[xX]?[0-9a-fA-F]*;|(?:{names});)"


def _whole(words):
    """Patterns of entities, tags, chemical names, options and paths that a mark begins."""
    tags = "|".join(_literal(name) for name in read_words("markup.txt") if name[0] != "&")
    opened = r"""(?:(?<!\S)|(?<=["'(\[`]))"""
    return [
        _entity(),
        rf"</?(?:{tags})(?!\w)(?:>|(?=/|[^\n<>]*=)[^\n<>]*>)",
        rf"(?<!\w)\((?=[0-9',]*[+\-DELRSZ])[0-9'+,\-DELRSZ]+\)-(?=[^\W_]){words}",
        rf"(?<!\S)-(?![aAiI])[a-zA-Z](?=[\s),:;]|\Z)|(?<=`)-{_LETTER}\w*",
        rf"{opened}--[a-z](?:\w|-(?=[a-z]))+(?![\w-])(?:=\S*{_TRAILING})?",
        rf"{opened}(?:~|\.\.?)/(?={_LETTER}|[_.])\S*{_TRAILING}",
        rf"{opened}/(?={_LETTER}|[_.])[^\s/]+/(?=\w)\S*{_TRAILING}",
        rf"{opened}\\\\(?=\w)\S*{_TRAILING}",
    ]


def _pictures():
    """Pattern of a character outside ASCII with what changes it."""
    after = r"[\u2000-\ud7ff\udce2-\udcff\ue000-\U0010ffff]"
    mark = _class_of(_is_mark)
    return (
        r"(?:[\U0001f1e6-\U0001f1ff]{2}|[^\x00-\x7f\udc80-\udcc1\s])"
        rf"(?:\u200d(?![\w\s]){after}|{mark}|[\U0001f3fb-\U0001f3ff\U000e0000-\U000e007f])*"
    )


@cache
def _pattern(split):
    first_half, clitic, whole = _contractions()
    slashed = "|".join(map(_literal, sorted(read_words("slashed_words.txt"), key=len)[::-1]))
    ending = _any_of(read_words("name_endings.txt"))
    number = r"\d+(?:[.,:/]\d+)*"
    number = rf"(?:{_PHONE}|{number}\w*)" if split else rf"{number}(?:-?\w+)*"
    alternatives = [
        rf"[0-9]{_KEY[chr(0xFE0F)]}?{_KEY[chr(0x20E3)]}",
        *([_PHONE] if split else []),
        rf"\d+0{_APOSTROPHE}s(?!\w)",
        *_names(),
        rf"[nN]{_APOSTROPHE}[tT]\b",
        rf"[A-Z](?:,[A-Z])+-(?={_LETTER}){_words(clitic, False)}",
        rf"(?:{first_half})",
        *_abbreviated(split),
        rf"(?<!/)(?:{slashed})(?![\w/])",
        r"[A-Z]{1,2}\$",
        _words(clitic, split),
        rf"(?<![\w)\]])(?:(?<!%)(?<![^\x00-\x7f\s“‘])[+-])?[.,]?{number}",
        *_whole(_words(clitic, False)),
        rf"""(?:(?<!\S)|(?<=["'(\[`]))\.{ending}(?!\w)""",
        rf"(?<!\w)(?:[@#](?=\d*[^\W\d])\w+|\$[A-Z]{{1,5}}(?!\w)(?!{_SPACE}\d))",
        rf"{_APOSTROPHE}(?:{clitic}\b|\d\ds\b)|{whole}(?!\w)",
        r"[*#]\ufe0f?\u20e3|[!.?]+|([$*+\-<=>^|~\x01])\1*|``|''",
        _pictures(),
        r"\S",
    ]
    return re.compile("|".join(alternatives))


def naive_spans(text, split=False):
    """Where the tokens of `text` stand: a list of (start, end) in characters."""
    chars, text = [], text.replace("ʼ", "′").replace("\x01", "\x02")
    for char in text:  # a mark behind a word is a letter, of which no list knows
        in_word = _is_mark(char) and re.match(r"\w", "".join(chars[-1:]))
        chars.append(_KEY.get(char, "\ua66e") if in_word else char)
    chars, found, stop = "".join(chars), [], 0
    while match := _pattern(split).search(chars, stop):
        begin, end = match.span()
        if (parted := _part_underscores(text, chars, begin)) != chars:
            chars = parted
            continue
        stop = _dropped_end(chars, begin) or _face_end(text, chars, begin)
        stop = stop or _initial_end(chars, begin) or end
        found.append((begin, stop))
    return found


def _is_word(text, i):
    return bool(re.match(r"\w", text[i : i + 1])) and i >= 0


def _is_blank(text, i):
    return not 0 <= i < len(text) or text[i].isspace()


def _part_underscores(text, chars, i):
    """The characters with \x01 for underscores at i, and their partners, that mark words."""
    run = re.compile(r"__?(?!_)").match(chars, i)
    if not run or _is_word(chars, i - 1) or not _is_word(chars, run.end()):
        return chars
    n = len(run[0])
    for k in range(i + n, len(text)):
        if text[k] == "\n":
            break
        closes = text.startswith("_" * n, k) and text[k - 1] != "_"
        if closes and not _is_word(chars, k + n) and not _is_blank(text, k - 1):
            if n == 1 or re.search(r"\s", text[i:k]):
                mark = "\x01" * n
                return chars[:i] + mark + chars[i + n : k] + mark + chars[k + n :]
            break
    return chars


def _initial_end(text, i):
    """End of an initial at i before a small word, or of one that is `I`, or None."""
    match = re.compile(r"([A-Za-z])\.[^\S\n](\w+)").match(text, i)
    if not match:
        return None
    initial, word = match.groups()
    before = re.search(r"(?<!\w)(\w+) \Z", text[max(0, i - 300) : i])
    before = before[1] if before else ""
    starters = read_words("sentence_starters.txt")
    if initial == "I":
        name = re.match(r"[A-Z][a-z]", word) and not re.match(
            _any_starter(), text[match.start(2) :]
        )
        is_name = re.fullmatch(r"[A-Z].*[a-z]", before, re.DOTALL) and before not in starters
        is_name = is_name and before not in _around("counted")
        is_name = is_name or re.search(r"(?<!\w)[A-Z]\. \Z", text[max(0, i - 5) : i])
        return i + 2 if name and is_name and not text.startswith("\n", i + 2) else None
    if initial.islower():
        return (
            i + 2 if text[:i].endswith(" ") and text[i + 2] == " " and _is_epithet(word) else None
        )
    if not re.match(r"[a-z]\w", word) or (i > 0 and text[i - 1] == "°") or before[-1:].isdecimal():
        return None
    going_on = re.match("[A-Z]", before) or word[0].upper() + word[1:] not in starters
    return i + 2 if going_on else None


@cache
def _any_starter():
    return rf"(?:{'|'.join(map(re.escape, read_words('sentence_starters.txt')))})(?!\w)"


def _is_epithet(word):
    if not re.fullmatch("[a-z]+", word):
        return False
    around = ("follower", "counted", "determiner", "ending", "opener")
    if word in _around("epithet") or any(word in _around(kind) for kind in around):
        return word in _around("epithet")
    return len(word) > 4 and word.endswith(tuple(_around("ending")))


def _face_end(text, chars, i):
    """End of a face at i, or None."""
    glued = not _is_blank(text, i - 1)
    if _is_word(chars, i) or (glued and text[i] not in ":;<=^") or _is_blank(text, i + 1):
        return None
    before = text[i - 1] if glued else ""
    alone = _is_word(chars, i - 1) and not _is_word(chars, i - 2) and before.isascii()
    if alone and (text[i] == "<" or before < "a"):
        return None
    known = read_list("emoticons.txt")[0] if glued else read_words("emoticons.txt")
    ends = [
        i + len(face) for face in known
        if text.startswith(face, i)
        and re.match(rf"[\s{'!,.?' if face[-1] == '(' else _CLOSES}]|\Z", text[i + len(face) :])
    ]  # fmt: skip
    if not ends:
        return None
    end = max(ends)
    if text[end - 1] != ")":
        return end
    single = not text[: end - 1].endswith(")") and not text.startswith(")", end)
    end += len(re.match(r"\)*", text[end:])[0])
    if not _is_open(text[:i].rpartition("\n")[2]):
        return end
    return end - 1 if not single else None if glued else end


def _is_open(line):
    depth = 0
    for mark in re.findall(r"(?<![-:;='])\(|\)", line):
        depth = depth + 1 if mark == "(" else max(depth - 1, 0)
    return depth > 0


def _dropped_end(text, begin):
    """End of a word that ends with an apostrophe which closes no quotation, or None."""
    word = re.compile(rf"\w+{_APOSTROPHE}(?!\w)").match(text, begin)
    if not word:
        return None
    key = re.sub(_APOSTROPHE, "'", word[0].lower())
    dropped = word[0][:-1].endswith("in") and len(word[0][:-1].encode(*_BYTES)) > 3
    if not (dropped or [key] in read_list("contractions.txt")):
        return None
    line = text[:begin].rpartition("\n")[2]
    whole = re.compile(rf"{_contractions()[2]}(?!\w)")
    for i in range(len(line) - 1, -1, -1):
        at = text[begin - len(line) + i :]
        if line[i] in _APOSTROPHES and not re.match(r"\w", at[1]):
            break
        if line[i] in _APOSTROPHES and whole.match(at):
            continue
        if line[i] == "‘" or (
            line[i] in _APOSTROPHES and re.search(r"""(?:^|[\s"(])$""", line[:i])
        ):
            return None
    return word.end()


_CLOSING = frozenset(('"', "''", "'", "’", "”", ")", "]", "}"))
_OPENING = frozenset(('"', "``", "`", "'", "‘", "“", "(", "[", "--", "-", "*"))
_PLAIN_QUOTES = frozenset(('"', "'"))


def naive_sentence_starts(tokens, joined=None):
    """Index of the first token of each sentence of `tokens`: a list of str.

    joined: whether each token follows the one before without a blank, a list of bool; it tells
    quotes that open from those that close. Without it, or where it leaves a choice, `"` alternates
    and `'` closes. Where sentences end, `text.sentences` says.
    """
    starts = [0] if tokens else []
    joined = joined or [False] * len(tokens)
    opening = _opening_quotes(tokens, joined)
    for i, token in enumerate(tokens):
        stop = _full_stop(tokens, i)
        number = i - 1 if i > 0 and token[0] == "." else i
        item = starts[-1] == number and token[-1] == "." and _is_item(tokens[number])
        if stop is None or item:
            continue
        j = i + 1
        while j < len(tokens) and (n := _trailing(tokens, joined, j, opening)):
            j += n
        if j == len(tokens):
            break
        if starts[-1] == j:  # a face after a full stop
            continue
        if stop == "abbreviated" and j == i + 1 and _is_first_phrase(tokens, starts[-1], i):
            continue
        small = j == i + 1 and stop == "plain" and _goes_on_small(tokens, joined, i)
        if small or _begins(tokens, j, plain=stop != "abbreviated"):
            starts.append(j)
    return starts


def _is_item(token):
    return re.match(r"[0-9]|(?:[A-Za-z]|[IVXivx]+)\.?\Z", token)


def _is_first_phrase(tokens, first, i):
    title = tokens[i + 1][-1] == "." and tokens[i + 1][:-1].lower() in _abbreviations(kernels.TITLE)
    return title and first < i <= first + 3 and tokens[first] in _around("opener")


def _full_stop(tokens, i):
    token = tokens[i]
    if token[-1] in "!?" or token in read_words("emoticons.txt") or token == ".":
        return "plain"
    if token == "…":
        return "ellipsis"
    if token[-1] != ".":
        return None
    if token[0] in ".!?":
        return "ellipsis" if token[0] == token[-2] == "." else "plain"
    key = token[:-1].lower()
    part = i + 1 < len(tokens) and re.match(
        r"[0-9]|[A-Z][0-9]|[A-Za-z]\Z|[IVXivx]+\Z", tokens[i + 1], re.DOTALL
    )
    counted = kernels.LETTERED
    if part and part[0][0] in "0123456789":
        counted |= kernels.NUMBERED | kernels.VERSE
    goes_on = key in _abbreviations(kernels.TITLE) or (part and key in _abbreviations(counted))
    return None if goes_on else "abbreviated"


def _trailing(tokens, joined, j, opening):
    token = tokens[j]
    if (token in _CLOSING and j not in opening) or token in read_words("emoticons.txt"):
        return 1
    if "\U0001f000" <= token[0] <= "\U0001ffff":
        return 1
    footnote = tokens[j : j + 3]
    if (
        token[0] == "["
        and len(footnote) == 3
        and footnote[2][0] == "]"
        and all(joined[j + 1 : j + 3])
    ):
        return 3 if re.fullmatch("[0-9]{1,5}", footnote[1]) else 0
    return 0


def _is_letter(char):
    return char.isalnum() and not char.isdecimal()


def _goes_on_small(tokens, joined, i):
    """Whether a sentence without a capital begins behind the full stop at token i."""
    if joined[i + 1] or not _is_letter(tokens[i + 1][0]):
        return False
    if tokens[i][0] != ".":
        return True
    before = tokens[i - 1] if i else ""
    return (
        tokens[i] == "." and len(before.encode("utf-8", "surrogateescape")) > 1
        and _is_letter(before[-1])
    )  # fmt: skip


def _opening_quotes(tokens, joined):
    """Indices of the `"` and `'` that open a quotation."""
    found, is_open = set(), False
    for i, token in enumerate(tokens):
        if token in _PLAIN_QUOTES:
            before, after = joined[i], i + 1 < len(tokens) and joined[i + 1]
            opens = after if before != after else token == '"' and not is_open
            if token == '"':
                is_open = opens
            if opens:
                found.add(i)
    return found


def _begins(tokens, j, plain):
    """Whether a sentence may begin at token j, after a plain full stop or after an abbreviation."""
    behind_item = j < 2 or _is_item(tokens[j - 2])
    while j < len(tokens) - 1 and tokens[j] in _OPENING:
        j += 1
    if plain:
        if not behind_item and _is_item(tokens[j]) and tokens[j + 1 :] and tokens[j + 1][0] in ".)":
            return True
        return tokens[j][0].isupper() or tokens[j][0].isdigit()
    return tokens[j] in read_words("sentence_starters.txt")
