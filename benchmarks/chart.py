"""Draw the rates that peers.py measured as a bar chart, for light and dark pages.

    python benchmarks/peers.py CORPORA --json benchmarks/data/peers.json
    python benchmarks/chart.py benchmarks/data/peers.json docs/images/speed

The second command writes docs/images/speed-light.svg and docs/images/speed-dark.svg.
"""

import argparse
import json
from html import escape
from pathlib import Path
from typing import NamedTuple

TITLE = "Tokens per second on one core"
SUBTITLE = "English, tokens given; longer bars are faster"
TASKS = ("parts of speech", "entities", "dependencies", "everything")
OURS = "senna-py"
_WIDTH, _MARGIN = 640, 20  # so narrow that the text can be read on a telephone
_BAR, _STEP, _HEADING, _GAP = 24, 30, 32, 14  # heights
_NAMES, _NUMBERS = 116, 92  # widths
_FONT = 'system-ui,"Segoe UI","Noto Sans",sans-serif'


class Theme(NamedTuple):
    """The colors of a chart."""

    page: str
    text: str
    quiet: str  # the subtitle
    ours: str
    other: str


THEMES = {
    "light": Theme("#ffffff", "#1b1b1f", "#5a5f6a", "#2563eb", "#b4bac5"),
    "dark": Theme("#0d1117", "#e6e8ec", "#a3abb8", "#5b9bff", "#6b7385"),
}


def rates_of(
    systems: dict[str, dict[str, float]],
) -> dict[str, list[tuple[str, float]]]:
    """Return the names and rates of systems by task, the fastest first."""
    rates = {}
    for task in TASKS:
        key = f"{task}, tokens/s"
        found = [(name, row[key]) for name, row in systems.items() if key in row]
        rates[task] = sorted(found, key=lambda pair: -pair[1])
    return rates


def draw(rates: dict[str, list[tuple[str, float]]], theme: Theme) -> str:
    """Return the chart as SVG."""
    most = max(rate for rows in rates.values() for _, rate in rows)
    scale = (_WIDTH - 2 * _MARGIN - _NAMES - _NUMBERS) / most
    lines, y = [], 96
    for task, rows in rates.items():
        y += _HEADING
        lines.append(_text(_MARGIN, y - 10, "h", task[0].upper() + task[1:]))
        for name, rate in rows:
            lines += _bar(y, name, rate, rate * scale)
            y += _STEP
        y += _GAP
    height = y + _MARGIN - _GAP
    spoken = "; ".join(
        f"{task}: {', '.join(f'{name} {rate:,.0f}' for name, rate in rows)}"
        for task, rows in rates.items()
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
            f'width="{_WIDTH}" height="{height}" role="img" '
            f'aria-label="{escape(f"{TITLE}. {spoken}")}">',
            f"<style>text{{font:20px {_FONT};fill:{theme.text}}}"
            ".t{font-size:27px;font-weight:700}.h{font-weight:600}"
            f".q{{fill:{theme.quiet}}}.u{{font-weight:700}}"
            f"rect{{fill:{theme.other}}}.o{{fill:{theme.ours}}}</style>",
            f'<rect width="{_WIDTH}" height="{height}" rx="8" style="fill:{theme.page}"/>',
            _text(_MARGIN, 46, "t", TITLE),
            _text(_MARGIN, 76, "q", SUBTITLE),
            *lines,
            "</svg>\n",
        ]
    )


def _bar(y: int, name: str, rate: float, width: float) -> list[str]:
    """Return a bar between the name of a system and its rate."""
    is_ours = name == OURS
    x, base, style = _MARGIN + _NAMES, y + 19, "u" if is_ours else ""
    color = ' class="o"' if is_ours else ""
    size = f'width="{width:.1f}" height="{_BAR}" rx="3"'
    return [
        _text(_MARGIN, base, style, name),
        f'<rect x="{x}" y="{y}" {size}{color}/>',
        _text(round(x + width + 8, 1), base, style, f"{rate:,.0f}"),
    ]


def _text(x: float, y: int, style: str, text: str) -> str:
    attribute = f' class="{style}"' if style else ""
    return f'<text x="{x}" y="{y}"{attribute}>{escape(text)}</text>'


def main() -> None:
    """Write both charts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("figures", type=Path, help="the file of peers.py --json")
    parser.add_argument("target", help="the path of the charts, without -light.svg")
    options = parser.parse_args()
    rates = rates_of(json.loads(options.figures.read_text("utf-8"))["systems"])
    for name, theme in THEMES.items():
        Path(f"{options.target}-{name}.svg").write_text(draw(rates, theme), "utf-8")


if __name__ == "__main__":
    main()
