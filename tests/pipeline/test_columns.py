"""Column files in batches: where each of these begins."""

import pytest

from senna_py.io.streaming import BY_MARK
from senna_py.pipeline import columns
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL


@pytest.mark.parametrize("n_sentences", [1, 2, 5])
def test_a_paragraph_goes_on_in_the_batches_that_follow(
    n_sentences, tmp_path, monkeypatch
):
    monkeypatch.setattr(columns, "BATCH_BYTES", 8 * n_sentences)
    row = "1\tNo" + "\t_" * 8 + "\n2\tway" + "\t_" * 8 + "\n\n"
    (tmp_path / "a.conllu").write_text(row * 5 + "# newpar\n" + row * 3)
    text = columns.ColumnText(tmp_path / "a.conllu", "conllu", "words", BY_MARK)
    found, characters = [], 0
    for tokens, place in text.batches(Tagger(MODEL, ()).tokenizer, "a"):
        assert place.character == characters
        characters += len(tokens.data)
        paragraph = place.paragraph
        for line in place.column_lines:
            paragraph = line.line if line.begins_paragraph else paragraph
            found.append(paragraph)
        assert tokens.data == b"No way\n" * len(place.column_lines)
    assert found == [1] * 5 + [17] * 3


def test_lines_say_what_follows_their_last_token(tmp_path):
    row = "1\tNo" + "\t_" * 8 + "\n2\tway" + "\t_" * 7
    (tmp_path / "a.conllu").write_text(f"{row}\tSpaceAfter=No\n\n{row}\t_\n\n")
    text = columns.ColumnText(tmp_path / "a.conllu", "conllu", "words", BY_MARK)
    ((_, place),) = text.batches(Tagger(MODEL, ()).tokenizer, "a")
    assert [line.after for line in place.column_lines] == [b"", b" "]
