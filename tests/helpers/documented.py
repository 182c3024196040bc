"""Rows of the tables in the docs that settings make."""

from dataclasses import MISSING, fields

from senna_py.io.settings import default_of, info_of


def setting_rows(cls):
    """Rows of a table in Markdown of a class of Settings: name, default, meaning."""
    rows = []
    for field in fields(cls):
        info, default = info_of(field), default_of(field)
        if info.help:
            if default is MISSING:
                shown = "required"
            elif isinstance(default, bool):
                shown = str(default).lower()
            elif isinstance(default, str | list | dict):
                shown = f"`{default}`" if default or not isinstance(default, str) else ""
            else:
                shown = f"{default:g}"
            shown = f"by `{info.by}`" if info.by else shown
            rows.append(f"| `{field.name}` | {shown} | {info.help} |")
    return rows
