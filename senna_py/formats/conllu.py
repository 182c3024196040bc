"""Annotations as CoNLL-U: a line per token, from which the text can be made again."""

import re
from functools import lru_cache

from senna_py.corpora.conllu import COLUMNS, KEYS
from senna_py.formats.sentences import SentencePrinter
from senna_py.labels.tag_schemes import convert, encode
from senna_py.labels.tasks import ARCS, FEATS, POS, ROLES, TREES, UPOS, XPOS
from senna_py.labels.universal_tags import OTHER, universal_tag

_WITHIN = "dep"  # the relation of words of a range to its first
_ESCAPES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": r"\\"}
_TO_ESCAPE = re.compile(r"[\s|\\]")
_SPACE = re.compile(r"\s")


class ConlluPrinter(SentencePrinter):
    """Prints sentences of CoNLL-U.

    What comes from no network has a placeholder: HEAD and DEPREL then make a tree in
    which all tokens depend on the first, as validators ask for one. In CoNLL-U, what
    was not asked for stays.
    """

    def __init__(
        self, tagger, scheme="iobes", offsets=False, split=False, alone=True, asked=()
    ):
        """scheme: one of tag_schemes.SCHEMES, for segments and roles; asked: these
        tasks, if any.

        offsets: print the characters of each token in its line; split: each line is a
        paragraph, otherwise blank lines part them; alone: whether there is one document
        only.
        """
        super().__init__(tagger, scheme, split)
        self._asked = asked or tagger.tasks
        # SpaceAfter=No would bind the last token to what the next document begins with.
        self._end_of_document = ["SpaceAfter=No"] if alone else ["SpacesAfter="]
        self._offsets = offsets

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Add those that give parts of speech, for which there are columns, and
        features.
        """
        names = list(asked or model.default_tasks(predicates))
        if not {POS, UPOS} & {*names} and POS in model.tasks(predicates):
            names = [POS, *names]
        more = (UPOS,) if asked else (UPOS, FEATS)
        return [
            *names,
            *(n for n in more if n in model.storage.networks and n not in names),
        ]

    def print(self, found, place):
        """Return the sentences that have tokens; a comment about the document before
        the first.
        """
        pairs, out = self.placed(found, place), []
        has_lines = bool(place.column_lines and place.column_lines[0].file_lines)
        if pairs and not has_lines and not place.has_tokens_before:
            out.append(f"# newdoc id = {_SPACE.sub('_', place.document)}")
        for sentence, at in pairs:
            if has_lines:
                out += self._tagged(
                    sentence,
                    at.column_line.file_lines,
                    at.column_line.token_rows,
                    self._asked,
                    0,
                )
                continue
            cut_off = at is pairs[-1][1] and not place.column_lines and not at.after
            lines, rows = self._lines(sentence, at, cut_off)
            out += self._tagged(sentence, lines, rows, None, at.character)
        return "".join(f"{line}\n" for line in out).encode("utf-8", "surrogateescape")

    def _lines(self, sentence, at, cut_off):
        """Lines of an untagged sentence, and its tokens' indices; cut_off: no newline
        is there.
        """
        spaces = self._spaces(sentence, at, cut_off)
        document, last = _SPACE.sub("_", at.document), len(sentence) - 1
        lines = (
            [f"# newpar id = {document}-{at.paragraph}"] if at.begins_paragraph else []
        )
        forms = [token.text for token in sentence]
        text = (
            form + " " * (i < last and spaces[i] != ["SpaceAfter=No"])
            for i, form in enumerate(forms)
        )
        lines += [f"# sent_id = {at.name}", "# text = " + "".join(text)]
        rows = range(len(lines), len(lines) + len(sentence))
        if at.before:
            spaces[0].append(f"SpacesBefore={_escaped(at.before)}")
        for i, form in enumerate(forms):
            head = "1\tdep" if i else "0\troot"
            misc = "|".join(spaces[i]) or "_"
            lines.append(f"{i + 1}\t{form}\t_\t_\t_\t_\t{head}\t_\t{misc}")
        return [*lines, ""], rows

    def _tagged(self, sentence, lines, rows, tasks, character):
        """Yield lines of a sentence with what `tasks` found; None: all of them, and
        UPOS.

        rows: of the tokens. Of a range that is one, its words get the tags, and its own
        line keys.
        character: of the document, from which the sentence counts its own.
        """
        ids = [lines[row].partition("\t")[0] for row in rows]
        columns, keys = self._found(sentence, ids, tasks)
        if self._offsets:
            places = sentence.document.characters.tolist()
            keys["TokenRange"] = [f"{character + a}:{character + b}" for a, b in places]
        places = [COLUMNS.index(name) for name in columns]
        one = [
            [tag.partition("+")[0] for tag in tags] if name == UPOS else tags
            for name, tags in columns.items()
        ]
        new = [
            [f"{key}={value}" if value else "" for value in keys[key]]
            for key in sorted(keys, key=str.lower)
        ]
        tokens = {at: i for i, at in enumerate(rows)}
        words = iter(())  # what the words of a range have in the columns
        for at, line in enumerate(lines):
            row, token = line.rstrip("\r").split("\t"), tokens.get(at)
            if token is None and (
                line[:1] == "#" or len(row) != len(COLUMNS) or "." in row[0]
            ):
                yield line  # a comment, an empty line, or an empty node
                continue
            if "-" not in row[0]:
                found = (
                    next(words, ()) if token is None else [tags[token] for tags in one]
                )
                for place, tag in zip(places, found, strict=False):
                    row[place] = tag
            elif token is not None:
                begin, _, end = row[0].partition("-")
                words = _of_words(columns, token, int(end) - int(begin) + 1)
            misc = (
                []
                if token is None
                else [values[token] for values in new if values[token]]
            )
            if row[-1] != "_":
                misc += [
                    item
                    for item in row[-1].split("|")
                    if item.partition("=")[0] not in keys
                ]
                if tasks is None:  # else what a file has stays as it is
                    misc.sort(key=_by_name)
            row[-1] = "|".join(misc) or "_"
            yield "\t".join(row) + "\r" * line.endswith("\r")

    def _found(self, sentence, ids, tasks):
        """What `tasks` found, by columns and by keys of the last one: lists of one a
        token.

        ids: of the tokens. What a token does not have of a key is None.
        """
        tags = {
            task: found
            for task, found in sentence.tags.items()
            if tasks is None or task in tasks
        }
        columns = {name: tags.pop(name) for name in COLUMNS[2:-1] if name in tags}
        if ARCS in sentence.layers and (tasks is None or ARCS in tasks):
            columns["head"], columns["deprel"] = _dependencies(sentence, ids)
        if POS in tags:
            columns.setdefault(XPOS, tags.pop(POS))
        if tasks is None:
            columns[UPOS], columns[XPOS] = parts_of_speech(sentence)
        keys = {
            KEYS.get(task, task): [*map(_escape, found)]
            for task, found in tags.items()
            if task != POS
        }
        if UPOS in columns:
            keys["UPOS"] = [tag if "+" in tag else None for tag in columns[UPOS]]
        for part, keys_of in _PARTS.items():
            if part in sentence.layers:
                keys |= keys_of(sentence, ids, self.scheme)
        return columns, keys

    def _spaces(self, sentence, at, cut_off):
        """Keys about the white space behind each token: lists of one or none."""
        text, start = at.original or sentence.text, sentence.start_char
        starts, ends = sentence.document.characters.T.tolist()
        places = zip(ends, starts[1:], strict=False)
        gaps = [text[end - start : begin - start] for end, begin in places]
        keys = [
            []
            if gap == " "
            else [f"SpacesAfter={_escape(gap)}"]
            if gap
            else ["SpaceAfter=No"]
            for gap in gaps
        ]
        end = self._end_of_document if cut_off else ["SpaceAfter=No"]
        if at.after:
            end = [] if at.after == b" " else [f"SpacesAfter={_escaped(at.after)}"]
        return [*keys, [*end]]


def parts_of_speech(sentence):
    """UPOS and XPOS of the tokens of a Sentence: sequences of str, the latter of `_`
    for none.

    Without a network for UPOS they come of the Penn tags.
    """
    xpos = sentence.tags.get(XPOS) or sentence.tags.get(POS) or ["_"] * len(sentence)
    if UPOS in sentence.tags:
        return sentence.tags[UPOS], xpos
    if POS not in sentence.tags:
        return [OTHER] * len(sentence), xpos
    pairs = zip(sentence.tags[POS], sentence, strict=True)
    return [universal_tag(tag, token.text) for tag, token in pairs], xpos


def _dependencies(sentence, ids):
    """HEAD and DEPREL of the tokens; of the words of a range, the others depend on the
    first.
    """
    heads, relations = [], []
    for name, (head, relation, _) in zip(ids, sentence.arcs, strict=True):
        first, _, last = name.partition("-")
        more = int(last) - int(first) if last else 0
        above = "0" if head is None else ids[head].partition("-")[0]
        heads.append("+".join([above] + [first] * more))
        relations.append("+".join([relation] + [_WITHIN] * more))
    return heads, relations


def _role_keys(sentence, ids, scheme):
    """Keys about predicates and roles, of which a token may have none."""
    marks, found = [None] * len(sentence), [[] for _ in sentence]
    for frame in sentence.frames:
        marks[frame.predicate] = "Yes"
        for span in frame.arguments:  # not all tags: frames times tokens are many
            tags = encode([(span.label, 0, len(span))], len(span), "iobes")
            for i, tag in enumerate(tags, span.start):
                found[i].append(f"{ids[frame.predicate]}:{convert(tag, scheme)}")
    return {"Predicate": marks, "Roles": [_escape(";".join(tags)) for tags in found]}


def _tree_keys(sentence, ids, scheme):
    """The key of the brackets around each token."""
    opening, closing = [""] * len(sentence), [""] * len(sentence)
    for label, begin, end in sentence.tree.phrases:
        if begin < end:
            opening[begin] += f"({label}"
            closing[end - 1] += ")"
    return {
        "Parse": [_escape(f"{a}*{b}") for a, b in zip(opening, closing, strict=True)]
    }


# What the last column has of other answers than tags, by their task.
_PARTS = {ROLES: _role_keys, TREES: _tree_keys}


def _of_words(columns, token, n):
    """Yield what each of the n words of a token has in the columns, if the token has
    those tags.

    The parts of a tag between + are theirs; what is left has none.
    """
    parts = [tags[token].split("+") for tags in columns.values()]
    none = [OTHER if name == UPOS else "_" for name in columns]
    for k in range(n):
        yield [
            tag[k] if k < len(tag) else lack
            for tag, lack in zip(parts, none, strict=True)
        ]


def _by_name(item: str) -> str:
    """Return what an item of MISC is sorted by."""
    return item.partition("=")[0].lower()


@lru_cache(maxsize=4096)
def _escape(text):
    """A value of the last column: white space, | and \\ as UDPipe writes them, or by
    their code.
    """
    return _TO_ESCAPE.sub(
        lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text
    )


def _escaped(data):
    return _escape(data.decode("utf-8", "surrogateescape"))
