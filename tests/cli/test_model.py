import json
import pickle

import numpy as np
import pytest

from senna_py import load
from senna_py.models.native import NativeModel, write_model
from senna_py.models.senna_directory import NETWORKS
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.commands import MODEL, assert_one_line_error, run
from tests.helpers.native_models import (
    GAZETTEERS,
    WORDS,
    model_arguments,
    resources,
    senna_parts,
    vectors,
    write_singles,
)

TEXT = b"He reads the S-Bahn in New York City .\n\nChicago 1999 x y z !\n"


@pytest.fixture
def native(tmp_path):
    """File of a native model that SENNA's format can hold."""
    path = tmp_path / "model.safetensors"
    write_model(path, *model_arguments(senna_parts(np.random.default_rng(0))))
    return path


def model(*args, **options):
    """Run senna-model, which must succeed; returns what it prints."""
    result = run("senna-model", *args, **options)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


def test_info(native):
    printed = model("info", native, "--verbose")
    assert printed.splitlines()[:12] == [
        f"model {native}",
        f"format: senna-py, version 1; {native.stat().st_size:,} bytes",
        "name: small",
        "license: MIT",
        "tokenizer: senna",
        "words: 35, vectors of 16 bits a number",
        "gazetteers: loc 3, msc 1, org 2, per 1 phrases",
        "tasks: pos, chk, ner, srl, psg; if asked for: pt0",
        "pos: window network, window 3, 6 hidden units",
        "  features: word 35 x 6, caps 5 x 2, suffix 6 x 2",
        "  labels: NN VB DT (3)",
        "  configuration: 2 settings (--json shows them)",
    ]
    assert "  scores: f1 90.5" in printed.splitlines()
    assert model("info", "--verbose", env={"SENNA_PY_MODEL": str(native.parent)}) == printed


def test_info_of_a_configuration(tmp_path):
    *arguments, info = model_arguments(senna_parts(np.random.default_rng(0)))
    part = arguments[2][0]
    part.info["config"] = {"task": "pos", "training": {"rate": 0.5, "epochs": 20}}
    write_model(tmp_path / "model.safetensors", *arguments, info)
    lines = model("info", tmp_path, "--verbose").splitlines()
    at = lines.index("  config, without defaults:")
    assert lines[at + 1 : at + 4] == ['    task = "pos"', "    [training]", "    rate = 0.5"]


def test_info_is_short(native):
    lines = model("info", native).splitlines()
    assert lines[2:6] == [
        "name: small; tokenizer: senna", "license: MIT",
        "words: 35, vectors of 16 bits a number", "gazetteers: loc 3, msc 1, org 2, per 1 phrases",
    ]  # fmt: skip
    assert lines[7] == "network   approach  labels  dev            features"
    assert lines[8] == "pos       window         3                 word, caps, suffix"
    assert len(lines) == 16


def test_info_of_the_english_model(shipped_model):
    lines = model("info").splitlines()
    assert lines[0] == f"model {shipped_model.path}"
    assert len(lines) <= 25
    assert max(map(len, lines[1:])) <= 80
    assert any(line.startswith("pos       dilated  ") for line in lines)


def test_info_as_json(native):
    found = json.loads(model("info", native, "--json"))
    assert found["format"] == "senna-py"
    assert found["info"]["license"] == "MIT"
    assert [network["name"] for network in found["networks"]] == list(NETWORKS)
    pos = found["networks"][0]
    assert pos["labels"] == ["NN", "VB", "DT"]
    assert pos["features"][0] == {"name": "word", "keys": 35, "dim": 6}
    assert pos["arrays"]["hidden_weight"] == [30, 6]
    assert pos["info"]["configuration"] == {"window": 3, "train": {"rate": 0.1}}


def test_info_of_a_senna_directory():
    printed = model("info", MODEL, "--verbose").splitlines()
    assert printed[1].startswith("format: SENNA; ")
    assert "psg: tree network, 24, 48 hidden units" in printed
    assert "  types: ADJP ADVP NP PP PRN QP S SBAR ... (11)" in printed


def test_info_of_no_model(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 100)
    assert_one_line_error(run("senna-model", "info", tmp_path / "file"), tmp_path / "file")
    assert_one_line_error(run("senna-model", "info", tmp_path / "none"), tmp_path / "none")


def test_an_exported_model_prints_the_same(native, tmp_path):
    model("export", tmp_path / "senna", "--path", native)
    options = ("-usrtokens", *(f"-{name}" for name in NETWORKS if name != "vbs"))
    printed = [
        run("senna-tag", *options, "-path", path, stdin=TEXT)
        for path in (native, tmp_path / "senna")
    ]
    assert printed[0].stdout.count(b"\n") == 17
    assert [(each.returncode, each.stderr) for each in printed] == [(0, b"")] * 2
    assert printed[0].stdout == printed[1].stdout


def test_export_says_that_tokens_may_differ(tmp_path):
    *arguments, info = model_arguments(senna_parts(np.random.default_rng(0)))
    write_model(tmp_path / "model.safetensors", *arguments, info | {"tokenizer": "treebank"})
    result = run("senna-model", "export", tmp_path / "senna", "--path", tmp_path)
    assert result.returncode == 0
    assert result.stderr.decode() == (
        "senna-model: note: the model's tokenizer is treebank; the directory gives the same tags "
        "with --usrtokens only\n"
    )


def test_import(tmp_path):
    written = tmp_path / "new" / "model.safetensors"
    said = model("import", MODEL, tmp_path / "new")
    assert said.startswith(f"{written}: {written.stat().st_size:,} bytes: pos, chk, ")
    result = run("senna-tag", "-path", tmp_path / "new", stdin=TEXT)
    expected = run("senna-tag", "-path", MODEL, stdin=TEXT)
    assert result.returncode == 0
    assert result.stdout.count(b"\n") == expected.stdout.count(b"\n")
    assert (tmp_path / "new" / "model.safetensors").stat().st_size < 1.1e6


def test_build(tmp_path):
    paths = write_singles(tmp_path, senna_parts(np.random.default_rng(0))[:3]).values()
    (tmp_path / "info.toml").write_text('name = "three"\n[attribution]\nwords = "me"\n')
    said = model("build", tmp_path / "all", *paths, "--info", tmp_path / "info.toml")
    assert said.startswith(f"{tmp_path / 'all' / 'model.safetensors'}: ")
    assert said.endswith(" bytes: pos, chk, ner\n")
    printed = model("info", tmp_path / "all", "--verbose").splitlines()
    assert "name: three" in printed
    assert "attribution: words me" in printed
    assert "tasks: pos, chk, ner" in printed
    model("build", tmp_path / "bytes", *paths, "--vector-bits", "8")
    assert "words: 35, vectors of 8 bits a number" in model("info", tmp_path / "bytes")
    result = run("senna-tag", "-usrtokens", "-path", tmp_path / "bytes", stdin=TEXT)
    assert (result.returncode, result.stdout.count(b"\n")) == (0, 17)
    result = run("senna-model", "build", tmp_path / "no", *paths, "--vector-bits", "4")
    assert result.returncode == 2
    assert b"'--vector-bits': '4' is not one of '16', '8'" in result.stderr


def test_build_names_what_is_missing(tmp_path):
    paths = write_singles(tmp_path, senna_parts(np.random.default_rng(0)))
    result = run("senna-model", "build", "out", "chk.safetensors", "ner.safetensors", cwd=tmp_path)
    problem = (
        "chk.safetensors: network chk needs pos, which none of the models gives: add the model "
    )
    assert_one_line_error(result, f"{problem}that chk was trained with, as in models/en:pos\n")
    result = run("senna-model", "build", "alone", "psg.safetensors", cwd=tmp_path)
    assert (result.returncode, result.stderr.decode()) == (
        0, "alone/model.safetensors: psg needs pos, which is not in it\n",
    )  # fmt: skip
    model("build", "all", *paths.values(), cwd=tmp_path)
    result = run("senna-model", "build", "out", "all:chk", cwd=tmp_path)
    assert_one_line_error(result, "add all:pos\n")
    model("build", "both", "all:chk", "all:pos", cwd=tmp_path)
    result = run("senna-model", "build", "few", "all:pos,pt0,psg,srl", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stderr.decode() == (
        "few/model.safetensors: srl has no network vbs that finds predicates: senna-tag needs "
        "--posvbs or --usrvbs\n"
    )


def test_info_chooses_tasks_and_settles_what_differs(tmp_path):
    languages = {"pos": "de", "chk": "fr"}
    parts = senna_parts(np.random.default_rng(0))[:2]
    write_singles(tmp_path, parts, lambda name: {"language": languages[name], "tasks": [name]})
    sources = "pos.safetensors", "chk.safetensors"
    result = run("senna-model", "build", "out", *sources, cwd=tmp_path)
    assert_one_line_error(
        result, "chk.safetensors: its language is fr, that of the others de; say one with --info"
    )
    (tmp_path / "info.toml").write_text('language = "xx"\ntasks = ["chk", "pos"]')
    model("build", "out", *sources, "--info", "info.toml", cwd=tmp_path)
    options = ("--format", "conll", "--header")
    result = run("senna-tag", "-path", "out", *options, cwd=tmp_path, stdin=TEXT)
    assert result.stdout.startswith(b"word\tchk\tpos\n")
    assert "language: xx" in model("info", tmp_path / "out", "--verbose").splitlines()


def test_build_replaces_networks(tmp_path):
    first = model_arguments(senna_parts(np.random.default_rng(0)))
    write_model(tmp_path / "first.safetensors", *first)
    others = {part.name: part for part in senna_parts(np.random.default_rng(1))}
    ner, pos = others["ner"], others["pos"]
    ner.info = {"data": "mine"}
    write_model(tmp_path / "ner.safetensors", WORDS, vectors(), [ner], resources(GAZETTEERS))
    sources = "first.safetensors", "ner.safetensors"
    result = run("senna-model", "build", "out", *sources, cwd=tmp_path)
    assert_one_line_error(result, "network ner is in first.safetensors too; --replace takes ")
    said = model("build", "out", *sources, "--replace", cwd=tmp_path)
    assert said.endswith(f"bytes: {', '.join(NETWORKS)}\n")  # in the place of the other
    out, given = NativeModel(tmp_path / "out"), NativeModel(tmp_path / sources[1])
    assert out.part_info("ner") == {"data": "mine"}
    weights = out.network("ner").output_weight, given.network("ner").output_weight
    np.testing.assert_array_equal(*weights)
    pos.labels = Vocabulary.from_keys(["X", "Y", "Z"])
    write_model(tmp_path / "pos.safetensors", WORDS, vectors(), [pos])
    sources = "first.safetensors", "pos.safetensors"
    result = run("senna-model", "build", "no", *sources, "--replace", cwd=tmp_path)
    assert_one_line_error(
        result, "pos.safetensors: the labels of its network pos are not those that chk of ",
        "train chk with it, or add first.safetensors:pos instead",
    )  # fmt: skip


def test_what_is_written_needs_a_place(native, tmp_path):
    target = tmp_path / "no" / "x"
    for args in (["import", MODEL, target], ["build", target, native]):
        result = run("senna-model", *args)
        assert_one_line_error(result, f"{target}: not written", f"no directory {target.parent}")
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"a = ", "not TOML: "),
        (b"name = 1979-05-27", "dates and times are strings, found 1979-05-27"),
        (
            b"nom = 1",
            "info.toml: nom: nothing that a model says of itself; there are name, version, ",
        ),
        (
            b"tokenizer = 'x'",
            "info.toml: tokenizer: no such tokenizer: 'x'; there are senna, treebank",
        ),
        (b"tasks = ['x']", "tasks: 'x' occurs twice, or is no network of the model"),
    ],
)
def test_build_with_unusable_information(native, tmp_path, text, problem):
    path = tmp_path / "info.toml"
    path.write_bytes(text)
    result = run("senna-model", "build", tmp_path / "all", native, "--info", path)
    assert_one_line_error(result, problem)
    result = run("senna-model", "build", tmp_path / "all", native, "--info", tmp_path / "none")
    assert_one_line_error(result, tmp_path / "none", "No such file")


def test_the_tokenizer_of_a_model_is_used(tmp_path):
    path = write_singles(tmp_path, senna_parts(np.random.default_rng(0))[:1])["pos"]
    (tmp_path / "info.toml").write_text('tokenizer = "french"\nlanguage = "fr"\n')
    model("build", tmp_path / "fr", path, "--info", tmp_path / "info.toml")
    (tmp_path / "own.txt").write_text("qqch.\n")
    text = b"L'eau, dit-il. Et qqch. Non"
    options = ("-path", tmp_path / "fr", "-pos", "--split-sentences")
    found = {}
    for more in ((), ("--abbreviations", tmp_path / "own.txt")):
        result = run("senna-tag", *options, *more, stdin=text)
        assert (result.returncode, result.stderr) == (0, b"")
        blocks = result.stdout.decode().strip("\n").split("\n\n")
        found[more] = [[row.split()[0] for row in block.splitlines()] for block in blocks]
    first, second = found.values()
    assert first == [["L'", "eau", ",", "dit", "-il", "."], ["Et", "qqch", "."], ["Non"]]
    assert second == [first[0], ["Et", "qqch.", "Non"]]
    tagger = load(tmp_path / "fr", abbreviations=["qqch"])
    assert [[t.text for t in s] for s in tagger.document(text.decode())] == second
    copy = pickle.loads(pickle.dumps(tagger))
    assert [t.text for t in copy("un qqch. là")] == ["un", "qqch.", "là"]
