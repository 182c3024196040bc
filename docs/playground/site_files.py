"""Adds to the site what the playground loads: Pyodide, packages, and senna-py's wheel.

`prepare.sh` fetches and builds them. Without them the site is built all the same, and the
playground says that it lacks the tagger.
"""

import json
import logging
from pathlib import Path

from mkdocs.structure.files import File

from senna_py import __version__

PREPARED = Path(__file__).resolve().parents[2] / "build" / "playground"
PYODIDE = PREPARED / "node_modules" / "pyodide"
WHEEL = PREPARED / f"senna_py-{__version__}-py3-none-any.whl"
LOCK = "pyodide-lock.json"
MODULES = ("pyodide.mjs", "pyodide.asm.mjs")
PACKAGES = ("numpy", "regex")

log = logging.getLogger("mkdocs.hooks.playground")


def on_files(files, config):
    """Add the files, and `files.json`, which tells the page what to load."""
    if lacking := missing():
        log.info("The playground lacks %s", ", ".join(map(str, lacking)))
        return files
    for name, path in published().items():
        generated = File.generated(config, name, abs_src_path=str(path))
        files.append(generated)
    text = json.dumps(manifest())
    files.append(File.generated(config, "playground/files.json", content=text))
    return files


def manifest() -> dict[str, object]:
    """Return what the page is told: sizes add up to `bytes`, in which progress counts."""
    return {
        "bytes": sum(path.stat().st_size for path in fetched_files()),
        "packages": PACKAGES,
        "wheel": WHEEL.name,
    }


def published() -> dict[str, Path]:
    """Return the files by their paths on the site."""
    paths = [*fetched_files(), *(PYODIDE / name for name in MODULES)]
    files = {f"playground/pyodide/{path.name}": path for path in paths if path != WHEEL}
    return {**files, f"playground/{WHEEL.name}": WHEEL}


def fetched_files() -> list[Path]:
    """Return the files whose progress a browser tells, which are not its modules."""
    locked = json.loads((PYODIDE / LOCK).read_text("utf-8"))["packages"]
    names = ["pyodide.asm.wasm", "python_stdlib.zip", LOCK]
    names += [locked[package]["file_name"] for package in PACKAGES]
    return [*(PYODIDE / name for name in names), WHEEL]


def missing() -> list[Path]:
    """Return the files that `prepare.sh` would make and that are not there."""
    if not (PYODIDE / LOCK).exists():
        return [PYODIDE]
    return [path for path in published().values() if not path.exists()]
