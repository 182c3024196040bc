"""What a release is made with: the version in all files, and the site by version."""

import datetime
import importlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import senna_py

ROOT = Path(__file__).resolve().parent.parent
FILES = "senna_py/__init__.py", "CITATION.cff", "CHANGELOG.md", ".ci/version.py"

pytestmark = pytest.mark.process


@pytest.fixture
def checkout(tmp_path):
    """A directory with the files that have the version."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def version(checkout, *arguments):
    """Run `.ci/version.py`; returns its exit code and what it says."""
    command = [sys.executable, ".ci/version.py", *arguments]
    result = subprocess.run(
        command, cwd=checkout, capture_output=True, text=True, check=False
    )
    return result.returncode, (result.stdout or result.stderr).strip()


def contents(checkout):
    return {name: (checkout / name).read_text("utf-8") for name in FILES}


def test_all_files_have_this_version():
    assert version(ROOT) == (0, senna_py.__version__)


def test_one_command_sets_the_version(checkout):
    before = contents(checkout)
    assert version(checkout, "98.7.6") == (0, "98.7.6")
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    after = contents(checkout)
    assert '\n__version__ = "98.7.6"\n' in after["senna_py/__init__.py"]
    assert f"\nversion: 98.7.6\ndate-released: {today}\n" in after["CITATION.cff"]
    assert f"\n## 98.7.6 ({today})\n" in after["CHANGELOG.md"]
    for name in FILES:  # nothing else changes
        changed = {*after[name].splitlines()} - {*before[name].splitlines()}
        assert len(changed) == {"CITATION.cff": 2, ".ci/version.py": 0}.get(name, 1)
    assert version(checkout, "--tag", "v98.7.6") == (0, "98.7.6")


def test_a_second_release_replaces_the_date_of_the_first(checkout):
    version(checkout, "98.7.6")
    changes = checkout / "CHANGELOG.md"
    text = changes.read_text("utf-8")
    changes.write_text(
        text.replace("\n## ", "\n## 98.8.0 (unreleased)\n\n## ", 1), "utf-8"
    )
    assert version(checkout, "98.8.0rc1") == (0, "98.8.0rc1")
    assert (checkout / "CITATION.cff").read_text("utf-8").count("date-released") == 1


def test_a_version_that_was_released_is_not_set_again(checkout):
    version(checkout, "98.7.6")
    code, message = version(checkout, "98.7.7")
    assert code == 1 and message.startswith("CHANGELOG.md: ")
    assert version(checkout, "--tag", "v98.7.6") == (0, "98.7.6")


def test_the_next_version_may_be_in_the_changelog(checkout):
    changes = checkout / "CHANGELOG.md"
    text = changes.read_text("utf-8")
    changes.write_text(
        text.replace("\n## ", "\n## 98.8.0 (unreleased)\n\n## ", 1), "utf-8"
    )
    assert version(checkout) == (0, senna_py.__version__)
    assert version(checkout, "--tag", f"v{senna_py.__version__}")[0] == 1


@pytest.mark.parametrize("wrong", ["98.7", "v98.7.6", "98.7.6-rc1"])
def test_what_is_no_version_is_refused(checkout, wrong):
    before = contents(checkout)
    assert version(checkout, wrong)[0] == 1
    assert contents(checkout) == before


@pytest.mark.parametrize("name", FILES[:3])
def test_a_file_with_another_version_is_named(checkout, name):
    version(checkout, "98.7.6")
    path = checkout / name
    path.write_text(path.read_text("utf-8").replace("98.7.6", "98.7.5", 1), "utf-8")
    code, message = version(checkout)
    assert code == 1 and "\n" not in message
    assert "98.7.5" in message and "98.7.6" in message


def test_a_tag_of_what_is_unreleased_is_refused(checkout):
    assert version(checkout, "--tag", f"v{senna_py.__version__}")[0] == 1
    version(checkout, "98.7.6")
    assert version(checkout, "--tag", "v98.7.5")[0] == 1


@pytest.fixture
def versions(monkeypatch):
    """The module that builds the site of each version."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module("versions")


def test_the_newest_release_of_each_minor_version_is_shown(versions):
    tags = [
        "v0.2.0",
        "v0.10.0",
        "v0.2.10",
        "v0.2.9",
        "v1.0.0rc1",
        "pt-v0.3.0",
        "v1",
        "other",
    ]
    found = versions.newest_releases(tags)
    assert [*found.items()] == [("v0.10", "v0.10.0"), ("v0.2", "v0.2.10")]


def test_the_selector_has_all_versions(versions):
    entries = versions.listed(["v0.2", "v0.1"])
    assert [each["version"] for each in entries] == ["v0.2", "v0.1", "dev"]
    assert [each["aliases"] for each in entries] == [["latest"], [], []]
    (only,) = versions.listed([])
    assert (only["version"], only["aliases"]) == ("dev", ["latest"])


@pytest.mark.extra
def test_a_site_has_a_folder_for_each_version(versions, tmp_path, monkeypatch):
    pytest.importorskip("mkdocs")
    checkout, site = tmp_path / "checkout", tmp_path / "site"
    (checkout / "docs").mkdir(parents=True)
    (checkout / "mkdocs.yml").write_text(
        "site_name: A\nsite_url: https://example.com/a/\ntheme: mkdocs\n"
    )
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.com"]

    def git(*words):
        command = ["git", *settings, *words]
        subprocess.run(command, cwd=checkout, check=True, capture_output=True)

    git("init", "-q")
    for text in ("v0.1.0", "v0.1.1", "v0.2.0", "newer"):
        (checkout / "docs/index.md").write_text(f"# Of {text}\n")
        git("add", ".")
        git("commit", "-q", "-m", text)
        if text[0] == "v":
            git("tag", text)
    monkeypatch.setattr(versions, "ROOT", checkout)
    monkeypatch.setattr(sys, "argv", ["versions.py", str(site)])
    versions.main()
    shown = {}
    for page in site.glob("*/index.html"):
        text = page.read_text("utf-8")
        (address,) = re.findall(
            'rel="canonical" href="https://example.com/a/(.*?)"', text
        )
        shown[page.parent.name] = re.findall("Of ([^<]+)</h1>", text), address
    assert shown == {
        "dev": (["newer"], "dev/"),
        "latest": (["v0.2.0"], "latest/"),
        "v0.1": (["v0.1.1"], "v0.1/"),
        "v0.2": (["v0.2.0"], "latest/"),
    }
    assert len(json.loads((site / "versions.json").read_text())) == 3
    assert "url=latest/" in (site / "index.html").read_text()
    assert (site / "404.html").exists()
    assert not (checkout / ".git/worktrees").exists()
