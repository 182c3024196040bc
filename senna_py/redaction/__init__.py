"""Redaction: names, values, addresses and numbers of a text are replaced.

Spans of a document's layers (`spans.py`) and matches of rules (`rules.py`) become
findings without overlaps (`findings.py`). A `Redactor` replaces them by their types or
by stand-ins, and `mapping.py` brings the text back.
"""

from __future__ import annotations

from senna_py.redaction.mapping import restore
from senna_py.redaction.redactor import Redaction, Redactor, Replacement
from senna_py.redaction.styles import STYLES
from senna_py.redaction.type_names import DEFAULT, TYPES

__all__ = [
    "DEFAULT",
    "STYLES",
    "TYPES",
    "Redaction",
    "Redactor",
    "Replacement",
    "restore",
]
