"""Examples that a Python program passes: texts with spans, documents, or files."""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from senna_py.answers.document import Document
from senna_py.corpora.annotations.files import read_annotations
from senna_py.corpora.annotations.texts import AnnotatedText, Annotation, is_inside
from senna_py.errors import UsageError, counted

_EXPECTED = 'expected pairs such as ("Mary left.", [(0, 4, "PER")]), documents, or paths of files'


def annotated_texts(examples: Any, task: str) -> tuple[list[AnnotatedText], list[str]]:
    """Return the annotated texts of examples.

    Args:
        examples: A path, a document, or an iterable of paths, documents and pairs of a
            text and its spans. A span is `(start, end, label)` in characters, or has
            attributes or keys `start_char`, `end_char` and `label`.
        task: The task whose spans of documents are the annotations.

    Returns:
        The texts, and lines for the user about the files.

    Raises:
        UsageError: If an example has another form, or a span is not inside its text.
        SennaError: If a file cannot be read.
    """
    if isinstance(examples, str | os.PathLike | Document):
        examples = [examples]
    if not isinstance(examples, Iterable) or isinstance(examples, Mapping):
        raise UsageError(f"{_EXPECTED}, not {type(examples).__name__}")
    texts, notes = list[AnnotatedText](), list[str]()
    for number, example in enumerate(examples):
        if isinstance(example, str | os.PathLike):
            file = read_annotations(example)
            n_spans = sum(len(text.annotations) for text in file.texts)
            amounts = f"{counted(len(file.texts), 'text')}, {counted(n_spans, 'span')}"
            notes.append(f"{example}: {file.form}: {amounts}")
            notes += [f"{example}: {note}" for note in file.notes]
            texts += file.texts
        else:
            texts.append(_text_of(example, f"example {number}", task))
    return texts, notes


def _text_of(example: Any, place: str, task: str) -> AnnotatedText:
    if isinstance(example, Document):
        spans: Iterable[Any] = example.spans[task]
        return AnnotatedText(place, example.text, tuple(map(_annotation, spans)))
    try:
        text, spans = example
        if isinstance(spans, Mapping):
            spans = spans["entities"]
        annotations = tuple(map(_annotation, spans))
    except (TypeError, ValueError, LookupError, AttributeError):
        raise UsageError(f"{place}: {_EXPECTED}, not {example!r}") from None
    if not isinstance(text, str):
        raise UsageError(f"{place}: {_EXPECTED}, not {example!r}")
    for each in annotations:
        if not is_inside(each, text):
            raise UsageError(
                f"{place}: the span {each.label} from {each.begin} to {each.end} is not "
                f"inside its text of {len(text):,} characters"
            )
    return AnnotatedText(place, text, annotations)


def _annotation(span: Any) -> Annotation:
    if isinstance(span, Mapping):
        values = [span[key] for key in ("start_char", "end_char", "label")]
    elif hasattr(span, "start_char"):
        values = [span.start_char, span.end_char, span.label]
    else:
        values = [*span]
    begin, end, label = values
    if type(begin) is not int or type(end) is not int or not isinstance(label, str):
        raise ValueError("no span")
    return Annotation(begin, end, label)


def labels_of(texts: Iterable[AnnotatedText]) -> list[str]:
    """Return the labels of all annotations, sorted."""
    annotations = chain.from_iterable(text.annotations for text in texts)
    return sorted({each.label for each in annotations})


def renamed(
    texts: Iterable[AnnotatedText], names: Mapping[str, str]
) -> Iterator[AnnotatedText]:
    """Yield texts with renamed labels, whose white space becomes `_`.

    Args:
        texts: The texts.
        names: The new name of each label that is renamed. Annotations that are renamed
            to O are removed.
    """
    for text in texts:
        annotations = []
        for each in text.annotations:
            label = "_".join(names.get(each.label, each.label).split())
            if label != "O":
                annotations.append(
                    Annotation(each.begin, each.end, label, each.surface)
                )
        yield AnnotatedText(text.place, text.text, tuple(annotations), text.words)
