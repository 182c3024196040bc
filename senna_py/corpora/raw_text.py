"""Read treebanks as raw text: paragraphs of sentences and tokens, with spaces.

CoNLL-U files have spaces and paragraphs (`SpaceAfter=No`, `# newdoc`, `# newpar`).
Column files of words and Penn tags do not, so both are guessed: `detokenize` returns
the spaces, and a sentence without a final mark (such as a title, a greeting or a list
item) is a paragraph.
"""

import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from senna_py.corpora.conll import ColumnFile
from senna_py.corpora.conllu import ConlluFile, ConlluSentence, Row
from senna_py.errors import UsageError

_COLUMNS = ("word", "pos", "xpos", "upos")  # the names that columns may have
_NONE = "_"
_NO_SPACE_BEFORE = {"-RRB-", "''", "POS", "HYPH"}  # Penn tags
_NO_SPACE_AFTER = {"-LRB-", "``", "$", "HYPH"}
_ATTACHED_WORDS = re.compile(
    r"[.,;:!?%…]+|['’](?:s|re|ve|ll|d|m)|n['’]?t|[”’]", re.IGNORECASE
)
# The second parts of contractions without an apostrophe, such as "im", "thats" and
# "youre", with their tags. The tag is followed by the first part if that matters.
_BARE_CONTRACTIONS = {
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
    """A syntactic word and its annotations as in CoNLL-U; missing values are `_`.

    Attributes:
        form: The word.
        upos: Its universal part of speech.
        xpos: Its part of speech in the tag set of the language.
        feats: Its features.
        lemma: Its lemma.
        head: The number of its head in the sentence, from 1, or 0 if it is the root.
        relation: Its relation to the head.
    """

    form: str
    upos: str = _NONE
    xpos: str = _NONE
    feats: str = _NONE
    lemma: str = _NONE
    head: str = _NONE
    relation: str = _NONE


class RawSentence(NamedTuple):
    """A sentence of a treebank as raw text.

    Attributes:
        place: The file and line of its first token, such as `dev.conllu: line 3`.
        forms: The surface forms of the tokens.
        spaces: Whether a space follows each token.
        words: The syntactic words of each token.
    """

    place: str
    forms: list[str]
    spaces: list[bool]
    words: list[list[Word]]


def column_names(names: str) -> list[str]:
    """Return the names of columns in a list such as `word,-,pos`.

    Raises:
        UsageError: If a name is unknown or repeated, or `word` is missing.
    """
    columns = names.split(",")
    known = [name for name in columns if name != "-"]
    if "word" not in known or not {*known} <= {*_COLUMNS} or len({*known}) < len(known):
        raise UsageError(
            f"--columns {names}: expected word, and maybe {', '.join(_COLUMNS[1:])}, once each, "
            "or - to skip a column"
        )
    return columns


def read_paragraphs(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    multiwords: str = "words",
) -> Iterator[list[RawSentence]]:
    """Yield the paragraphs of a file.

    Args:
        path: The file.
        columns: The names of the columns of a column file; see `column_names`. Without
            them, the file is CoNLL-U, in which `# newdoc` and `# newpar` begin a
            paragraph.
        multiwords: `words` returns all words of a multiword token. `tokens` joins them
            into one word with all their tags, and drops dependencies.

    Raises:
        SennaError: If the file cannot be read or a line is malformed. The message names
            the file and the line.
    """
    paragraph: list[RawSentence] = []
    sentences = _conllu_sentences(path, multiwords)
    if columns:
        sentences = _column_sentences(path, columns)
    for sentence, begins, ends in sentences:
        if begins and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(sentence)
        if ends:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


class _BoundedSentence(NamedTuple):
    """A sentence, whether it begins a paragraph, and whether it ends one."""

    sentence: RawSentence
    begins: bool
    ends: bool


def _conllu_sentences(
    path: str | os.PathLike[str], multiwords: str
) -> Iterator[_BoundedSentence]:
    file = ConlluFile(path, "tokens")
    for sentence in file:
        if multiwords == "tokens":
            words = _token_words(sentence)
        else:
            words = [[*map(_word_of_row, rows)] for rows in sentence.rows]
        place = f"{file.name}: line {sentence.lines[0]}"
        yield _BoundedSentence(
            RawSentence(place, sentence.forms, sentence.spaces, words),
            sentence.begins_paragraph,
            False,
        )


def _word_of_row(row: Row) -> Word:
    _, form, lemma, upos, xpos, feats, head, relation, *_ = row
    return Word(form, upos, xpos, feats, lemma, head, relation)


def _token_words(sentence: ConlluSentence) -> list[list[Word]]:
    """Return one word for each token, with the tags of its words joined by `+`."""
    # MISC may have a tag for the multiword token as a whole.
    tags = zip(sentence.column("misc.UPOS"), sentence.column("upos"), strict=True)
    upos = [joined if whole == _NONE else whole for whole, joined in tags]
    others = (sentence.column(name) for name in ("xpos", "feats", "lemma"))
    return [[Word(*cells)] for cells in zip(sentence.forms, upos, *others, strict=True)]


def _column_sentences(
    path: str | os.PathLike[str], columns: Sequence[str]
) -> Iterator[_BoundedSentence]:
    file = ColumnFile(path, len(columns), first=columns[0], widths=(len(columns),))
    for sentence in file:
        by_name = dict(zip(columns, sentence.columns, strict=False))
        forms, nothing = by_name["word"], [_NONE] * sentence.n_tokens
        xpos = by_name.get("xpos", by_name.get("pos", nothing))
        words = zip(forms, by_name.get("upos", nothing), xpos, strict=True)
        has_final_mark = any(form[-1:] in ".!?…" for form in forms[-3:])
        spaces = detokenize([*zip(forms, xpos, strict=True)])
        place = f"{file.name}: line {sentence.line}"
        yield _BoundedSentence(
            RawSentence(place, forms, spaces, [[Word(*word)] for word in words]),
            not has_final_mark,
            not has_final_mark,
        )


def detokenize(tokens: Sequence[tuple[str, str]]) -> list[bool]:
    """Return whether a space would follow each token of a sentence in ordinary text.

    There is no space before a closing mark, a clitic or a period, after an opening
    mark, or around a hyphen (HYPH), a slash, or a dash with the tag SYM.

    Args:
        tokens: Pairs of a word and its Penn tag.
    """
    spaces = []
    for (word, tag), (next_word, next_tag) in pairwise(tokens):
        next_lower = next_word.lower()
        is_attached = (
            tag in _NO_SPACE_AFTER
            or next_tag in _NO_SPACE_BEFORE
            or word in "/#"
            or next_word == "/"
            or (
                _ATTACHED_WORDS.fullmatch(next_word)
                and (next_word, next_tag) != (":", "NFP")
            )
            or (next_lower, next_tag) in _BARE_CONTRACTIONS
            or (next_lower, f"{next_tag} {word.lower()}") in _BARE_CONTRACTIONS
            or ("SYM" in (tag, next_tag) and {word, next_word} & {"-", "–"})
            or (word, next_word) == ("'", "s")
        )
        spaces.append(not is_attached)
    return [*spaces, True]


def raw_text(paragraph: Sequence[RawSentence]) -> tuple[str, list[int]]:
    """Return the text of a paragraph as one line, and the offsets of its sentences.

    A space follows each sentence.
    """
    parts: list[str] = []
    begins: list[int] = []
    length = 0
    for sentence in paragraph:
        begins.append(length)
        last = len(sentence.forms) - 1
        tokens = zip(sentence.forms, sentence.spaces, strict=True)
        for i, (form, has_space) in enumerate(tokens):
            parts.append(f"{form} " if has_space or i == last else form)
            length += len(parts[-1])
    return "".join(parts), begins
