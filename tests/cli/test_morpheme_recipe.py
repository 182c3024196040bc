"""Models of any language by words, morphemes and characters, by the commands of the recipes."""

from pathlib import Path

import pytest

from senna_py.lm.lstm.lexicon import read_morphemes
from tests.helpers.commands import run_program

ROOT = Path(__file__).resolve().parent.parent.parent
RECIPES = ROOT / "recipes/paper"
STEMS, ENDS = ("walk", "talk", "jump", "call", "look", "play"), ("", "s", "ed", "ing")


@pytest.mark.extra
@pytest.mark.process
def test_a_language_by_words_morphemes_and_characters(tmp_path):
    pytest.importorskip("morfessor")
    words = [stem + end for stem in STEMS for end in ENDS]
    (tmp_path / "train").write_text("".join(f"{word} <unk>\n" for word in words * 3))
    (tmp_path / "valid").write_text("walk jumps\n" * 5)
    small = ("--hidden", 4, "--batch", 2)
    recipe = [RECIPES / "language.sh", tmp_path / "train", tmp_path / "valid", tmp_path / "runs"]
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
