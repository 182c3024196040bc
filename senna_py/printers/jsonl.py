"""Annotations as JSON lines: one object per sentence."""

import json

from senna_py.printers.sentences import SentencePrinter


class JsonPrinter(SentencePrinter):
    """Prints one JSON object per line, which always has offsets."""

    def print(self, found, place):
        """Return lines of the sentences that have tokens."""
        fields = place.records and place.records.fields
        # Bytes outside UTF-8 stand in the text as lone surrogates; JSON writes those as \\udcXX.
        return b"".join(
            _line(sentence.to_dict() | at.to_dict(), fields and fields[at.record])
            for sentence, at in self.placed(found, place)
        )


def _line(value, fields):
    """A line of JSON of a dict; fields: what a record has besides, as JSON, or None."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if fields is not None:
        text = f'{text[:-1]}, "fields": {fields}}}'
    return text.encode("utf-8", "backslashreplace") + b"\n"
