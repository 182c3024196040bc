"""Component of a spaCy pipeline: `nlp.add_pipe("senna")`.

    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("senna")
    doc = nlp("Angela Merkel lives in Berlin.")
    doc.ents  # (Angela Merkel, Berlin)

It needs the extra `spacy`. docs/guide/python.md has what it sets.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from senna_py import Model, load
from senna_py.errors import missing
from senna_py.formats.conllu import parts_of_speech
from senna_py.labels.dependencies import Arc, noun_chunks
from senna_py.labels.tasks import ARCS, FEATS, LEMMA, UPOS

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
    from senna_py.tagger import Tagger

__all__ = ["SennaComponent", "make"]

SPACE_TAG, SPACE = (
    "_SP",
    "SPACE",
)  # spaCy's tags of a token of white space, which is none of ours


class SennaComponent:
    """Sets tags, entities, chunks, roles, constituents and sentences of spaCy's own
    tokens.
    """

    def __init__(self, tagger: Tagger) -> None:
        self.tagger = tagger

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Annotate Docs in place, `batch_size` of them at a time, and give them back in
        order.
        """
        for batch in minibatch(stream, batch_size):
            docs = [(doc, list(self._sentences(doc))) for doc in batch]
            words = (
                [token.text for token in sentence]
                for _, found in docs
                for sentence in found
            )
            tagged = self.tagger.pipe(words)
            for doc, sentences in docs:
                pairs = [(sentence, next(tagged)) for sentence in sentences]
                self._set(doc, pairs)
                yield doc

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return spaCy's scores of what the tasks set, as `Language.evaluate` asks for
        them.

        As in spaCy's own components, dependencies of punctuation do not count.
        """
        examples, tasks = list(examples), {*self.tagger.tasks}
        scores: dict[str, Any] = {}
        for attribute, any_of in _SCORED.items():
            if tasks & {*any_of}:
                scores |= Scorer.score_token_attr(examples, attribute, getter=_value)
        if ARCS in tasks:
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
        """Tokens of each sentence, without white space; found here if no one did
        before.
        """
        if not doc.has_annotation("SENT_START"):
            starts = self._starts(doc)
            first = next((token.i for token in doc if not token.is_space), 0)
            for token in doc:
                # White space before the first word is no sentence.
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
            starts.add(span.start)  # type: ignore[union-attr] # expanded, there always is one
        return starts

    def _set(self, doc: Doc, pairs: list[tuple[list[Token], Sentence]]) -> None:
        tasks = self.tagger.tasks
        spaces = [token for token in doc if token.is_space]
        if {"pos", "xpos", "upos"} & {*tasks}:
            for tokens, sentence in pairs:
                for token, ours in zip(tokens, sentence, strict=True):
                    token.tag_ = ours.pos
            for token in spaces:
                token.tag_ = SPACE_TAG
        if "pos" in tasks or "upos" in tasks:
            for tokens, sentence in pairs:
                for token, tag in zip(
                    tokens, parts_of_speech(sentence)[0], strict=True
                ):
                    token.pos_ = tag.partition("+")[0]
            for token in spaces:
                token.pos_ = SPACE
        self._set_words(pairs)
        self._set_heads(doc, pairs, spaces)
        before, entities = [*doc.ents], []
        taken = {token.i for span in before for token in span}
        for task in map(self.tagger.task, tasks):
            if task.marked or task.name in _NAMES:
                name = _NAMES.get(task.name, task.name)
                spans, scores = self._spans(doc, pairs, task)
                doc.spans[name] = spans
                if scores:
                    doc.spans[name].attrs["scores"] = scores
                if task.marked and (task.name == "ner" or "ner" not in tasks):
                    entities += [
                        span for span in spans if taken.isdisjoint(t.i for t in span)
                    ]
                    # Spans of several tasks may overlap, which entities may not.
                    doc.set_ents([*before, *filter_spans(entities)], default="outside")

    def _set_words(self, pairs):
        for tokens, sentence in pairs:
            for token, lemma in zip(tokens, sentence.tags.get(LEMMA, ()), strict=False):
                token.lemma_ = lemma
            for token, features in zip(
                tokens, sentence.tags.get(FEATS, ()), strict=False
            ):
                token.set_morph("" if features == "_" else features)

    def _set_heads(self, doc, pairs, spaces):
        """Set heads and relations; white space depends on the token before it, or the
        first.
        """
        if ARCS not in self.tagger.tasks:
            return
        for token in spaces:
            words = (other for other in token.sent if not other.is_space)
            token.head = next(words, token) if token.is_sent_start else doc[token.i - 1]
            token.dep_ = "dep"
        for tokens, sentence in pairs:
            for token, (head, relation, _) in zip(tokens, sentence.arcs, strict=True):
                token.head = token if head is None else tokens[head]
                token.dep_ = "ROOT" if head is None else relation

    def _spans(self, doc, pairs, task):
        """Spans of a task, and their scores, if there are any."""
        spans, scores = [], []
        for tokens, sentence in pairs:
            parts = _PARTS[task.labels](sentence, task.name)
            for label, begin, end, score, predicate in parts:
                span_id = "" if predicate is None else str(tokens[predicate].i)
                first, last = tokens[begin].i, tokens[end - 1].i + 1
                spans.append(Span(doc, first, last, label, span_id=span_id))
                if score is not None:
                    scores.append(score)
        return spans, scores


def _value(token: Token, attribute: str) -> str:
    """What a token has of an attribute, as text."""
    return str(token.morph) if attribute == "morph" else getattr(token, f"{attribute}_")


def _noun_chunks(doclike):
    """Yield first token, end and label of noun chunks: spaCy's expect other relations
    than UD's.
    """
    place = {token.i: i for i, token in enumerate(doclike)}
    arcs = [
        Arc(
            place.get(token.head.i) if token.head != token else None, token.dep_.lower()
        )
        for token in doclike
    ]
    for begin, end in noun_chunks(arcs, [token.pos_ for token in doclike]):
        yield doclike[begin].i, doclike[end - 1].i + 1, doclike.vocab.strings.add("NP")


# Attributes of tokens, and the tasks that set each of them.
_SCORED = {
    "tag": ("pos", "xpos", "upos"),
    "pos": ("pos", "upos"),
    "morph": (FEATS,),
    "lemma": (LEMMA,),
}
_NAMES = {
    "ner": "entities",
    "val": "values",
    "chk": "chunks",
    "srl": "roles",
    "psg": "constituents",
}
# Label, first token, end, score and predicate of the spans of a task of a Sentence, by
# its kind.
_PARTS = {
    "words": lambda sentence, task: [
        (span.label, span.start, span.end, span.score, None)
        for span in sentence.spans[task]
    ],
    "roles": lambda sentence, _: [
        (span.label, span.start, span.end, span.score, frame.predicate)
        for frame in sentence.frames
        for span in frame.arguments
    ],
    "trees": lambda sentence, _: [
        (*phrase, None, None) for phrase in sentence.tree.phrases
    ],
}


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
) -> SennaComponent:
    """Component with the Tagger that `senna_py.load` gives for these arguments."""
    model = Model(path)
    if tasks is None:
        # What spaCy calls `pos_` and `morph` are these, if the model has them.
        more = [task for task in (UPOS, FEATS) if task in model.tasks(predicates)]
        tasks = [*dict.fromkeys((*model.default_tasks(predicates), *more))]
    tagger = load(
        model, tasks, predicates, with_scores, abbreviations, jobs, join_hyphens
    )
    if ARCS in tagger.tasks:
        nlp.vocab.get_noun_chunks = _noun_chunks
    return SennaComponent(tagger)
