"""Every public method is documented, where it stands or in a class that it is derived from."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "senna_py"


def classes(sources):
    """Classes of the package by name, as lists of nodes: two may have the same name."""
    found = {}
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    return found


def documented(name, of, known):
    """Whether a class or one that it is derived from documents the method `name`."""
    for node in of:
        if isinstance(node, ast.FunctionDef) and node.name == name and ast.get_docstring(node):
            return True
        if isinstance(node, ast.ClassDef):
            bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
                     for base in node.bases]  # fmt: skip
            above = [each for base in bases for each in known.get(base, ())]
            if any(base not in known for base in bases if base not in ("object", "")):
                return True  # of another package
            if documented(name, [*node.body, *above], known):
                return True
    return False


def undocumented(sources):
    """Public methods that are documented nowhere, and docstrings that only say "See X"."""
    known, found = classes(sources), []
    for node in (node for nodes in known.values() for node in nodes):
        for method in node.body:
            if not isinstance(method, ast.FunctionDef) or node.name.startswith("_"):
                continue
            text = ast.get_docstring(method) or ""
            empty = text.startswith("See ") and len(text.split()) == 2
            if empty or not (method.name.startswith("_") or documented(method.name, [node], known)):
                found.append(f"{node.name}.{method.name}")
    return found


def test_every_public_method_is_documented():
    sources = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    assert undocumented(sources) == []


def test_what_is_undocumented_is_found():
    source = '''
class Layer:
    def forward(self):
        """Compute."""
    def backward(self): ...
class Linear(Layer):
    def forward(self): ...
    def backward(self):
        """See Layer."""
    def _hidden(self): ...
class _Private:
    def open(self): ...
'''
    assert undocumented([source]) == ["Layer.backward", "Linear.backward"]
