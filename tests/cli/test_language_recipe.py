"""Recipes for any language: a tagger, as in docs/train/your-language.md, and language
models.
"""

import shutil
import sys
from pathlib import Path

import pytest

from senna_py.lm.lstm.lexicon import read_morphemes
from tests.helpers.commands import run_program

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with corpora, on which the recipe has run."""
    place = tmp_path_factory.mktemp("language")
    shutil.copytree(ROOT / "tests/data/esperanto", place / "corpora")
    (place / "more.txt").write_text(
        "La hundo amas vin. Mi vidas la urbon!\n" * 20, "utf-8"
    )
    options = ["--language", "eo", "--set", "training.epochs=12"]
    command = [ROOT / "recipes/ud/train.sh", *options, "corpora", "runs", "more.txt"]
    result = run_program(*command, cwd=place)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("treebank upos accuracy ")
    lines = result.stdout.splitlines()
    given, raw = lines.index("dev, tokens given"), lines.index("dev, raw text")
    names = ["precision", "Tokens", "Sentences", "Words", "UPOS", "UAS", "LAS", "CLAS"]
    assert [line.split()[0] for line in lines[given + 1 : raw]] == names
    assert [line.split()[0] for line in lines[raw + 1 :]] == names
    return place


@pytest.mark.process
def test_the_model_tags_raw_text(place):
    model = "runs/model.safetensors"
    text = "La hundo vidas la katon. Ili rapide iras al la urbo.\n"
    result = run_program(
        "senna-tag", "--split-sentences", "-path", model, cwd=place, stdin=text
    )
    assert result.returncode == 0, result.stderr
    forms, tags, *arcs = zip(
        *map(str.split, result.stdout.splitlines()[:4]), strict=True
    )
    assert forms == ("La", "hundo", "vidas", "la")
    assert tags == ("DET", "NOUN", "VERB", "DET")
    assert [each[:2] for each in arcs] == [("0", "1"), ("root", "dep")]
    said = run_program("senna-model", "info", model, cwd=place).stdout
    assert "language: eo; tokenizer: unicode" in said


@pytest.mark.process
def test_the_words_are_those_of_treebank_and_text(place):
    lines = (place / "runs/tokens.txt").read_text("utf-8").splitlines()
    assert lines[0] == "La hundo vidas la katon ."
    assert lines[-1] == "Mi vidas la urbon !"


PAGE = """<!doctype html><html><head><title>Ne</title><style>p {}</style>
<body><h1>La&nbsp;urbo</h1><script>if (a < b) c();</script>
<p>La <b>hun</b>do vidas
la katon.<p>Ili iras &amp; dormas.<ul><li>Unu<li>Du<br/>Tri</ul></body></html>"""


@pytest.mark.process
def test_a_web_page(place):
    (place / "page.html").write_text(PAGE, "utf-8")
    page = run_program(
        sys.executable, ROOT / "recipes/ud/page.py", "page.html", cwd=place
    )
    assert page.stdout.splitlines() == [
        "La urbo",
        "La hundo vidas la katon.",
        "Ili iras & dormas.",
        "Unu",
        "Du",
        "Tri",
    ]
    command = ["senna-tag", "--split-sentences", "-path", "runs/model.safetensors"]
    tagged = run_program(*command, "--format", "conllu", cwd=place, stdin=page.stdout)
    assert "2\thundo\t_\tNOUN" in tagged.stdout
    (place / "page.html").write_bytes("é".encode("latin-1"))
    page = run_program(
        sys.executable, ROOT / "recipes/ud/page.py", "page.html", cwd=place
    )
    assert (page.returncode, page.stderr[:19]) == (1, "page.py: page.html:")
    assert page.stderr.count("\n") == 1


@pytest.mark.process
def test_what_is_missing_is_said(tmp_path):
    recipe = ROOT / "recipes/ud/train.sh"

    def said(*arguments):
        result = run_program(recipe, *arguments, cwd=tmp_path)
        assert (result.returncode, result.stdout, result.stderr.count("\n")) == (
            1,
            "",
            1,
        )
        return result.stderr

    assert "expected TREEBANK RUN" in said("eo")
    assert "--x: no such option" in said("--x", "y", ".", "runs")
    assert "neither train.conllu nor ner.train" in said(".", "runs")
    shutil.copy(
        ROOT / "tests/data/esperanto/train.conllu", tmp_path / "eo_x-ud-train.conllu"
    )
    assert "dev.conllu: no such file" in said(".", "runs")
    (tmp_path / "dev.conllu").touch()
    assert "no such tokenizer: 'xx'" in said("--tokenizer", "xx", ".", "runs")
    (tmp_path / "train.conllu").touch()
    assert "several files *train.conllu" in said(".", "runs")


STEMS, ENDS = ("walk", "talk", "jump", "call", "look", "play"), ("", "s", "ed", "ing")


@pytest.mark.extra
@pytest.mark.process
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
