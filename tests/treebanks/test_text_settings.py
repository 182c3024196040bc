"""Settings of the text of a treebank that leave nothing to learn from."""

import pytest

from senna_py.errors import SennaError
from senna_py.treebanks.settings import read_settings
from senna_py.treebanks.vectors import clustering, skipgram


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("a b .\nc d .\n" * 800, "utf-8")
    return path


def settings(min_count):
    return read_settings([f"text.min_count={min_count}"]).text


@pytest.mark.parametrize("min_count", [900, 2000])
def test_words_that_are_all_too_rare(text, tmp_path, min_count):
    """Only the full stop occurs 900 times; it is never next to another full stop."""
    problem = rf"^--set text\.min_count={min_count}: no two adjacent words"
    with pytest.raises(SennaError, match=problem):
        clustering(text, settings(min_count))
    if min_count == 2000:
        with pytest.raises(SennaError, match=problem):
            skipgram(text, tmp_path / "corpus", settings(min_count))


def test_words_that_are_frequent_enough(text):
    assert clustering(text, settings(800)).words.words == [".", "a", "b", "c", "d"]
