"""Models that learn to find sentences: senna-model sentences."""

import pickle

import numpy as np
import pytest

from senna_py import load
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.models.sentence_splitters import add_splitter
from senna_py.models.tensors import read_tensors, write_tensors
from tests.helpers.commands import assert_one_line_error, printed, run
from tests.helpers.native_models import model_arguments, senna_parts

SENTENCES = ["Titre", "Le chat dort ici", "Sport", "Il l'a vu ici", "Fin"]


def rows(sentence):
    words = sentence.replace("l'", "l' ").split()
    return [
        f"{i}\t{word}" + "\t_" * 7 + ("\tSpaceAfter=No" if word == "l'" else "\t_")
        for i, word in enumerate(words, 1)
    ]


@pytest.fixture
def treebank(write):
    """A CoNLL-U file whose sentences have no full stops."""
    blocks = ["\n".join(rows(sentence)) for sentence in SENTENCES] * 20
    return write("# newdoc id = 1\n" + "\n\n".join(blocks) + "\n\n", "train.conllu")


@pytest.fixture
def native(tmp_path):
    """File of a native model for French."""
    path = tmp_path / "model.safetensors"
    *arguments, _ = model_arguments(senna_parts(np.random.default_rng(0)))
    write_model(path, *arguments, {"tokenizer": "french"})
    return path


def sentences(path):
    text = " ".join(SENTENCES[:4]).encode()
    tagged = printed(
        run("senna-tag", "-path", path, "-pos", "--split-sentences", stdin=text)
    )
    blocks = tagged.split("\n\n")[:-1]
    return [" ".join(row.split()[0] for row in block.split("\n")) for block in blocks]


def test_a_model_learns_sentences(native, treebank, tmp_path):
    assert len(sentences(native)) == 1
    out = tmp_path / "new.safetensors"
    assert printed(run("senna-model", "sentences", out, native, treebank))
    expected = [sentence.replace("l'", "l' ") for sentence in SENTENCES[:4]]
    assert sentences(out) == expected
    text = " ".join(SENTENCES[:4]).encode()
    tokens = printed(run("senna-py", "tokenize", "--path", out, stdin=text))
    assert tokens.splitlines() == expected
    # It stays in models that are built of this one.
    assert (
        run("senna-model", "build", tmp_path / "built.safetensors", out).returncode == 0
    )
    assert sentences(tmp_path / "built.safetensors") == expected
    assert "sentences: learned" in printed(run("senna-model", "info", out))
    before = native.read_bytes()
    result = run("senna-model", "sentences", native, native, treebank)
    assert_one_line_error(result, f"{native}: output would overwrite the input", code=2)
    assert native.read_bytes() == before


def test_abbreviations_of_the_treebank(treebank, write, tmp_path):
    lines = ["SVT:s", "t.ex.", "program", "jan."], ["sist", "."]
    blocks = [
        "\n".join(f"{i}\t{form}" + "\t_" * 8 for i, form in enumerate(forms, 1))
        for forms in lines
    ]
    blocks[1] = blocks[1].replace(
        "sist" + "\t_" * 8, "sist" + "\t_" * 7 + "\tSpaceAfter=No"
    )
    treebank.write_text("\n\n".join(blocks * 9) + "\n\n")
    source, out = tmp_path / "unicode.safetensors", tmp_path / "new.safetensors"
    *arguments, _ = model_arguments(senna_parts(np.random.default_rng(0)))
    write_model(source, *arguments, {"tokenizer": "unicode"})
    assert run("senna-model", "sentences", out, source, treebank).returncode == 0
    text = "T.ex. FN:s råd 14:30 i jan. 2025 sist.".encode()

    def tokens(*options):
        return " ".join(
            printed(run("senna-py", "tokenize", *options, stdin=text)).split()
        )

    assert tokens("--path", out) == "T.ex. FN:s råd 14:30 i jan. 2025 sist ."
    assert "FN : s" in tokens("--path", source)
    assert "FN:s" in tokens("--path", source, "--abbreviations", write(":\n"))
    said = printed(run("senna-model", "info", out))
    assert (
        "sentences: learned from a treebank, with 3 abbreviations: : t.ex jan\n" in said
    )
    # They stay in models that are built of this one, and are known to a Tagger that is
    # pickled.
    run("senna-model", "build", source, out)
    assert NativeModel(source).splitter.abbreviations == (":", "t.ex", "jan")
    tagger = pickle.loads(pickle.dumps(load(out, tasks=["pos"])))
    assert [token.text for token in tagger("Jan. 5:e")] == ["Jan.", "5", ":", "e"]


def test_columns_text_and_running_text(native, write, tmp_path):
    columns = write("Le\tDT\nchat\tNN\ndort\tVB\n.\t.\n\nFin\tNN\n\n", "a.tsv")
    text = write("# a comment\nTitre\nLe chat dort ici\n\nSport\nIl dort\n" * 40)
    running = write("Il dort ici. Le chat dort et il dort.\n" * 9, "running.txt")
    out = tmp_path / "new.safetensors"
    options = "--columns", "word,pos", "--running", running
    assert (
        run("senna-model", "sentences", out, native, columns, text, *options).returncode
        == 0
    )
    found = load(out, tasks=[]).document("Sport Il dort")
    assert [sentence.text for sentence in found.sentences] == ["Sport", "Il dort"]
    without = add_splitter(tmp_path / "other.safetensors", native, [str(text)])
    known = [NativeModel(path).splitter.known.sum() for path in (out, without)]
    assert known[0] > known[1]


def test_errors(native, treebank, tmp_path):
    out = tmp_path / "new.safetensors"
    treebank.write_text("1\tA\n")
    result = run("senna-model", "sentences", out, native, treebank)
    assert_one_line_error(result, treebank, "line 1", "CoNLL-U")
    treebank.write_text("\n")
    result = run("senna-model", "sentences", out, native, treebank)
    assert_one_line_error(result, f"{treebank}: no sentence to learn from")
    treebank = treebank.with_suffix(".txt")
    treebank.write_bytes(b"Fin\n\0\n")
    result = run("senna-model", "sentences", out, native, treebank)
    assert_one_line_error(result, f"{treebank}: line 2: a binary file")
    assert not out.exists()


def test_damaged_arrays(native, treebank):
    native = add_splitter(native.with_name("learned.safetensors"), native, [treebank])
    metadata, tensors = read_tensors(native)
    tensors = {name: np.array(array) for name, array in tensors.items()}
    for name, array in (
        ("weights", np.zeros(3, np.float16)),
        ("known", np.zeros(3, np.uint8)),
        ("abbreviations", np.frombuffer(b"a b\n", np.uint8)),
    ):
        write_tensors(native, metadata, tensors | {f"sentences/{name}": array})
        with pytest.raises(Exception, match="sentences"):
            NativeModel(native).splitter  # noqa: B018
    del tensors["sentences/known"]
    write_tensors(native, metadata, tensors)
    with pytest.raises(Exception, match="is missing"):
        NativeModel(native).splitter  # noqa: B018
