"""The wheel and the source distribution: what is in them, and what they say of
themselves.
"""

import email
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from senna_py.models.shipped import named_model

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "models" / "en"
FOLDERS = ("tests", "docs", "recipes", "benchmarks", "bin", "senna_py")
LARGEST = 40e6  # bytes
ADDRESS = "https://github.com/senna-py/senna-py"

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        not all(
            map(importlib.util.find_spec, ("hatchling", "hatch_fancy_pypi_readme"))
        ),
        reason="needs hatchling and hatch-fancy-pypi-readme: nothing is fetched",
    ),
]


def build(source, directory, kind):
    """Build a distribution of what is in `source`; returns its path."""
    code = (
        "import sys, hatchling.build as build; getattr(build, sys.argv[1])(sys.argv[2])"
    )
    command = [
        sys.executable,
        "-W",
        "error",
        "-c",
        code,
        f"build_{kind}",
        str(directory),
    ]
    subprocess.run(command, cwd=source, check=True, timeout=240)
    (path,) = directory.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return path


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The source distribution of this checkout."""
    return build(ROOT, tmp_path_factory.mktemp("sdist"), "sdist")


@pytest.fixture(scope="module")
def unpacked(source, tmp_path_factory):
    """The directory in the source distribution."""
    place = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(source) as archive:
        archive.extractall(place, filter="data")
    (directory,) = place.iterdir()
    return directory


@pytest.fixture(scope="module")
def wheel(unpacked, tmp_path_factory):
    """The wheel that the source distribution gives."""
    return build(unpacked, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def metadata(wheel):
    """What the wheel says of itself: a Message."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return email.message_from_bytes(archive.read(name))


def test_the_wheel_has_the_model_and_all_licenses(wheel, metadata):
    assert wheel.stat().st_size < LARGEST
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for path in MODEL.iterdir():
            assert archive.read(f"senna_py/models/en/{path.name}") == path.read_bytes()
        folder = next(
            name for name in names if name.endswith("/METADATA")
        ).removesuffix("METADATA")
        assert (
            metadata["License-Expression"]
            == "MIT AND CC-BY-SA-4.0 AND LicenseRef-WordNet"
        )
        licenses = metadata.get_all("License-File")
        of_model = {f"models/en/LICENSE{name}" for name in ("", ".WordNet")}
        assert set(licenses) == {"LICENSE", *of_model}
        for license in licenses:
            assert (
                archive.read(f"{folder}licenses/{license}")
                == (ROOT / license).read_bytes()
            )
    package = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "senna_py").rglob("*.*")
    }
    package = {name for name in package if "__pycache__" not in name}
    assert package <= names
    assert {name.split("/")[0] for name in names} == {"senna_py", folder.rstrip("/")}


def test_an_editable_installation_leaves_nothing_in_the_package(tmp_path):
    with zipfile.ZipFile(build(ROOT, tmp_path, "editable")) as archive:
        (link,) = (name for name in archive.namelist() if ".dist-info/" not in name)
        assert link.endswith(".pth")  # all there is to remove
        assert Path(archive.read(link).decode().strip()) == ROOT


def test_links_of_the_readme_lead_to_the_repository(metadata):
    text = metadata.get_payload()
    assert text.count("\n## ") == (ROOT / "README.md").read_text(
        encoding="utf-8"
    ).count("\n## ")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert all(target.startswith(("http", "#")) for target in links)
    own = [
        re.sub(f"^{ADDRESS}/(blob|raw)/main/", "", u)
        for u in links
        if u.startswith(ADDRESS)
    ]
    assert len(own) > 10
    assert all((ROOT / name.partition("#")[0]).exists() for name in own)
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    pictures += re.findall(r'(?:src|srcset)="([^"]+)"', text)
    assert pictures and all(
        url.startswith(f"{ADDRESS}/raw/main/docs/") for url in pictures
    )


def test_the_source_distribution_has_tests_and_documents_but_no_vectors(
    source, unpacked
):
    assert source.stat().st_size < LARGEST
    names = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*")}
    cards = {
        f"models/{name}/MODEL_CARD.md" for name in ("characters", "embeddings", "pt")
    }
    assert {"CHANGELOG.md", "LICENSE", "models/en/LICENSE", ".ci/run", *cards} <= names
    assert not any(re.fullmatch(r"models/.*\.(npy|words|lm)", name) for name in names)
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            inside = path.relative_to(ROOT).as_posix()
            if path.is_file() and "__pycache__" not in inside:
                assert inside in names
    assert not any("__pycache__" in name for name in names)


def test_what_the_wheel_installs_tags(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    environment = {
        name: value for name, value in os.environ.items() if name != "SENNA_PY_MODEL"
    }
    result = subprocess.run(
        [sys.executable, "-W", "error", "-m", "senna_py", "tag", "--pos"],
        cwd=tmp_path,
        input=b"She left.\n",
        env=environment | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert result.stdout.split() == b"She PRP left VBD . .".split()


def test_nothing_is_left_of_the_wheel(wheel):
    """Where the cache of kernels is, and what else it finds, is told by CI."""
    command = [sys.executable, ".ci/try_distribution.py", "--no-deps", str(wheel)]
    result = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    assert result.returncode == 0, result.stderr.decode()
    assert "S-LOC" in result.stdout.decode()
    assert "nothing is left but the cache of kernels" in result.stdout.decode()


@pytest.fixture(scope="module")
def portuguese_wheel(tmp_path_factory):
    """The wheel of the Portuguese model, with empty files in place of networks."""
    directory = tmp_path_factory.mktemp("portuguese")
    for name in ("pyproject.toml", "MODEL_CARD.md", "LICENSE"):
        shutil.copy(ROOT / "models" / "pt" / name, directory)
    for name in ("model.safetensors", "gsd.safetensors"):
        (directory / name).touch()
    return build(directory, directory / "dist", "wheel")


def test_the_portuguese_model_has_a_wheel_of_its_own(portuguese_wheel):
    package = "senna_py_pt"
    with zipfile.ZipFile(portuguese_wheel) as archive:
        names = set(archive.namelist())
        files = ("MODEL_CARD.md", "LICENSE", "model.safetensors", "gsd.safetensors")
        assert {f"{package}/{name}" for name in files} <= names
        (name,) = (name for name in names if name.endswith("/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
        license = name.replace("METADATA", "licenses/LICENSE")
        assert (
            archive.read(license) == (ROOT / "models" / "en" / "LICENSE").read_bytes()
        )
    assert metadata["Name"] == "senna-py-pt"
    assert metadata["License-Expression"] == "CC-BY-SA-4.0"
    assert metadata["Requires-Dist"].startswith("senna-py")


def test_its_wheel_is_where_its_name_leads(portuguese_wheel, tmp_path, monkeypatch):
    with zipfile.ZipFile(portuguese_wheel) as archive:
        archive.extractall(tmp_path)
    module = tmp_path / "senna_py" / "models" / "shipped.py"
    monkeypatch.setattr("senna_py.models.shipped.__file__", str(module))
    monkeypatch.syspath_prepend(tmp_path)
    assert named_model("pt") == tmp_path / "senna_py_pt"
    assert named_model("pt-gsd") == tmp_path / "senna_py_pt" / "gsd.safetensors"
