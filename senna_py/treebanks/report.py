"""The table of scores of a model that was trained on a treebank."""

from collections.abc import Sequence

from senna_py.evaluation.raw_text import TextScores
from senna_py.evaluation.report import TEXT_NAMES


def score_table(
    raw: TextScores | None,
    given: TextScores | None,
    others: Sequence[tuple[str, float]] = (),
) -> list[str]:
    """Return the lines of a table of F1 scores.

    Args:
        raw: The scores on raw text, or None.
        given: The scores on gold tokens and words, or None.
        others: The names and values of further scores on gold tokens.
    """
    lines = [f"{'F1 on dev':12} {'raw text':>12} {'given tokens':>13}"]
    one, other = (scores.counts if scores else {} for scores in (raw, given))
    for name, title in TEXT_NAMES.items():
        if name in one and name in other:
            figures = one[name].f1, other[name].f1
            lines.append(f"{title:12} {figures[0]:12.2f} {figures[1]:13.2f}")
    lines += [f"{title:12} {'':12} {value:13.2f}" for title, value in others]
    return lines
