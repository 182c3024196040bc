"""Annotations as CoNLL-U: a line a token, from which the text can be made again."""

import re

from senna_py.labels.tag_schemes import convert, encode
from senna_py.labels.tasks import POS
from senna_py.labels.universal_tags import OTHER, universal_tag
from senna_py.printers.sentences import SentencePrinter

__all__ = ["UPOS", "XPOS", "ConlluPrinter", "parts_of_speech"]

UPOS, XPOS = "upos", "xpos"  # the names of networks that give them
# Keys in the last column for SENNA's tasks; those of others are their names.
_KEYS = {"chk": "Chunk", "ner": "NER", "pt0": "Level0"}
_ESCAPES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": r"\\"}
_TO_ESCAPE = re.compile(r"[\s|\\]")
_SPACE = re.compile(r"\s")


class ConlluPrinter(SentencePrinter):
    """Prints sentences of CoNLL-U.

    What comes from no network has a placeholder: HEAD and DEPREL make a tree in which all tokens
    depend on the first, as validators ask for one.
    """

    def __init__(self, tagger, scheme="iobes", offsets=False, split=False, alone=True):
        """Prepare to print what `tagger` finds.

        scheme: one of tag_schemes.SCHEMES, for segments and roles; offsets: print the characters of
        each token in its line; split: each line is a paragraph, otherwise blank lines part them;
        alone: whether there is one document only.
        """
        super().__init__(tagger, scheme, split)
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

    def begin(self, document):
        """Return the comment about a document."""
        return _line(f"# newdoc id = {_SPACE.sub('_', document)}")

    def print(self, found, place):
        """Return the sentences that have tokens."""
        pairs, out = self.placed(found, place), []
        for sentence, at in pairs:
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
        roles, bits = self._roles(sentence), _bits(sentence.found.get("tree"))
        others = [(_KEYS.get(task, task), tags) for task, tags in self.tags(sentence).items()
                  if task not in (POS, UPOS, XPOS)]  # fmt: skip
        joined, xpos = parts_of_speech(sentence)
        upos = [tag.partition("+")[0] for tag in joined]  # UD has one tag a word: the first
        before = [f"SpacesBefore={_escaped(at.before)}"] if at.before else []
        for i, token in enumerate(sentence):
            misc = [
                *(f"{key}={_escape(tags[i])}" for key, tags in others),
                *([f"UPOS={joined[i]}"] if "+" in joined[i] else []),
                *roles[i],
                *([f"Parse={_escape(bits[i])}"] if bits else []),
                *(before if i == 0 else []),
                *spaces[i],
            ]  # fmt: skip
            if self._offsets:
                misc.append(f"TokenRange={token.start}:{token.end}")
            head = "1\tdep" if i else "0\troot"
            yield _line(
                f"{i + 1}\t{token.text}\t_\t{upos[i]}\t{xpos[i]}\t_\t{head}\t_\t"
                f"{'|'.join(misc) or '_'}"
            )
        yield b"\n"

    def _roles(self, sentence):
        """Keys about predicates and roles, a list for each token."""
        out = [[] for _ in sentence]
        if "frames" not in sentence.found:
            return out
        found = [[] for _ in sentence]
        for frame in sentence.frames:
            out[frame.predicate].append("Predicate=Yes")
            spans = [(span.label, span.start, span.end) for span in frame.arguments]
            for i, tag in enumerate(encode(spans, len(sentence), "iobes")):
                if tag != "O":
                    found[i].append(f"{frame.predicate + 1}:{convert(tag, self.scheme)}")
        for keys, tags in zip(out, found, strict=True):
            if tags:
                keys.append(f"Roles={_escape(';'.join(tags))}")
        return out

    def _spaces(self, sentence, at, cut_off):
        """Keys about the white space behind each token: lists of one or none."""
        text, start = at.original or sentence.text, sentence.start
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
    """Brackets of a tree, a str for each of its leaves; None without a tree."""
    if tree is None:
        return None
    opening, closing = [""] * len(tree.leaves), [""] * len(tree.leaves)
    for label, begin, end in tree.phrases:
        if begin < end:
            opening[begin] += f"({label}"
            closing[end - 1] += ")"
    return [f"{a}*{b}" for a, b in zip(opening, closing, strict=True)]


def _escape(text):
    """A value of the last column: white space, | and \\ as UDPipe writes them, or by their code."""
    return _TO_ESCAPE.sub(lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def _escaped(data):
    return _escape(data.decode("utf-8", "surrogateescape"))


def _line(text):
    return f"{text}\n".encode("utf-8", "surrogateescape")
