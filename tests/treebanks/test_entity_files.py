"""Files of words and entities become CoNLL-U."""

import pytest

from senna_py.corpora.conllu import ConlluFile
from senna_py.errors import SennaError
from senna_py.treebanks.entities import write_entities


def converted(text, directory):
    """Return the words and the tags of each sentence."""
    source, target = directory / "ner.train", directory / "ner.conllu"
    source.write_bytes(text.encode() if isinstance(text, str) else text)
    write_entities(source, target)
    return [
        [*zip(each.forms, each.column("misc.NER"), strict=True)]
        for each in ConlluFile(target)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "-DOCSTART-\n\nAna B-PER\n34 470 O\n\n\n. O\n",
        "Ana\tB-PER\r\n34 470\tO\r\n\r\n.\tO\r\n",
        "Ana NP B-PER\n34 470 Z O\n\n. F O",
        "-DOCSTART- -X- O O\nAna NP B-NP B-PER\n34 470 Z B-NP O\n\n. F O O",
    ],
)
def test_words_and_tags(text, tmp_path):
    assert converted(text, tmp_path) == [
        [("Ana", "B-PER"), ("34 470", "O")],
        [(".", "O")],
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Ana B-PER\nvive\n", "line 2: expected a word and a tag"),
        ("Ana B-PER\nvive V\n", "line 2: expected O or a tag such as B-PER, found 'V'"),
        ("Ana X-PER\n", "line 1: expected O or a tag such as B-PER, found 'X-PER'"),
        (b"Ana B-PER\n\nL\xe9a B-PER\n", "line 3: not UTF-8"),
        ("\n\n", "there is no sentence"),
    ],
)
def test_malformed_lines(text, problem, tmp_path):
    with pytest.raises(SennaError, match=problem):
        converted(text, tmp_path)
