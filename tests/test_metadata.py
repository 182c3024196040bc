"""What is said in several files about the project is the same in all of them."""

import re
from configparser import ConfigParser
from pathlib import Path

import senna_py

ROOT = Path(__file__).resolve().parent.parent


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_names_this_version():
    assert f"\nversion: {senna_py.__version__}\n" in text("CITATION.cff")


def test_commits_are_checked_by_the_ruff_of_the_tests():
    (wanted,) = re.findall(r'"(ruff>=[^"]+)"', text("pyproject.toml"))
    hooks = re.findall(
        r'additional_dependencies: \["([^"]+)"\]', text(".pre-commit-config.yaml")
    )
    assert set(hooks) == {wanted}


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
        assert f'"{name}>={version},' in text("pyproject.toml")


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
