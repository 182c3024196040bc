"""Reads CoNLL-U for search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.corpora.conllu import ConlluFile
from senna_py.errors import SennaError
from senna_py.formats.conllu import RELATION, column_of, key_of
from senna_py.formats.conllu_reading import layer_of
from senna_py.formats.conllu_text import RestoredText
from senna_py.formats.tagged import BATCH_TOKENS, check_places
from senna_py.io.batches import in_batches
from senna_py.labels.tasks import LEMMA, PRINTED, TABLE, Structure, find_task
from senna_py.search.hits import SentenceText
from senna_py.search.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.corpora.conllu import ConlluSentence
    from senna_py.labels.tasks import Task
    from senna_py.search.pattern import Pattern

_NONE = "_"
_HEAD = "head"
_KNOWN = (*TABLE, LEMMA)  # A feature is not a task; see `Pattern.tasks`.


def read_batches(path: str, name: str, pattern: Pattern) -> Iterator[ConlluBatch]:
    """Yield the sentences of a file in batches; see `tagged.read_tagged`."""
    file = ConlluFile(path)
    names = pattern.tasks(_KNOWN)
    if _HEAD in names:  # The column is no layer of its own.
        raise pattern.error_of_task(_HEAD, _KNOWN, "")
    tasks = [find_task(task) for task in names]
    lacking = {task.name: task for task in tasks}
    n_before = 0
    for sentences in in_batches(file, lambda each: len(each.forms), BATCH_TOKENS):
        for sentence in sentences if lacking else ():
            for task in [*lacking.values()]:
                if _has_layer(sentence, task):
                    del lacking[task.name]
        # Keys may be rare, but columns are not.
        _check_none_lacks(file, pattern, filter(_column_of, lacking.values()))
        yield ConlluBatch(file, name, sentences, tasks, n_before)
        n_before += len(sentences)
    if n_before:
        _check_none_lacks(file, pattern, lacking.values())


def _check_none_lacks(
    file: ConlluFile, pattern: Pattern, lacking: Iterable[Task]
) -> None:
    """Raise PatternError if the file lacks tasks."""
    for task in lacking:
        problem = f"{file.name} was not tagged with {task.name}"
        if task.name in _KNOWN:
            option = f"--{task.name}" if task.name in PRINTED else f"--task {task.name}"
            problem += f"; senna-py tag {option} --format conllu adds it"
        raise pattern.error_of_task(task.name, _KNOWN, problem)


def _column_of(task: Task) -> str | None:
    """Return the column of a task, or None if it has a key."""
    return RELATION if task.shape.structure is Structure.HEADS else column_of(task)


def _has_layer(sentence: ConlluSentence, task: Task) -> bool:
    """Return whether a sentence has any value of a task."""
    column = _column_of(task) or f"misc.{key_of(task)}"
    return any(value != _NONE for value in sentence.column(column))


class ConlluBatch:
    """A batch of sentences of CoNLL-U."""

    def __init__(
        self,
        file: ConlluFile,
        name: str,
        sentences: list[ConlluSentence],
        tasks: list[Task],
        n_before: int,
    ) -> None:
        """Make the table.

        Args:
            file: The file.
            name: The name of the document.
            sentences: The sentences.
            tasks: The tasks whose layers are read.
            n_before: The number of sentences before the batch.

        Raises:
            SennaError: If a layer is malformed.
        """
        self._sentences, self._name, self._n_before = sentences, name, n_before
        self.end = file.source.position()
        starts = np.cumsum([0, *(len(each.forms) for each in sentences)])
        layers = {}
        for task in tasks:
            try:
                layer = layer_of(task, sentences, starts.tolist(), True)
                check_places(layer, starts)
                layers[task.name] = layer
            except (ValueError, KeyError, IndexError) as error:
                first, last = sentences[0].lines[0], sentences[-1].lines[-1]
                raise SennaError(
                    f"{file.name}: lines {first} to {last}: {task.name}: {error}"
                ) from None
        forms = (form for each in sentences for form in each.forms)
        self.table = Table(starts.astype(np.int32), Column.of_texts(forms), layers)

    def sentence(self, number: int) -> SentenceText:
        """Return the text and the place of a sentence of the batch."""
        sentence = self._sentences[number]
        restored = RestoredText()
        restored.add(sentence)
        text, tokens = restored.text_of_sentence(0)
        place = {
            "id": sentence.comment("sent_id"),
            "document": self._name,
            "line": sentence.lines[0],
            "sentence": self._n_before + number + 1,
        }
        return SentenceText(text, tokens, 0, place)
