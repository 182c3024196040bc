"""Annotations as CoNLL-U: a line a token, from which the text can be made again."""

import re

from senna_py.corpora.conllu import COLUMNS
from senna_py.labels.tag_schemes import convert, encode
from senna_py.labels.tasks import POS
from senna_py.labels.universal_tags import OTHER, universal_tag
from senna_py.printers.sentences import SentencePrinter

__all__ = ["UPOS", "XPOS", "ConlluPrinter", "parts_of_speech"]

UPOS, XPOS = "upos", "xpos"  # the names of networks that give them
# Keys in the last column for SENNA's tasks; those of others are their names.
_KEYS = {"chk": "Chunk", "ner": "NER", "pt0": "Level0"}
_COLUMNS = "lemma", UPOS, XPOS, "feats"  # that tasks of these names give
_ESCAPES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": r"\\"}
_TO_ESCAPE = re.compile(r"[\s|\\]")
_SPACE = re.compile(r"\s")


class ConlluPrinter(SentencePrinter):
    """Prints sentences of CoNLL-U.

    What comes from no network has a placeholder: HEAD and DEPREL make a tree in which all tokens
    depend on the first, as validators ask for one. Sentences of CoNLL-U stay as they are, but for
    what was asked for.
    """

    def __init__(self, tagger, scheme="iobes", offsets=False, split=False, alone=True, asked=()):
        """Prepare to print what `tagger` finds.

        scheme: one of tag_schemes.SCHEMES, for segments and roles; offsets: print the characters of
        each token in its line; split: each line is a paragraph, otherwise blank lines part them;
        alone: whether there is one document only; asked: the tasks that were, if any.
        """
        super().__init__(tagger, scheme, split)
        self._asked = asked or tagger.tasks
        # SpaceAfter=No would bind the last token to what the next document begins with.
        self._end_of_document = ["SpaceAfter=No"] if alone else ["SpacesAfter="]
        self._offsets = offsets

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Add one that gives the parts of speech, for which there are columns."""
        names = list(asked or model.default_tasks(predicates))
        able = model.tasks(predicates)
        if UPOS in model.storage.networks and UPOS not in names:
            return [*names, UPOS]
        return names if {POS, UPOS} & {*names} or POS not in able else [POS, *names]

    def print(self, found, place):
        """Return the sentences that have tokens; a comment about the document before the first."""
        pairs, out = self.placed(found, place), []
        for i, (sentence, at) in enumerate(pairs):
            if at.given and at.given.kept:
                out += self._kept_lines(sentence, at.given)
                continue
            if i == 0 and not place.has_tokens_before:
                out.append(_line(f"# newdoc id = {_SPACE.sub('_', at.document)}"))
            cut_off = at is pairs[-1][1] and not place.given and not at.after
            out += self._lines(sentence, at, cut_off)
        return b"".join(out)

    def _lines(self, sentence, at, cut_off):
        """Lines of a sentence at a SentencePlace; cut_off: its document has no newline there."""
        spaces = self._spaces(sentence, at, cut_off)
        if at.begins:
            document = _SPACE.sub("_", at.document)
            yield _line(f"# newpar id = {document}-{at.paragraph}")
        yield _line(f"# sent_id = {at.name}")
        last = len(sentence) - 1
        text = (token.text + " " * (i < last and spaces[i] != ["SpaceAfter=No"])
                for i, token in enumerate(sentence))  # fmt: skip
        yield _line("# text = " + "".join(text))
        columns, keys = self._found(sentence, range(1, last + 2), self.tagger.tasks, _COLUMNS)
        columns[UPOS], columns[XPOS] = parts_of_speech(sentence)
        before = [f"SpacesBefore={_escaped(at.before)}"] if at.before else []
        for i, token in enumerate(sentence):
            misc = [
                *(f"{key}={values[i]}" for key, values in keys.items() if values[i]),
                *(before if i == 0 else []),
                *spaces[i],
            ]  # fmt: skip
            if self._offsets:
                misc.append(f"TokenRange={token.start_char}:{token.end_char}")
            row = "\t".join(
                _of_words(name, columns[name][i])[0] if name in columns else "_"
                for name in _COLUMNS
            )
            head = "1\tdep" if i else "0\troot"
            yield _line(f"{i + 1}\t{token.text}\t{row}\t{head}\t_\t{'|'.join(misc) or '_'}")
        yield b"\n"

    def _kept_lines(self, sentence, given):
        """Lines of a sentence of CoNLL-U, whose GivenLine has them.

        Of a range that is a token, its words get the tags, and its own line the keys.
        """
        ids = [given.kept[row].partition("\t")[0] for row in given.rows]
        columns, keys = self._found(sentence, ids, self._asked, (*_COLUMNS, "deprel"))
        if self._offsets:
            keys["TokenRange"] = [f"{token.start_char}:{token.end_char}" for token in sentence]
        tokens, words = dict(zip(given.rows, range(len(ids)), strict=True)), iter(())
        for at, line in enumerate(given.kept):
            row, token = line.rstrip("\r").split("\t"), tokens.get(at)
            if line.startswith("#") or len(row) != len(COLUMNS) or "." in row[0]:
                yield _line(line)  # a comment, an empty line, or an empty node
                continue
            begin, _, end = row[0].partition("-")
            if token is not None:
                n = int(end or begin) - int(begin) + 1
                found = (_of_words(name, tags[token], n) for name, tags in columns.items())
                words = zip(*found, strict=True)
            if not end:
                for name, tag in zip(columns, next(words, ()), strict=False):
                    row[COLUMNS.index(name)] = tag
            new = {key: None if token is None else values[token] for key, values in keys.items()}
            row[-1] = _replaced(row[-1], new)
            yield _line("\t".join(row) + "\r" * line.endswith("\r"))

    def _found(self, sentence, ids, tasks, names):
        """What `tasks` found, by columns and by keys of the last one: lists of one a token.

        ids: of the tokens; names: columns that the tasks of these names give. What a token does not
        have of a key is None.
        """
        tags = {task: found for task, found in self.tags(sentence).items() if task in tasks}
        xpos = tags.pop(POS, None)
        columns = {name: tags.pop(name) for name in names if name in tags}
        if xpos is not None:
            columns.setdefault(XPOS, xpos)
        keys = {_KEYS.get(task, task): [*map(_escape, found)] for task, found in tags.items()}
        if UPOS in columns:
            keys["UPOS"] = [tag if "+" in tag else None for tag in columns[UPOS]]
        if "frames" in sentence.found:
            keys |= self._roles(sentence, ids)
        if "tree" in sentence.found:
            keys["Parse"] = [*map(_escape, _bits(sentence.tree))]
        return columns, keys

    def _roles(self, sentence, ids):
        """Keys about predicates and roles, of which a token may have none."""
        marks, found = [None] * len(sentence), [[] for _ in sentence]
        for frame in sentence.frames:
            marks[frame.predicate] = "Yes"
            spans = [(span.label, span.start, span.end) for span in frame.arguments]
            for i, tag in enumerate(encode(spans, len(sentence), "iobes")):
                if tag != "O":
                    found[i].append(f"{ids[frame.predicate]}:{convert(tag, self.scheme)}")
        return {"Predicate": marks, "Roles": [_escape(";".join(tags)) for tags in found]}

    def _spaces(self, sentence, at, cut_off):
        """Keys about the white space behind each token: lists of one or none."""
        text, start = at.original or sentence.text, sentence.start_char
        places = zip(sentence.ends, sentence.starts[1:], strict=False)
        gaps = [text[end - start : begin - start] for end, begin in places]
        keys = [[] if gap == " " else [f"SpacesAfter={_escape(gap)}"] if gap else ["SpaceAfter=No"]
                for gap in gaps]  # fmt: skip
        end = self._end_of_document if cut_off else ["SpaceAfter=No"]
        if at.after:
            end = [] if at.after == b" " else [f"SpacesAfter={_escaped(at.after)}"]
        return [*keys, end]


def parts_of_speech(sentence):
    """UPOS and XPOS of the tokens of a Sentence: sequences of str, the latter of `_` for none.

    Without a network for UPOS they come of the Penn tags.
    """
    xpos = sentence.tags.get(XPOS) or sentence.tags.get(POS) or ["_"] * len(sentence)
    if UPOS in sentence.tags:
        return sentence.tags[UPOS], xpos
    if POS not in sentence.tags:
        return [OTHER] * len(sentence), xpos
    pairs = zip(sentence.tags[POS], sentence, strict=True)
    return [universal_tag(tag, token.text) for tag, token in pairs], xpos


def _bits(tree):
    """Brackets of a tree, a str for each of its leaves."""
    opening, closing = [""] * len(tree.leaves), [""] * len(tree.leaves)
    for label, begin, end in tree.phrases:
        if begin < end:
            opening[begin] += f"({label}"
            closing[end - 1] += ")"
    return [f"{a}*{b}" for a, b in zip(opening, closing, strict=True)]


def _of_words(name, tag, n=1):
    """What the n words of a token have in a column, if the token has a tag: a list of str.

    Its parts between + are theirs; what is left has none. UD has one UPOS a word.
    """
    parts = [tag] if n == 1 and name != UPOS else tag.split("+")
    return [*parts, *[OTHER if name == UPOS else "_"] * n][:n]


def _replaced(misc, new):
    """A last column with new values of keys, None for those that it loses; the others stay."""
    items, left = [], {key: value for key, value in new.items() if value}
    for item in misc.split("|") if misc != "_" else ():
        key = item.partition("=")[0]
        if key not in new:
            items.append(item)
        elif key in left:
            items.append(f"{key}={left.pop(key)}")
    return "|".join([*items, *(f"{key}={value}" for key, value in left.items())]) or "_"


def _escape(text):
    """A value of the last column: white space, | and \\ as UDPipe writes them, or by their code."""
    return _TO_ESCAPE.sub(lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def _escaped(data):
    return _escape(data.decode("utf-8", "surrogateescape"))


def _line(text):
    return f"{text}\n".encode("utf-8", "surrogateescape")
