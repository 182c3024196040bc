"""Benchmarks and recipes, which tests do not run, import what there is."""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = [path for folder in ("benchmarks", "recipes") for path in (ROOT / folder).rglob("*.py")]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_what_is_imported_from_the_package_is_there(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("senna_py"):
            module = importlib.import_module(node.module)
            for name in node.names:
                assert hasattr(module, name.name), f"line {node.lineno}: {node.module} {name.name}"
