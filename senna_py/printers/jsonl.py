"""Annotations as JSON lines: one object a sentence."""

import json

from senna_py.corpora.places import places_of
from senna_py.labels.tag_schemes import convert
from senna_py.printers.base import Printer
from senna_py.reading import sentences_of_lines

__all__ = ["JsonPrinter"]


class JsonPrinter(Printer):
    """Prints one JSON object per line, which always has offsets."""

    def __init__(self, tagger, scheme="iobes", split=False):
        """Prepare to print what `tagger` finds.

        scheme: one of tag_schemes.SCHEMES, for the tags of segments; split: whether lines are
        paragraphs, in which each sentence has its place.
        """
        super().__init__(tagger)
        self._segments = [t for t in tagger.tasks if tagger.task(t).kind == "segments"]
        self._scheme = scheme
        self._split = split

    def print(self, found, place):
        """Return lines of the sentences that have tokens."""
        places = places_of(found.tokens, place, self._split)
        sentences = sentences_of_lines(self.tagger, found)
        fields = place.records and place.records.fields
        # Bytes outside UTF-8 stand in the text as lone surrogates; JSON writes those as \\udcXX.
        return b"".join(
            _line(self._to_dict(sentence) | at.to_dict(), fields and fields[at.record])
            for at, sentence in zip(places, sentences, strict=True)
        )

    def _to_dict(self, sentence):
        """Sentence as plain dicts and lists; what was not asked for is left out."""
        out = sentence.to_dict()
        for task in self._segments:
            out["tags"][task] = [convert(tag, self._scheme) for tag in out["tags"][task]]
        if not self._split:
            del out["start_char"], out["end_char"]
        return out


def _line(value, fields):
    """A line of JSON of a dict; fields: what a record has besides, as JSON, or None."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if fields is not None:
        text = f'{text[:-1]}, "fields": {fields}}}'
    return text.encode("utf-8", "backslashreplace") + b"\n"
