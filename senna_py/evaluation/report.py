"""Format scores as text, in the layout of the standard scripts, or as JSON objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.evaluation.arcs import ArcScores
from senna_py.evaluation.counts import Counts, Scores
from senna_py.evaluation.raw_text import TextScores
from senna_py.evaluation.roles import VERB, RoleScores
from senna_py.evaluation.tokens import TokenScores
from senna_py.evaluation.tree_report import tree_scores, tree_summary

if TYPE_CHECKING:
    from senna_py.evaluation.layers import SpanScores  # which imports NumPy
    from senna_py.evaluation.units import UnitScores

_RULE = "-" * 60
_MOST_LABELS = 200  # if there are more labels, a report on tags does not list them
# The names of the scores of raw text in tables.
TEXT_NAMES = {
    "tokens": "Tokens",
    "sentences": "Sentences",
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "UFeats",
    "all": "AllTags",
    "lemma": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}


def _chunk_report(scores: TokenScores) -> list[str]:
    """Return the lines of a report on chunks, in the layout of conlleval."""
    all_chunks = scores.overall
    return [
        f"processed {scores.n_tokens} tokens with {all_chunks.gold} phrases; "
        f"found: {all_chunks.predicted} phrases; correct: {all_chunks.correct}.",
        f"accuracy: {scores.accuracy:6.2f}%; {_rates(all_chunks)}",
        *_label_lines(scores),
    ]


def _token_report(scores: TokenScores) -> list[str]:
    """Return the lines of a report on tags; many labels are not listed."""
    lines = [
        f"processed {scores.n_tokens} tokens; correct: {scores.n_correct}.",
        f"accuracy: {scores.accuracy:6.2f}%",
    ]
    if len(scores.labels) <= _MOST_LABELS:  # there may be thousands of lemmas
        lines += _label_lines(scores)
    return lines


def _role_report(scores: RoleScores) -> list[str]:
    """Return the lines of a report on semantic roles, in the layout of srl-eval."""
    return [
        f"Number of Sentences    : {scores.n_sentences:11d}",
        f"Number of Propositions : {scores.n_propositions:11d}",
        f"Percentage of perfect props : {scores.perfect:6.2f}",
        "",
        "              corr.  excess  missed    prec.    rec.      F1",
        _RULE,
        _role_line("Overall", scores.overall),
        "-" * 10,
        *(
            _role_line(role, counts)
            for role, counts in scores.labels.items()
            if role != VERB
        ),
        _RULE,
        _role_line(VERB, scores.verb),
        _RULE,
    ]


def _span_report(scores: SpanScores) -> list[str]:
    """Return the lines of a report on spans, with a line for each label."""
    spans = scores.overall
    return [
        f"gold: {spans.gold} spans; predicted: {spans.predicted}; correct: {spans.correct}.",
        _rates(spans),
        *_label_lines(scores),
    ]


def _span_scores(scores: SpanScores) -> dict[str, Any]:
    return {**scores.overall.as_dict(), "labels": _label_objects(scores)}


def _arc_report(scores: ArcScores) -> list[str]:
    return [
        f"processed {scores.n_tokens} tokens; heads: {scores.n_heads}; arcs: {scores.n_arcs}.",
        f"UAS: {scores.uas:6.2f}%; LAS: {scores.las:6.2f}%; CLAS: {scores.content.f1:6.2f}%",
        *_label_lines(scores),
    ]


def _unit_report(scores: UnitScores) -> list[str]:
    """Return the lines of a table with the scores of a learned tokenizer."""
    return [
        f"{'':10} {'precision':>9} {'recall':>9} {'F1':>9}",
        *(
            f"{name:10} {counts.precision:9.2f} {counts.recall:9.2f} {counts.f1:9.2f}"
            for name, counts in scores.counts.items()
        ),
    ]


def _unit_scores(scores: UnitScores) -> dict[str, Any]:
    return {name: counts.as_dict() for name, counts in scores.counts.items()}


def text_report(scores: TextScores) -> list[str]:
    """Return the lines of a table with the scores of raw text."""
    lines = [f"{'':10} {'precision':>9} {'recall':>9} {'F1':>9} {'aligned':>9}"]
    for name, counts in scores.counts.items():
        figures = [counts.precision, counts.recall, counts.f1]
        if name in scores.aligned:
            figures.append(scores.aligned_accuracy(name))
        cells = " ".join(f"{figure:9.2f}" for figure in figures)
        lines.append(f"{TEXT_NAMES[name]:10} {cells}")
    return lines


def _text_scores(scores: TextScores) -> dict[str, Any]:
    objects = {name: counts.as_dict() for name, counts in scores.counts.items()}
    for name in scores.aligned:
        objects[name]["aligned_accuracy"] = scores.aligned_accuracy(name)
    return objects


def confusion_report(scores: Scores | TextScores) -> list[str]:
    """Return the lines of a table of confusions, the most frequent first.

    If there are none, the lines say so instead.
    """
    if not scores.confusions:
        if isinstance(scores, TextScores):
            return ["", "All tokens and sentence boundaries are as in the gold file."]
        return ["", "There are no confusions."]
    return ["", f"{'gold':>17}  {'predicted':<17} {'count':>7}"] + [
        f"{gold:>17}  {predicted:<17} {n:7d}"
        for gold, predicted, n in _by_frequency(scores)
    ]


def _token_scores(scores: TokenScores, overall: Counts | None = None) -> dict[str, Any]:
    return {
        "tokens": scores.n_tokens,
        "correct_tokens": scores.n_correct,
        "accuracy": scores.accuracy,
        **(overall.as_dict() if overall else {}),
        "labels": _label_objects(scores),
    }


def _role_scores(scores: RoleScores) -> dict[str, Any]:
    """Return the scores of semantic roles as a JSON object.

    V is one of the labels, but is not included in the overall counts.
    """
    return {
        "sentences": scores.n_sentences,
        "propositions": scores.n_propositions,
        "perfect_propositions": scores.n_perfect,
        "perfect": scores.perfect,
        "extra_propositions": scores.n_extra,
        **scores.overall.as_dict(),
        "labels": _label_objects(scores),
    }


def _arc_scores(scores: ArcScores) -> dict[str, Any]:
    return {
        "tokens": scores.n_tokens,
        "uas": scores.uas,
        "las": scores.las,
        "clas": scores.content.f1,
        "labels": _label_objects(scores),
    }


def confusion_scores(scores: Scores | TextScores) -> list[dict[str, str | int]]:
    """Return confusions as a list of JSON objects, the most frequent first."""
    return [
        {"gold": gold, "predicted": predicted, "count": n}
        for gold, predicted, n in _by_frequency(scores)
    ]


def _rates(counts: Counts) -> str:
    return (
        f"precision: {counts.precision:6.2f}%; recall: {counts.recall:6.2f}%; "
        f"FB1: {counts.f1:6.2f}"
    )


def _label_lines(scores: Scores) -> list[str]:
    return [
        f"{label:>17}: {_rates(counts)}  {counts.predicted}"
        for label, counts in scores.labels.items()
    ]


def _role_line(role: str, counts: Counts) -> str:
    return (
        f"{role:>10}   {counts.correct:6d}  {counts.excess:6d}  {counts.missed:6d}"
        f"   {counts.precision:6.2f}  {counts.recall:6.2f}  {counts.f1:6.2f}"
    )


def _label_objects(scores: Scores) -> dict[str, dict[str, float]]:
    return {label: counts.as_dict() for label, counts in scores.labels.items()}


def _by_frequency(scores: Scores | TextScores) -> list[tuple[str, str, int]]:
    ordered = sorted(scores.confusions.items(), key=lambda item: (-item[1], item[0]))
    return [(gold, predicted, n) for (gold, predicted), n in ordered]


class Report(NamedTuple):
    """The functions that format scores of one type.

    Attributes:
        lines: A function that returns scores as lines of text.
        object: A function that returns scores as a JSON object.
    """

    lines: Callable[[Any], list[str]]
    object: Callable[[Any], dict[str, Any]]


# The reports, by the name of a shape, or `text` for raw text.
REPORTS = {
    "tags": Report(_token_report, _token_scores),
    "segments": Report(
        _chunk_report, lambda scores: _token_scores(scores, scores.overall)
    ),
    "roles": Report(_role_report, _role_scores),
    "trees": Report(tree_summary, tree_scores),
    "arcs": Report(_arc_report, _arc_scores),
    "units": Report(_unit_report, _unit_scores),
    "text": Report(text_report, _text_scores),
}


def report_of(name: str) -> Report:
    """Return the Report for a shape or for raw text.

    Shapes without a report of their own use the report for spans.

    Args:
        name: The name of a shape, or `text` for raw text.
    """
    return REPORTS.get(name, Report(_span_report, _span_scores))
