"""Column files in batches: where each of these begins."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.answers.document import Document
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


WORD = st.text("abÉß😀'", min_size=1, max_size=3)
# The words of a surface token, the form of a range, and whether a space follows.
SURFACE_TOKEN = st.tuples(st.lists(WORD, min_size=1, max_size=3), WORD, st.booleans())


def conllu_of(tokens):
    """The lines of a sentence; half of the ranges are the concatenation of their words."""
    lines, first = [], 1
    for words, form, has_space in tokens:
        misc = "_" if has_space else "SpaceAfter=No"
        if len(words) > 1:
            surface = form if "a" in form else "".join(words)
            name = f"{first}-{first + len(words) - 1}"
            lines.append("\t".join([name, surface, *"_" * 7, misc]))
        for i, word in enumerate(words, first):
            head = str(int(i > 1))
            lines.append(
                "\t".join([str(i), word, "_", "X", "_", "_", head, "dep", "_", misc])
            )
        first += len(words)
    return "".join(f"{line}\n" for line in [*lines, ""])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(SURFACE_TOKEN, min_size=1, max_size=4), min_size=1, max_size=3)
)
def test_the_text_of_ranges_is_that_of_a_document(tmp_path_factory, sentences):
    lines = "".join(map(conllu_of, sentences))
    path = tmp_path_factory.getbasetemp() / "ranges.conllu"
    path.write_text(lines, encoding="utf-8")
    text = columns.ColumnText(path, "conllu", "words", BY_MARK)
    ((tokens, _),) = text.batches(Tagger(MODEL, ()).tokenizer, "a")
    document = Document.from_conllu(lines)
    assert tokens.data.decode().splitlines() == [
        sentence.text for sentence in document.sentences
    ]
    assert [form.decode() for form in tokens.texts()] == [
        token.text for token in document
    ]
    assert tokens.offsets().tolist() == [
        [token.start_char - sentence.start_char, token.end_char - sentence.start_char]
        for sentence in document.sentences
        for token in sentence
    ]
