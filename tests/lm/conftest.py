"""A small text with structure, and the corpus made of it."""

import pytest

from senna_py.lm.corpus import prepare

PLACES = ["Paris", "Rome", "London", "Berlin"]
VERBS = ["visit", "like", "see", "leave"]
TIMES = ["today", "tomorrow", "soon", "later"]


def paragraphs():
    """Lines of the text."""
    return [
        f'We {verb} {place} {time}. He said: "I {verb} it ({time})", {n + 1.5} times.'
        for n in range(8)
        for place in PLACES
        for verb in VERBS
        for time in TIMES
    ]


@pytest.fixture(scope="session")
def text_file(tmp_path_factory):
    """Path of the text."""
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(paragraphs()) + "\n")
    return path


@pytest.fixture(scope="session")
def corpus(text_file, tmp_path_factory):
    """Open the corpus."""
    return prepare([text_file], tmp_path_factory.mktemp("corpus") / "c", processes=1)
