"""A name that a document repeats is read alike, in every way a text is tagged."""

import io
import json

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.io.streaming import PAUSE, Source, even_batches
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.tagger import Tagger
from tests.helpers.commands import run

ALONE = "The lawyers of Marlow said no."
TEXT = f"The town of Marlow lies on a river. Trains stop at Marlow twice. {ALONE}"
LINES = TEXT.replace(". ", ".\n") + "\n"
OTHER = "Mr. Marlow sang. They like Mr. Marlow."


@pytest.fixture(scope="module")
def pooling(shipped_model):
    """The names of the English model, which pools them."""
    return Tagger(shipped_model.path, ["ner"], with_scores=True)


def labels(document):
    return [each.label for each in document.entities]


def last_label(*args, stdin=b""):
    """The label of the last name that the command prints."""
    found = run("senna-py", "tag", "--ner", "--format", "entities", *args, stdin=stdin)
    assert found.returncode == 0, found.stderr
    rows = found.stdout.decode().splitlines()
    return rows[-1].split(",")[4]


def test_a_document_agrees_on_a_name(pooling):
    assert labels(pooling.document(ALONE)) == ["PER"]
    assert labels(pooling(ALONE)) == ["PER"]
    assert labels(pooling.document(TEXT)) == ["LOC"] * 3
    assert labels(pooling.document(LINES)) == ["LOC"] * 3
    tokens = [[*line.removesuffix(".").split(), "."] for line in LINES.splitlines()]
    assert labels(pooling.document(tokens=tokens)) == ["LOC"] * 3


def test_documents_do_not_depend_on_each_other(pooling):
    texts = [ALONE, TEXT, OTHER, LINES, ALONE]
    alone = [pooling.document(text).to_json() for text in texts]
    assert [each.to_json() for each in pooling.pipe(texts, documents=True)] == alone
    few = pooling.pipe(texts, batch_size=2, documents=True)
    assert [each.to_json() for each in few] == alone
    with fixed_kernels(plain=True):
        plain = pooling.pipe(texts, documents=True)
        assert [each.to_json() for each in plain] == alone


def test_scores_are_those_of_what_is_printed(pooling):
    tokens = pooling.tokenizer.document(TEXT)
    tokens.document = np.zeros(tokens.n_sentences, np.int64)
    best = pooling.annotate(tokens).layers["ner"]
    likely = pooling.annotate(tokens, uncertain=["ner"]).layers["ner"]
    of_names = likely.score[np.isin(likely.begin, best.begin)]
    assert best.score.tolist() == pytest.approx(
        [
            of_names[likely.begin[np.isin(likely.begin, best.begin)] == i].max()
            for i in best.begin
        ],
        abs=1e-5,
    )


def test_lines_are_documents_of_a_stream_and_files_if_wanted(shipped_model, write):
    path = "--path", shipped_model.path
    text, lines = write(TEXT + "\n", "text"), write(LINES, "lines")
    assert last_label(*path, text) == "LOC"
    assert last_label(*path, lines) == "PER"
    for options in ([], ["--jobs", "2"], ["--lines"], ["--paragraphs"]):
        wanted = *path, "--documents", "files", *options
        assert last_label(*wanted, lines) == "LOC"
        assert last_label(*wanted, stdin=LINES.encode()) == "LOC"


def test_marks_of_column_files_begin_documents(shipped_model, write):
    rows = [
        "".join(f"{word} X X O\n" for word in line.replace(".", " .").split()) + "\n"
        for line in LINES.splitlines()
    ]
    path = "--path", shipped_model.path, "--layout", "conll2003"
    assert last_label(*path, write("".join(rows))) == "LOC"
    mark = "-DOCSTART- X X O\n\n"
    assert last_label(*path, write(mark + mark.join(rows))) == "PER"
    conllu = run(
        "senna-py", "tag", "--upos", "--format", "conllu", stdin=LINES.encode()
    )
    first, *others = conllu.stdout.decode().split("\n\n")
    path = path[:2]
    assert last_label(*path, write("\n\n".join([first, *others]), "a.conllu")) == "LOC"
    others = [each and f"# newdoc\n{each}" for each in others]
    assert last_label(*path, write("\n\n".join([first, *others]), "b.conllu")) == "PER"


def test_records_are_documents(shipped_model, write):
    records = "".join(json.dumps({"text": text}) + "\n" for text in (LINES, ALONE))
    found = run(
        *("senna-py", "tag", "--ner", "--path", shipped_model.path, "--field", "text"),
        *("--format", "entities", write(records)),
    )
    rows = [row.split(",") for row in found.stdout.decode().splitlines()[1:]]
    assert [row[4] for row in rows] == ["LOC"] * 3 + ["PER"]


def test_even_batches_end_where_they_do_in_files():
    lines = [b"x" * (k * 37 % 90) + b"\n" for k in range(200)] + [b"end"]
    data = b"".join(lines)

    class Trickle(io.RawIOBase):
        def __init__(self, size):
            self.file, self.size = io.BytesIO(data), size

        def read(self, size=-1):
            return self.file.read(min(size, self.size))

    def batches(size):
        source = Source("x", None, Trickle(size))
        return [each for each in even_batches(source, 500) if each is not PAUSE]

    found = batches(10_000)
    assert b"".join(found) == data
    assert len(found) > 10
    assert all(len(each) >= 500 for each in found[:-1])
    assert batches(7) == batches(211) == found


def test_a_share_out_of_range_is_an_error(shipped_model, tmp_path):
    metadata, tensors = read_tensors(shipped_model.path)
    for value in (2, -1, "much", True):
        header = json.loads(metadata["model"])
        header["networks"][0]["pooling"] = value
        path = tmp_path / "bad.safetensors"
        write_tensors(path, metadata | {"model": json.dumps(header)}, tensors)
        with pytest.raises(SennaError, match="not a number from 0 to 1"):
            NativeModel(path)
