"""The wheel and the source distribution: what is in them, and what they say of themselves."""

import email
import importlib.metadata
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "models" / "en"
FOLDERS = ("tests", "docs", "recipes", "benchmarks", "bin", "senna_py")


def can_build():
    """Whether the setuptools that pyproject.toml asks for is here: nothing is fetched."""
    try:
        return int(importlib.metadata.version("setuptools").split(".")[0]) >= 77
    except importlib.metadata.PackageNotFoundError:
        return False


pytestmark = pytest.mark.skipif(not can_build(), reason="needs setuptools 77")


def build(source, directory, kind, **environment):
    """Run setuptools in `source`; returns the path of what it built."""
    code = "import sys, setuptools.build_meta as build; getattr(build, sys.argv[1])(sys.argv[2])"
    command = [sys.executable, "-c", code, f"build_{kind}", str(directory)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=240,
                   env=os.environ | environment)  # fmt: skip
    (path,) = directory.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return path


@pytest.fixture
def source(tmp_path):
    """A copy of the checkout, in which setuptools may leave files, without the English model."""
    source = tmp_path / "source"
    (source / "models" / "en").mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.is_file() or path.name in (*FOLDERS, ".github", ".ci"):
            (source / path.name).symlink_to(path)
    (source / "models" / "en" / "LICENSE").symlink_to(MODEL / "LICENSE")
    for other in ("README.md", "characters", "embeddings"):
        (source / "models" / other).symlink_to(ROOT / "models" / other)
    return source


@pytest.mark.process
def test_the_wheel_has_the_model_and_both_licences(source, tmp_path):
    for path in MODEL.iterdir():
        if path.name != "LICENSE":
            (source / "models" / "en" / path.name).symlink_to(path)
    wheel = build(source, tmp_path, "wheel", SENNA_PY_ADDRESS="")
    with zipfile.ZipFile(wheel) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        (name,) = (name for name in sizes if name.endswith("/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    for path in MODEL.iterdir():
        assert sizes[f"senna_py/models/en/{path.name}"] == path.stat().st_size
    assert wheel.stat().st_size <= 62e6
    assert metadata["License-Expression"] == "MIT AND CC-BY-SA-4.0"
    for licence in metadata.get_all("License-File"):
        assert sizes[name.replace("METADATA", f"licenses/{licence}")]
    text = metadata.get_payload()
    assert text.count("\n## ") == (ROOT / "README.md").read_text(encoding="utf-8").count("\n## ")
    assert "![" not in text and "Fast English tagging" in text
    assert all(target.startswith("http") for target in re.findall(r"\]\(([^)]+)\)", text))
    assert "Project-URL" not in metadata


@pytest.mark.process
def test_the_metadata_has_the_address_that_the_project_is_built_for(source, tmp_path):
    address = "https://example.org/senna-py"
    with tarfile.open(build(source, tmp_path, "sdist", SENNA_PY_ADDRESS=f"{address}/")) as archive:
        (name,) = (name for name in archive.getnames() if re.fullmatch("[^/]+/PKG-INFO", name))
        metadata = email.message_from_binary_file(archive.extractfile(name))
    labels = dict(line.split(", ") for line in metadata.get_all("Project-URL"))
    assert labels["Source"] == address
    assert labels.keys() == {"Source", "Documentation", "Changelog", "Issues"}
    for url in {*labels.values()} - {f"{address}/issues", address}:
        assert (ROOT / url.removeprefix(f"{address}/blob/HEAD/")).is_file()
    links = re.findall(r"\]\(([^)]+)\)", metadata.get_payload())
    own = [re.sub(f"^{address}/(blob|raw)/HEAD/", "", u) for u in links if u.startswith(address)]
    assert all((ROOT / name.partition("#")[0]).exists() for name in own)
    assert len(own) > 10
    assert f"]({address}/raw/HEAD/docs/images/display-page.png)" in metadata.get_payload()


@pytest.mark.process
def test_the_source_distribution_has_tests_and_documents_but_no_vectors(source, tmp_path):
    path = build(source, tmp_path, "sdist")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    cards = {f"models/{name}/MODEL_CARD.md" for name in ("characters", "embeddings")}
    assert {"CHANGELOG.md", "LICENSE", "models/en/LICENSE", "setup.py", *cards} <= names
    assert not any(re.fullmatch(r"models/.*\.(npy|words)", name) for name in names)
    assert path.stat().st_size <= 13e6  # 60 MB with the English model, which has 47 compressed
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            inside = path.relative_to(ROOT).as_posix()
            if path.is_file() and "__pycache__" not in inside:
                assert inside in names
    assert not any("__pycache__" in name for name in names)
