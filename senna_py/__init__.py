"""Fast English tagging on a CPU: parts of speech, chunks, entities, semantic roles,
parse trees.

>>> from senna_py import load
>>> nlp = load()
>>> doc = nlp.document("Angela Merkel visited Berlin. She gave a speech.")
>>> doc.entities
(Span(PER, 0:2, 'Angela Merkel'), Span(LOC, 3:4, 'Berlin'))
>>> [(token.text, token.pos) for token in doc.sentences[1]]
[('She', 'PRP'), ('gave', 'VBD'), ('a', 'DT'), ('speech', 'NN'), ('.', '.')]

docs/guide/python.md has the rest: roles, trees, many texts, tables, spaCy.
"""

from __future__ import annotations

from importlib import import_module

from senna_py.errors import SennaError
from senna_py.keywords import with_advice

TYPE_CHECKING = (
    False  # without its module, commands are sooner where Ctrl-C ends them quietly
)
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any

    from senna_py.answers.constituents import Constituent
    from senna_py.answers.document import Document, Sentence
    from senna_py.answers.views import Frame, Span, Token
    from senna_py.labels.explanations import explain
    from senna_py.labels.trees import Leaf, Phrase, Tree
    from senna_py.model import Model
    from senna_py.tables import table
    from senna_py.tagger import Tagger

__all__ = [
    "Constituent",
    "Document",
    "Frame",
    "Leaf",
    "Model",
    "Phrase",
    "SennaError",
    "Sentence",
    "Span",
    "Tagger",
    "Token",
    "Tree",
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
) -> Tagger:
    """Read a model and return a Tagger.

    Args:
        path: A model file, a directory of SENNA's, or a Model; `en` is the English
            model, which is also read without a path, unless $SENNA_PY_MODEL names
            another.
        tasks: A name, or several, of the model's; none for tokens only. The English
            model has pos, chk, ner, pt0, srl, psg, dep, upos, feats, lemma and val; by
            default all but pt0, upos, feats and val. Other models say what they do by
            default.
        predicates: Where SRL finds predicates: `vbs` (their network), `pos` (tags
            beginning with V), or `given` (by the caller).
        with_scores: Whether tags and spans have probabilities.
        abbreviations: More words that keep their period in raw text, without it.
        jobs: Threads that tag batches of `pipe`.
        join_hyphens: Whether a word that was cut in two at the end of a line is one
        token.

    Raises:
        SennaError: If there is no such model, or it lacks a network.
    """
    from senna_py.tagger import Tagger  # noqa: PLC0415 - importing the package stays light

    return Tagger(
        path, tasks, predicates, with_scores, abbreviations, jobs, join_hyphens
    )


# Where the rest is, which is imported when it is first used: commands start without
# NumPy.
_HOMES = {
    "Tagger": "tagger",
    "Model": "model",
    "table": "tables",
    "Constituent": "answers.constituents",
    **dict.fromkeys(("Document", "Sentence"), "answers.document"),
    **dict.fromkeys(("Frame", "Span", "Token"), "answers.views"),
    **dict.fromkeys(("Leaf", "Phrase", "Tree"), "labels.trees"),
    "explain": "labels.explanations",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        from senna_py.other_names import advice_on  # noqa: PLC0415 - of an error only

        found = f"module {__name__!r} has no attribute {name!r}"
        advice = "" if name.startswith("_") else advice_on("module", name)
        raise AttributeError(f"{found}: {advice}" if advice else found, name=name)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
