"""Documents to CoNLL-U and back, for `Document.to_conllu` and `from_conllu`.

The comment `# layers = [...]` before the first sentence names the layers of a document
that this module wrote, because columns are filled even if there is no layer for them.
The layers of other files are those whose columns or keys have values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

from senna_py.answers.task_objects import header_entry, is_own, read_task
from senna_py.corpora.conllu import COLUMNS, ConlluFile, is_conllu
from senna_py.corpora.sentence_places import SentencePlace
from senna_py.errors import SennaError
from senna_py.formats.conllu import (
    FINAL_BLANK,
    HEAD,
    RELATION,
    SentenceWriter,
    column_of,
    key_of,
    key_of_anchors,
)
from senna_py.formats.conllu_reading import document_of_sentences
from senna_py.io.nesting import parse_json
from senna_py.labels.tasks import (
    ARCS,
    FEATS,
    LEMMA,
    POS,
    TABLE,
    UPOS,
    XPOS,
    Structure,
    find_task,
)
from senna_py.labels.universal_tags import is_penn_tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.answers.document import Document, Sentence
    from senna_py.corpora.conllu import ConlluSentence
    from senna_py.labels.tasks import Task

_NAME = "CoNLL-U"  # The name of the text in messages.
_LAYERS = "layers"
_NONE = "_"


def document_to_conllu(document: Document) -> str:
    """Return a document as CoNLL-U; sentences without tokens are left out."""
    sentences = [each for each in document.sentences if len(each)]
    tasks = [document.layers[name].task for name in document.layers]
    described = [
        task.name if task.name in TABLE and not is_own(task) else header_entry(task)
        for task in tasks
    ]
    lines = []
    if sentences:
        lines = ["# newdoc", f"# {_LAYERS} = {json.dumps(described)}"]
    writer = SentenceWriter()
    for number, sentence in enumerate(sentences):
        following = sentences[number + 1] if number + 1 < len(sentences) else None
        place, final = _place_of(sentence, number, following), "SpaceAfter=No"
        if following is None and place.after == b" ":
            place, final = place._replace(after=b""), FINAL_BLANK
        lines += writer.lines(sentence, place, final)
    return "".join(f"{line}\n" for line in lines)


def _place_of(
    sentence: Sentence, number: int, following: Sentence | None
) -> SentencePlace:
    """Return the place of a sentence, given the next one that has tokens."""
    document = sentence.document
    begin = document._start_char
    end = begin + len(document.text)
    if following is not None:
        end = following.tokens[0].start_char
    first, last = sentence.tokens[0].start_char, sentence.tokens[-1].end_char
    before = document._text_between(begin, first) if number == 0 else ""
    gap = document._text_between(begin, first)[-1:]
    return SentencePlace(
        document=None,
        paragraph=0,
        line=0,
        sentence=number + 1,
        name=str(number + 1),
        begins_paragraph=number == 0 or gap == "\n",
        before=_encode(before),
        after=_encode(document._text_between(last, end)),
        character=0,
        original=None,
    )


def document_of_conllu(
    text: str | bytes | Iterable[str], tasks: Iterable[str] | None = None
) -> Document:
    """Return CoNLL-U as one document; see `Document.from_conllu`."""
    file = ConlluFile(_NAME, raw=BytesIO(_bytes_of(text)))
    sentences = [*file]
    try:
        if tasks is not None:
            return document_of_sentences(sentences, map(find_task, tasks), True)
        is_ours = sentences and sentences[0].comment(_LAYERS) is not None
        return document_of_sentences(sentences, _layers_of(sentences), not is_ours)
    except (ValueError, KeyError, TypeError) as error:
        raise SennaError(f"{_NAME}: {error}") from None


def _bytes_of(text: object) -> bytes:
    """Return CoNLL-U as bytes.

    Raises:
        TypeError: If it is neither a text nor an iterable of lines.
        SennaError: If it looks like the name of a file.
    """
    if isinstance(text, Mapping) or not isinstance(text, Iterable):
        raise TypeError(
            f"CoNLL-U is a str or an iterable of lines, not {type(text).__name__}"
        )
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        lines = list(text)
        for line in lines:
            if not isinstance(line, str):
                raise TypeError(f"a line is a str, not {type(line).__name__}")
        text = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
    if "\n" not in text and is_conllu(text):
        raise SennaError(
            f"{text!r} looks like the name of a file; pass its text, open({text!r}).read()"
        )
    return _encode(text)


def _encode(text: str) -> bytes:
    """Return a text as UTF-8; lone surrogates that are no escapes become `?`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _layers_of(sentences: Sequence[ConlluSentence]) -> list[Task]:
    """Return the tasks whose layers a text has.

    Raises:
        ValueError: If the comment that names them is malformed.
    """
    comment = sentences[0].comment(_LAYERS) if sentences else None
    if comment is not None:
        return [*map(_task_of, _read_list(comment))]
    names = [
        name
        for name in (UPOS, FEATS, LEMMA)
        if any(value != _NONE for each in sentences for value in each.column(name))
    ]
    tags = {tag for each in sentences for tag in each.column(XPOS)} - {_NONE}
    if tags:
        names.insert(0, POS if all(map(is_penn_tag, tags)) else XPOS)
    if _has_heads(sentences):
        names.append(ARCS)
    keys = _keys_of(sentences)
    for name, task in TABLE.items():
        own_keys = {key_of(task)}
        if task.shape.structure is Structure.FRAMES:
            own_keys.add(key_of_anchors(task))
        if task.title and column_of(task) is None and not keys.isdisjoint(own_keys):
            names.append(name)
    return [TABLE.get(name) or find_task(name) for name in dict.fromkeys(names)]


def _read_list(comment: str) -> list[Any]:
    values = parse_json(comment)
    if not isinstance(values, list):
        raise ValueError(f"{_LAYERS}: expected a list, found {comment!r}")
    return values


def _task_of(value: Any) -> Task:
    if isinstance(value, str):
        return find_task(value)
    if not isinstance(value, Mapping) or "task" not in value or "shape" not in value:
        raise ValueError(f"{_LAYERS}: expected the name of a task, found {value!r}")
    return read_task(value)


def _keys_of(sentences: Iterable[ConlluSentence]) -> set[str]:
    """Return the keys that occur in the column MISC of tokens."""
    place = COLUMNS.index("misc")
    return {
        item.partition("=")[0]
        for sentence in sentences
        for rows in sentence.rows
        for row in rows
        for item in row[place].split("|")
    }


def _has_heads(sentences: Iterable[ConlluSentence]) -> bool:
    """Return whether all tokens have heads.

    Trees in which every token is `dep` of the first one are only placeholders, which
    the format `conllu` prints without dependencies.
    """
    is_tree = False
    for sentence in sentences:
        heads, relations = sentence.column(HEAD), sentence.column(RELATION)
        if _NONE in heads:
            return False
        n_more = len(heads) - 1
        is_placeholder = (heads, relations) == (
            ["0"] + ["1"] * n_more,
            ["root"] + ["dep"] * n_more,
        )
        is_tree = is_tree or not is_placeholder
    return is_tree
