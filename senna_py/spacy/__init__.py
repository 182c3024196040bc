"""A component for spaCy pipelines: `nlp.add_pipe("senna")`.

    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("senna")
    doc = nlp("Angela Merkel lives in Berlin.")
    doc.ents  # (Angela Merkel, Berlin)

It needs the extra `spacy`. docs/guide/spacy.md lists the attributes that it sets.
"""

from __future__ import annotations

from senna_py.errors import missing

try:
    import spacy  # noqa: F401 - only to say what is missing
except ImportError:
    raise ImportError(missing("senna_py.spacy", "spacy", "spacy")) from None

from senna_py.spacy.component import SennaComponent, make
from senna_py.spacy.relations import noun_chunks

__all__ = ["SennaComponent", "make", "noun_chunks"]
