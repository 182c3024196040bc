"""A small model of parts of speech and entities, and annotated texts to teach it."""

import json

from senna_py.models.build import build_model
from tests.helpers.small_corpora import (
    WORDS,
    run,
    settings,
    write_corpora,
    write_vectors,
)

MORE = ["malaria", "asthma", "has", "saw"]


def write_model(directory):
    """Train a model with the tasks pos and ner, which knows the label NAME."""
    write_corpora(directory, 40, 10)
    write_vectors(directory / "vectors.txt", [*WORDS, *MORE])
    for task in ("pos", "ner"):
        trained = run(
            directory / task, settings(task, info={"language": "xx"}), directory
        )
        trained.trainer().run()
    runs = [str(directory / task) for task in ("pos", "ner")]
    return build_model(directory / "old.safetensors", runs)


def example(text, **labels):
    """A text, and spans of its words: the first occurrence of each word."""
    spans = [
        (text.index(word), text.index(word) + len(word), label)
        for word, label in labels.items()
    ]
    return text, spans


def write_jsonl(path, examples):
    """Write examples as JSON lines of doccano."""
    path.write_text(
        "".join(
            json.dumps({"text": text, "label": [list(span) for span in spans]}) + "\n"
            for text, spans in examples
        )
    )
    return path
