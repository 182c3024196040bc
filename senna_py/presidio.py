"""An engine for Presidio, whose other parts find and replace personal data.

    from presidio_analyzer import AnalyzerEngine
    from senna_py.presidio import Engine

    analyzer = AnalyzerEngine(nlp_engine=Engine())
    analyzer.analyze("Angela Merkel lives in Berlin.", language="en")

It needs the package `presidio-analyzer`, which brings spaCy along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import UsageError, missing
from senna_py.labels.tasks import LEMMA, VALUES
from senna_py.model import Model
from senna_py.redaction.type_names import NER, ORGANIZATION, PERSON, PLACE, type_of

try:
    import spacy
    from presidio_analyzer.nlp_engine import NlpArtifacts, SpacyNlpEngine
    from spacy.tokens import Span
except ImportError:
    raise ImportError(
        missing("senna_py.presidio", "presidio", "presidio-analyzer")
    ) from None

import senna_py.spacy  # noqa: F401 - it registers the component

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["Engine"]

# The entities of Presidio for our types; others are not reported.
_ENTITIES = {
    PERSON: "PERSON",
    PLACE: "LOCATION",
    ORGANIZATION: "ORGANIZATION",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
}
# The tasks whose layers Presidio uses, if a model has them. Lemmas are the context of
# what its rules find.
_TASKS = (NER, VALUES, LEMMA)
_UNSCORED = 0.85  # Presidio's score of entities without a probability.


class Engine(SpacyNlpEngine):
    """An engine of Presidio whose entities and lemmas come from taggers.

    Stop words and punctuation are those of spaCy's languages.
    """

    def __init__(self, models: Mapping[str, str | None] | None = None) -> None:
        """Prepare an engine; `load` reads the models.

        Args:
            models: The path of the model of each language, by the code of the language.
                None as a path is the default model, and None alone is that model for
                English.
        """
        super().__init__()
        self._paths = {"en": None} if models is None else dict(models)

    def load(self) -> None:
        """Read the models.

        Raises:
            SennaError: If a model cannot be read, or has no entities.
        """
        pipelines = {}
        for language, path in self._paths.items():
            model = Model(path)
            tasks = [task for task in _TASKS if task in model.tasks()]
            if NER not in tasks:
                raise UsageError(f"{model.path}: the model has no task {NER}")
            pipeline = spacy.blank(language)
            config = {"path": path, "tasks": tasks, "with_scores": True}
            pipeline.add_pipe("senna", config=config)
            pipelines[language] = pipeline
        self.nlp = pipelines

    def process_text(self, text: str, language: str) -> NlpArtifacts:
        """Return the entities, tokens and lemmas of a text.

        Args:
            text: The text.
            language: The code of its language.

        Raises:
            UsageError: If no model of the language has been loaded.
        """
        return self._artifacts(self._pipeline(language)(text), language)

    def process_batch(
        self,
        texts: Iterable[Any],
        language: str,
        batch_size: int = 1,
        n_process: int = 1,
        as_tuples: bool = False,
        **_: Any,
    ) -> Iterator[tuple[Any, ...]]:
        """Yield each text with its entities, tokens and lemmas, in order.

        Args:
            texts: The texts, or pairs of a text and its context.
            language: The code of their language.
            batch_size: The number of texts that are tagged at once.
            n_process: Not used, because taggers run in this process.
            as_tuples: Whether `texts` are pairs. The context is then the third item of
                each result.
            **_: Ignored.

        Raises:
            UsageError: If no model of the language has been loaded.
        """
        pipeline = self._pipeline(language)
        pairs = texts if as_tuples else ((text, None) for text in texts)
        named = ((str(text), context) for text, context in pairs)
        for doc, context in pipeline.pipe(named, as_tuples=True, batch_size=batch_size):
            result = doc.text, self._artifacts(doc, language)
            yield (*result, context) if as_tuples else result

    def get_supported_entities(self) -> list[str]:
        """Return the names of the entities that can be reported."""
        return [*dict.fromkeys(_ENTITIES.values())]

    def _pipeline(self, language: str) -> Language:
        pipelines = self.nlp or {}
        if language not in pipelines:
            known = ", ".join(pipelines) or "none before load()"
            raise UsageError(f"no model of {language!r}; there are {known}")
        pipeline: Language = pipelines[language]
        return pipeline

    def _artifacts(self, doc: Doc, language: str) -> NlpArtifacts:
        entities, scores = [], []
        for task, group in ((NER, "entities"), (VALUES, "values")):
            spans = doc.spans.get(group, ())
            of_group = [_UNSCORED] * len(spans)
            if spans:
                of_group = spans.attrs.get("scores", of_group)
            for span, score in zip(spans, of_group, strict=True):
                name = _ENTITIES.get(type_of(task, span.label_))
                if name is not None:
                    entities.append(Span(doc, span.start, span.end, name))
                    scores.append(score)
        return NlpArtifacts(
            entities=entities,
            tokens=doc,
            tokens_indices=[token.idx for token in doc],
            lemmas=[token.lemma_ or token.text for token in doc],
            nlp_engine=self,
            language=language,
            scores=scores,
        )
