import json
import pickle

import numpy as np
import pytest

from senna_py import load
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.models.senna_directory import NETWORKS
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.commands import MODEL, assert_one_line_error, printed, run
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
def parts():
    """Those of a native model that SENNA's format can hold."""
    return senna_parts(np.random.default_rng(0))


@pytest.fixture
def native(parts, tmp_path):
    """File of the model."""
    path = tmp_path / "model.safetensors"
    write_model(path, *model_arguments(parts))
    return path


def model(*args, **options):
    """What senna-model prints."""
    return printed(run("senna-model", *args, **options))


def test_info(native):
    lines = model("info", native, "--verbose").splitlines()
    assert lines[:12] == [
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
    assert "  scores: f1 90.5" in lines
    own = {"SENNA_PY_MODEL": str(native.parent)}
    assert model("info", "--verbose", env=own).splitlines() == lines


def test_info_of_a_configuration(parts, tmp_path):
    parts[0].info["config"] = {"task": "pos", "training": {"rate": 0.5, "epochs": 20}}
    write_model(tmp_path / "model.safetensors", *model_arguments(parts))
    lines = model("info", tmp_path, "--verbose").splitlines()
    at = lines.index("  config, without defaults:")
    assert lines[at + 1 : at + 4] == [
        '    task = "pos"',
        "    [training]",
        "    rate = 0.5",
    ]


def test_info_is_short(native):
    lines = model("info", native).splitlines()
    assert lines[2:6] == [
        "name: small; tokenizer: senna",
        "license: MIT",
        "words: 35, vectors of 16 bits a number",
        "gazetteers: loc 3, msc 1, org 2, per 1 phrases",
    ]
    assert lines[7] == "network   approach  labels  dev            features"
    assert lines[8] == "pos       window         3                 word, caps, suffix"
    assert len(lines) == 16


def test_info_of_the_english_model(shipped_model):
    lines = model("info").splitlines()
    assert lines[0] == f"model {shipped_model.path}"
    assert len(lines) <= 28
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
    lines = model("info", MODEL, "--verbose").splitlines()
    assert lines[1].startswith("format: SENNA; ")
    assert "psg: tree network, 24, 48 hidden units" in lines
    assert "  types: ADJP ADVP NP PP PRN QP S SBAR ... (11)" in lines


def test_info_of_no_model(write, tmp_path):
    for path in (write(b"x" * 100), tmp_path / "none"):
        assert_one_line_error(run("senna-model", "info", path), path)


def test_an_exported_model_prints_the_same(native, tmp_path):
    model("export", tmp_path / "senna", "--path", native)
    options = ("-usrtokens", *(f"-{name}" for name in NETWORKS if name != "vbs"))
    tagged = printed(run("senna-tag", *options, "-path", native, stdin=TEXT))
    assert tagged.count("\n") == 17
    exported = run("senna-tag", *options, "-path", tmp_path / "senna", stdin=TEXT)
    assert printed(exported) == tagged


def test_export_says_that_tokens_may_differ(parts, tmp_path):
    *arguments, info = model_arguments(parts)
    write_model(
        tmp_path / "model.safetensors", *arguments, info | {"tokenizer": "treebank"}
    )
    result = run("senna-model", "export", tmp_path / "senna", "--path", tmp_path)
    assert (result.returncode, result.stderr.decode()) == (
        0,
        "senna-model: note: the model's tokenizer is treebank; the directory gives the same tags "
        "with --usrtokens only\n",
    )


def test_import(tmp_path):
    written = tmp_path / "new" / "model.safetensors"
    said = model("import", MODEL, tmp_path / "new")
    assert said.startswith(f"{written}: {written.stat().st_size:,} bytes: pos, chk, ")
    tagged = printed(run("senna-tag", "-path", tmp_path / "new", stdin=TEXT))
    expected = run("senna-tag", "-path", MODEL, stdin=TEXT)
    assert tagged.count("\n") == expected.stdout.count(b"\n")
    assert written.stat().st_size < 1.1e6


def test_build(parts, write, tmp_path):
    paths = write_singles(tmp_path, parts[:3]).values()
    info = write('name = "three"\n[attribution]\nwords = "me"\n')
    said = model("build", tmp_path / "all", *paths, "--info", info)
    assert said.startswith(f"{tmp_path / 'all' / 'model.safetensors'}: ")
    assert said.endswith(" bytes: pos, chk, ner\n")
    lines = model("info", tmp_path / "all", "--verbose").splitlines()
    assert {"name: three", "attribution: words me", "tasks: pos, chk, ner"} <= {*lines}
    model("build", tmp_path / "bytes", *paths, "--vector-bits", "8")
    assert "words: 35, vectors of 8 bits a number" in model("info", tmp_path / "bytes")
    result = run("senna-tag", "-usrtokens", "-path", tmp_path / "bytes", stdin=TEXT)
    assert (result.returncode, result.stdout.count(b"\n")) == (0, 17)


def test_build_names_what_is_missing(parts, tmp_path):
    paths = write_singles(tmp_path, parts)
    result = run(
        "senna-model",
        "build",
        "out",
        "chk.safetensors",
        "ner.safetensors",
        cwd=tmp_path,
    )
    problem = "chk.safetensors: network chk needs pos, which none of the models gives: add the model "  # noqa: E501
    assert_one_line_error(
        result, f"{problem}that chk was trained with, as in models/en:pos\n"
    )
    result = run("senna-model", "build", "alone", "psg.safetensors", cwd=tmp_path)
    assert (result.returncode, result.stderr.decode()) == (
        0,
        "alone/model.safetensors: psg needs pos, which is not in it\n",
    )
    model("build", "all", *paths.values(), cwd=tmp_path)
    result = run("senna-model", "build", "out", "all:chk", cwd=tmp_path)
    assert_one_line_error(result, "add all:pos\n")
    model("build", "both", "all:chk", "all:pos", cwd=tmp_path)
    result = run("senna-model", "build", "few", "all:pos,pt0,psg,srl", cwd=tmp_path)
    assert (result.returncode, result.stderr.decode()) == (
        0,
        "few/model.safetensors: srl has no network vbs that finds predicates: senna-tag needs "
        "--posvbs or --usrvbs\n",
    )


def test_info_chooses_tasks_and_settles_what_differs(parts, tmp_path):
    languages = {"pos": "de", "chk": "fr"}
    write_singles(
        tmp_path, parts[:2], lambda name: {"language": languages[name], "tasks": [name]}
    )
    sources = "pos.safetensors", "chk.safetensors"
    result = run("senna-model", "build", "out", *sources, cwd=tmp_path)
    assert_one_line_error(
        result,
        "chk.safetensors: its language is fr, but other models have de; choose one with --info",
    )
    (tmp_path / "info.toml").write_text('language = "xx"\ntasks = ["chk", "pos"]')
    model("build", "out", *sources, "--info", "info.toml", cwd=tmp_path)
    options = ("--format", "conll", "--header")
    result = run("senna-tag", "-path", "out", *options, cwd=tmp_path, stdin=TEXT)
    assert result.stdout.startswith(b"word\tchk\tpos\n")
    assert "language: xx" in model("info", tmp_path / "out", "--verbose").splitlines()


def test_build_replaces_networks(parts, tmp_path):
    write_model(tmp_path / "first.safetensors", *model_arguments(parts))
    others = {part.name: part for part in senna_parts(np.random.default_rng(1))}
    ner, pos = others["ner"], others["pos"]
    ner.info = {"data": "mine"}
    write_model(
        tmp_path / "ner.safetensors", WORDS, vectors(), [ner], resources(GAZETTEERS)
    )
    sources = "first.safetensors", "ner.safetensors"
    result = run("senna-model", "build", "out", *sources, cwd=tmp_path)
    assert_one_line_error(
        result, "network ner is in first.safetensors too; --replace takes "
    )
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
        result,
        "pos.safetensors: the labels of its network pos are not those that chk of ",
        "train chk with it, or add first.safetensors:pos instead",
    )


def test_what_build_is_given_is_there(native, tmp_path):
    target, none = tmp_path / "no" / "x", tmp_path / "none"
    for args in (["import", MODEL, target], ["build", target, native]):
        result = run("senna-model", *args)
        assert_one_line_error(
            result, f"{target}: not written", f"no directory {target.parent}"
        )
    assert not (tmp_path / "no").exists()
    result = run("senna-model", "build", tmp_path / "all", native, "--info", none)
    assert_one_line_error(result, none, "No such file")
    result = run("senna-model", "build", tmp_path / "all", native, "--vector-bits", "4")
    problem = "'--vector-bits': '4' is not one of '16', '8'"
    assert_one_line_error(result, problem, code=2, is_last=True)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"a = ", "not TOML: "),
        (b"name = 1979-05-27", "dates and times are strings, found 1979-05-27"),
        (
            b"nom = 1",
            "file.txt: nom: no such key of a model; there are name, vers",
        ),
        (
            b"tokenizer = 'x'",
            "file.txt: tokenizer: no such tokenizer: 'x'; there are senna, tree",
        ),
        (b"tasks = ['x']", "tasks: 'x' occurs twice, or is no network of the model"),
    ],
)
def test_build_with_unusable_information(native, write, tmp_path, text, problem):
    result = run(
        "senna-model", "build", tmp_path / "all", native, "--info", write(text)
    )
    assert_one_line_error(result, problem)


def test_the_tokenizer_of_a_model_is_used(parts, write, tmp_path):
    path = write_singles(tmp_path, parts[:1])["pos"]
    info = write('tokenizer = "french"\nlanguage = "fr"\n', "info.toml")
    model("build", tmp_path / "fr", path, "--info", info)
    text = b"L'eau, dit-il. Et qqch. Non"
    options = ("-path", tmp_path / "fr", "-pos", "--split-sentences")
    found = []
    for more in ((), ("--abbreviations", write("qqch.\n"))):
        tagged = printed(run("senna-tag", *options, *more, stdin=text))
        blocks = tagged.strip("\n").split("\n\n")
        found.append(
            [[row.split()[0] for row in block.splitlines()] for block in blocks]
        )
    first, second = found
    assert first == [
        ["L'", "eau", ",", "dit", "-il", "."],
        ["Et", "qqch", "."],
        ["Non"],
    ]
    assert second == [first[0], ["Et", "qqch.", "Non"]]
    tagger = load(tmp_path / "fr", abbreviations=["qqch"])
    assert [
        [t.text for t in s] for s in tagger.document(text.decode()).sentences
    ] == second
    copy = pickle.loads(pickle.dumps(tagger))
    assert [t.text for t in copy("un qqch. là")] == ["un", "qqch.", "là"]
