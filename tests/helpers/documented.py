"""Rows of the tables in the docs that settings make."""

from dataclasses import fields

from senna_py.io.settings import default_of, info_of


def setting_rows(cls):
    """Rows of a table in Markdown of a class of Settings: name, default, meaning."""
    rows = []
    for field in fields(cls):
        info, default = info_of(field), default_of(field)
        if info.help:
            shown = str(default).lower() if isinstance(default, bool) else default
            shown = f"`{shown}`" if isinstance(default, str | list) and shown else shown
            rows.append(f"| `{field.name}` | {shown} | {info.help} |")
    return rows
