"""Lays annotations of characters onto the tokens of a model."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from senna_py.answers.document import Document
from senna_py.corpora.annotations.texts import AnnotatedText, Annotation
from senna_py.labels.tag_schemes import Segment
from senna_py.tagger import Tagger


@dataclass(frozen=True, slots=True)
class LabeledSentence:
    """A sentence with labeled spans.

    Attributes:
        source: The index of the text that it is from; of equal texts, of the first.
        place: The place of the text.
        words: The words.
        spans: The spans in ascending order, without overlaps.
    """

    source: int
    place: str
    words: tuple[str, ...]
    spans: tuple[Segment, ...]


class Misfit(NamedTuple):
    """An annotation that does not fit the tokens or another annotation.

    Attributes:
        place: The place of the text.
        annotation: The annotation, with offsets in characters.
        text: Its text.
        problem: What is wrong with it, and what became of it.
    """

    place: str
    annotation: Annotation
    text: str
    problem: str

    def __str__(self) -> str:
        begin, end, label = (
            self.annotation.begin,
            self.annotation.end,
            self.annotation.label,
        )
        return f"{self.place}: {label} {begin} to {end}, {self.text!r}: {self.problem}"


@dataclass
class Alignment:
    """The sentences of texts, and the annotations that did not fit.

    Attributes:
        sentences: The sentences.
        widened: The annotations that were widened to whole tokens.
        left_out: The annotations that were left out.
        n_joined: The number of sentences that were joined to the one before, because an
            annotation is in both.
        n_filled: The number of spans that are the model's own answers.
        n_covered: The number of the model's own answers that are not used, because they
            overlap with annotations.
        contradictions: The places of equal texts with different annotations.
        shifts: For each way to correct wrong offsets, how many of the annotations would
            then fit that do not fit now.
        matches: For pairs of a label and a label of the model, the number of spans
            that have the first label, and for the model the second.
    """

    sentences: list[LabeledSentence] = field(default_factory=list)
    widened: list[Misfit] = field(default_factory=list)
    left_out: list[Misfit] = field(default_factory=list)
    n_joined: int = 0
    n_filled: int = 0
    n_covered: int = 0
    contradictions: list[tuple[str, str]] = field(default_factory=list)
    shifts: Counter[str] = field(default_factory=Counter)
    matches: Counter[tuple[str, str]] = field(default_factory=Counter)


# How wrong offsets may be corrected: what is added to the begin and the end.
_SHIFTS = {
    "began and ended one character earlier": (-1, -1),
    "began and ended one character later": (1, 1),
    "began one character earlier": (-1, 0),
    "ended one character later": (0, 1),
}


class _Tokens(NamedTuple):
    """The tokens of a text: words, their ranges of characters, and sentence starts."""

    words: list[str]
    begins: list[int]
    ends: list[int]
    starts: list[int]
    answers: list[Segment]


def align(
    tagger: Tagger,
    texts: Sequence[AnnotatedText],
    task: str = "",
    fill: Iterable[str] = (),
) -> Alignment:
    """Lay the annotations of texts onto the tokens of a tagger.

    An annotation that begins or ends within a token is widened to the whole token. Of
    annotations that overlap, the longest one is kept, and the first one of equally long
    ones. If an annotation extends over the end of a sentence, the sentences are joined.

    Args:
        tagger: The tagger.
        texts: The texts.
        task: The task whose answers are used by `fill`.
        fill: The labels of spans that the texts do not annotate. The tagger's own spans
            with these labels are added where they do not overlap with annotations.
    """
    alignment = Alignment()
    wanted = {*fill}
    sources = _sources(texts, alignment)
    for source, text, tokens in zip(
        sources, texts, _tokenized(tagger, texts, task), strict=True
    ):
        spans = _place(text, tokens, alignment)
        label_of = {(begin, end): label for label, begin, end in tokens.answers}
        alignment.matches.update(
            (label, label_of[begin, end])
            for label, begin, end in spans
            if (begin, end) in label_of
        )
        answers = [span for span in tokens.answers if span[0] in wanted]
        used = [
            answer
            for answer in answers
            if not any(_overlap(answer, span) for span in spans)
        ]
        spans += used
        alignment.n_filled += len(used)
        alignment.n_covered += len(answers) - len(used)
        spans.sort(key=lambda span: span[1])
        _add_sentences(alignment, source, text.place, tokens, spans)
    return alignment


def _sources(texts: Sequence[AnnotatedText], alignment: Alignment) -> list[int]:
    """Return the index of the first equal text of each text; record contradictions."""
    first: dict[str, int] = {}
    sources = [first.setdefault(text.text, i) for i, text in enumerate(texts)]
    for source, text in zip(sources, texts, strict=True):
        earlier = texts[source]
        if _ranges(earlier) != _ranges(text):
            alignment.contradictions.append((text.place, earlier.place))
    return sources


def _ranges(text: AnnotatedText) -> set[tuple[int, int, str]]:
    return {(each.begin, each.end, each.label) for each in text.annotations}


def _tokenized(
    tagger: Tagger, texts: Sequence[AnnotatedText], task: str
) -> Iterator[_Tokens]:
    """Yield the tokens of each text."""
    running = (text.text for text in texts if text.words is None)
    documents = tagger.pipe(running, documents=True)
    given = (
        [text.text[begin:end] for begin, end in text.words]
        for text in texts
        if text.words is not None
    )
    sentences = tagger.pipe(given)
    for text in texts:
        if text.words is None:
            yield _tokens_of(next(documents), task)
            continue
        begins, ends = ([*each] for each in zip(*text.words, strict=True))
        sentence = next(sentences)
        words = [token.text for token in sentence.tokens]
        answers = _answers(sentence.document, task)
        yield _Tokens(words, begins, ends, [0], answers)


def _tokens_of(document: Document, task: str) -> _Tokens:
    tokens = document.tokens
    return _Tokens(
        [token.text for token in tokens],
        [token.start_char for token in tokens],
        [token.end_char for token in tokens],
        [sentence.start for sentence in document.sentences],
        _answers(document, task),
    )


def _answers(document: Document, task: str) -> list[Segment]:
    if not task:
        return []
    return [(span.label, span.start, span.end) for span in document.spans[task]]


def _place(text: AnnotatedText, tokens: _Tokens, alignment: Alignment) -> list[Segment]:
    """Return the spans of a text in tokens, and record those that do not fit."""
    spans: list[Segment] = []
    by_length = sorted(text.annotations, key=lambda each: each.begin - each.end)
    for annotation in by_length:
        begin, end = _trimmed(text.text, annotation)
        shown = text.text[annotation.begin : annotation.end]
        first, last = bisect_right(tokens.ends, begin), bisect_left(tokens.begins, end)
        if first >= last:
            misfit = Misfit(text.place, annotation, shown, "no token; left out")
            alignment.left_out.append(misfit)
            continue
        span = annotation.label, first, last
        if other := next((each for each in spans if _overlap(span, each)), None):
            if span not in spans:
                label, other_first, other_last = other
                ends = tokens.begins[other_first], tokens.ends[other_last - 1]
                problem = f"overlaps with {label} {ends[0]} to {ends[1]}; left out"
                misfit = Misfit(text.place, annotation, shown, problem)
                alignment.left_out.append(misfit)
            continue
        spans.append(span)
        if (tokens.begins[first], tokens.ends[last - 1]) != (begin, end):
            whole = text.text[tokens.begins[first] : tokens.ends[last - 1]]
            problem = f"widened to the tokens {whole!r}"
            alignment.widened.append(Misfit(text.place, annotation, shown, problem))
            alignment.shifts.update(
                name
                for name, (at_begin, at_end) in _SHIFTS.items()
                if annotation.begin + at_begin in tokens.begins
                and annotation.end + at_end in tokens.ends
            )
    return spans


def _trimmed(text: str, annotation: Annotation) -> tuple[int, int]:
    """Return the range of an annotation without white space at its ends."""
    begin, end = annotation.begin, annotation.end
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[end - 1].isspace():
        end -= 1
    return begin, end


def _overlap(one: Segment, other: Segment) -> bool:
    """Return whether two spans have a token in common."""
    return one[1] < other[2] and other[1] < one[2]


def _add_sentences(
    alignment: Alignment,
    source: int,
    place: str,
    tokens: _Tokens,
    spans: Sequence[Segment],
) -> None:
    """Add the sentences of a text; sentences with a common span are joined."""
    if not tokens.words:
        return
    inside = {
        start
        for start in tokens.starts
        if any(begin < start < end for _, begin, end in spans)
    }
    alignment.n_joined += len(inside)
    starts = [start for start in tokens.starts if start not in inside]
    for begin, end in zip(starts, [*starts[1:], len(tokens.words)], strict=True):
        of_sentence = tuple(
            (label, first - begin, last - begin)
            for label, first, last in spans
            if begin <= first < end
        )
        words = tuple(tokens.words[begin:end])
        alignment.sentences.append(LabeledSentence(source, place, words, of_sentence))
