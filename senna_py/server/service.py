"""What the server does with texts: it tags them, and writes the answers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError, UsageError
from senna_py.formats.registry import FORMATS
from senna_py.io.nesting import json_text
from senna_py.pipeline.batch import TextBatch
from senna_py.pipeline.options import TextOptions
from senna_py.pipeline.run import Pipeline
from senna_py.server.requests import JSON, MEDIA_TYPES, TagRequest
from senna_py.text.paragraphs import join_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from senna_py.answers.document import Document
    from senna_py.formats.base import Printer
    from senna_py.search.matches import Match
    from senna_py.tagger import Tagger

    IsWanted = Callable[[], bool]

JSON_TYPE = "application/json"
# The maximum number of taggers besides the default one. Each has a cache of at most 40
# MiB, and otherwise shares the arrays of the model.
_MOST_TAGGERS = 8


@dataclass(frozen=True)
class Answer:
    """An answer to a request.

    Attributes:
        body: The bytes.
        media_type: Their media type.
        n_texts: The number of texts that were tagged.
        n_tokens: The number of their tokens.
    """

    body: bytes
    media_type: str = JSON_TYPE
    n_texts: int = 0
    n_tokens: int = 0


class Service:
    """Answers requests with the taggers of one model. Threads may share it.

    Attributes:
        default: The tagger of requests that choose nothing.
        tasks: The names of the tasks that requests may choose.
    """

    def __init__(
        self,
        tagger: Tagger,
        tasks: Iterable[str] = (),
        tokens: str | None = None,
        paragraphs: bool = False,
    ) -> None:
        """Set what requests may choose.

        Args:
            tagger: The tagger of requests that choose nothing.
            tasks: The tasks to which the server is limited; if there are none, requests
                may choose any task of the model.
            tokens: The standard of tokens of all requests that choose none, or None to
                follow their tasks and formats.
            paragraphs: Whether a paragraph extends over several lines.
        """
        self.default = tagger
        self._is_limited = bool([*tasks])
        self.tasks = tagger.tasks
        if not self._is_limited:
            self.tasks = tagger.model.tasks(tagger.predicates)
        self._tokens, self.paragraphs = tokens, paragraphs
        self._taggers: OrderedDict[Any, Tagger] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The name of the model, or of its file."""
        info = self.default.model.storage.info
        return str(info.get("name") or self.default.model.path.name)

    def document(self, text: str) -> Document:
        """Return the document of a text, with the default tasks."""
        return self.default.document(text, paragraphs=self.paragraphs)

    def tag(self, request: TagRequest, is_wanted: IsWanted) -> Answer:
        """Tag the texts of a request.

        Args:
            request: The request.
            is_wanted: A function that returns whether somebody waits for the answer;
                otherwise, the work ends after the current text.

        Raises:
            UsageError: If the choices of the request contradict each other, or the model
                cannot fulfill them.
        """
        if request.format != JSON:
            return self._formatted(request, is_wanted)
        standard = self._standard(request, request.tasks, universal=False)
        tagger = self._tagger(request.tasks or None, standard, request.scores)
        documents = [*self._documents(tagger, request.texts, is_wanted)]
        texts = [document.to_json() for document in documents]
        body = f'{{"documents": [{", ".join(texts)}]}}'
        if not request.is_batch:
            body = texts[0] if texts else ""
        n_tokens = sum(map(len, documents))
        return Answer(encoded(body + "\n"), JSON_TYPE, len(documents), n_tokens)

    def search(self, request: TagRequest, is_wanted: IsWanted) -> Answer:
        """Return the matches of the pattern of a request as JSON.

        The texts are tagged with the tasks that the pattern needs.

        Args:
            request: The request.
            is_wanted: See `tag`.

        Raises:
            UsageError: If the pattern is malformed, or needs a task that the server does
                not have.
        """
        from senna_py.search.pattern import Pattern  # noqa: PLC0415 - few servers need it

        pattern = Pattern(request.pattern or "")
        tasks = pattern.check_tasks(self.tasks, "the server has no")
        tagger = self._tagger(tasks, self._standard(request, tasks, False), False)
        matches, n_texts, n_tokens = [], 0, 0
        for document in self._documents(tagger, request.texts, is_wanted):
            matches += [_match_object(m, n_texts) for m in document.search(pattern)]
            n_texts += 1
            n_tokens += len(document)
        body = json_text({"matches": matches}, ensure_ascii=False)
        return Answer(encoded(body + "\n"), JSON_TYPE, n_texts, n_tokens)

    def _documents(
        self, tagger: Tagger, texts: Sequence[str], is_wanted: IsWanted
    ) -> Iterator[Document]:
        documents = tagger.pipe(texts, documents=True, paragraphs=self.paragraphs)
        for document in documents:
            if not is_wanted():
                return
            yield document

    def _formatted(self, request: TagRequest, is_wanted: IsWanted) -> Answer:
        """Return the answer to a request that names a format of files."""
        n_texts = n_tokens = 0
        tagger = self._tagger_of_format(request)
        printer = self._printer(request, tagger)
        options = TextOptions(split_sentences=True, paragraphs=self.paragraphs)
        pipeline, body = Pipeline(tagger, options, printer), [printer.header()]
        has_output = False
        for number, text in enumerate(request.texts):
            if not is_wanted():
                break
            name = str(number)
            body.append(printer.begin(name))
            for batch in pipeline.format_all([_batch(text, name, self.paragraphs)]):
                if batch.data and has_output:
                    body.append(printer.between)
                has_output = has_output or bool(batch.data)
                body += [batch.head, batch.data]
                n_tokens += batch.n_tokens
            body.append(printer.end())
            n_texts += 1
        body.append(printer.footer())
        media_type = MEDIA_TYPES[request.format]
        return Answer(b"".join(body), media_type, n_texts, n_tokens)

    def _tagger_of_format(self, request: TagRequest) -> Tagger:
        """Return the tagger of a request that names a format of files.

        Raises:
            UsageError: If the format cannot show a task that the request names, or the
                server has no task that it shows.
        """
        name, form = request.format, FORMATS[request.format]
        for task in request.tasks:
            if not form.shows(task):
                raise UsageError(f"the task {task} cannot be used with format {name}")
        tasks = self._tasks_of_format(request)
        standard = self._standard(request, request.tasks, form.universal)
        return self._tagger(tasks or None, standard, request.scores)

    def _tasks_of_format(self, request: TagRequest) -> tuple[str, ...]:
        """Return the tasks to run for a format; if there are none, the default ones.

        Raises:
            UsageError: If the server has no task that the format shows.
        """
        model, predicates = self.default.model, self.default.predicates
        printer = FORMATS[request.format].load()
        try:
            tasks = printer.tasks(model, request.tasks, predicates)
        except SennaError as error:
            raise UsageError(str(error).removeprefix(f"{model.path}: ")) from None
        wanted = tuple(tasks or ())
        known = tuple(task for task in wanted if task in self.tasks)
        if wanted and not known:
            raise UsageError(
                f"format {request.format} shows no task of this server, which has "
                f"{', '.join(self.tasks)}"
            )
        return known

    def _printer(self, request: TagRequest, tagger: Tagger) -> Printer:
        """Return the printer of a format.

        Raises:
            UsageError: If it has no place for probabilities.
        """
        form = FORMATS[request.format]
        if request.scores and "scores" not in form.takes:
            others = [each for each in MEDIA_TYPES if "scores" in FORMATS[each].takes]
            raise UsageError(
                f"scores cannot be used with format {request.format}, only with "
                f"{', '.join([JSON, *others])}"
            )
        known = {
            "split": True,
            "alone": not request.is_batch,
            "asked": request.tasks,
            "scores": request.scores,
        }
        taken = {name: known[name] for name in form.takes if name in known}
        return form.load()(tagger, **taken)

    def _standard(
        self, request: TagRequest, tasks: Sequence[str], universal: bool
    ) -> str:
        """Return the standard of tokens for a request.

        Args:
            request: The request.
            tasks: The tasks that the request names.
            universal: Whether its format is one of Universal Dependencies.
        """
        if chosen := request.tokens or self._tokens:
            return chosen
        if not tasks and not universal:
            return self.default.tokens
        return self.default.model.tokens_for(tasks, universal)

    def _tagger(self, tasks: Sequence[str] | None, tokens: str, scores: bool) -> Tagger:
        """Return a tagger, which is kept for further requests.

        Args:
            tasks: The names of the tasks, or None for the default ones.
            tokens: The standard of tokens.
            scores: Whether it finds probabilities.

        Raises:
            UsageError: If the model does not have this standard.
        """
        default = self.default
        names = {*(default.tasks if tasks is None else tasks)}
        key = (frozenset(names), tokens, scores)
        if key == (frozenset(default.tasks), default.tokens, default.with_scores):
            return default
        with self._lock:
            tagger = self._taggers.pop(key, None)
            if tagger is None:
                tagger = self._make(names, tokens, scores)
            self._taggers[key] = tagger  # The last one is the one that was used last.
            if len(self._taggers) > _MOST_TAGGERS:
                self._taggers.popitem(last=False)
        return tagger

    def _make(self, tasks: set[str], tokens: str, scores: bool) -> Tagger:
        names = [task for task in self.tasks if task in tasks]
        return self.default.variant(names, scores, tokens)


def _match_object(match: Match, document: int) -> dict[str, Any]:
    """Return the JSON object of a match in the text with the given index.

    Token indices in it are relative to the sentence.
    """
    sentence, values = match.sentence, match.to_dict()
    for place in (values, *values["captures"].values()):
        place["start_token"] -= sentence.start
        place["end_token"] -= sentence.start
    begin = values["start_char"] - sentence.start_char
    end = values["end_char"] - sentence.start_char
    around = {"left": sentence.text[:begin], "right": sentence.text[end:]}
    return {"document": document, "sentence": sentence.number, **values, **around}


def _batch(text: str, name: str, paragraphs: bool) -> TextBatch:
    """Return a text as a batch; lone surrogates in it become question marks."""
    data = text.encode("utf-8", "replace")
    if not paragraphs:
        return TextBatch(name, BatchPlace(name), data)
    return TextBatch(name, BatchPlace(name, original=data), join_lines(data))


def encoded(text: str) -> bytes:
    """Encode a text for an answer; lone surrogates are escaped."""
    return text.encode("utf-8", "backslashreplace")
