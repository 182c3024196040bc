"""Documentation: examples and spelling; docstrings and annotations of what is public."""

import ast
import doctest
import functools
import importlib
import inspect
import pkgutil
import re
from importlib.resources import files
from pathlib import Path

import click
import pytest

import senna_py
from senna_py.tagging import settings
from senna_py.tagging.config import Config
from tests.helpers.all_commands import COMMANDS, GROUPS

ROOT = Path(__file__).resolve().parent.parent


PAGES = sorted((ROOT / "docs").rglob("*.md"))
API = sorted((ROOT / "docs" / "reference").glob("python-*.md"))


def test_every_setting_of_training_is_in_a_table():
    page = (ROOT / "docs" / "reference" / "config.md").read_text(encoding="utf-8")
    classes = [
        Config,
        settings.DataSet,
        settings.NetworkSettings,
        settings.TrainingSettings,
    ]
    classes += settings.SETTINGS.values()
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in classes}
    assert set(re.findall("^<!-- settings (.*) -->$", page, re.MULTILINE)) == names


@pytest.fixture
def makers(monkeypatch):
    """The modules that write parts of the pages, by name."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    names = ("api", "commands", "descriptions", "tables", "write")
    return {name: importlib.import_module(name) for name in names}


def test_what_is_made_from_code_is_current(makers):
    pytest.importorskip("pyarrow")  # the page of data frames
    old = [path.relative_to(ROOT) for path, _ in makers["write"].outdated()]
    assert not old, "run python docs/write.py"


def test_tables_of_settings(makers):
    tables = makers["tables"]
    pages = [page.read_text(encoding="utf-8") for page in PAGES]
    (row,) = re.findall(
        r"^\| `epochs` \| `0` \| (.*) \|$", "".join(pages), re.MULTILINE
    )
    assert row.startswith(
        "passes over the data; 0: 20, and up to 100 for few sentences"
    )
    again = "a\n<!-- settings senna_py.networks.window.WindowSettings -->\n\nb\n"
    assert tables.with_tables(tables.with_tables(again)) == tables.with_tables(again)
    assert tables.with_tables(again).endswith(f"{tables.END}\n\nb\n")


def test_every_command_has_a_page_with_all_its_options(makers):
    pages = makers["commands"].pages()
    names = {f"# {name}\n" for name, _ in COMMANDS + GROUPS if name[:8] == "senna-py"}
    titles = {text.splitlines(keepends=True)[0] for text in pages.values()}
    assert names - {"# senna-py\n"} <= titles
    for name, command in makers["commands"].commands():
        (text,) = [text for text in pages.values() if text.startswith(f"# {name}\n")]
        for option in command.params:
            if isinstance(option, click.Option) and not isinstance(
                command, click.Group
            ):
                assert all(f"`{each}" in text for each in option.opts), (name, option)


def test_every_page_has_a_description_of_its_own(makers):
    described = makers["descriptions"].read_descriptions()
    hooks = (ROOT / "docs/hooks.py").read_text(encoding="utf-8")
    elsewhere = re.findall(
        r'^    "[\w/.]+\.md": "([\w/.]+\.md)",$', hooks, re.MULTILINE
    )
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in PAGES}
    assert elsewhere and {*described} == pages | {*elsewhere}
    assert len({*described.values()}) == len(described)
    for page, text in described.items():
        assert 30 <= len(text) <= 170, f"{page}: {len(text)}: {text}"


def test_every_function_of_the_api_has_an_example():
    without = [
        name for name, function in public_api() if ">>> " not in function.__doc__
    ]
    assert not without


def headings(path):
    """Anchors of a page."""
    lines = [
        line for line in path.read_text(encoding="utf-8").split("\n") if line[:1] == "#"
    ]
    return {
        re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in lines
    }


def test_links_lead_somewhere():
    folders = (".", "docs/**", "research", "recipes", "models/*")
    for page in (page for folder in folders for page in ROOT.glob(f"{folder}/*.md")):
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            if not name.startswith("http"):
                path = page.parent / name if name else page
                assert path.exists(), f"{page}: {target}"
                if path.suffix == ".md" and anchor:
                    assert anchor in headings(path), f"{page}: {target}"


def is_file(name):
    """Return whether some file of the project has this name; parts in capitals may be
    anything.
    """
    pattern = re.sub(r"[A-Z]{3,}|\\[*]", "[^/]+", re.escape(name))
    return any(re.fullmatch(f"(.*/)?{pattern}", path) for path in SOURCES)


FOLDERS = ("senna_py", "tests", "docs", "recipes", "benchmarks", "research")
SOURCES = [
    path.relative_to(ROOT).as_posix()
    for folder in FOLDERS
    for ending in ("py", "sh")
    for path in (ROOT / folder).rglob(f"*.{ending}")
]
MANUALS = [
    *ROOT.glob("*.md"),
    *PAGES,
    *ROOT.glob("models/*/*.md"),
    ROOT / "recipes/README.md",
]


@pytest.mark.parametrize(
    "page", MANUALS, ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_files_and_modules_that_are_named_exist(page):
    text = page.read_text(encoding="utf-8")
    files = re.findall(r"`([\w*/.]+\.(?:py|sh))`", text)
    assert [name for name in files if not is_file(name)] == []
    for name in re.findall(r"`(senna_py\.[\w.]*\w)`", text):
        # A module that needs an extra can be named where the extra is not installed.
        if not (ROOT / name.replace(".", "/")).with_suffix(".py").is_file():
            pkgutil.resolve_name(name)
    for name, path in re.findall(r"`(\w+)`\s+of\s+`([\w/]+\.py)`", text):
        files = [ROOT / each for each in SOURCES if f"/{each}".endswith(f"/{path}")]
        assert any(name in file.read_text("utf-8") for file in files), (
            f"{name} of {path}"
        )


@pytest.mark.parametrize(("name", "command"), COMMANDS + GROUPS)
def test_files_that_help_names_exist(name, command):
    context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    named = re.findall(
        r"(?:recipes|benchmarks|models|docs)/[\w/.-]*\w", command.get_help(context)
    )
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.fixture
def english(shipped_model, monkeypatch):
    """Let what needs the English model find it, and no other."""
    monkeypatch.delenv("SENNA_PY_MODEL", raising=False)


# Pages with sessions of Python.
PYTHON = [
    "README.md",
    "docs/index.md",
    "docs/guide/documents.md",
    "docs/guide/evaluate.md",
    "docs/guide/from-allennlp.md",
    "docs/guide/load.md",
    "docs/guide/python.md",
    "docs/guide/redact.md",
    "docs/guide/rules.md",
    "docs/guide/save.md",
    "docs/guide/search.md",
    pytest.param("docs/guide/spacy.md", marks=pytest.mark.extra),
    "docs/guide/switch.md",
    "docs/guide/triples.md",
    "docs/reference/file-formats.md",
    *(page.relative_to(ROOT).as_posix() for page in API),
]


@pytest.mark.parametrize("name", PYTHON)
def test_python_examples(name, english, monkeypatch, tmp_path):
    if name == "docs/guide/spacy.md":
        pytest.importorskip("spacy")
    if name == "docs/reference/python-dataframes.md":
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path if name == "docs/guide/rules.md" else ROOT)
    result = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert result.attempted > 2
    assert result.failed == 0


@pytest.mark.extra
def test_the_home_page_tags_rows_of_parquet(english, monkeypatch, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    dataset = pytest.importorskip("pyarrow.dataset")
    page = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(import pyarrow.*?)^```", page, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    rows = [{"id": 7, "text": "Anna left."}, {"id": 8, "text": "It rained in Rome."}]
    table = importlib.import_module("pyarrow").Table.from_pylist(rows)
    parquet.write_table(table, "rows.parquet")
    exec(block, {})
    rows = dataset.dataset("tagged").to_table().to_pylist()
    assert [len(row["entities"]) for row in rows] == [1, 1]
    for row in rows:
        (entity,) = row["entities"]
        found = f"{entity['label']}: {entity['text']}"
        assert f"\n| {row['document']} | {row['text']} | {found} |\n" in page


def test_the_example_that_help_shows(english):
    result = doctest.testmod(senna_py)
    assert result.attempted > 2
    assert result.failed == 0


# British spellings as regular expressions, each with the American one.
SPELLING = {
    r"licen[c]es?": "license",
    r"(neighb|col|behavi|fav|hon|lab)our\w*": "-or",
    r"cent(re|red|res)": "center",
    r"(un)?labell(ed|ing)|modell(ed|ing)|cancell(ed|ing)": "one l",
    r"analys(e|ed|ing)|catalogue|grey|artefacts?|programmes?|learnt|spelt|whilst": "-ze, -og, gray",
    r"(un)?(capital|character|emphas|factor|general|initial|maxim|minim|normal|optim|organ|parallel|"
    r"penal|random|recogn|regular|serial|special|summar|token|visual)is(e|ed|es|er|ing|ation)s?": "-ize",  # noqa: E501
}
# Words that are right where they stand.
ALLOWED = [
    "labelled is ",
    "`labelled`",
    "centre: float32",  # keys of model files and checkpoints
]


def found(text):
    """Return the British spellings of a text, each with the American one."""
    for allowed in ALLOWED:
        text = text.replace(allowed, "")
    text = re.sub(r"```.*?```|\]\([^)]*\)|https?://\S+", " ", text, flags=re.DOTALL)
    text = " ".join(text.split())
    return [
        f"{match[0]}: {right}"
        for wrong, right in SPELLING.items()
        for match in re.finditer(rf"\b({wrong})\b", text, re.IGNORECASE)
    ]


def pages():
    """Names of the pages for users and developers."""
    names = (
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/**/*.md",
        "models/**/*.md",
    )
    return sorted(
        str(page.relative_to(ROOT)) for name in names for page in ROOT.glob(name)
    )


@pytest.mark.parametrize("page", pages())
def test_pages(page):
    assert not found((ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "command"), COMMANDS + GROUPS)
def test_help(name, command):
    context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    assert not found(context.get_help())


@functools.cache
def modules():
    """Return the syntax trees of the modules of the package by their paths."""
    return {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for path in (ROOT / "senna_py").rglob("*.py")
    }


def test_docstrings_and_messages():
    wrong = {}
    for path, module in modules().items():
        for node in ast.walk(module):
            text = node.value if isinstance(node, ast.Constant) else ""
            if isinstance(text, str) and " " in text and (words := found(text)):
                wrong[f"{path.relative_to(ROOT)}:{node.lineno}"] = words
    assert not wrong


def test_words_are_found_in_running_text():
    assert found("Neighbours")
    assert found("the un\nlabelled")
    assert not found("`labelled` is [visual](visualise.md)\n```\ncolour\n```")


PACKAGE = Path(__file__).resolve().parent.parent / "senna_py"


def classes(trees):
    """Classes of modules by name, as lists of nodes: two may have the same name."""
    found = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    return found


def documented(name, of, known):
    """Whether a class or one that it is derived from documents the method `name`."""
    for node in of:
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == name
            and ast.get_docstring(node)
        ):
            return True
        if isinstance(node, ast.ClassDef):
            bases = [
                base.attr
                if isinstance(base, ast.Attribute)
                else getattr(base, "id", "")
                for base in node.bases
            ]
            above = [each for base in bases for each in known.get(base, ())]
            if any(base not in known for base in bases if base not in ("object", "")):
                return True  # of another package
            if documented(name, [*node.body, *above], known):
                return True
    return False


def undocumented(trees):
    """Public methods that are documented nowhere, and docstrings that only say "See
    X".
    """
    known, found = classes(trees), []
    for node in (node for nodes in known.values() for node in nodes):
        for method in node.body:
            if not isinstance(method, ast.FunctionDef) or node.name.startswith("_"):
                continue
            text = ast.get_docstring(method) or ""
            empty = text.startswith("See ") and len(text.split()) == 2
            if empty or not (
                method.name.startswith("_") or documented(method.name, [node], known)
            ):
                found.append(f"{node.name}.{method.name}")
    return found


def test_every_public_method_is_documented():
    assert undocumented(modules().values()) == []


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
    assert undocumented([ast.parse(source)]) == ["Layer.backward", "Linear.backward"]


def public_api():
    """Functions that the pages of the API show, by name, and methods of classes."""
    for page in API:
        text = page.read_text(encoding="utf-8")
        for path, names in re.findall(r"^<!-- api (\S+)(.*) -->$", text, re.MULTILINE):
            if path.startswith("senna_py.dataframe."):
                continue  # needs pyarrow
            thing, listed = pkgutil.resolve_name(path), names.split()
            hidden = {name[1:] for name in listed if name.startswith("-")}
            wanted = {*listed} - {f"-{name}" for name in hidden}
            for name, value in (
                vars(thing).items() if inspect.isclass(thing) else [(path, thing)]
            ):
                function = getattr(value, "__func__", value)
                shown = name in wanted if wanted else name[0] != "_"
                if inspect.isfunction(function) and shown and name not in hidden:
                    yield f"{path}:{name}", function


def test_everything_public_is_on_a_page():
    pages = "".join(page.read_text(encoding="utf-8") for page in API)
    shown = re.findall(r"^<!-- api senna_py\.(\w+)(?: .*)? -->$", pages, re.MULTILINE)
    assert {*shown} == {*senna_py.__all__}


@pytest.mark.parametrize(("name", "function"), [*public_api()])
def test_arguments_have_a_line_each_in_the_order_of_the_signature(name, function):
    """The page makes a table of them; where they speak for themselves, there is
    none.
    """
    text = inspect.getdoc(function)
    assert not re.search(
        r"Raises [A-Z]|^(?!Args|Raises|Yields)[a-z_]+: ", text, re.MULTILINE
    )
    section = re.search(r"^Args:\n((?:    .*\n?)+)", text, re.MULTILINE)
    if section:
        documented = re.findall(r"^    (\w+): [A-Z`]", section[1], re.MULTILINE)
        assert documented == [
            p
            for p in inspect.signature(function).parameters
            if p not in ("self", "cls")
        ]


def is_public(name):
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def public_functions(body, owner=""):
    """Yield (name, function) of what can be called from outside, methods with their
    class.
    """
    for node in body:
        if isinstance(node, ast.ClassDef) and is_public(node.name):
            yield from public_functions(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_public(
            node.name
        ):
            yield owner + node.name, node


def unannotated(module):
    """Names of the public functions of a syntax tree that leave a parameter or the
    result open.
    """
    found = []
    for name, function in public_functions(module.body):
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


def test_no_public_function_is_without_annotations():
    assert PACKAGE / "answers" / "document.py" in modules()
    found = {path: unannotated(module) for path, module in modules().items()}
    assert {path: names for path, names in found.items() if names} == {}


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
    assert unannotated(ast.parse(source)) == names.split()


def test_completion_shows_what_there_is():
    assert {*dir(senna_py)} == {*senna_py.__all__, "__version__"}
    assert all(getattr(senna_py, name) for name in dir(senna_py))


def test_type_checkers_are_told_that_the_package_has_annotations():
    assert files("senna_py").joinpath("py.typed").is_file()
