"""A component for spaCy pipelines: `nlp.add_pipe("senna")`.

    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("senna")
    doc = nlp("Angela Merkel lives in Berlin.")
    doc.ents  # (Angela Merkel, Berlin)

It needs the extra `spacy`. docs/guide/python.md lists the attributes that it sets.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from senna_py import Model, load
from senna_py.errors import missing
from senna_py.labels.dependencies import Arc, noun_chunks
from senna_py.labels.tasks import ENTITIES, Structure

try:
    from spacy.language import Language
    from spacy.scorer import Scorer, get_ner_prf
    from spacy.tokens import Span
    from spacy.util import filter_spans, minibatch
except ImportError:
    raise ImportError(missing("senna_py.spacy", "spacy", "spacy")) from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from spacy.tokens import Doc, Token
    from spacy.training import Example

    from senna_py.answers.document import Sentence
    from senna_py.labels.tasks import Task
    from senna_py.tagger import Tagger

__all__ = ["SennaComponent", "make"]

# spaCy's tags for white-space tokens, which our tokenizer does not have.
SPACE_TAG, SPACE = "_SP", "SPACE"
# The attributes of spaCy's tokens, and the tasks that set each of them.
_TASKS = {
    "tag": ("pos", "xpos", "upos"),
    "pos": ("pos", "upos"),
    "morph": ("feats",),
    "lemma": ("lemma",),
}
_TAG, _UNIVERSAL, _MORPH, _LEMMA = _TASKS


class SennaComponent:
    """Adds a tagger's sentences and layers to Docs, whose tokens do not change."""

    def __init__(self, tagger: Tagger) -> None:
        self.tagger = tagger

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Annotate Docs in place, `batch_size` at a time, and yield them in order."""
        for batch in minibatch(stream, batch_size):
            docs = [(doc, list(self._sentences(doc))) for doc in batch]
            words = (
                [token.text for token in sentence]
                for _, sentences in docs
                for sentence in sentences
            )
            tagged = self.tagger.pipe(words)
            for doc, sentences in docs:
                pairs = [(sentence, next(tagged)) for sentence in sentences]
                self._set(doc, pairs)
                yield doc

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's scores for the tagger's tasks; `Language.evaluate` calls it.

        Dependencies of punctuation are ignored, as in spaCy's own components.
        """
        examples, tasks = list(examples), {*self.tagger.tasks}
        scores: dict[str, Any] = {}
        for attribute, any_of in _TASKS.items():
            if tasks & {*any_of}:
                scores |= Scorer.score_token_attr(examples, attribute, getter=_value)
        if any(map(_gives_heads, map(self.tagger.task, tasks))):
            scores |= Scorer.score_deps(
                examples,
                "dep",
                getter=lambda token, _: token.dep_,
                ignore_labels=("p", "punct"),
            )
        if any(self.tagger.task(name).marked for name in tasks):
            scores |= get_ner_prf(examples)
        return scores | Scorer.score_spans(
            examples,
            "sents",
            getter=getattr,
            has_annotation=lambda doc: doc.has_annotation("SENT_START"),
        )

    def _sentences(self, doc: Doc) -> Iterator[list[Token]]:
        """Yield the tokens of each sentence, except white space.

        If no earlier component has set sentence boundaries, this method sets them.
        """
        if not doc.has_annotation("SENT_START"):
            starts = self._starts(doc)
            first = next((token.i for token in doc if not token.is_space), 0)
            for token in doc:
                # White space before the first word belongs to its sentence.
                token.is_sent_start = token.i in starts and not 0 < token.i <= first
        for sentence in doc.sents:
            tokens = [token for token in sentence if not token.is_space]
            if tokens:
                yield tokens

    def _starts(self, doc: Doc) -> set[int]:
        tokens = self.tagger.tokenizer.document(doc.text)
        offsets = tokens.offsets()
        starts = {0}
        for first, last in pairwise(tokens.starts.tolist()):
            span = doc.char_span(
                int(offsets[first, 0]),
                int(offsets[last - 1, 1]),
                alignment_mode="expand",
            )
            starts.add(span.start)  # type: ignore[union-attr] # never None
        return starts

    def _set(self, doc: Doc, pairs: list[tuple[list[Token], Sentence]]) -> None:
        spaces = [token for token in doc if token.is_space]
        tasks = [*map(self.tagger.task, self.tagger.tasks)]
        self._set_tags(pairs, spaces)
        for task in tasks:
            if _gives_heads(task):
                _set_heads(doc, pairs, spaces, task)
        marked = [task for task in tasks if task.marked]
        named = [task for task in marked if task.attribute == ENTITIES]
        before, entities = [*doc.ents], []
        taken = {token.i for span in before for token in span}
        for task in filter(_has_spans, tasks):
            spans, scores = _spans(doc, pairs, task)
            name = _group_name(task)
            doc.spans[name] = spans
            if scores:
                doc.spans[name].attrs["scores"] = scores
            # If a task finds named entities, the spans of other tasks are not entities.
            if task in (named or marked):
                entities += [
                    span for span in spans if taken.isdisjoint(t.i for t in span)
                ]
                # Spans of several tasks may overlap, but spaCy's entities may not.
                doc.set_ents([*before, *filter_spans(entities)], default="outside")

    def _set_tags(
        self, pairs: list[tuple[list[Token], Sentence]], spaces: list[Token]
    ) -> None:
        known = {*self.tagger.tasks}
        for name, set_value in _SETTERS.items():
            for task in known & {*_TASKS[name]}:
                for tokens, sentence in pairs:
                    for token, tag in zip(tokens, sentence.tags[task], strict=True):
                        set_value(token, tag)
        if known & {*_TASKS[_TAG]}:
            for tokens, sentence in pairs:
                for token, ours in zip(tokens, sentence, strict=True):
                    token.tag_ = ours.pos
            for token in spaces:
                token.tag_ = SPACE_TAG
        if known & {*_TASKS[_UNIVERSAL]}:
            for tokens, sentence in pairs:
                tags = sentence.parts_of_speech.universal
                for token, tag in zip(tokens, tags, strict=True):
                    token.pos_ = tag.partition("+")[0]
            for token in spaces:
                token.pos_ = SPACE


def _gives_heads(task: Task) -> bool:
    """Return whether a task assigns a head to each token, as dependencies do."""
    return task.shape.structure is Structure.HEADS


def _set_heads(
    doc: Doc,
    pairs: list[tuple[list[Token], Sentence]],
    spaces: list[Token],
    task: Task,
) -> None:
    """Set heads and relations.

    White space is attached to the token before it, or at the beginning of a sentence to
    its first word.
    """
    for token in spaces:
        words = (other for other in token.sent if not other.is_space)
        token.head = next(words, token) if token.is_sent_start else doc[token.i - 1]
        token.dep_ = "dep"
    for tokens, sentence in pairs:
        for token, row in zip(tokens, sentence.rows(task), strict=True):
            is_root = row.anchor is None
            token.head = token if row.anchor is None else tokens[row.anchor[0]]
            token.dep_ = "ROOT" if is_root else row.label


def _has_spans(task: Task) -> bool:
    """Return whether the spans of a task are stored in `doc.spans`."""
    match task.shape.structure:
        case Structure.TAGS | Structure.HEADS:
            return False
        case Structure.FRAMES | Structure.LINKS:
            return True
    return task.marked or bool(task.attribute)


def _group_name(task: Task) -> str:
    """Return the key of a task's spans in `doc.spans`."""
    if task.shape.structure is Structure.FRAMES:
        return task.shape.name
    return task.span_name or task.attribute or task.name


def _spans(
    doc: Doc, pairs: list[tuple[list[Token], Sentence]], task: Task
) -> tuple[list[Span], list[float]]:
    """Return the spans of a task, and their scores; without scores, that list is empty.

    The id of a span identifies its anchor: it is the index of a token, or the start and
    end of a span, as in `3:5`. Spans without an anchor have an empty id.
    """
    spans, scores = [], []
    for tokens, sentence in pairs:
        for label, start, end, anchor, score in sentence.rows(task):
            first, last = _place(tokens, start, end)
            span_id = ""
            if anchor is not None:
                place = _place(tokens, *anchor)
                span_id = str(place[0])
                if task.shape.structure is Structure.LINKS:
                    span_id = f"{place[0]}:{place[1]}"
            spans.append(Span(doc, first, last, label, span_id=span_id))
            if score is not None:
                scores.append(score)
    return spans, scores


def _place(tokens: list[Token], start: int, end: int) -> tuple[int, int]:
    """Convert a range of a sentence's tokens to a range of Doc indices.

    Unlike the sentence, the Doc also contains white-space tokens.
    """
    return tokens[start].i, tokens[end - 1].i + 1


def _value(token: Token, attribute: str) -> str:
    """Return an attribute of a spaCy token as text."""
    return str(token.morph) if attribute == "morph" else getattr(token, f"{attribute}_")


def _noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the end and the label (its hash) of each noun chunk.

    It replaces spaCy's own function, which does not expect the relations of UD.
    """
    place = {token.i: i for i, token in enumerate(doclike)}
    arcs = [
        Arc(
            place.get(token.head.i) if token.head != token else None, token.dep_.lower()
        )
        for token in doclike
    ]
    label = doclike.vocab.strings.add("NP")
    for begin, end in noun_chunks(arcs, [token.pos_ for token in doclike]):
        yield doclike[begin].i, doclike[end - 1].i + 1, label


def _set_lemma(token: Token, lemma: str) -> None:
    token.lemma_ = lemma


def _set_features(token: Token, features: str) -> None:
    token.set_morph("" if features == "_" else features)  # type: ignore[attr-defined]


_SETTERS = {_MORPH: _set_features, _LEMMA: _set_lemma}


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
) -> SennaComponent:
    """Return a component with the Tagger that `load` returns for these arguments.

    If `tasks` is None, upos and feats are added to the default tasks of a model that
    has them.
    """
    model = Model(path)
    if tasks is None:
        # spaCy has attributes for universal parts of speech and features.
        best = (_TASKS[attribute][-1] for attribute in (_UNIVERSAL, _MORPH))
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
    if any(map(_gives_heads, map(tagger.task, tagger.tasks))):
        nlp.vocab.get_noun_chunks = _noun_chunks  # type: ignore[assignment]
    return SennaComponent(tagger)
