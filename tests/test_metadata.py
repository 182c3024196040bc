"""What is said in several files about the project is the same in all of them."""

import re
from pathlib import Path

import senna_py

ROOT = Path(__file__).resolve().parent.parent


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_names_this_version():
    assert f"\nversion: {senna_py.__version__}\n" in text("CITATION.cff")


def test_commits_are_checked_by_the_ruff_of_the_tests():
    (wanted,) = re.findall(r'"(ruff>=[^"]+)"', text("pyproject.toml"))
    hooks = re.findall(r'additional_dependencies: \["([^"]+)"\]', text(".pre-commit-config.yaml"))
    assert set(hooks) == {wanted}


def test_every_promised_python_is_tested():
    promised = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text("pyproject.toml"))
    (tested,) = re.findall(r"python: \[(.+)\]", text(".github/workflows/tests.yml"))
    assert re.findall(r"3\.\d+", tested) == promised
    assert f'requires-python = ">={promised[0]}"' in text("pyproject.toml")


def test_the_oldest_promised_libraries_are_tested():
    pins = re.findall(r'pins: "([^"]+)"', text(".github/workflows/tests.yml"))[0].split()
    assert len(pins) == 3
    for pin in pins:
        name, version = pin.removesuffix(".*").split("==")
        assert f'"{name}>={version},' in text("pyproject.toml")
