"""Treebanks as raw text: paragraphs, their tokens and sentences, and what stands
between these.

CoNLL-U tells all of it: `SpaceAfter=No`, `# newdoc` and `# newpar`. Column files of
words and Penn tags do not. Their blanks come from `detokenize`; their lines from a
guess: a sentence without a final mark (a title, a greeting, an entry of a list) is a
paragraph of its own.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from senna_py.corpora.conll import ColumnFile
from senna_py.corpora.conllu import ConlluFile
from senna_py.errors import UsageError

_COLUMNS = ("word", "pos", "xpos", "upos")  # names of columns of a column file
_NONE = "_"
_LEFT = {"-RRB-", "''", "POS", "HYPH"}  # tags of what follows without a blank
_RIGHT = {"-LRB-", "``", "$", "HYPH"}  # and of what has none behind it
_LEFT_WORDS = re.compile(
    r"[.,;:!?%…]+|['’](?:s|re|ve|ll|d|m)|n['’]?t|[”’]", re.IGNORECASE
)
_BARE = {  # contractions without an apostrophe: "im", "thats", "youre"
    ("m", "VBP"),
    ("s", "VBZ"),
    ("re", "VBP"),
    ("ve", "VBP"),
    ("ll", "MD"),
    ("d", "MD"),
    ("nt", "RB"),
    ("na", "TO"),
    ("ta", "TO"),
    ("not", "RB can"),
    ("me", "PRP gim"),
    ("me", "PRP lem"),
    ("s", "PRP let"),
}


class Word(NamedTuple):
    """A syntactic word, its parts of speech, features, lemma and dependency; `_` for
    none.

    head: the number of the word in its sentence that it depends on, from 1 on, 0 for
    the root.
    """

    form: str
    upos: str = _NONE
    xpos: str = _NONE
    feats: str = _NONE
    lemma: str = _NONE
    head: str = _NONE
    relation: str = _NONE


class RawSentence(NamedTuple):
    """A sentence: its tokens in raw text, and whether a blank follows each.

    place: of its first token, such as `dev.conllu: line 3`; words: a list of Word for
    each token.
    """

    place: str
    forms: list
    spaces: list
    words: list


def column_names(given):
    """Names of columns, such as `word,-,pos`; raises UsageError for what are none."""
    names = given.split(",")
    named = [name for name in names if name != "-"]
    if "word" not in named or not {*named} <= {*_COLUMNS} or len({*named}) < len(named):
        raise UsageError(
            f"--columns {given}: expected word, and maybe {', '.join(_COLUMNS[1:])}, once each, "
            "or - to skip a column"
        )
    return names


def read_paragraphs(path, columns=None, multiwords="words"):
    """Yield the paragraphs of a file: lists of RawSentence.

    columns: `column_names` of a column file; without any it is CoNLL-U, in which `#
    newdoc` and `# newpar` begin a paragraph. multiwords: `tokens` makes one word of
    each token of several, with all of their tags, without dependencies. Raises
    SennaError naming the line that cannot be read.
    """
    paragraph = []
    for sentence, begins, ends in (
        _columns(path, columns) if columns else _conllu(path, multiwords)
    ):
        if begins and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(sentence)
        if ends:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _conllu(path, multiwords):
    """Yield each RawSentence of CoNLL-U, and whether a paragraph begins and ends
    there.
    """
    file = ConlluFile(path, "tokens")
    for found in file:
        if multiwords == "tokens":
            upos = [
                own if own != _NONE else joined
                for own, joined in zip(
                    found.column("misc.UPOS"), found.column("upos"), strict=True
                )
            ]
            others = (found.column(name) for name in ("xpos", "feats", "lemma"))
            words = [
                [Word(*each)] for each in zip(found.forms, upos, *others, strict=True)
            ]
        else:
            words = [
                [Word(row[1], *row[3:6], row[2], *row[6:8]) for row in rows]
                for rows in found.rows
            ]
        place = f"{file.name}: line {found.lines[0]}"
        yield (
            RawSentence(place, found.forms, found.spaces, words),
            found.begins_paragraph,
            False,
        )


def _columns(path, columns):
    file = ColumnFile(path, len(columns), first=columns[0], widths=(len(columns),))
    for found in file:
        named = dict(zip(columns, found.columns, strict=False))
        forms, nothing = named["word"], [_NONE] * found.n_tokens
        xpos = named.get("xpos", named.get("pos", nothing))
        words = zip(forms, named.get("upos", nothing), xpos, strict=True)
        alone = not any(form[-1:] in ".!?…" for form in forms[-3:])
        spaces = detokenize([*zip(forms, xpos, strict=True)])
        place = f"{file.name}: line {found.line}"
        yield (
            RawSentence(place, forms, spaces, [[Word(*word)] for word in words]),
            alone,
            alone,
        )


def detokenize(tokens):
    """Whether a blank follows each of `tokens`: a list of (word, Penn tag); returns a
    list of bool.

    Words have their marks as they are printed: none before a closing mark, a clitic and
    a period, none behind an opening one, none around a hyphen (HYPH), a slash, and a
    dash between numbers.
    """
    blank = []
    for (word, tag), (follower, its_tag) in pairwise(tokens):
        joined = (
            tag in _RIGHT
            or its_tag in _LEFT
            or word in "/#"
            or follower == "/"
            or (_LEFT_WORDS.fullmatch(follower) and (follower, its_tag) != (":", "NFP"))
            or (follower.lower(), its_tag) in _BARE
            or (follower.lower(), f"{its_tag} {word.lower()}") in _BARE
            or ("SYM" in (tag, its_tag) and {word, follower} & {"-", "–"})
            or (word, follower) == ("'", "s")
        )
        blank.append(not joined)
    return [*blank, True]


def raw_text(paragraph):
    """The text of a list of RawSentence, in one line, and where its sentences begin:
    str, list.
    """
    parts, begins, length = [], [], 0
    for sentence in paragraph:
        begins.append(length)
        last = len(sentence.forms) - 1
        for i, (form, space) in enumerate(
            zip(sentence.forms, sentence.spaces, strict=True)
        ):
            parts.append(form + " " * (space or i == last))
            length += len(parts[-1])
    return "".join(parts), begins
