"""Sections of the Python API, made from signatures and docstrings.

They stand in the pages, so that they can be read in the repository, too. A line
`<!-- api PATH NAMES -->` is followed by the section of a function or class. NAMES are
the members that the section has, or, with a hyphen before each, those that it leaves
out; without any, all public members are there. `python docs/write.py` writes the
sections again.
"""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

_LONGEST_LINE = 80  # of a signature
END = "<!-- end of api -->"
_SECTION = re.compile(
    rf"^<!-- api (senna_py[\w.]+)((?: -?\w+)*) -->$(?:(?:(?!<!-- api ).)*?^{END}$)?",
    re.M | re.S,
)
_TABLE = re.compile("^(<!-- names -->)$.*?^(<!-- end of names -->)$", re.M | re.S)
FOLDER = Path(__file__).resolve().parent / "reference"
# The pages in the order of the table.
_ORDER = [
    "api",
    "documents",
    "trees",
    "search",
    "tables",
    "dataframes",
    "redaction",
    "models",
]
# The results of functions whose annotation covers several overloads.
_RETURNS = {"Tagger.pipe": "Iterator[Sentence] | Iterator[Document] | Iterator[tuple]"}
# Classes that have a constructor that users call.
_CONSTRUCTED = ("Tagger", "Document", "Pattern", "Model", "Redactor")


class Docstring(NamedTuple):
    """A docstring in Google style.

    Attributes:
        text: The text before the sections.
        sections: The text of each section by its name, such as `Args`.
    """

    text: str
    sections: dict[str, str]


def read_docstring(thing: object) -> Docstring:
    """Return the docstring of an object, divided into its sections."""
    text, *rest = re.split(
        r"^(Args|Attributes|Raises|Example):\n", inspect.getdoc(thing) or "", flags=re.M
    )
    bodies = (inspect.cleandoc("\n" + body) for body in rest[1::2])
    return Docstring(text.strip(), dict(zip(rest[::2], bodies, strict=True)))


def with_table(page: str) -> str:
    """Return the text of a page with its table of all sections, if it has one."""
    return _TABLE.sub(lambda match: f"{match[1]}\n\n{_table()}\n\n{match[2]}", page)


def _table() -> str:
    """Return a table of the functions and classes of all pages, with links."""
    rows = ["| name | what it is |", "|---|---|"]
    for page in sorted(FOLDER.glob("python-*.md"), key=_order):
        for match in _SECTION.finditer(page.read_text(encoding="utf-8")):
            name = match[1].removeprefix("senna_py.")
            text = read_docstring(pkgutil.resolve_name(match[1])).text.split("\n\n")[0]
            link = f"{page.name}#{name.replace('.', '').lower()}"
            rows.append(f"| [`{name}`]({link}) | {' '.join(text.split())} |")
    return "\n".join(rows)


def _order(page: Path) -> int:
    return _ORDER.index(page.stem.removeprefix("python-"))


def with_sections(page: str) -> str:
    """Return the text of a page with its sections as the code has them now."""
    return _SECTION.sub(_section, page)


def _section(match: re.Match[str]) -> str:
    path, names = match[1], match[2].split()
    text = "\n\n".join(_lines(path, names))
    head = " ".join(["api", path, *names])
    return f"<!-- {head} -->\n\n{text}\n\n{END}"


def _lines(path: str, names: list[str]) -> Iterator[str]:
    thing = pkgutil.resolve_name(path)
    title = path.removeprefix("senna_py.")
    yield f"## {title}"
    if not inspect.isclass(thing):
        yield from _function(title, thing)
        return
    name = thing.__name__
    docstring = read_docstring(thing)
    if name in _CONSTRUCTED and name != "Document":
        yield _signature(name, thing.__init__)
    yield docstring.text
    if name in _CONSTRUCTED and name != "Document":
        yield from _tables(read_docstring(thing.__init__))
    if rows := [*_attributes(thing, docstring, names)]:
        yield "\n".join(["| attribute | type | meaning |", "|---|---|---|", *rows])
    yield from _example(docstring)
    for member, method in _methods(thing, names):
        shown, heading = f"{name}.{member}", f"{name}.{member}"
        if member == "__call__":
            shown, heading = "nlp", f"Call a {name}"
        yield f"### {heading}"
        yield from _function(shown, method)
    if name == "Document":
        yield "### Create a Document"
        yield from _function(name, thing.__init__)


def _function(name: str, function: Callable[..., object]) -> Iterator[str]:
    docstring = read_docstring(function)
    yield _signature(name, function)
    yield docstring.text
    yield from _tables(docstring)
    yield from _example(docstring)


def _tables(docstring: Docstring) -> Iterator[str]:
    """Yield a table of the arguments, and a list of the errors."""
    if args := docstring.sections.get("Args"):
        cells = (f"| `{name}` | {text} |" for name, text in _items(args))
        yield "\n".join(["| argument | meaning |", "|---|---|", *cells])
    if errors := docstring.sections.get("Raises"):
        items = (f"- `{name}`: {text}" for name, text in _items(errors))
        yield "Raises:\n\n" + "\n".join(items)


def _example(docstring: Docstring) -> Iterator[str]:
    if example := docstring.sections.get("Example"):
        yield f"```python\n{example}\n\n```"


def _items(section: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each item of a section, the text on one line."""
    for item in re.split(r"\n(?=\S)", section):
        name, _, text = item.partition(": ")
        yield name.replace(", ", "`, `"), " ".join(text.split()).replace("|", r"\|")


def _attributes(
    cls: type[Any], docstring: Docstring, names: list[str]
) -> Iterator[str]:
    """Yield a row for each field and property."""
    fields = dict(_items(docstring.sections.get("Attributes", "")))
    types: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        types |= getattr(base, "__annotations__", {})
    for name, meaning in fields.items():
        if name:
            yield _row(name, types.get(name, ""), meaning)
    for name, value in _members(cls, names):
        if isinstance(value, property) and name not in fields:
            result = inspect.signature(value.fget).return_annotation  # type: ignore[arg-type]
            text = " ".join(read_docstring(value).text.split())
            yield _row(name, result, text.replace("|", r"\|"))


def _row(name: str, annotation: object, meaning: str) -> str:
    shown = annotation if isinstance(annotation, str) else _name_of(annotation)
    shown = shown.replace("|", r"\|")
    return f"| `{name}` | {f'`{shown}`' if shown else ''} | {meaning} |"


def _name_of(annotation: object) -> str:
    name = getattr(annotation, "__forward_arg__", None)  # of a NamedTuple
    return name or str(getattr(annotation, "__name__", annotation))


def _methods(
    cls: type[Any], names: list[str]
) -> Iterator[tuple[str, Callable[..., object]]]:
    for name, value in _members(cls, names):
        function = getattr(value, "__func__", value)  # of a class method
        if inspect.isfunction(function):
            yield name, function


def _members(cls: type[Any], names: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the public members of a class and its bases, those of the class first."""
    hidden = {name[1:] for name in names if name.startswith("-")}
    wanted = [name for name in names if not name.startswith("-")]
    seen = set[str]()
    for base in cls.__mro__[:-1]:
        if base.__module__.partition(".")[0] != "senna_py":
            continue
        for name, value in vars(base).items():
            shown = name in wanted if wanted else not name.startswith("_")
            if shown and name not in hidden and name not in seen:
                seen.add(name)
                yield name, value
    if wanted and (missing := {*wanted} - seen):
        raise ValueError(f"{cls.__name__} has no {', '.join(sorted(missing))}")


def _signature(name: str, function: Callable[..., object]) -> str:
    """Return the signature as code, on several lines if it is long."""
    signature = inspect.signature(function)
    parameters, keyword_only = [], False
    for each in signature.parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not keyword_only:
            parameters.append("*")
            keyword_only = True
        parameters.append(_parameter(each))
    result = _RETURNS.get(name, signature.return_annotation)
    arrow = f" -> {result if isinstance(result, str) else _name_of(result)}"
    if function.__name__ == "__init__" or result is inspect.Signature.empty:
        arrow = ""
    line = f"{name}({', '.join(parameters)}){arrow}"
    if len(line) > _LONGEST_LINE:
        line = f"{name}(\n" + "".join(f"    {p},\n" for p in parameters) + f"){arrow}"
    return f"```python\n{line}\n```"


def _parameter(parameter: inspect.Parameter) -> str:
    shown = parameter.name
    if parameter.annotation is not inspect.Parameter.empty:
        annotation = parameter.annotation
        shown += (
            f": {annotation if isinstance(annotation, str) else _name_of(annotation)}"
        )
    if parameter.default is not inspect.Parameter.empty:
        default = parameter.default
        shown += f' = "{default}"' if isinstance(default, str) else f" = {default!r}"
    return shown
