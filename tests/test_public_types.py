"""Every function of the public API says what it takes and returns."""

import ast
from importlib.resources import files
from pathlib import Path

import pytest

import senna_py

PACKAGE = Path(__file__).resolve().parent.parent / "senna_py"
PATTERNS = (
    "__init__.py", "annotation.py", "errors.py", "model.py", "reading.py", "tagger.py",
    "evaluation/*.py", "labels/brackets.py", "labels/tag_schemes.py", "labels/trees.py",
    "text/tokens.py", "text/vocabulary.py", "**/protocol.py",
    "networks/**/*.py", "models/**/*.py", "tagging/**/*.py",
)  # fmt: skip
PUBLIC = sorted({path for pattern in PATTERNS for path in PACKAGE.glob(pattern)})


def is_public(name):
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def public_functions(body, owner=""):
    """Yield (name, function) of what can be called from outside, methods with their class."""
    for node in body:
        if isinstance(node, ast.ClassDef) and is_public(node.name):
            yield from public_functions(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_public(node.name):
            yield owner + node.name, node


def unannotated(source):
    """Names of the public functions in `source` that leave a parameter or the result open."""
    found = []
    for name, function in public_functions(ast.parse(source).body):
        given = function.args
        parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        parameters += [extra for extra in (given.vararg, given.kwarg) if extra]
        static = any(
            isinstance(mark, ast.Name) and mark.id == "staticmethod"
            for mark in function.decorator_list
        )
        if "." in name and not static:
            parameters = parameters[1:]  # self or cls
        if function.returns is None or any(p.annotation is None for p in parameters):
            found.append(name)
    return found


@pytest.mark.parametrize("path", PUBLIC, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_public_function_is_without_annotations(path):
    assert unannotated(path.read_text(encoding="utf-8")) == []


def test_what_is_without_annotations_is_found():
    source = """
def load(path, n: int) -> str: ...
def open(path: str): ...
def close(*paths) -> None: ...
def good(*, path: str) -> None: ...
def _private(x): ...
class Tagger:
    def __init__(self, model: str): ...
    def tag(self, text) -> str: ...
    def labels(self) -> str: ...
    def _private(self, x): ...
    @classmethod
    def make(cls, x) -> None: ...
    @staticmethod
    def check(x) -> None: ...
"""
    names = "load open close Tagger.__init__ Tagger.tag Tagger.make Tagger.check"
    assert unannotated(source) == names.split()


def test_completion_shows_what_there_is():
    assert {*dir(senna_py)} == {*senna_py.__all__, "__version__"}
    assert all(getattr(senna_py, name) for name in dir(senna_py))


def test_type_checkers_are_told_that_the_package_has_annotations():
    assert files("senna_py").joinpath("py.typed").is_file()
