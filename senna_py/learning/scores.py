"""Scores of predicted spans, and the errors among them."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.tokens import TokenScores
from senna_py.labels.tag_schemes import Segment, encode
from senna_py.learning.alignment import LabeledSentence
from senna_py.tagger import Tagger

Spans = Sequence[Segment]
_CONTEXT = 6  # The maximum number of words before and after an error.


def predict(
    tagger: Tagger, sentences: Sequence[LabeledSentence]
) -> list[list[Segment]]:
    """Return the spans that a tagger with one task finds in sentences."""
    (task,) = tagger.tasks
    tagged = tagger.pipe([*sentence.words] for sentence in sentences)
    return [
        [(span.label, span.start, span.end) for span in sentence.spans[task]]
        for sentence in tagged
    ]


def score(
    sentences: Sequence[LabeledSentence],
    predicted: Sequence[Spans],
    labels: Collection[str],
) -> TokenScores:
    """Score the spans with certain labels."""

    def tags(sentence: LabeledSentence, spans: Spans) -> list[str]:
        of_labels = [span for span in spans if span[0] in labels]
        return encode(of_labels, len(sentence.words), "iobes")

    return score_chunks(
        (tags(sentence, sentence.spans), tags(sentence, spans))
        for sentence, spans in zip(sentences, predicted, strict=True)
    )


class Error(NamedTuple):
    """A difference between the annotations and the predictions of a sentence.

    Attributes:
        place: The place of the text.
        context: The words around the error, with the span in brackets.
        expected: The labels of the annotations there, such as `ORG`, or `nothing`.
        found: The predicted labels there.
    """

    place: str
    context: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.place}: {self.context}: expected {self.expected}, found {self.found}"


def errors(
    sentences: Sequence[LabeledSentence],
    predicted: Sequence[Spans],
    labels: Collection[str],
) -> list[Error]:
    """Return the errors in sentences; spans that overlap are one error.

    Args:
        sentences: The sentences with their annotations.
        predicted: The predicted spans of each sentence.
        labels: The labels that count.
    """
    return [
        error
        for sentence, spans in zip(sentences, predicted, strict=True)
        for error in _errors_of(sentence, spans, labels)
    ]


def _errors_of(
    sentence: LabeledSentence, spans: Spans, labels: Collection[str]
) -> Iterator[Error]:
    gold = {span for span in sentence.spans if span[0] in labels}
    found = {span for span in spans if span[0] in labels}
    wrong = sorted((gold | found) - (gold & found), key=lambda span: span[1:])
    while wrong:
        _, begin, end = wrong[0]
        group = [wrong.pop(0)]
        while wrong and wrong[0][1] < end:
            end = max(end, wrong[0][2])
            group.append(wrong.pop(0))
        sides = [
            ", ".join(
                _shown(sentence, span, begin, end) for span in group if span in side
            )
            for side in (gold, found)
        ]
        yield Error(
            sentence.place,
            _in_context(sentence.words, begin, end),
            sides[0] or "nothing",
            sides[1] or "nothing",
        )


def _shown(sentence: LabeledSentence, span: Segment, begin: int, end: int) -> str:
    """Return the label of a span, and its words if they are not the whole range."""
    label, first, last = span
    if (first, last) == (begin, end):
        return label
    return f"{label} {' '.join(sentence.words[first:last])!r}"


def _in_context(words: Sequence[str], begin: int, end: int) -> str:
    first, last = max(begin - _CONTEXT, 0), min(end + _CONTEXT, len(words))
    before = ["..."] if first else []
    after = ["..."] if last < len(words) else []
    inside = f"[{' '.join(words[begin:end])}]"
    return " ".join([*before, *words[first:begin], inside, *words[end:last], *after])


def agreement(before: Sequence[Spans], after: Sequence[Spans]) -> float:
    """Return the F1 of spans after learning against those before, in percent."""
    n_same = sum(len({*old} & {*new}) for old, new in zip(before, after, strict=True))
    total = sum(map(len, before)) + sum(map(len, after))
    return 200 * n_same / total if total else 100.0


def chosen_errors(found: Sequence[Error], most: int) -> list[Error]:
    """Return some of the errors, of as many different types as possible."""
    by_type: dict[tuple[str, str], list[Error]] = {}
    for error in found:
        by_type.setdefault((error.expected, error.found), []).append(error)
    counts = Counter({key: len(members) for key, members in by_type.items()})
    chosen: list[Error] = []
    depth = 0
    while len(chosen) < min(most, len(found)):
        for key, n in counts.most_common():
            if depth < n and len(chosen) < most:
                chosen.append(by_type[key][depth])
        depth += 1
    return chosen
