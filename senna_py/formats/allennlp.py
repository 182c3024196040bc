"""The format `allennlp`: semantic roles as AllenNLP's predictor returns them.

Each line has a JSON object with `words` and `verbs`. A verb has its word, a description
of the sentence with its arguments in brackets, and an IOB tag for each word. The labels
are PropBank's: `ARG0` for A0, `ARGM-TMP` for AM-TMP.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.formats.sentences import SentencePrinter
from senna_py.labels.tag_schemes import encode
from senna_py.labels.tasks import ROLES

if TYPE_CHECKING:
    from typing import Any

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Sentence
    from senna_py.answers.views import Frame
    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model

# The part of a label that is spelled out: A0, AA and AM-TMP, also after C- and R-.
_ARGUMENT = re.compile(r"^((?:[CR]-)?)A(?=[0-9A]$|M-)")


class AllenNlpPrinter(SentencePrinter):
    """Prints one JSON object per sentence and line."""

    @classmethod
    def tasks(cls, model: Model, asked: tuple[str, ...], predicates: str) -> list[str]:
        """Return semantic roles, the only task of the format.

        Raises:
            SennaError: If the model lacks them.
        """
        if ROLES not in model.tasks(predicates):
            raise SennaError(
                f"{model.path}: has no {ROLES}, which --format allennlp needs"
            )
        return [ROLES]

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return a line of JSON for each sentence that has tokens."""
        return b"".join(
            json.dumps(roles_object(sentence)).encode() + b"\n"
            for sentence in self.sentences(annotations)
        )


def roles_object(sentence: Sentence) -> dict[str, Any]:
    """Return the words and verbs of a sentence as AllenNLP does."""
    words = [token.text for token in sentence]
    verbs = [_verb(frame, sentence.start, words) for frame in sentence.frames]
    return {"verbs": verbs, "words": words}


def _verb(frame: Frame, start: int, words: list[str]) -> dict[str, Any]:
    spans = [
        (propbank_label(span.label), span.start - start, span.end - start)
        for span in frame.arguments
    ]
    return {
        "verb": frame.text,
        "description": _description(spans, words),
        "tags": encode(spans, len(words), "iob2"),
    }


def propbank_label(label: str) -> str:
    """Return a label of CoNLL-2005 as PropBank has it: `ARGM-TMP` for AM-TMP."""
    return _ARGUMENT.sub(r"\1ARG", label)


def _description(spans: list[tuple[str, int, int]], words: list[str]) -> str:
    """Return the words with each argument as `[ARG0: The dog]`."""
    parts, place = [], 0
    for label, begin, end in sorted(spans, key=lambda span: span[1]):
        parts += words[place:begin]
        parts.append(f"[{label}: {' '.join(words[begin:end])}]")
        place = end
    return " ".join([*parts, *words[place:]])
