"""Tables of settings on the pages, made from the code: `python docs/write.py` writes
them again.

They stand in the pages themselves, so that who reads the repository sees the defaults,
too. A line `<!-- settings MODULE.CLASS -->` is followed by the table of that class.
"""

import dataclasses
import re
from importlib import import_module

from senna_py.io.settings import default_of, info_of

END = "<!-- end of settings -->"
_TABLE = re.compile(
    rf"^<!-- settings ([\w.]+)\.(\w+) -->$(?:(?:(?!<!-- settings ).)*?^{END}$)?",
    re.M | re.S,
)


def with_tables(page: str) -> str:
    """Return the text of a page with its tables as the code has them now."""
    return _TABLE.sub(_section, page)


def _section(found: re.Match[str]) -> str:
    module, name = found.groups()
    table = table_of(getattr(import_module(module), name))
    return f"<!-- settings {module}.{name} -->\n\n{table}\n\n{END}"


def table_of(cls: type) -> str:
    """Return the table of the settings of a class: name, default, meaning."""
    rows = ["| setting | default | meaning |", "|---|---|---|"]
    for field in dataclasses.fields(cls):
        info, default = info_of(field), default_of(field)
        if info.help:
            shown = "required" if default is dataclasses.MISSING else f"`{default}`"
            shown = f"`{str(default).lower()}`" if isinstance(default, bool) else shown
            if info.by:
                shown = f"by `{info.by}`" if info.by.isidentifier() else f"by {info.by}"
            shown = shown.replace("``", "")
            rows.append(f"| `{info.option or field.name}` | {shown} | {info.help} |")
    return "\n".join(rows)
