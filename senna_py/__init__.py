"""Fast English tagging on a CPU: parts of speech, entities, roles, trees and more.

>>> from senna_py import load
>>> nlp = load()
>>> doc = nlp.document("Angela Merkel visited Berlin. She gave a speech.")
>>> doc.entities
(Span(PER, 0:2, 'Angela Merkel'), Span(LOC, 3:4, 'Berlin'))
>>> [(token.text, token.pos) for token in doc.sentences[1]]
[('She', 'PRP'), ('gave', 'VBD'), ('a', 'DT'), ('speech', 'NN'), ('.', '.')]

See docs/guide/python.md for roles, trees, many texts and tables, and docs/guide/spacy.md
for spaCy.
"""

from __future__ import annotations

from importlib import import_module

from senna_py.errors import SennaError
from senna_py.keywords import with_advice

# `typing` is not imported, because commands must be ready for Ctrl-C soon after the
# start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any

    from senna_py.answers.constituents import Constituent
    from senna_py.answers.document import Document, Sentence
    from senna_py.answers.triples import Triple
    from senna_py.answers.views import Frame, Span, Token
    from senna_py.labels.explanations import explain
    from senna_py.labels.trees import Leaf, Phrase, Tree
    from senna_py.model import Model
    from senna_py.search.matches import Match
    from senna_py.search.pattern import Pattern
    from senna_py.tables import table
    from senna_py.tagger import RulesArgument, Tagger

__all__ = [
    "Constituent",
    "Document",
    "Frame",
    "Leaf",
    "Match",
    "Model",
    "Pattern",
    "Phrase",
    "SennaError",
    "Sentence",
    "Span",
    "Tagger",
    "Token",
    "Tree",
    "Triple",
    "explain",
    "load",
    "table",
]
__version__ = "0.1.0"


@with_advice
def load(
    path: str | PathLike[str] | Model | None = None,
    tasks: str | Iterable[str] | None = None,
    predicates: str = "vbs",
    with_scores: bool = False,
    abbreviations: Iterable[str] = (),
    jobs: int = 1,
    join_hyphens: bool = False,
    tokens: str | None = None,
    rules: RulesArgument = None,
) -> Tagger:
    """Read a model and return a Tagger.

    Args:
        path: A model file, a SENNA directory, or a Model. `en` is the English model,
            which is also the default unless $SENNA_PY_MODEL names another. `pt` and
            `pt-gsd` are Portuguese models, which are installed separately.
        tasks: The name of a task of the model, or several; with an empty list, text is
            only tokenized. The English model has pos, chk, ner, pt0, srl, psg, dep,
            upos, feats, lemma and val; by default it runs all but pt0, upos, feats and
            val. Other models declare their default tasks.
        predicates: The source of the predicates for semantic roles: `vbs` (a network),
            `pos` (tags that begin with V), or `given` (the caller).
        with_scores: Whether tags and spans have probabilities.
        abbreviations: Additional abbreviations, without their final period. In raw
            text, the period belongs to their token.
        jobs: The number of threads that tag the batches of `pipe`.
        join_hyphens: Whether a word that is hyphenated at the end of a line is one
            token.
        tokens: The standard by which raw text is split, if the model supports both:
            `ud` (Universal Dependencies), which splits words such as *well-known* at
            the hyphen, or `ptb` (Penn Treebank). The default of the English model is
            `ptb`, or `ud` if `dep` is among the named tasks.
        rules: A TOML file of rules for tokens, labels of words, and entities, or several
            such files, of which the first ones count. The guide describes them, under
            Rules.

    Raises:
        SennaError: If there is no such model or task, or the model lacks a network that
            a task needs.

    Example:
        >>> from senna_py import load
        >>> tag = load(tasks=["pos", "ner"])
        >>> tag("She left Berlin.").entities
        (Span(LOC, 2:3, 'Berlin'),)
    """
    from senna_py.tagger import Tagger  # noqa: PLC0415 - importing the package stays light

    return Tagger(
        path,
        tasks,
        predicates,
        with_scores,
        abbreviations,
        jobs,
        join_hyphens,
        tokens,
        rules,
    )


# The modules of the names that are imported on first use, because commands start
# without NumPy.
_MODULES = {
    "Tagger": "tagger",
    "Model": "model",
    "table": "tables",
    "Constituent": "answers.constituents",
    "Triple": "answers.triples",
    **dict.fromkeys(("Document", "Sentence"), "answers.document"),
    **dict.fromkeys(("Frame", "Span", "Token"), "answers.views"),
    **dict.fromkeys(("Leaf", "Phrase", "Tree"), "labels.trees"),
    "Match": "search.matches",
    "Pattern": "search.pattern",
    "explain": "labels.explanations",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        from senna_py.other_names import advice_on  # noqa: PLC0415 - only for errors

        problem = f"module {__name__!r} has no attribute {name!r}"
        if not name.startswith("_") and (advice := advice_on("module", name)):
            problem += f": {advice}"
        raise AttributeError(problem, name=name)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
