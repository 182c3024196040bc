"""Annotations as JSON lines: one object a sentence."""

import json
from dataclasses import asdict

from senna_py.annotation import sentences_of_lines
from senna_py.labels.tag_schemes import convert

__all__ = ["JsonFormat"]


class JsonFormat:
    """Prints batches as bytes, one JSON object per line; may be shared by threads."""

    splits_lines = False  # a line that was cut for the networks is one object all the same

    def __init__(self, tagger, scheme="iobes", places=False):
        """Prepare to print what `tagger` finds.

        scheme: one of tag_schemes.SCHEMES, for the tags of segments; places: whether to give the
        place of each sentence in its line.
        """
        self._tagger = tagger
        self._segments = [t for t in tagger.tasks if tagger.task(t).kind == "segments"]
        self._scheme = scheme
        self._places = places

    def header(self):
        """Nothing: every line is an object."""
        return b""

    def print(self, found):
        """Lines of the sentences of Annotations that have tokens."""
        # Bytes outside UTF-8 stand in the text as lone surrogates; JSON writes those as \\udcXX.
        return b"".join(
            json.dumps(self._to_dict(sentence), ensure_ascii=False).encode(
                "utf-8", "backslashreplace"
            )
            + b"\n"
            for sentence in sentences_of_lines(self._tagger, found)
        )

    def _to_dict(self, sentence):
        """Sentence as plain dicts and lists; what was not asked for is left out."""
        tags = {task: list(found) for task, found in sentence.tags.items()}
        for task in self._segments:
            tags[task] = [convert(tag, self._scheme) for tag in tags[task]]
        out = {
            "text": sentence.text,
            **({"start": sentence.start, "end": sentence.end} if self._places else {}),
            "tokens": [{"text": t.text, "start": t.start, "end": t.end} for t in sentence],
            "tags": tags,
        }
        for name in ("chunks", "entities", "frames"):
            parts = getattr(sentence, name)
            if parts is not None:
                out[name] = [asdict(part) for part in parts]
        if sentence.tree is not None:
            out["tree"] = str(sentence.tree)
            out["constituents"] = [
                {"label": label, "start": begin, "end": end}
                for label, begin, end in sentence.tree.phrases
            ]
        return out
