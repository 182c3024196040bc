"""Imports in the package point one way: from commands down to kernels, never in a
circle.
"""

import ast
import graphlib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "senna_py"

# Packages, and modules that stand beside them, from the top down. Each may import from
# the lines below its own; what stands in one line does not import each other.
# `senna_py` is __init__.py.
LEVELS = (
    ("__main__",),
    ("presidio",),
    ("cli", "spacy"),
    ("learning", "server"),
    ("treebanks",),
    ("dataframe", "lm", "parts", "tagging"),
    ("senna_py",),
    ("tagger",),
    ("corrections", "evaluation", "model", "training"),
    ("pipeline",),
    ("formats",),
    ("models",),
    ("corpora", "rules"),
    ("features",),
    ("networks",),
    ("arguments", "layers"),
    ("answers",),
    ("redaction",),
    ("keywords", "text"),
    ("display", "other_names", "search", "tables"),
    ("kernels", "labels"),
    ("io",),
    ("errors", "immutable"),
)
# Rooms of `senna_py.kernels`, from the top down.
ROOMS = (("decoding", "lm"), ("nn",), ("llvm", "text"), ("runtime",))


def sources():
    """The text of every module by its full name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


def is_for_type_checkers(node):
    """Whether a statement is `if TYPE_CHECKING:`."""
    test = getattr(node, "test", None)
    return isinstance(node, ast.If) and getattr(test, "id", "") == "TYPE_CHECKING"


def statements(node):
    """Yield all nodes below one, except what only type checkers run."""
    found = [node]
    for each in found:
        for child in ast.iter_child_nodes(each):
            if not is_for_type_checkers(child):
                yield child
                found.append(child)


def imports(modules):
    """Modules that each module imports, at its top or later: {name: set of names}."""
    found = {name: set() for name in modules}
    for name, source in modules.items():
        for node in statements(ast.parse(source)):
            if isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name}: line {node.lineno}: a relative import"
                full = [f"{node.module}.{alias.name}" for alias in node.names]
                wanted = [each if each in modules else node.module for each in full]
            else:
                continue
            found[name].update(each for each in wanted if each in modules)
    return {name: targets - {name} for name, targets in found.items()}


def package(name):
    """First name below `senna_py`, or `senna_py` itself."""
    return name.split(".")[1] if "." in name else name


def package_imports(graph):
    """Imports between packages: {package: {other package: "module -> module" of one
    import}}.
    """
    found = {package(name): {} for name in graph}
    for name, targets in sorted(graph.items()):
        for target in sorted(targets):
            if package(name) != package(target):
                found[package(name)].setdefault(package(target), f"{name} -> {target}")
    return found


def circle(graph):
    """Names along one circle of a graph, or None if it has none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


def against_levels(packages, levels=LEVELS):
    """Imports between packages that do not point down: one example for each pair."""
    level = {name: i for i, names in enumerate(levels) for name in names}
    return [
        example
        for name, targets in packages.items()
        for target, example in targets.items()
        if level[name] >= level[target]
    ]


@pytest.fixture(scope="module")
def graph():
    """Imports of the package."""
    return imports(sources())


def test_modules_do_not_import_each_other_in_a_circle(graph):
    assert len(graph) > 100
    assert circle(graph) is None


def test_every_package_has_its_level(graph):
    packages = [name for names in LEVELS for name in names]
    assert sorted(packages) == sorted({package(name) for name in graph})


def test_imports_point_down(graph):
    assert against_levels(package_imports(graph)) == []


def test_rooms_of_kernels_import_downwards_and_all_of_them_only_kernels(graph):
    kernels = {
        name: graph[name]
        for name in graph
        if name.count(".") > 2 and ".kernels." in name
    }
    others = {
        target for targets in kernels.values() for target in targets
    } - kernels.keys()
    assert others == {"senna_py.io.system"}

    def in_room(name):
        return name.removeprefix("senna_py.kernels.")

    graph = {
        f"senna_py.{in_room(name)}": {
            f"senna_py.{in_room(target)}" for target in targets - others
        }
        for name, targets in kernels.items()
    }
    assert against_levels(package_imports(graph), ROOMS) == []


def test_the_inner_loops_stay_behind_kernels(graph):
    """What is written in LLVM's terms is for kernels."""
    found = {
        f"{name} -> {target}"
        for name, targets in graph.items()
        if not name.startswith("senna_py.kernels.")
        for target in targets
        if target.startswith("senna_py.kernels.llvm.")
    }
    assert found == set()


def test_tagging_does_without_language_models(graph):
    """What trains or inspects them is a command, or learns vectors for a treebank."""
    found = package_imports(graph)
    importing = {name for name, targets in found.items() if "lm" in targets}
    assert importing == {"cli", "treebanks"}


def test_what_breaks_the_rules_is_found(graph):
    assert "senna_py.tagger" in graph["senna_py"]  # in a function
    modules = {"senna_py.a": "import senna_py.b", "senna_py.b": ""}
    assert imports(modules)["senna_py.a"] == {"senna_py.b"}
    bad = {
        "senna_py.errors": {"senna_py.io.files"},
        "senna_py.display": {"senna_py.tables"},
    }
    assert "senna_py.errors" in circle(graph | bad)
    assert against_levels(package_imports(graph | bad)) == [
        "senna_py.errors -> senna_py.io.files",
        "senna_py.display -> senna_py.tables",
    ]
