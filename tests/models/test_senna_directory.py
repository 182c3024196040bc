from pathlib import Path

import pytest

from senna_py.errors import SennaError
from senna_py.model import TASKS, Model
from senna_py.models.senna_directory import SennaDirectory
from senna_py.tagger import Tagger
from tests.helpers.commands import files_below
from tests.helpers.tagging import print_columns


def test_a_directory_is_written_back_byte_for_byte(golden, tmp_path):
    SennaDirectory(golden / "model").write(tmp_path / "copy")
    expected = files_below(golden / "model")
    assert len(expected) == 27
    assert files_below(tmp_path / "copy") == expected


def test_a_part_of_a_directory_is_written_back(golden, copied_model, tmp_path):
    for name in ("chk", "ner", "pt0", "vbs", "srl", "psg"):
        (copied_model / "data" / f"{name}.dat").unlink()
    SennaDirectory(copied_model).write(tmp_path / "copy")
    full = files_below(golden / "model")
    names = [
        "data/pos.dat",
        *(f"hash/{name}.lst" for name in ("caps", "pos", "suffix", "words")),
    ]
    assert files_below(tmp_path / "copy") == {name: full[name] for name in names}


def test_gazetteers_that_lack_prefixes_are_written_back(copied_model, tmp_path):
    (copied_model / "hash" / "ner.org.lst").write_bytes(b"a b c\nd\n")
    (copied_model / "data" / "ner.org.dat").write_bytes(b"\1\0")
    SennaDirectory(copied_model).write(tmp_path / "copy")
    assert files_below(tmp_path / "copy") == files_below(copied_model)


def test_only_the_networks_in_use_are_read(golden, copied_model):
    for path in (copied_model / "data").iterdir():
        if path.name != "pos.dat":
            path.write_bytes(b"garbage")
    model = Model(copied_model)
    assert model.tasks() == TASKS  # as far as one can see without reading them
    tagger = Tagger(model, ["pos"])
    tokens = tagger.tokenizer.lines((golden / "prose.txt").read_bytes())
    expected = (golden / "expected" / "prose.pos.txt").read_bytes()
    assert print_columns(tagger, tokens) == expected
    with pytest.raises(SennaError, match=r"chk\.dat"):
        Tagger(model, ["chk"])


NEEDED = {
    "pos": "pos.dat caps.lst pos.lst suffix.lst words.lst",
    "chk": "pos.dat chk.dat caps.lst chk.lst pos.lst suffix.lst words.lst",
    "ner": "ner.dat ner.loc.dat ner.msc.dat ner.org.dat ner.per.dat caps.lst gazetteer.lst ner.lst "
    "ner.loc.lst ner.msc.lst ner.org.lst ner.per.lst words.lst",
    "psg": "pos.dat psg.dat caps.lst pos.lst psg-left.lst psg-right.lst suffix.lst words.lst",
}


@pytest.mark.parametrize("task", NEEDED)
def test_a_model_of_one_task(golden, copied_model, task):
    for path in copied_model.rglob("*.*"):
        if path.name not in NEEDED[task].split():
            path.unlink()
    tagger = Tagger(copied_model, [task])
    tokens = tagger.tokenizer.lines((golden / "prose.txt").read_bytes())
    expected = (golden / "expected" / f"prose.{task}.txt").read_bytes()
    assert print_columns(tagger, tokens) == expected
    assert len(tagger("He reads .")) == 3


# What is wrong with a directory is said in one line that names the file.


def problem(path, tasks=TASKS, predicates="vbs"):
    """Message of the error that making a Tagger raises."""
    with pytest.raises(SennaError) as error:
        Tagger(path, tasks, predicates)
    message = str(error.value)
    assert "\n" not in message
    return message


def lines_of(path):
    return path.read_bytes().splitlines(keepends=True)


def test_what_is_no_directory_of_a_model(tmp_path):
    assert problem(tmp_path / "none") == f"{tmp_path}/none: no such file or directory"
    (tmp_path / "data").write_bytes(b"")
    assert (
        problem(tmp_path / "data")
        == f"{tmp_path}/data: 0 bytes: too short to be a model"
    )
    for make in (Path.unlink, Path.mkdir):
        make(tmp_path / "data")
        expected = (
            f"{tmp_path}: not a model directory: it has no model.safetensors, and no "
            "network of SENNA (data/*.dat)"
        )
        assert problem(tmp_path) == expected


@pytest.mark.parametrize("name", ["data/ner.loc.dat", "hash/words.lst", "hash/chk.lst"])
def test_files_that_cannot_be_read(copied_model, name):
    (copied_model / name).unlink()
    assert problem(copied_model) == f"{copied_model / name}: No such file or directory"
    (copied_model / name).mkdir()
    assert problem(copied_model) == f"{copied_model / name}: Is a directory"
    (copied_model / name).rmdir()
    (copied_model / name).symlink_to(copied_model / name)
    assert (
        problem(copied_model)
        == f"{copied_model / name}: Too many levels of symbolic links"
    )


# Lists of a lookup table, and one of the networks that have it.
TABLES = {
    "words": "pos",
    "caps": "pos",
    "suffix": "pos",
    "pos": "chk",
    "pt0": "srl",
    "gazetteer": "ner",
    "psg-left": "psg",
}


@pytest.mark.parametrize("name", TABLES)
def test_a_list_too_short_or_too_long_for_its_table(copied_model, name):
    path = copied_model / "hash" / f"{name}.lst"
    lines = lines_of(path)
    table = f" table of {copied_model}/data/{TABLES[name]}.dat has {len(lines):,}"
    for changed in (lines[:-1], [*lines, b"~~~~\n"]):
        path.write_bytes(b"".join(changed))
        message = problem(copied_model, [TABLES[name]])
        assert message.startswith(f"{path}: {len(changed):,} keys, but the ")
        assert table in message


@pytest.mark.parametrize("name", ["chk", "ner", "srl", "vbs", "psg-right"])
def test_a_list_too_short_for_the_labels(copied_model, name):
    path = copied_model / "hash" / f"{name}.lst"
    lines = lines_of(path)
    path.write_bytes(b"".join(lines[:4]))
    network = {"psg-right": "psg"}.get(name, name)
    message = problem(copied_model)
    assert message.startswith(
        f"{path}: 4 labels, but {copied_model}/data/{network}.dat scores "
    )


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("words", "UNKNOWN"),
        ("caps", "allcaps"),
        ("caps", "hascap"),
        ("caps", "initcap"),
        ("caps", "nocaps"),
        ("suffix", "NOSUFFIX"),
        ("gazetteer", "NO"),
        ("gazetteer", "YES"),
        ("vbs", "NOVB"),
    ],
)
def test_missing_key(copied_model, name, key):
    path = copied_model / "hash" / f"{name}.lst"
    data = path.read_bytes()
    assert f"\n{key}\n".encode() in b"\n" + data
    replaced = (b"\n" + data).replace(f"\n{key}\n".encode(), f"\n{key}0\n".encode())
    path.write_bytes(replaced[1:])
    assert problem(copied_model) == f"{path}: the key '{key}' is missing"


@pytest.mark.parametrize("name", ["words", "suffix", "ner.loc", "ner.per"])
def test_a_list_in_disorder(copied_model, name):
    path = copied_model / "hash" / f"{name}.lst"
    lines = lines_of(path)
    lines[9], lines[10] = lines[10], lines[9]
    path.write_bytes(b"".join(lines))
    one, other = (line.decode().strip() for line in lines[9:11])
    assert problem(copied_model) == (
        f"{path}: line 11: {other!r} does not follow {one!r} in byte order"
    )


def test_gazetteer_marks(copied_model):
    path, names = (
        copied_model / "data" / "ner.org.dat",
        copied_model / "hash" / "ner.org.lst",
    )
    marks = path.read_bytes()
    n = len(marks)
    for changed in (marks[:-1], marks + b"\1"):
        path.write_bytes(changed)
        expected = f"{path}: {len(changed)} bytes for the {n} phrases of {names}"
        assert problem(copied_model) == expected
    path.write_bytes(marks[:7] + b"\x32" + marks[8:])
    assert problem(copied_model) == f"{path}: byte 7 is 50, expected 0 or 1"
