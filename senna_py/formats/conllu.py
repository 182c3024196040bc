"""The format `conllu`: CoNLL-U from which the text can be restored."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from senna_py.corpora.conllu import COLUMNS, KEYS
from senna_py.formats.links import links_of
from senna_py.formats.sentences import SentencePrinter
from senna_py.labels.parts_of_speech import UNIVERSAL, parts_of_speech
from senna_py.labels.tag_schemes import convert, encode
from senna_py.labels.tasks import Structure
from senna_py.labels.universal_tags import OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.corpora.places import BatchPlace
    from senna_py.corpora.sentence_places import SentencePlace
    from senna_py.labels.tasks import Task
    from senna_py.model import Model
    from senna_py.tagger import Tagger

# The columns of tasks that have a different name.
_OTHER_COLUMNS = {"pos": "xpos"}
# The tasks that are added if the model has them; the first one, even to tasks that the
# user named.
_ADDED = "upos", "feats"
UNIVERSAL_COLUMN, _SPECIFIC, HEAD, RELATION = "upos", "xpos", "head", "deprel"
# The keys of tasks in the column MISC.
_KEYS = KEYS | {"srl": "Roles", "psg": "Parse"}

_WITHIN = "dep"  # The relation of the further words of a range to its first word.
_ESCAPES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": r"\\"}
_TO_ESCAPE = re.compile(r"[\s|\\]")
_SPACE = re.compile(r"\s")
_LINE_SPACE = re.compile(r"[\t\n\r]")  # white space that no form may have
_NO_SPACE = "SpaceAfter=No"
# A blank at the end of a document needs a key: without one, nothing follows there.
FINAL_BLANK = r"SpacesAfter=\s"
_NO_COLUMNS = "\t_" * 7  # the columns between form and items of the line of a range

Values = list[str | None]


def column_of(task: Task) -> str | None:
    """Return the column for the tags of a task, or None if they need a key."""
    column = _OTHER_COLUMNS.get(task.name, task.name)
    return column if column in COLUMNS[2:-1] else None


def key_of(task: Task) -> str:
    """Return the key in the last column for the layer of a task."""
    return _KEYS.get(task.name, task.name)


def key_of_anchors(task: Task) -> str:
    """Return the key in the last column that marks the anchors of a task."""
    return task.anchor_name.capitalize() or f"{key_of(task)}.anchor"


class _Annotated(NamedTuple):
    """The layers of a sentence as values of its tokens.

    Attributes:
        columns: The values of each token by column.
        keys: The values of each token by key of the last column; None or an empty
            string if the token does not have the key.
    """

    columns: dict[str, Sequence[str]]
    keys: dict[str, Values]


class _WordColumns:
    """Sets the columns of the words of a sentence, line by line."""

    def __init__(self, columns: dict[str, Sequence[str]]) -> None:
        self._columns = columns
        self._places = [COLUMNS.index(name) for name in columns]
        self._of_range: Iterator[list[str]] = iter(())

    def fill(self, row: list[str], token: int | None) -> None:
        """Set the columns of a line that belongs to a token, or is a word of a range.

        The columns of the range itself do not change; the tags are set on its words.
        """
        if "-" not in row[0]:
            values = (
                self._of_word(token) if token is not None else next(self._of_range, [])
            )
            for place, value in zip(self._places, values, strict=False):
                row[place] = value
        elif token is not None:
            begin, _, end = row[0].partition("-")
            self._of_range = self._of_words(token, int(end) - int(begin) + 1)

    def _of_word(self, token: int) -> list[str]:
        """Return the values of a token that is one word."""
        return [
            tags[token].partition("+")[0] if name == UNIVERSAL_COLUMN else tags[token]
            for name, tags in self._columns.items()
        ]

    def _of_words(self, token: int, n_words: int) -> Iterator[list[str]]:
        """Yield the values for each word of a token.

        A tag is split at `+` into the tags of the words. Placeholders are used for
        further words.
        """
        tags = [values[token].split("+") for values in self._columns.values()]
        none = [OTHER if name == UNIVERSAL_COLUMN else "_" for name in self._columns]
        for k in range(n_words):
            yield [
                tag[k] if k < len(tag) else lack
                for tag, lack in zip(tags, none, strict=True)
            ]


class SentenceWriter:
    """Writes sentences as lines of CoNLL-U."""

    def __init__(self, scheme: str = "iobes", offsets: bool = False) -> None:
        """Set the scheme of tags, and whether tokens have their character offsets."""
        self._scheme, self._offsets = scheme, offsets

    def lines(
        self, sentence: Sentence, at: SentencePlace, final: str = _NO_SPACE
    ) -> Iterator[str]:
        """Yield the lines of a sentence of raw text.

        Args:
            sentence: The sentence.
            at: The place of the sentence.
            final: The item for the space after the sentence if `at` has none.
        """
        ranges, forms = sentence.surface_ranges, sentence.forms
        surface = forms
        if len(ranges) < len(forms):
            surface = [
                forms[first] if end - first == 1 else sentence[first:end].text
                for first, end in ranges
            ]
        spaces = _spaces(sentence, ranges, at, final)
        text = "".join(
            form if space == _NO_SPACE else f"{form} "
            for form, space in zip(surface, spaces, strict=True)
        )
        if at.begins_paragraph:
            yield _paragraph(at)
        yield f"# sent_id = {at.name}"
        yield f"# text = {_LINE_SPACE.sub(' ', text.removesuffix(' '))}"
        if at.before:
            before = f"SpacesBefore={_escape_bytes(at.before)}"
            spaces[0] = f"{spaces[0]}|{before}" if spaces[0] else before
        printed = _on_one_line(surface)
        misc = _with_spaces_inside(spaces, surface, printed)
        if surface is forms:
            yield from self._words(sentence, forms, at.character, misc)
        else:
            # The white space around a range is in the line of the range.
            of_words = [""] * len(forms)
            for (first, end), space in zip(ranges, misc, strict=True):
                if end - first == 1:
                    of_words[first] = space
            words = self._words(sentence, forms, at.character, of_words)
            for (first, end), form, space in zip(ranges, printed, misc, strict=True):
                if end - first > 1:
                    yield f"{first + 1}-{end}\t{form}{_NO_COLUMNS}\t{space or '_'}"
                yield from words[first:end]
        yield ""

    def _words(
        self, sentence: Sentence, forms: list[str], character: int, spaces: list[str]
    ) -> list[str]:
        """Return the line of each word of a sentence of raw text.

        Args:
            sentence: The sentence.
            forms: The forms of its words.
            character: The offset in the document, in characters, from which the
                sentence's offsets count.
            spaces: For each word, the items of the last column about white space,
                separated by `|`.
        """
        n_words = len(forms)
        ids = [*map(str, range(1, n_words + 1))]
        columns, keys = self._annotated(sentence, ids, None, forms)
        if self._offsets:
            keys["TokenRange"] = _character_ranges(sentence, character)
        columns[UNIVERSAL_COLUMN] = [
            tag.partition("+")[0] for tag in columns[UNIVERSAL_COLUMN]
        ]
        # Without dependencies, all words depend on the first one.
        placeholders = {
            HEAD: ["0", *["1"] * (n_words - 1)],
            RELATION: ["root", *["dep"] * (n_words - 1)],
        }
        values = [
            columns.get(name) or placeholders.get(name) or ["_"] * n_words
            for name in COLUMNS[2:-1]
        ]
        misc, of_keys = spaces, _items(keys)
        if of_keys:
            misc = [
                _joined_items(items, space, keys)
                for *items, space in zip(*of_keys, spaces, strict=True)
            ]
        last = [items or "_" for items in misc]
        rows = zip(ids, _on_one_line(forms), *values, last, strict=True)
        return [*map("\t".join, rows)]

    def tagged(
        self,
        sentence: Sentence,
        lines: Sequence[str],
        rows: Sequence[int],
        tasks: Sequence[str],
    ) -> Iterator[str]:
        """Yield the lines of a sentence of a CoNLL-U file with its layers.

        Args:
            sentence: The sentence.
            lines: Its lines in the file.
            rows: The indices of the lines of its tokens. If such a line is a range of
                words, tags are set on the words, and keys on the range.
            tasks: The tasks to print.
        """
        ids = [lines[row].partition("\t")[0] for row in rows]
        columns, keys = self._annotated(sentence, ids, tasks)
        if self._offsets:
            keys["TokenRange"] = _character_ranges(sentence, 0)
        word_columns, items = _WordColumns(columns), _items(keys)
        tokens = {at: i for i, at in enumerate(rows)}
        for at, line in enumerate(lines):
            row, token = line.rstrip("\r").split("\t"), tokens.get(at)
            if token is None and (
                line[:1] == "#" or len(row) != len(COLUMNS) or "." in row[0]
            ):
                yield line  # This is a comment, an empty line, or an empty node.
                continue
            word_columns.fill(row, token)
            # The order in the file is preserved.
            misc = [] if token is None else [v[token] for v in items if v[token]]
            misc += _other_items(row[-1], keys)
            row[-1] = "|".join(misc) or "_"
            yield "\t".join(row) + ("\r" if line.endswith("\r") else "")

    def _annotated(
        self,
        sentence: Sentence,
        ids: list[str],
        tasks: Sequence[str] | None,
        forms: Sequence[str] = (),
    ) -> _Annotated:
        """Return the values of the layers of `tasks`.

        Args:
            sentence: The sentence.
            ids: The values of the ID column of its tokens.
            tasks: The tasks. None means all tasks plus universal parts of speech.
            forms: The forms of its tokens, from which universal parts of speech may be
                made.
        """
        columns: dict[str, Sequence[str]] = {}
        keys: dict[str, Values] = {}
        # If two layers fill a column, the one with the column's name has precedence.
        known = sorted(sentence.tasks, key=lambda task: task.name in _OTHER_COLUMNS)
        tags = sentence.tags
        for task in known:
            if tasks is not None and task.name not in tasks:
                continue
            if task.shape.gives_tags:
                values = _values_of_tags(task, tags[task.name])
            else:
                values = _values_of_spans(sentence, task, ids, self._scheme)
            columns = values.columns | columns
            keys |= values.keys
        if tasks is None:
            both = parts_of_speech(forms, len(sentence), tags)
            columns[UNIVERSAL_COLUMN], columns[_SPECIFIC] = both
        if UNIVERSAL_COLUMN in columns:
            of_words = [
                tag if "+" in tag else None for tag in columns[UNIVERSAL_COLUMN]
            ]
            keys[UNIVERSAL_COLUMN.upper()] = of_words
        return _Annotated(columns, keys)


def _paragraph(at: SentencePlace) -> str:
    """Return the comment before the first sentence of a paragraph."""
    if at.document is None:
        return "# newpar"
    return f"# newpar id = {_SPACE.sub('_', str(at.document))}-{at.paragraph}"


def _spaces(
    sentence: Sentence,
    ranges: Sequence[tuple[int, int]],
    at: SentencePlace,
    final: str,
) -> list[str]:
    """Return the item for the space after each surface token, or an empty string.

    Args:
        sentence: The sentence.
        ranges: The words of each surface token; see `Sentence.surface_ranges`.
        at: The place of the sentence.
        final: The item for the space after the sentence if `at` has none.
    """
    text, start = at.original or sentence.text, sentence.start_char
    begins, ends = sentence.offsets
    gaps = [
        text[ends[stop - 1] - start : begins[stop] - start] for _, stop in ranges[:-1]
    ]
    if at.after:
        final = "" if at.after == b" " else f"SpacesAfter={_escape_bytes(at.after)}"
    return [*map(_space_item, gaps), final]


def _space_item(gap: str) -> str:
    """Return the item for the space between two tokens; empty for a single blank."""
    if gap == " ":
        return ""
    return f"SpacesAfter={_escape(gap)}" if gap else _NO_SPACE


def _on_one_line(texts: Sequence[str]) -> Sequence[str]:
    """Return texts with blanks in place of tabs and line ends.

    They are `texts` itself if there are none.
    """
    if _LINE_SPACE.search("".join(texts)) is None:
        return texts
    return [_LINE_SPACE.sub(" ", text) for text in texts]


def _with_spaces_inside(
    spaces: list[str], forms: Sequence[str], printed: Sequence[str]
) -> list[str]:
    """Return items about white space, with those for white space within tokens added.

    Args:
        spaces: The items for the space after each token.
        forms: The tokens.
        printed: The tokens as they are printed.
    """
    if printed is forms:
        return spaces
    inside = [
        f"SpacesInToken={_escape(form)}" if form != shown else ""
        for form, shown in zip(forms, printed, strict=True)
    ]
    return ["|".join(filter(None, both)) for both in zip(spaces, inside, strict=True)]


def _joined_items(items: list[str], spaces: str, keys: dict[str, Values]) -> str:
    """Return the last column of a word; empty if it has no items.

    Args:
        items: The items of the layers, in order; empty strings are left out.
        spaces: The items about white space, which are sorted among the others.
        keys: The keys of the layers, which have precedence.
    """
    if not spaces:
        return "|".join(filter(None, items))
    both = [*filter(None, items), *_other_items(spaces, keys)]
    return "|".join(sorted(both, key=_name_of_item))


class ConlluPrinter(SentencePrinter):
    """Prints CoNLL-U.

    Columns without a layer have placeholders. Without dependencies, all tokens depend
    on the first one, because validators require a tree. If the input is CoNLL-U, its
    columns and keys are preserved except those of the requested tasks.
    """

    def __init__(
        self,
        tagger: Tagger,
        scheme: str = "iobes",
        offsets: bool = False,
        split: bool = False,
        alone: bool = True,
        asked: tuple[str, ...] = (),
    ) -> None:
        """Set the options.

        Args:
            tagger: The tagger whose tasks are printed.
            scheme: The scheme of tags, one of `tag_schemes.SCHEMES`.
            offsets: Whether to print the character offsets of each token.
            split: Whether each line is a paragraph; otherwise blank lines separate
                them.
            alone: Whether there is only one document.
            asked: If the input is CoNLL-U, the tasks whose columns and keys replace
                those of the input. Empty means all of the tagger's tasks.
        """
        super().__init__(tagger, scheme, split)
        self._asked = asked or tagger.tasks
        # Before a new document, UD does not allow SpaceAfter=No.
        self._end_of_document = _NO_SPACE if alone else ""
        self._writer = SentenceWriter(scheme, offsets)

    @classmethod
    def tasks(cls, model: Model, asked: tuple[str, ...], predicates: str) -> list[str]:
        """Return the tasks to run.

        They are the tasks that the user named or, without any, the default ones. If the
        model has them, `pos` is added unless `pos` or `upos` is among these, and `upos`
        is always added. Without named tasks, `feats` is added, too.
        """
        names = [*(asked or model.default_tasks(predicates))]
        # Its tags can be converted to universal parts of speech.
        source = UNIVERSAL[-1]
        if not {*UNIVERSAL} & {*names} and source in model.tasks(predicates):
            names = [source, *names]
        more = _ADDED[:1] if asked else _ADDED
        return [
            *names,
            *(n for n in more if n in model.storage.networks and n not in names),
        ]

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the sentences that have tokens.

        A `newdoc` comment precedes the first one of a document, unless the input is
        CoNLL-U.
        """
        pairs, out = self.placed(annotations, place), []
        lines_of_file = place.column_lines and place.column_lines[0].file_lines
        if pairs and not lines_of_file and not place.has_tokens_before:
            out.append(f"# newdoc id = {_SPACE.sub('_', place.document)}")
        for sentence, at in pairs:
            if lines_of_file:
                assert at.column_line is not None, "each line has its place in the file"
                line = at.column_line
                out += self._writer.tagged(
                    sentence, line.file_lines, line.token_rows, self._asked
                )
                continue
            if at is pairs[-1][1] and not place.column_lines:
                out += self._last_lines(sentence, at)
            else:
                out += self._writer.lines(sentence, at)
        return "".join(f"{line}\n" for line in out).encode("utf-8", "surrogateescape")

    def _last_lines(self, sentence: Sentence, at: SentencePlace) -> Iterator[str]:
        """Return the lines of the last sentence of a batch.

        If no line end follows, it is the last one of the document.
        """
        if at.after == b" ":
            return self._writer.lines(sentence, at._replace(after=b""), FINAL_BLANK)
        return self._writer.lines(sentence, at, self._end_of_document)


def _values_of_tags(task: Task, tags: Sequence[str]) -> _Annotated:
    """Return the tags of a task as the values of its column or key."""
    column = column_of(task)
    if column is not None:
        return _Annotated({column: _on_one_line(tags)}, {})
    return _Annotated({}, {key_of(task): [*map(_escape, tags)]})


def _values_of_spans(
    sentence: Sentence, task: Task, ids: list[str], scheme: str
) -> _Annotated:
    """Return the values of a layer that is more than tags, by its structure."""
    key = key_of(task)
    match task.shape.structure:
        case Structure.FRAMES:
            marks, tags_beside = _by_anchor(sentence, task, ids, scheme)
            return _Annotated({}, {key_of_anchors(task): marks, key: tags_beside})
        case Structure.TREE:
            return _Annotated({}, {key: _brackets(sentence, task)})
        case Structure.HEADS:
            heads, relations = _heads(sentence, task, ids)
            return _Annotated({HEAD: heads, RELATION: relations}, {})
        case Structure.LINKS:
            return _Annotated({}, {key: _links(sentence, task)})
    raise AssertionError("tags have a column or a key of their own")


def _heads(
    sentence: Sentence, task: Task, ids: list[str]
) -> tuple[list[str], list[str]]:
    """Return HEAD and DEPREL of the tokens.

    The values for the words of a range are joined with `+`; the further words depend on
    the first one.
    """
    rows = sentence.rows(task)
    heads = ["0" if row.anchor is None else ids[row.anchor[0]] for row in rows]
    relations = [row.label for row in rows]
    if not any("-" in name for name in ids):
        return heads, relations
    heads, relations = [], []
    for name, row in zip(ids, rows, strict=True):
        first, _, last = name.partition("-")
        n_more = int(last) - int(first) if last else 0
        above = "0" if row.anchor is None else ids[row.anchor[0]].partition("-")[0]
        heads.append("+".join([above] + [first] * n_more))
        relations.append("+".join([row.label] + [_WITHIN] * n_more))
    return heads, relations


def _by_anchor(
    sentence: Sentence, task: Task, ids: list[str], scheme: str
) -> tuple[Values, Values]:
    """Return the marks of anchors, and the tags of each token for each anchor.

    A tag has the id of its anchor as a prefix, such as `3:B-A0`.
    """
    marks: Values = [None] * len(sentence)
    tags: list[list[str]] = [[] for _ in ids]
    for anchor, rows in sentence.rows_by_anchor(task).items():
        marks[anchor] = "Yes"
        # Tags outside of spans are left out, because there would be too many.
        for row in rows:
            length = row.end - row.start
            span_tags = encode([(row.label, 0, length)], length, "iobes")
            for i, tag in enumerate(span_tags, row.start):
                tags[i].append(f"{ids[anchor]}:{convert(tag, scheme)}")
    return marks, [_escape(";".join(each)) for each in tags]


def _brackets(sentence: Sentence, task: Task) -> Values:
    """Return the brackets that open and close at each token, such as `(S(NP*`."""
    opening, closing = [""] * len(sentence), [""] * len(sentence)
    for row in sentence.rows(task):
        opening[row.start] += f"({row.label}"
        closing[row.end - 1] += ")"
    return [_escape(f"{a}*{b}") for a, b in zip(opening, closing, strict=True)]


def _links(sentence: Sentence, task: Task) -> Values:
    """Return the links that begin at each token; see the module `links`."""
    document = sentence.document
    layer, starts = document.layers[task.name], document.sentence_starts
    texts: list[list[str]] = [[] for _ in range(len(sentence))]
    for link in links_of(layer, starts, sentence.number):
        texts[link.begin].append(str(link))
    return [_escape(";".join(each)) for each in texts]


def _character_ranges(sentence: Sentence, character: int) -> Values:
    """Return the character offsets of each token, increased by `character`."""
    selected = slice(sentence.start, sentence.end)
    characters = (character + sentence.document.characters[selected]).tolist()
    return [f"{begin}:{end}" for begin, end in characters]


def _items(keys: dict[str, Values]) -> list[list[str]]:
    """Return a list of items `key=value` for each key, in alphabetical order.

    The item of a token that does not have the key is an empty string. Keys that no
    token has are left out.
    """
    return [
        [f"{key}={value}" if value else "" for value in keys[key]]
        for key in sorted(keys, key=str.lower)
        if any(keys[key])
    ]


def _other_items(misc: str, keys: dict[str, Values]) -> list[str]:
    """Return the items of the last column whose keys are not among `keys`."""
    if misc == "_":
        return []
    return [item for item in misc.split("|") if item.partition("=")[0] not in keys]


def _name_of_item(item: str) -> str:
    """Return the lowercase key of an item of MISC, by which items are sorted."""
    return item.partition("=")[0].lower()


@lru_cache(maxsize=4096)
def _escape(text: str) -> str:
    """Escape a value of the last column.

    White space, | and \\ are escaped as in UDPipe where it has an escape, and otherwise
    by their code points.
    """
    return _TO_ESCAPE.sub(
        lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text
    )


def _escape_bytes(data: bytes) -> str:
    return _escape(data.decode("utf-8", "surrogateescape"))
