"""Annotations as JSON lines: one object per sentence."""

import json

from senna_py.printers.sentences import SentencePrinter


class JsonPrinter(SentencePrinter):
    """Prints one JSON object per line, which always has offsets."""

    def print(self, found, place):
        fields, out = place.records and place.records.fields, []
        for sentence, at in self.placed(found, place):
            value = sentence.to_dict() | at.to_dict()
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
            if fields is not None:  # what a record has besides, as JSON
                text = f'{text[:-1]}, "fields": {fields[at.record]}}}'
            out.append(f"{text}\n")
        # Bytes outside UTF-8 stand in the text as lone surrogates; JSON writes those as \\udcXX.
        return "".join(out).encode("utf-8", "backslashreplace")
