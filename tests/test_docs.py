"""The examples in the documentation do what they say."""

import doctest
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def english(shipped_model, monkeypatch):
    """Let what needs the English model find it, and no other."""
    monkeypatch.delenv("SENNA_PY_MODEL", raising=False)


@pytest.mark.parametrize("name", ["README.md", "docs/api.md", "docs/senna-eval.md"])
def test_python_examples(name, english, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert result.attempted > 2
    assert result.failed == 0


def test_the_first_example_of_the_readme_prints_what_it_shows(english):
    blocks = (ROOT / "README.md").read_text(encoding="utf-8").split("```")
    install = next(i for i, block in enumerate(blocks) if "pip install . &&" in block)
    command = blocks[install].split("&&")[-1].strip()
    command = command.replace(".venv/bin", shlex.quote(str(Path(sys.executable).parent)))
    result = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert result.stdout == blocks[install + 2].removeprefix("\n") + "\n"


def test_senna_tag_documents_every_option():
    from senna_py.cli.tag import command

    text = (ROOT / "docs" / "senna-tag.md").read_text(encoding="utf-8")
    for parameter in command.params:
        for option in (*parameter.opts, *parameter.secondary_opts):
            assert parameter.name == "files" or f"`{option}" in text, option


def test_senna_model_documents_every_option():
    from senna_py.cli.model import command

    text = "".join(
        (ROOT / name).read_text(encoding="utf-8") for name in ("docs/native-model.md", "README.md")
    )
    for name, subcommand in command.commands.items():
        assert f"senna-model {name}" in text
        for parameter in subcommand.params:
            if parameter.param_type_name == "option":
                assert any(f" {option}" in text for option in parameter.opts), parameter.opts


def test_senna_eval_documents_every_option():
    from senna_py.cli.eval import command

    text = (ROOT / "docs" / "senna-eval.md").read_text(encoding="utf-8")
    for name, subcommand in command.commands.items():
        assert f"senna-eval {name}" in text
        for parameter in subcommand.params:
            for option in parameter.opts:
                assert parameter.param_type_name == "argument" or f"`{option}" in text, option


def test_language_models_document_every_option():
    from senna_py.cli.lm import command

    text = (ROOT / "docs" / "language-models.md").read_text(encoding="utf-8")
    for subcommand in (command.commands["score"], command.commands["train"].commands["ngram"]):
        for parameter in subcommand.params:
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert parameter.param_type_name == "argument" or f"`{option}" in text, option
