"""The dependencies of spaCy's tokens: heads, the names of relations, noun chunks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from senna_py.labels.dependencies import UNIVERSAL_RELATIONS, Arc
from senna_py.labels.dependencies import noun_chunks as ranges_of_noun_chunks
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from spacy.tokens import Doc, Span
    from spacy.vocab import Vocab

    from senna_py.labels.tasks import Task
    from senna_py.spacy.sentences import Answers

    NounChunks: TypeAlias = Callable[[Doc | Span], Iterator[tuple[int, int, int]]]

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
_UNIVERSAL_NAMES["neg"] = "advmod"
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


def noun_chunks(
    doclike: Doc | Span, of_language: NounChunks | None = None
) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the end and the label (its hash) of each noun chunk.

    spaCy's own functions do not expect the relations of Universal Dependencies. A Doc
    that was read into another vocabulary takes this one as `doc.noun_chunks_iterator`.

    Args:
        doclike: A Doc with dependencies, or a Span of it.
        of_language: The function for other relations, such as those of spaCy's models.
    """
    relations = [
        _UNIVERSAL_NAMES.get(token.dep_, token.dep_.lower()) for token in doclike
    ]
    bases = {relation.partition(":")[0] for relation in relations}
    if of_language and not bases <= UNIVERSAL_RELATIONS:
        yield from of_language(doclike)
        return
    place = {token.i: i for i, token in enumerate(doclike)}
    arcs = []
    for token, relation in zip(doclike, relations, strict=True):
        head = None if token.head == token else place.get(token.head.i)
        arcs.append(Arc(head, relation))
    label = doclike.vocab.strings.add("NP")
    tags = [token.pos_ for token in doclike]
    for begin, end in ranges_of_noun_chunks(arcs, tags):
        yield doclike[begin].i, doclike[end - 1].i + 1, label


def use_noun_chunks(vocab: Vocab) -> None:
    """Let Docs of a vocabulary have noun chunks of universal relations, too."""
    # spaCy's annotation says that such a function yields Span objects.
    of_language: Any = vocab.get_noun_chunks
    if getattr(of_language, "func", None) is not noun_chunks:
        both: Any = partial(noun_chunks, of_language=of_language)
        vocab.get_noun_chunks = both
