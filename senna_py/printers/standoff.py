"""Two more ways to print entities: columns as of the CoNLL-2003 task, and BRAT's standoff."""

import re

from senna_py.corpora.places import places_of
from senna_py.labels.tag_schemes import convert
from senna_py.reading import sentences_of_lines

__all__ = ["BratFormat", "Conll2003Format"]

_BLANK = re.compile(r"\s")
_NONE = "_"


class Conll2003Format:
    """Prints word, part of speech, chunk and entity between spaces; may be shared by threads.

    A column that was not asked for is `_`, and white space in words is an underscore.
    """

    _tasks = ("pos", "chk", "ner")
    splits_lines = False
    wants_places = True

    def __init__(self, tagger, scheme="iob"):
        """Prepare to print what `tagger` finds; scheme: one of tag_schemes.SCHEMES."""
        self._tagger, self._scheme = tagger, scheme

    def header(self):
        """Nothing: a line stands before each document."""
        return b""

    def begin(self, document):
        """The mark of a document, bytes."""
        return b"-DOCSTART- -X- -X- O\n\n"

    def print(self, found, place):
        """Sentences of Annotations that have tokens; their Place does not matter."""
        return b"".join(map(self._rows, sentences_of_lines(self._tagger, found)))

    def _rows(self, sentence):
        columns = [[_BLANK.sub("_", token.text) for token in sentence]]
        for task in self._tasks:
            tags = sentence.tags.get(task, [_NONE] * len(sentence))
            columns.append(tags if task == "pos" else [convert(t, self._scheme) for t in tags])
        rows = [" ".join(row) + "\n" for row in zip(*columns, strict=True)]
        return "".join([*rows, "\n"]).encode("utf-8", "surrogateescape")


class BratFormat:
    """Prints entities, `T1⇥PER 0 13⇥Angela Merkel`; may be shared by threads.

    Characters count from the beginning of the document, and the number of an entity is its first
    character's, from 1.
    """

    splits_lines = False
    wants_places = True

    def __init__(self, tagger):
        """Prepare to print what `tagger` finds."""
        self._tagger = tagger

    def header(self):
        """Nothing."""
        return b""

    def begin(self, document):
        """Nothing: a file has one document."""
        return b""

    def print(self, found, place):
        """Lines of the entities of Annotations; place: a Place."""
        out = []
        places = places_of(found.tokens, place)
        for sentence, at in zip(sentences_of_lines(self._tagger, found), places, strict=True):
            for span in sentence.entities:
                start = at.character + sentence.start + span.start_char
                end = at.character + sentence.start + span.end_char
                out.append(f"T{start + 1}\t{span.label} {start} {end}\t{span.text}\n")
        return "".join(out).encode("utf-8", "surrogateescape")
