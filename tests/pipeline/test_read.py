"""Inputs in batches: what is noted about their bytes, and where they end."""

import pytest

from senna_py.io.streaming import PAUSE, InputError
from senna_py.pipeline.options import TextOptions
from senna_py.pipeline.read import TextReader
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TOKENIZER = Tokenizer(Vocabulary.from_keys(["UNKNOWN"]), "treebank")


def read(path, **options):
    """The batches of a file, and what is noted about it."""
    notes = []
    reader = TextReader(
        TextOptions(**options), TOKENIZER, lambda line, topic=None: notes.append(line)
    )
    batches = reader.read_file(str(path), "a")
    return [batch for batch in batches if batch is not PAUSE], notes


def test_a_note_names_the_line_of_bytes_that_are_not_text(tmp_path):
    rows = tmp_path / "a.conllu"
    row = b"1\tcaf%b" + b"\t_" * 8 + b"\n\n"
    rows.write_bytes(b"# one\n" + row % b"e" + row % b"\xe9" + row % b"e")
    _, (note,) = read(rows)
    assert note.startswith(f"{rows}: line 4 is not UTF-8: such bytes stay as they are;")
    text = tmp_path / "a.txt"
    text.write_bytes(b"cafe\n\ncaf\xe9 .\ncafe\n")
    _, (note,) = read(text)
    assert note.startswith(f"{text}: line 3 is not UTF-8: such bytes are tokens of")


def test_batches_know_where_they_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"He sleeps .\n\nShe left .\n")
    (batch,), notes = read(path)
    assert (batch.text, batch.end, notes) == (path.read_bytes(), 24, [])


@pytest.mark.parametrize(
    ("name", "problem"),
    [("", "a directory: name its files"), ("No, he left.", "a text itself is piped")],
)
def test_what_is_no_file_is_told(tmp_path, name, problem):
    with pytest.raises(InputError, match=problem):
        read(name or tmp_path)
