"""Fixtures of the language-model tests."""

import pytest

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.lm.text.corpus import prepare
from tests.helpers.small_language import paragraphs


@pytest.fixture
def fallbacks():
    """Run NumPy fallbacks of kernels, which nobody compiles for double precision."""
    with fixed_kernels(plain=True):
        yield


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
