"""What is said in several files about the project is the same in all of them."""

import os
import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from senna_py.io.toml import tomllib

ROOT = Path(__file__).resolve().parent.parent


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_commits_are_checked_by_the_ruff_of_the_tests():
    (hooks,) = re.findall("rev: v(.+)", text(".pre-commit-config.yaml"))
    assert {*re.findall(r'"ruff==([^"]+)"', text("pyproject.toml"))} == {hooks}


def test_groups_of_developers_are_those_of_their_extras():
    """Older versions of pip know only extras."""
    project = tomllib.loads(text("pyproject.toml"))
    groups, extras = project["dependency-groups"], project["project"]
    for name in ("test", "docs", "ci"):
        assert groups[name] == extras["optional-dependencies"][name]


def test_every_upper_bound_has_a_reason():
    """Those of groups have it beside the same requirement of an extra."""
    requirements = re.findall(r'"([\w.\[\]-]+[<>=][^"]*)"', text("pyproject.toml"))
    bounded = {each for each in requirements if re.search("<|==", each.split(";")[0])}
    assert len(bounded) > 5
    for each in bounded:
        assert re.search(f'"{re.escape(each)}",? *# .', text("pyproject.toml")), each


def workflow(name):
    return text(f".github/workflows/{name}.yml")


def test_every_promised_python_is_tested():
    promised = re.findall(
        r'"Programming Language :: Python :: (3\.\d+)"', text("pyproject.toml")
    )
    tested = " ".join(re.findall("python: (.+)", workflow("tests")))
    assert sorted({*re.findall(r"3\.\d+", tested)}) == promised
    assert f'requires-python = ">={promised[0]}"' in text("pyproject.toml")


def test_the_oldest_promised_libraries_are_tested():
    (pins,) = re.findall("pins: (.+)", workflow("tests"))
    assert len(pins.split()) == 4
    for pin in pins.split():
        name, version = pin.removesuffix(".*").split("==")
        assert re.search(f'"{name}>={version}[,;"]', text("pyproject.toml"))


def test_actions_are_pinned():
    """A tag can be moved, a commit cannot; dependabot keeps both up to date."""
    names = [path.stem for path in (ROOT / ".github" / "workflows").iterdir()]
    used = [use for name in names for use in re.findall(r"uses: (.+)", workflow(name))]
    assert len(used) > 10
    for use in used:
        assert re.fullmatch(
            r"[\w/-]+@[0-9a-f]{40} # v[\d.]+|\./\.github/workflows/\w+\.yml", use
        )


def test_the_project_has_one_address():
    (address,) = re.findall('Source = "(.+)"', text("pyproject.toml"))
    found = re.findall(f'(?:repo_url|repository): "?{address}\\b', text("mkdocs.yml"))
    assert len(found) == 2
    assert f"\nrepository-code: {address}\n" in text("CITATION.cff")
    (site,) = re.findall('Documentation = "(.+)"', text("pyproject.toml"))
    assert f"\nsite_url: {site}\n" in text("mkdocs.yml")


def test_ci_runs_the_commands_of_the_readme():
    blocks = re.findall(r"```sh\n(.*?)```", text("README.md"), re.DOTALL)
    first, second = blocks[:2]
    clone, install = first.splitlines()
    (address,) = re.findall('Source = "(.+)"', text("pyproject.toml"))
    assert clone == f"git clone {address} && cd {address.rpartition('/')[2]}"
    assert install.startswith("pip install . && echo ")
    for command in (install, second.rstrip("\n")):
        assert re.search(rf"^{re.escape(command)} \|\| ", text(".ci/run"), re.MULTILINE)


def printed(root):
    """What the blocks of README's commands have, as `.ci/readme` finds them."""
    command = ["bash", ".ci/readme", "list"]
    return subprocess.run(command, cwd=root, check=True, capture_output=True).stdout


@pytest.mark.process
def test_ci_takes_all_commands_of_the_readme():
    blocks = re.findall(r"```sh\n(.*?)```", text("README.md"), re.DOTALL)
    assert printed(ROOT).decode() == "".join(blocks)


@pytest.fixture
def repository(tmp_path):
    """A function that makes a repository whose README has a command, and runs it.

    Its environment has no packages, because pip takes seconds to install itself.
    """
    place, maker = tmp_path / "checkout", tmp_path / "bin/python3"
    maker.parent.mkdir()
    maker.write_text(
        f'#!/bin/sh\nmkdir -p "$3/bin"; ln -s {sys.executable} "$3/bin/python"\n'
    )
    maker.chmod(0o755)
    path = os.pathsep.join([str(maker.parent), os.environ["PATH"]])
    (place / ".ci").mkdir(parents=True)
    (place / ".ci/readme").write_text(text(".ci/readme"), "utf-8")
    (place / "pyproject.toml").write_text('Source = "https://example.com/a/b"\n')

    def run(command, python="2"):
        clone = "git clone https://example.com/a/b && cd b"
        (place / "README.md").write_text(
            f"```sh\n{clone}\n```\n\n```sh\n{command}\n```\n\n>>> 1 + 1\n{python}\n"
        )
        settings = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
            subprocess.run(["git", *settings, *words], cwd=place, check=True)
        return subprocess.run(
            ["bash", ".ci/readme"],
            cwd=place,
            check=False,
            capture_output=True,
            env={**os.environ, "PATH": path},
        )

    return run


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "python", "fails"),
    [
        ("ls pyproject.toml && echo well", "2", False),
        ("ls nothing && echo well", "2", True),
        ("echo well", "3", True),
    ],
)
def test_ci_runs_the_readme_as_printed(repository, command, python, fails):
    result = repository(command, python)
    assert bool(result.returncode) == fails, result.stderr
    assert (b"well\n" in result.stdout) == ("nothing" not in command)


def test_settings_of_tools_stand_in_one_file_and_name_what_there_is():
    settings = ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")
    assert {section.partition("-")[0] for section in settings} == {
        "DEFAULT",
        "tool:pytest",
        "mypy",
    }
    assert not re.search(
        r"^\[+tool\.(pytest|mypy)", text("pyproject.toml"), re.MULTILINE
    )
    for section in settings:
        for name in section.removeprefix("mypy-").split(","):
            if name.startswith("senna_py"):  # some need an extra to be imported
                path = ROOT / name.removesuffix(".*").replace(".", "/")
                assert path.is_dir() or path.with_suffix(".py").is_file(), name


def test_files_of_tests_have_names_of_their_own():
    """Folders of tests are no packages: pytest imports each file by its name alone."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted({*names})
