"""Rehearsal: text that the model labels itself, so that it does not forget.

While a network learns from new sentences, it also learns its own former answers to
other text, as probabilities (Li and Hoiem 2016, "Learning without forgetting").
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from senna_py.corpora.annotations.texts import AnnotatedText
from senna_py.corpora.places import BatchPlace
from senna_py.formats.probabilities import ProbabilityPrinter
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath
from senna_py.io.streaming import Source, read_lines
from senna_py.learning.alignment import LabeledSentence, align
from senna_py.tagger import Tagger

_SAMPLE = Path(__file__).with_name("rehearsal.txt")
_LANGUAGE = "en"  # the language of the sample
_CHECKED = 5  # One of this many paragraphs is not learned, to check what is forgotten.
_FEW, _MOST_CHECKED = 100, 200


class Rehearsal(NamedTuple):
    """Text for the rehearsal.

    Attributes:
        learned: The paragraphs from which the network learns.
        checked: The paragraphs on which it is checked.
    """

    learned: list[str]
    checked: list[str]

    def __bool__(self) -> bool:
        return bool(self.learned)


def read_rehearsal(
    paths: Iterable[AnyPath], language: str, n_sentences: int
) -> Rehearsal:
    """Read the text for the rehearsal.

    The paragraphs to learn from are at most as many as the annotated sentences, or 100
    if these are fewer, so that the rehearsal does not take most of the time.

    Args:
        paths: Text files of the user, with a paragraph on each line. Without them, the
            text is a sample of this package if there is one in the language.
        language: The language of the model.
        n_sentences: The number of annotated sentences to learn from.

    Raises:
        SennaError: If a file cannot be read.
    """
    paths = list(paths)
    if not paths and language == _LANGUAGE:
        paths = [_SAMPLE]
    lines = [line for path in paths for line in _paragraphs(path)]
    return Rehearsal(
        _thinned(
            [line for i, line in enumerate(lines) if i % _CHECKED],
            max(n_sentences, _FEW),
        ),
        _thinned(lines[::_CHECKED], _MOST_CHECKED),
    )


def _thinned(lines: list[str], most: int) -> list[str]:
    """Return at most `most` lines from all parts of a list, in their order."""
    step = max(len(lines) / most, 1.0)
    return [lines[int(i * step)] for i in range(min(len(lines), most))]


def _paragraphs(path: AnyPath) -> Iterator[str]:
    with report_os_errors(path):
        for line in read_lines(Source(path)):
            if text := line.decode("utf-8", "replace").strip():
                yield text


def soft_labels(tagger: Tagger, paragraphs: list[str]) -> list[bytes]:
    """Return the sentences of paragraphs, with the probabilities of their tags.

    Args:
        tagger: A tagger with one task.
        paragraphs: The paragraphs.

    Returns:
        For each sentence, its lines in a column file with soft labels.
    """
    printer = ProbabilityPrinter(tagger)
    tokens, _ = tagger.tokenizer.documents(paragraphs, False)
    annotations = tagger.annotate(tokens, None, tagger.tasks)
    blocks = printer.format(annotations, BatchPlace("")).split(b"\n\n")
    return [block for block in blocks if block]


def checked_sentences(tagger: Tagger, paragraphs: list[str]) -> list[LabeledSentence]:
    """Return the sentences of paragraphs, with the answers of a tagger."""
    (task,) = tagger.tasks
    labels = {name[2:] for name in tagger.labels(task).names}
    texts = [AnnotatedText("", text, ()) for text in paragraphs]
    return align(tagger, texts, task, labels).sentences
