"""Annotations as JSON lines: one object a sentence."""

import json

from senna_py.corpora.places import places_of
from senna_py.labels.tag_schemes import convert
from senna_py.reading import sentences_of_lines

__all__ = ["JsonFormat"]


class JsonFormat:
    """Prints batches as bytes, one JSON object per line; may be shared by threads."""

    splits_lines = False  # a line that was cut for the networks is one object all the same
    wants_places = True  # print() takes a Place, too

    def __init__(self, tagger, scheme="iobes", places=False):
        """Prepare to print what `tagger` finds.

        scheme: one of tag_schemes.SCHEMES, for the tags of segments; places: whether lines are
        paragraphs, in which each sentence has its place.
        """
        self._tagger = tagger
        self._segments = [t for t in tagger.tasks if tagger.task(t).kind == "segments"]
        self._scheme = scheme
        self._places = places

    def header(self):
        """Nothing: every line is an object."""
        return b""

    def begin(self, document):
        """Nothing: every object names its document."""
        return b""

    def print(self, found, place):
        """Lines of the sentences of Annotations that have tokens; place: a Place."""
        places = places_of(found.tokens, place, self._places)
        sentences = sentences_of_lines(self._tagger, found)
        carried = place.records.carried if place.records else _nothing
        # Bytes outside UTF-8 stand in the text as lone surrogates; JSON writes those as \\udcXX.
        return b"".join(
            _line(self._to_dict(sentence) | at.to_dict() | carried(at.record))
            for at, sentence in zip(places, sentences, strict=True)
        )

    def _to_dict(self, sentence):
        """Sentence as plain dicts and lists; what was not asked for is left out."""
        out = sentence.to_dict()
        for task in self._segments:
            out["tags"][task] = [convert(tag, self._scheme) for tag in out["tags"][task]]
        if not self._places:
            del out["start_char"], out["end_char"]
        return out


def _nothing(record):
    """What is carried through where lines are of no record."""
    return {}


def _line(value):
    """A line of JSON; dates and the like, which only fields of records may be, as text."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text.encode("utf-8", "backslashreplace") + b"\n"
