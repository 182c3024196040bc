"""The page on search: its patterns find what it says."""

import re
from pathlib import Path

import pytest

from senna_py import Pattern
from tests.helpers.searched import searched, shown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "search.md"
TEXT = PAGE.read_text(encoding="utf-8")
QUESTIONS = TEXT.partition("## Questions")[2].partition("## In the shell")[0]
ROWS = re.findall(r"^\| ([^`|]+) \| `(.+)` \| (.+) \|$", QUESTIONS, re.MULTILINE)


@pytest.mark.parametrize(
    ("pattern", "finds"),
    [(pattern.replace(r"\|", "|"), finds) for _, pattern, finds in ROWS],
)
def test_patterns_find_what_the_page_says(pattern, finds):
    assert shown(pattern) == finds


def test_there_are_twenty_questions_about_one_text():
    assert len(ROWS) >= 20
    quoted = " ".join(re.findall(r"^> (.*)$", TEXT, re.MULTILINE))
    assert " ".join(searched().text.split()) == quoted


def test_all_patterns_of_the_page_are_patterns():
    rows = re.findall(r"^\| (`.+`) \| [^`]", TEXT, re.MULTILINE)
    patterns = [
        each.replace(r"\|", "|")
        for row in rows
        for each in re.findall(r"`(.+?)`(?:, |$)", row)
        if not each.startswith("--")
    ]
    patterns = [each for each in patterns if each not in ("json", "<s>", "</s>")]
    assert len(patterns) > 30
    assert all(map(Pattern, patterns))
