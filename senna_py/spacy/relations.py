"""The dependencies of spaCy's tokens: heads, the names of relations, noun chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.labels.dependencies import Arc
from senna_py.labels.dependencies import noun_chunks as ranges_of_noun_chunks
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Span

    from senna_py.labels.tasks import Task
    from senna_py.spacy.sentences import Answers

# The names of relations that a user can choose from: those of Universal Dependencies,
# and those of ClearNLP, which spaCy's English models have.
RELATIONS = ("ud", "clear")
CLEAR = RELATIONS[1]
# Relations that differ in the two only by their name.
_CLEAR_NAMES = {
    "acl:relcl": "relcl",
    "aux:pass": "auxpass",
    "cc:preconj": "preconj",
    "compound:prt": "prt",
    "csubj:pass": "csubjpass",
    "det:predet": "predet",
    "discourse": "intj",
    "iobj": "dative",
    "nmod:poss": "poss",
    "nsubj:pass": "nsubjpass",
    "obj": "dobj",
    "obl:unmarked": "npadvmod",
}
# Relations that ClearNLP tells apart by the word, in lower case.
_CLEAR_NAMES_OF_WORDS = {
    ("advmod", "n't"): "neg",
    ("advmod", "n’t"): "neg",
    ("advmod", "never"): "neg",
    ("advmod", "not"): "neg",
    ("mark", "to"): "aux",
}
_UNIVERSAL_NAMES = {clear: name for name, clear in _CLEAR_NAMES.items()}
_OF_SPACES, _ROOT = "dep", "ROOT"


def gives_heads(task: Task) -> bool:
    """Return whether a task assigns a head to each token, as dependencies do."""
    return task.shape.structure is Structure.HEADS


def heads_of(doc: Doc, answers: Answers, task: Task) -> list[int]:
    """Return the index of each token's head in the Doc; roots are their own heads.

    White space is attached to the token before it, or at the beginning of a sentence to
    its first word.
    """
    heads = [max(i - 1, 0) for i in range(len(doc))]
    for sentence in doc.sents:
        words = (token.i for token in sentence if not token.is_space)
        heads[sentence.start] = next(words, sentence.start)
    for places, tagged in answers:
        for i, row in zip(places, tagged.rows(task), strict=True):
            heads[i] = i if row.anchor is None else places[row.anchor[0]]
    return heads


def relations_of(doc: Doc, answers: Answers, task: Task, clear: bool) -> list[str]:
    """Return the relation of each token.

    Args:
        doc: The Doc.
        answers: Its tagged sentences.
        task: The task that gives heads.
        clear: Whether to translate the names to those of spaCy's English models.
    """
    relations = [_OF_SPACES] * len(doc)
    for places, tagged in answers:
        for i, row in zip(places, tagged.rows(task), strict=True):
            relation = row.label
            if clear:
                by_word = _CLEAR_NAMES_OF_WORDS.get((relation, doc[i].lower_))
                relation = by_word or _CLEAR_NAMES.get(relation, relation)
            relations[i] = _ROOT if row.anchor is None else relation
    return relations


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the end and the label (its hash) of each noun chunk.

    It replaces spaCy's own function, which does not expect the relations of Universal
    Dependencies: the component sets `nlp.vocab.get_noun_chunks` to it. A Doc that was
    read into another vocabulary takes it as `doc.noun_chunks_iterator`.

    Args:
        doclike: A Doc with dependencies, or a Span of it.
    """
    place = {token.i: i for i, token in enumerate(doclike)}
    arcs = []
    for token in doclike:
        relation = token.dep_.lower()
        head = None if token.head == token else place.get(token.head.i)
        arcs.append(Arc(head, _UNIVERSAL_NAMES.get(relation, relation)))
    label = doclike.vocab.strings.add("NP")
    tags = [token.pos_ for token in doclike]
    for begin, end in ranges_of_noun_chunks(arcs, tags):
        yield doclike[begin].i, doclike[end - 1].i + 1, label
