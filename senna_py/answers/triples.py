"""Triples of a document: who did what, and when, where and to whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from senna_py.answers.lists import TASKS
from senna_py.answers.missing import not_run
from senna_py.answers.views import Span, Token
from senna_py.immutable import refusing_changes
from senna_py.labels.clauses import (
    WHEN,
    WHERE,
    Clause,
    ParsedSentence,
    Phrase,
    find_clauses,
)
from senna_py.labels.tasks import FEATS, LEMMA, POS, ROLES, UPOS, VALUES
from senna_py.other_names import OtherNames
from senna_py.tables import TRIPLE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from senna_py.answers.document import Document, Sentence

_BETWEEN = "; "  # between several phrases in one cell
_TIMES = {"DATE", "TIME"}
# The features that matter, by Penn Treebank tags.
_FEATS_OF_TAGS = {
    "VB": "VerbForm=Inf",
    "VBD": "VerbForm=Fin",
    "VBN": "VerbForm=Part|Tense=Past",
    "VBP": "VerbForm=Fin",
    "VBZ": "VerbForm=Fin",
    "MD": "VerbForm=Fin",
    "WDT": "PronType=Rel",
    "WP": "PronType=Rel",
    "WRB": "PronType=Rel",
}
_PLACES = {"LOC", "GPE", "FAC"}


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Triple(OtherNames):
    """Who did what: a subject, a verb and an object, with their circumstances.

    The subject of a passive is its agent (*by two men*), and what the passive is about
    is the object. Coordinated subjects, verbs and objects have triples of their own.

    Attributes:
        predicate: The verb as a Token; the copula in *Rome is old*.
        verb: The lemma of the verb with its particle, and with the preposition of the
            object: `give up`, `depend on`. Without lemmas, the word itself is used.
        subject: Who does it, or None.
        object: What it is done to, or what the subject is; or None.
        recipient: To whom, if this is an object without a preposition; or None.
        complement: What the object is, becomes or does: *president* in *they elected
            him president*, *to wait* in *she asked Bob to wait*; or None.
        when: The phrases that say when it happens.
        where: The phrases that say where.
        others: The other phrases with prepositions; the label of each is its
            preposition.
        negated: Whether the statement is negated.
        passive: Whether the clause is passive in the text.
        modality: The word that makes the triple less than a statement: a modal verb
            (`may`), the word whose complement it is (`say`, `want`), `if`, the mark of
            an infinitive (`to`), `?` or `!`; empty for a statement.

    Example:
        >>> triple = doc.triples[0]
        >>> triple.subject.text, triple.verb, triple.object.text
        ('Angela Merkel', 'visit', 'Berlin')
        >>> print(triple)
        Angela Merkel | visit | Berlin
    """

    predicate: Token
    verb: str
    subject: Span | None
    object: Span | None
    recipient: Span | None
    complement: Span | None
    when: tuple[Span, ...]
    where: tuple[Span, ...]
    others: tuple[Span, ...]
    negated: bool
    passive: bool
    modality: str

    @property
    def sentence(self) -> Sentence:
        """The sentence that contains the predicate."""
        return self.predicate.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return the triple as a dict that can be serialized as JSON.

        Token indices are relative to the document.

        Example:
            >>> doc.triples[0].to_dict()["verb"]
            'visit'
        """
        subject, object_, recipient, complement = (
            None if span is None else span.to_dict()
            for span in (self.subject, self.object, self.recipient, self.complement)
        )
        return {
            "subject": subject,
            "verb": self.verb,
            "object": object_,
            "recipient": recipient,
            "complement": complement,
            "when": [span.to_dict() for span in self.when],
            "where": [span.to_dict() for span in self.where],
            "others": [span.to_dict() for span in self.others],
            "negated": self.negated,
            "passive": self.passive,
            "modality": self.modality,
            "predicate": self.predicate.i,
        }

    def row(self) -> dict[str, str | bool | None]:
        """Return the triple as a row of a table, with the texts of its phrases.

        A phrase that is missing is None. Several phrases are separated by semicolons.

        Example:
            >>> row = doc.triples[1].row()
            >>> row["subject"], row["verb"], row["object"], row["when"]
            ('She', 'give', 'a speech', None)
        """
        row: dict[str, str | bool | None] = {}
        for name in TRIPLE_COLUMNS:
            value = getattr(self, name)
            if isinstance(value, tuple):
                value = _BETWEEN.join(map(_with_preposition, value)) or None
            row[name] = value.text if isinstance(value, Span) else value
        return row

    def __str__(self) -> str:
        verb = f"not {self.verb}" if self.negated else self.verb
        return " | ".join(
            "-" if part is None else str(part)
            for part in (self.subject, verb, self.object)
        )

    def __repr__(self) -> str:
        return f"Triple({str(self)!r})"


def _with_preposition(span: Span) -> str:
    """Return the text of an adjunct, which may stand before its preposition.

    In *the house in which he died*, this is *in the house*.
    """
    if not span.label or span.text.lower().startswith(span.label):
        return span.text
    return f"{span.label} {span.text}"


def triples_of(document: Document, first: int, last: int) -> tuple[Triple, ...]:
    """Return the triples of some sentences of a document.

    Args:
        document: The document.
        first: The first sentence.
        last: The index after the last sentence.

    Raises:
        UsageError: If dependencies or parts of speech were not run.
    """
    has, known = document.layers, document._packed.form.tag_tasks
    if TASKS["arcs"] not in has:
        raise not_run("triples", TASKS["arcs"], known)
    if UPOS not in has and POS not in has:
        raise not_run("triples", UPOS, known)
    return tuple(
        _triple(document, sentence.start, clause)
        for sentence in document.sentences[first:last]
        for clause in find_clauses(_parsed(document, sentence))
    )


def _parsed(document: Document, sentence: Sentence) -> ParsedSentence:
    start, end = sentence.start, sentence.end
    forms = sentence.forms
    tags, has = document._lists.tags, document.layers
    arcs = sentence.arcs
    return ParsedSentence(
        forms,
        tags(LEMMA)[start:end] if LEMMA in has else [form.lower() for form in forms],
        sentence.parts_of_speech.universal,
        _feats(document, start, end),
        [-1 if arc.head is None else arc.head - start for arc in arcs],
        [arc.relation for arc in arcs],
        _roles(sentence) if ROLES in has else {},
        _places(sentence, has),
    )


def _feats(document: Document, start: int, end: int) -> Sequence[str]:
    """Return the features of some words, or those that their tags imply."""
    tags, has = document._lists.tags, document.layers
    if FEATS in has:
        return tags(FEATS)[start:end]
    if POS in has:
        return [_FEATS_OF_TAGS.get(tag, "") for tag in tags(POS)[start:end]]
    return [""] * (end - start)


def _roles(sentence: Sentence) -> dict[int, list[tuple[str, int, int]]]:
    start = sentence.start
    return {
        frame.predicate - start: [
            (span.label, span.start - start, span.end - start)
            for span in frame.arguments
        ]
        for frame in sentence.frames
    }


def _places(sentence: Sentence, has: Any) -> list[tuple[str, int, int]]:
    """Return the time expressions and the names of places of a sentence."""
    start, places = sentence.start, []
    if VALUES in has:
        places += [(WHEN, span) for span in sentence.values if span.label in _TIMES]
    if TASKS["entities"] in has:
        places += [(WHERE, each) for each in sentence.entities if each.label in _PLACES]
    return [(sort, span.start - start, span.end - start) for sort, span in places]


def _triple(document: Document, start: int, clause: Clause) -> Triple:
    def span(phrase: Phrase | None) -> Span | None:
        if phrase is None:
            return None
        return Span(document, phrase.begin + start, phrase.end + start)

    def spans(phrases: tuple[Phrase, ...]) -> tuple[Span, ...]:
        return tuple(
            Span(document, each.begin + start, each.end + start, each.preposition)
            for each in phrases
        )

    return Triple(
        Token(document, clause.predicate + start),
        clause.verb,
        span(clause.subject),
        span(clause.object),
        span(clause.recipient),
        span(clause.complement),
        spans(clause.when),
        spans(clause.where),
        spans(clause.others),
        clause.negated,
        clause.passive,
        clause.modality,
    )
