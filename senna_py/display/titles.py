"""What labels mean, for whoever points at them."""

from __future__ import annotations

from functools import lru_cache

from senna_py.display.escapes import escape
from senna_py.errors import UsageError
from senna_py.labels.explanations import explain

__all__ = ["meaning", "title"]


@lru_cache(1 << 10)
def meaning(label: str) -> str:
    """What a label means, escaped; empty if nobody knows."""
    try:
        return escape(explain(label))
    except UsageError:
        return ""


def title(label: str) -> str:
    """The attribute that says it, behind a space; empty if nobody knows."""
    return f' title="{meaning(label)}"' if meaning(label) else ""
