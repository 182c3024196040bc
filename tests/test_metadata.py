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


def workflow(name):
    return text(f".github/workflows/{name}.yml")


def test_every_promised_python_is_tested():
    promised = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text("pyproject.toml"))
    tested = " ".join(re.findall("python: (.+)", workflow("tests")))
    assert sorted({*re.findall(r"3\.\d+", tested)}) == promised
    assert f'requires-python = ">={promised[0]}"' in text("pyproject.toml")


def test_the_oldest_promised_libraries_are_tested():
    (pins,) = re.findall("pins: (.+)", workflow("tests"))
    assert len(pins.split()) == 4
    for pin in pins.split():
        name, version = pin.removesuffix(".*").split("==")
        assert f'"{name}>={version},' in text("pyproject.toml")


def test_actions_are_pinned():
    """A tag can be moved, a commit cannot; dependabot keeps both up to date."""
    names = [path.stem for path in (ROOT / ".github" / "workflows").iterdir()]
    used = [use for name in names for use in re.findall(r"uses: (.+)", workflow(name))]
    assert len(used) > 10
    for use in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+|\./\.github/workflows/\w+\.yml", use)


def test_the_project_has_one_address():
    (address,) = re.findall('Source = "(.+)"', text("pyproject.toml"))
    assert re.findall(f'(?:repository|link): "?{address}\\b', text("mkdocs.yml"))[1:]
    assert f"\nrepository-code: {address}\n" in text("CITATION.cff")
    (site,) = re.findall('Documentation = "(.+)"', text("pyproject.toml"))
    assert f"\nsite_url: {site}\n" in text("mkdocs.yml")
