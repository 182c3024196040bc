"""Reads JSON lines, or an array with an object on each line, for search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from senna_py.answers.objects import LayerReader, tasks_of_sentence
from senna_py.errors import SennaError
from senna_py.formats.tagged import BATCH_TOKENS
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import Source, read_lines
from senna_py.search.hits import SentenceText
from senna_py.search.printing import PLACE_KEYS
from senna_py.search.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from senna_py.labels.tasks import Task
    from senna_py.search.pattern import Pattern


def read_batches(path: str, name: str, pattern: Pattern) -> Iterator[JsonBatch]:
    """Yield the sentences of a file in batches; see `tagged.read_tagged`."""
    with Source(path) as source:
        batch = JsonBatch(name, pattern)
        for number, values in _objects(source):
            try:
                for sentence in _sentences(values):
                    batch.add(sentence)
            except ValueError as error:
                raise SennaError(f"{source.name}: line {number}: {error}") from None
            if batch.n_tokens >= BATCH_TOKENS:
                batch.finish(source.position())
                yield batch
                batch = JsonBatch(name, pattern, batch.n_after)
        if batch.n_tokens:
            batch.finish(source.position())
            yield batch


def _objects(source: Source) -> Iterator[tuple[int, Any]]:
    """Yield the JSON value on each line, with its line number."""
    for number, line in enumerate(read_lines(source), 1):
        text = line.strip().rstrip(b",")
        if not text or text in (b"[", b"]"):
            continue  # of an array whose objects have a line each
        try:
            values = parse_json(text)
        except ValueError as error:
            problem = f"line {number}: no JSON object on this line: {error}"
            raise SennaError(f"{source.name}: {problem}") from None
        yield number, values


def _sentences(values: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of sentences: itself, or those of a document or an array."""
    if isinstance(values, list):
        for each in values:
            yield from _sentences(each)
    elif isinstance(values, dict) and isinstance(values.get("sentences"), list):
        yield from values["sentences"]
    elif isinstance(values, dict) and "tokens" in values:
        yield values
    else:
        raise ValueError("no sentence that was tagged: it has no tokens")


def _words_of(values: Mapping[str, Any]) -> list[str]:
    """Return the texts of the tokens of a sentence.

    Raises:
        ValueError: If a token has no text, or is not in the text of the sentence.
    """
    words: list[str] = []
    try:
        at = values.get("start_char", 0)
        end = at + len(values["text"])
        for token in values["tokens"]:
            words.append(token["text"])
            if not at <= token["start_char"] < token["end_char"] <= end:
                raise ValueError(f"the token {words[-1]!r} is not where it says")
    except (KeyError, TypeError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise ValueError(f"no token with a text and offsets: {problem}") from None
    if not all(isinstance(word, str) for word in words):
        raise ValueError("a token whose text is no text")
    return words


class JsonBatch:
    """A batch of sentences of JSON."""

    table: Table
    end: int

    def __init__(self, name: str, pattern: Pattern, n_before: int = 0) -> None:
        """Store the name of the document, and the number of sentences before."""
        self._name, self._pattern, self._n_before = name, pattern, n_before
        self._sentences: list[Mapping[str, Any]] = []
        self._words: list[str] = []
        self._reader: LayerReader | None = None

    @property
    def n_tokens(self) -> int:
        """The number of tokens so far."""
        return 0 if self._reader is None else self._reader.n_tokens

    @property
    def n_after(self) -> int:
        """The number of sentences of the file up to the end of the batch."""
        return self._n_before + len(self._sentences)

    def add(self, values: Mapping[str, Any]) -> None:
        """Add a sentence.

        Raises:
            ValueError: If it is malformed or lacks a layer.
        """
        if self._reader is None:
            self._reader = LayerReader(self._tasks(values))
        self._reader.add(values)
        self._words += _words_of(values)
        self._sentences.append(values)

    def _tasks(self, values: Mapping[str, Any]) -> list[Task]:
        known = {task.name: task for task in tasks_of_sentence(values)}
        return [
            known[name]
            for name in self._pattern.check_tasks(
                known, f"{self._name} was not tagged with"
            )
        ]

    def finish(self, end: int) -> None:
        """Make the table; `end` is the number of bytes of the file up to here."""
        assert self._reader is not None, "a batch has sentences"
        self.end = end
        words = Column.of_texts(self._words)
        self.table = Table(self._reader.starts(), words, self._reader.layers())

    def sentence(self, number: int) -> SentenceText:
        """Return the text and the place of a sentence of the batch."""
        values = self._sentences[number]
        at = values.get("start_char", 0)
        place = {key: values.get(key) for key in PLACE_KEYS}
        place["document"] = place["document"] or self._name
        place["sentence"] = place["sentence"] or self._n_before + number + 1
        tokens = [
            (token["start_char"] - at, token["end_char"] - at)
            for token in values["tokens"]
        ]
        return SentenceText(values["text"], tokens, at, place)
