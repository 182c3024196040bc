"""Scores as a page: bars of labels, confusions as a heat map, the worst sentences."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from senna_py.display.escapes import direction, escape
from senna_py.display.page import page_end, page_start
from senna_py.display.rows import Bracket, Row, lines_of_tokens
from senna_py.display.tree import tree_svg
from senna_py.evaluation.counts import NO_LABEL
from senna_py.evaluation.mistakes import WorstSentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from senna_py.evaluation.counts import Counts
    from senna_py.evaluation.mistakes import Compared, WorstTree
    from senna_py.evaluation.report import Scores
    from senna_py.evaluation.trees import TreeScores
    from senna_py.labels.tag_schemes import Segment
    from senna_py.labels.trees import Tree

__all__ = ["html_report"]

_MOST_LABELS = 30  # on each side of the heat map
_STEPS = 5  # of its colour
_RATES = ("precision", "recall", "f1")


def html_report(
    title: str,
    summary: Iterable[str],
    scores: Scores | TreeScores,
    worst: Sequence[WorstSentence] | Sequence[WorstTree],
) -> str:
    """The page; summary: lines of text that stand at its beginning."""
    lines = "\n".join(map(escape, summary))
    return "".join([
        page_start(title),
        f'<pre tabindex="0">{lines}</pre>\n',
        "<h2>Labels</h2>\n",
        _bars(scores.labels),
        "<h2>Confusions</h2>\n",
        *_heat_map(scores.labels, scores.confusions),
        f"<h2>Worst sentences</h2>\n<ol>\n{''.join(map(_sentence, worst))}</ol>\n",
        page_end(),
    ])  # fmt: skip


def _bars(labels: Mapping[str, Counts]) -> str:
    """A table with a row for each label, the most frequent first."""
    names = ("gold", "predicted", "correct", "precision", "recall", "F1")
    head = "".join(f"<th>{name}" for name in names)
    rows = []
    for label, counts in sorted(labels.items(), key=lambda item: (-item[1].gold, item[0])):
        numbers = [counts.gold, counts.predicted, counts.correct]
        cells = [f"{number:,}" for number in numbers]
        cells += [f"{getattr(counts, rate):.2f}" for rate in _RATES]
        name = escape(label)
        bar = f'<meter min=0 max=100 value={counts.f1:.2f} aria-label="F1 of {name}"></meter>'
        rows.append(f"<tr><th>{name}{''.join(f'<td>{cell}' for cell in [*cells, bar])}\n")
    table = f"<table class=report><tr><td>{head}\n{''.join(rows)}</table>"
    return f"<div class=wide tabindex=0>{table}</div>\n"


def _heat_map(labels: Mapping[str, Counts], confusions: Counter[tuple[str, str]]) -> Iterator[str]:
    """A table of how often each gold label was taken for each other one."""
    if not confusions:
        yield "<p>There are none.</p>\n"
        return
    wrong: Counter[str] = Counter()
    for pair, n in confusions.items():
        for label in pair:
            wrong[label] += n
    shown = sorted(label for label, _ in wrong.most_common(_MOST_LABELS))
    shown.sort(key=lambda label: label == NO_LABEL)
    if len(shown) < len(wrong):
        yield f"<p>These are the {len(shown)} labels with the most mistakes, of {len(wrong)}.</p>\n"
    most = max(confusions.values())
    yield (
        "<figure><figcaption>Rows are gold labels, columns are predicted ones. In grey: what is "
        f"right. {escape(NO_LABEL)}: nothing with the same tokens.</figcaption>\n"
        '<div class=wide tabindex=0><table class="report heat"><tr><td>'
    )
    yield "".join(f"<th>{escape(label)}" for label in shown)
    for gold in shown:
        cells = []
        for predicted in shown:
            if gold == predicted:
                n = labels[gold].correct if gold in labels else 0
                cells.append(f"<td class=right>{n:,}" if n else "<td>")
            elif n := confusions[gold, predicted]:
                cells.append(f"<td class=q{_step(n, most)}>{n:,}")
            else:
                cells.append("<td>")
        yield f"\n<tr><th>{escape(gold)}{''.join(cells)}"
    yield "</table></div></figure>\n"


def _step(n: int, most: int) -> int:
    """Step of the colour of a count, from 1 to _STEPS, by its logarithm."""
    return 1 + min(_STEPS - 1, int(_STEPS * math.log(n) / max(math.log(most), 1e-9)))


def _sentence(sentence: WorstSentence | WorstTree) -> str:
    """A sentence with its gold labels and its predicted ones, one above the other."""
    mistakes = f"{sentence.n_mistakes:,} mistake{'' if sentence.n_mistakes == 1 else 's'}"
    if isinstance(sentence, WorstSentence):
        words, shown = sentence.words, "".join(lines_of_tokens(sentence.words, [*_rows(sentence)]))
    else:
        gold, predicted = sentence.pair.gold, sentence.pair.predicted
        words = [leaf.word for leaf in gold.leaves] if gold else []
        shown = "".join(
            f"<figure><figcaption>{name}</figcaption>{_svg(tree)}</figure>"
            for name, tree in (("gold", gold), ("predicted", predicted))
        )
    way = " dir=rtl" if direction(" ".join(words)) == "rtl" else ""
    head = f"<p>Sentence {sentence.number:,}: {mistakes}</p>"
    return f"<li{way}>{head}<div class=x tabindex=0>{shown}</div>\n"


def _svg(tree: Tree | None) -> str:
    return tree_svg(tree) if tree is not None and tree.children else "none"


def _rows(sentence: WorstSentence) -> Iterator[Row]:
    for number, compared in enumerate(sentence.comparisons):
        if not compared.n_mistakes and len(sentence.comparisons) > 1:
            continue  # all of this predicate is right
        name = f"{compared.name}, " if compared.name else ""
        kind = f"f{number % 12}" if compared.name else "u"
        for side, found, other in _sides(compared):
            yield Row(f"{name}{side}", kind, _brackets(found, other))


def _sides(compared: Compared) -> tuple[tuple[str, list[Segment], list[Segment]], ...]:
    return (
        ("gold", compared.gold, compared.predicted),
        ("predicted", compared.predicted, compared.gold),
    )


def _brackets(found: list[Segment], other: list[Segment]) -> list[Bracket]:
    """Brackets of one side; those that the other has as well are without colour."""
    right = set(other)
    return [Bracket(*segment, is_plain=segment in right) for segment in found]
