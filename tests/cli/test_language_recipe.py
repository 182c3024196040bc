"""Recipes for any language: the text of web pages, and language models."""

import sys
from pathlib import Path

import pytest

from senna_py.lm.lstm.lexicon import read_morphemes
from tests.helpers.commands import run_program

ROOT = Path(__file__).resolve().parent.parent.parent


PAGE = """<!doctype html><html><head><title>Ne</title><style>p {}</style>
<body><h1>La&nbsp;urbo</h1><script>if (a < b) c();</script>
<p>La <b>hun</b>do vidas
la katon.<p>Ili iras &amp; dormas.<ul><li>Unu<li>Du<br/>Tri</ul></body></html>"""


@pytest.mark.process
def test_a_web_page(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(PAGE, "utf-8")
    recipe = sys.executable, ROOT / "recipes/page.py", "page.html"
    page = run_program(*recipe, cwd=tmp_path)
    assert page.stdout.splitlines() == [
        "La urbo",
        "La hundo vidas la katon.",
        "Ili iras & dormas.",
        "Unu",
        "Du",
        "Tri",
    ]
    file.write_bytes("é".encode("latin-1"))
    page = run_program(*recipe, cwd=tmp_path)
    assert (page.returncode, page.stderr[:19]) == (1, "page.py: page.html:")
    assert page.stderr.count("\n") == 1


STEMS, ENDS = ("walk", "talk", "jump", "call", "look", "play"), ("", "s", "ed", "ing")


@pytest.mark.extra
@pytest.mark.script
def test_a_language_by_words_morphemes_and_characters(tmp_path):
    pytest.importorskip("morfessor")
    words = [stem + end for stem in STEMS for end in ENDS]
    (tmp_path / "train").write_text("".join(f"{word} <unk>\n" for word in words * 3))
    (tmp_path / "valid").write_text("walk jumps\n" * 5)
    recipe = ROOT / "recipes/paper/language.sh", "train", "valid", "runs"
    small = ("--hidden", 4, "--batch", 2)
    result = run_program("bash", *recipe, *small, cwd=tmp_path, EPOCHS="1")
    assert result.returncode == 0, result.stderr
    rows = [line.split() for line in result.stdout.splitlines()]
    assert [row[0] for row in rows] == ["word", "morph", "char", "spelled"]
    assert all(1 < float(row[1]) < 100 for row in rows)
    found = read_morphemes(tmp_path / "runs/morphemes.txt", words)
    assert len(found.starts) == len(words) + 1 and 1 < len(found.names) < len(words)
    lines = (tmp_path / "runs/morphemes.txt").read_text().split("\n")[:-1]
    assert sorted(line.split()[0] for line in lines) == sorted(words)
    assert all("".join(line.split()[1:]) == line.split()[0] for line in lines)
