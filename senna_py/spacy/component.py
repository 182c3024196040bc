"""The component, and the factory that makes it from a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.language import Language
from spacy.util import minibatch

from senna_py import Model, load
from senna_py.errors import UsageError
from senna_py.pipeline.texts import tag_sentences_of_documents
from senna_py.spacy.attributes import MORPH_TASKS, POS_TASKS, set_attributes
from senna_py.spacy.relations import CLEAR, RELATIONS, gives_heads, use_noun_chunks
from senna_py.spacy.scores import scores_of
from senna_py.spacy.sentences import (
    batches_of_tokens,
    set_sentence_starts,
    words_by_sentence,
)
from senna_py.spacy.spans import set_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from spacy.tokens import Doc
    from spacy.training import Example

    from senna_py.labels.tasks import Task
    from senna_py.tagger import Tagger


class SennaComponent:
    """Adds a tagger's sentences and layers to Docs, whose tokens do not change."""

    def __init__(self, tagger: Tagger, relations: str = "ud") -> None:
        """Make a component of a tagger.

        Args:
            tagger: The tagger.
            relations: The names of the dependencies: `ud` (Universal Dependencies) or
                `clear` (the names of spaCy's English models where only names differ).

        Raises:
            UsageError: If `relations` is neither.
        """
        if relations not in RELATIONS:
            known = ", ".join(RELATIONS)
            raise UsageError(f"no such relations: {relations!r}; there are {known}")
        self.tagger, self.relations = tagger, relations

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Annotate Docs in place, `batch_size` at a time, and yield them in order."""
        tasks = self._tasks()
        for batch in minibatch(stream, batch_size):
            docs = [*batch]
            # Boundaries that an earlier component set are kept.
            set_sentence_starts(
                [doc for doc in docs if not doc.has_annotation("SENT_START")],
                self.tagger.tokenizer,
            )
            places = [words_by_sentence(doc) for doc in docs]
            # `Tagger.pipe` would refuse tokens that look like sentences.
            tagged = tag_sentences_of_documents(
                self.tagger, batches_of_tokens(docs, places)
            )
            for doc, sentences in zip(docs, places, strict=True):
                answers = [(words, next(tagged)) for words in sentences]
                set_attributes(doc, answers, tasks, self.relations == CLEAR)
                set_spans(doc, answers, tasks)
                yield doc

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's scores for the tagger's tasks; `Language.evaluate` calls it."""
        return scores_of([*examples], self._tasks())

    def _tasks(self) -> list[Task]:
        return [*map(self.tagger.task, self.tagger.tasks)]


@Language.factory(
    "senna",
    assigns=[
        "token.tag",
        "token.pos",
        "token.lemma",
        "token.morph",
        "token.head",
        "token.dep",
        "token.is_sent_start",
        "doc.sents",
        "doc.ents",
        "doc.spans",
    ],
    default_config={
        "path": None,
        "tasks": None,
        "predicates": "vbs",
        "with_scores": False,
        "abbreviations": [],
        "jobs": 1,
        "join_hyphens": False,
        "tokens": None,
        "rules": None,
        "relations": "ud",
    },
)
def make(
    nlp: Language,
    name: str,
    path: str | None,
    tasks: str | list[str] | None,
    predicates: str,
    with_scores: bool,
    abbreviations: list[str],
    jobs: int,
    join_hyphens: bool,
    tokens: str | None,
    rules: str | list[str] | None,
    relations: str,
) -> SennaComponent:
    """Return a component with the Tagger that `load` returns for these arguments.

    If `tasks` is None, upos and feats are added to the default tasks of a model that
    has them. `relations` is an argument of the component.
    """
    model = Model(path)
    if tasks is None:
        # spaCy has attributes for universal parts of speech and features.
        best = (names[-1] for names in (POS_TASKS, MORPH_TASKS))
        more = [task for task in best if task in model.tasks(predicates)]
        tasks = [*dict.fromkeys((*model.default_tasks(predicates), *more))]
    tagger = load(
        model,
        tasks,
        predicates,
        with_scores,
        abbreviations,
        jobs,
        join_hyphens,
        tokens,
        rules,
    )
    component = SennaComponent(tagger, relations)
    if any(map(gives_heads, map(tagger.task, tagger.tasks))):
        use_noun_chunks(nlp.vocab)
    return component
