"""What is public is documented, where it stands or in a class above, and has annotations."""

import ast
import inspect
import pkgutil
import re
from importlib.resources import files
from pathlib import Path

import pytest

import senna_py

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


def public_api():
    """Functions that the page of the API shows, by name, and the methods of its classes."""
    page = (PACKAGE.parent / "docs" / "reference" / "python-api.md").read_text(encoding="utf-8")
    for block in page.split("\n::: ")[1:]:
        path, members = block.split()[0], re.search(r"members: \[(.*)\]", block)
        if path.startswith("senna_py.dataframe."):
            continue  # needs pyarrow
        thing = pkgutil.resolve_name(path)
        for name, value in vars(thing).items() if inspect.isclass(thing) else [(path, thing)]:
            shown = name in members[1].split(", ") if members else name[0] != "_"
            if inspect.isfunction(value) and shown:
                yield f"{path}:{name}", value


def test_everything_public_is_on_the_page():
    page = (PACKAGE.parent / "docs" / "reference" / "python-api.md").read_text(encoding="utf-8")
    assert {*re.findall(r"^::: senna_py\.(\w+)$", page, re.MULTILINE)} == {*senna_py.__all__}


@pytest.mark.parametrize(("name", "function"), [*public_api()])
def test_arguments_have_a_line_each_in_the_order_of_the_signature(name, function):
    """The page makes a table of them; where they speak for themselves, there is none."""
    text = inspect.getdoc(function)
    assert not re.search(r"Raises [A-Z]|^(?!Args|Raises|Yields)[a-z_]+: ", text, re.MULTILINE)
    section = re.search(r"^Args:\n((?:    .*\n?)+)", text, re.MULTILINE)
    if section:
        documented = re.findall(r"^    (\w+): [A-Z`]", section[1], re.MULTILINE)
        assert documented == [p for p in inspect.signature(function).parameters if p != "self"]


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
