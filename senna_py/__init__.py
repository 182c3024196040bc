"""senna-py: an open, trainable reimplementation of SENNA.

>>> from senna_py import load
>>> nlp = load()                                              # doctest: +SKIP
>>> [token.pos for token in nlp("He reads .")]                # doctest: +SKIP
['PRP', 'VBZ', '.']
"""

from __future__ import annotations

from importlib import import_module

from senna_py.errors import SennaError

TYPE_CHECKING = False  # without its module, commands are sooner where Ctrl-C ends them quietly
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any

    from senna_py.annotation import Document, Frame, Sentence, Span, Token
    from senna_py.labels.explanations import explain
    from senna_py.labels.trees import Leaf, Phrase, Tree
    from senna_py.model import Model
    from senna_py.tagger import Tagger

__all__ = [
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
]
__version__ = "0.1.0"


def load(
    path: str | PathLike[str] | Model | None = None,
    tasks: str | Iterable[str] | None = None,
    predicates: str = "vbs",
    with_scores: bool = False,
    abbreviations: Iterable[str] = (),
    jobs: int = 1,
    join_hyphens: bool = False,
) -> Tagger:
    """Tagger on the model at `path`, or $SENNA_PY_MODEL, or the shipped model.

    tasks: any of pos, chk, ner, pt0, srl, psg, or none for tokens only; None for all that the model
    has but pt0. predicates: where SRL finds predicates: `vbs` (their network), `pos` (tags
    beginning with V), `given` (by the caller). with_scores: whether to give the probabilities of
    tags and spans. abbreviations: more words that keep their period in raw text, without it. jobs:
    threads that tag batches of `pipe`. join_hyphens: whether a word of raw text that was cut in two
    at the end of a line is one token. Raises SennaError if there is no usable model.
    """
    from senna_py.tagger import Tagger  # noqa: PLC0415 - importing the package stays light

    return Tagger(path, tasks, predicates, with_scores, abbreviations, jobs, join_hyphens)


# Where the rest is, which is imported when it is first used: commands start without NumPy.
_HOMES = {
    "Tagger": "tagger", "Model": "model",
    **dict.fromkeys(("Document", "Frame", "Sentence", "Span", "Token"), "annotation"),
    **dict.fromkeys(("Leaf", "Phrase", "Tree"), "labels.trees"),
    "explain": "labels.explanations",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import one of the public names."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """Name what there is."""
    return [*__all__, "__version__"]
