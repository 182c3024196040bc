"""Format the scores of trees as text, in EVALB's layout, or as a JSON object."""

from typing import Any

from senna_py.errors import counted
from senna_py.evaluation.trees import ERROR, SentenceScores, TreeScores, TreeTotals

_HEAD = [
    "  Sent.                        Matched  Bracket   Cross        Correct Tag",
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy",
]
_RULE = "=" * 76


def tree_report(scores: TreeScores) -> list[str]:
    """Return the lines of EVALB's report: a table of the sentences, and the summary."""
    totals = scores.totals
    brackets = totals.brackets
    return [
        *_HEAD,
        _RULE,
        *(
            _sentence_line(number, sentence)
            for number, sentence in enumerate(scores.sentences, 1)
        ),
        _RULE,
        f"{'':16}{_rates(totals)} {brackets.correct:6d} {brackets.gold:5d} "
        f"{brackets.predicted:5d}{_rest(totals)}",
        "=== Summary ===",
        "",
        *tree_summary(scores),
    ]


def tree_summary(scores: TreeScores, tagged: bool = True) -> list[str]:
    """Return the lines of EVALB's summary of the scores of trees.

    Args:
        scores: The scores.
        tagged: Whether to include the line on predicted parts of speech.
    """
    every, short = _summary(scores.totals), _summary(scores.short_totals)
    if not tagged:
        del every[-1], short[-1]
    return ["-- All --", *every, "", f"-- len<={scores.cutoff_len} --", *short]


def label_report(scores: TreeScores) -> list[str]:
    """Return the lines of a table of scores by label, the most frequent label first."""
    lines = [
        "",
        f"{'':10}     gold   predicted   correct     rec.    prec.      F1",
        "-" * 65,
    ]
    for label, counts in sorted(scores.labels.items(), key=lambda item: -item[1].gold):
        lines.append(
            f"{label:>10}  {counts.gold:7d}     {counts.predicted:7d}   {counts.correct:7d}"
            f"   {counts.recall:6.2f}   {counts.precision:6.2f}  {counts.f1:6.2f}"
        )
    return lines


def left_out(scores: TreeScores) -> str | None:
    """Return a message about pairs that could not be compared, or None if all could."""
    problems = [
        sentence.problem for sentence in scores.sentences if sentence.status == ERROR
    ]
    if not problems:
        return None
    first = "" if len(problems) == 1 else "the first: "
    pairs = counted(len(scores.sentences), "pair")
    return f"left out {len(problems)} of {pairs} of trees; {first}{problems[0]}"


def tree_scores(scores: TreeScores) -> dict[str, Any]:
    """Return the scores of trees as a JSON object."""
    return {
        **_object(scores.totals),
        "cutoff": {"length": scores.cutoff_len, **_object(scores.short_totals)},
        "labels": {label: counts.as_dict() for label, counts in scores.labels.items()},
        "errors": [
            {"sentence": number, "problem": sentence.problem}
            for number, sentence in enumerate(scores.sentences, 1)
            if sentence.status == ERROR
        ],
    }


def _sentence_line(number: int, sentence: SentenceScores) -> str:
    totals = TreeTotals([sentence])
    brackets = totals.brackets
    return (
        f"{number:4d} {sentence.length:4d} {sentence.status:4d}  {_rates(totals)}"
        f"  {brackets.correct:4d}  {brackets.gold:5d} {brackets.predicted:4d}{_rest(totals)}"
    )


def _rates(totals: TreeTotals) -> str:
    return f"{totals.brackets.recall:6.2f} {totals.brackets.precision:6.2f}"


def _rest(totals: TreeTotals) -> str:
    return f"  {totals.crossing:5d}  {totals.words:5d} {totals.tags:5d}   {totals.accuracy:6.2f}"


def _summary(totals: TreeTotals) -> list[str]:
    return [
        f"Number of sentence        = {totals.n_sentences:6d}",
        f"Number of Error sentence  = {totals.n_errors:6d}",
        f"Number of Skip  sentence  = {totals.n_skipped:6d}",
        f"Number of Valid sentence  = {totals.n_valid:6d}",
        f"Bracketing Recall         = {totals.brackets.recall:6.2f}",
        f"Bracketing Precision      = {totals.brackets.precision:6.2f}",
        f"Bracketing FMeasure       = {totals.brackets.f1:6.2f}",
        f"Complete match            = {totals.complete:6.2f}",
        f"Average crossing          = {totals.average_crossing:6.2f}",
        f"No crossing               = {totals.no_crossing:6.2f}",
        f"2 or less crossing        = {totals.at_most_2_crossing:6.2f}",
        f"Tagging accuracy          = {totals.accuracy:6.2f}",
    ]


def _object(totals: TreeTotals) -> dict[str, Any]:
    return {
        "sentences": totals.n_sentences,
        "error_sentences": totals.n_errors,
        "skipped_sentences": totals.n_skipped,
        "valid_sentences": totals.n_valid,
        **totals.brackets.as_dict(),
        "complete": totals.complete,
        "crossing": totals.crossing,
        "average_crossing": totals.average_crossing,
        "no_crossing": totals.no_crossing,
        "at_most_2_crossing": totals.at_most_2_crossing,
        "tokens": totals.words,
        "correct_tokens": totals.tags,
        "accuracy": totals.accuracy,
    }
