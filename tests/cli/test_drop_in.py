"""NLTK's own clients of SENNA run, unchanged, on a directory made by `senna-model
drop-in`.
"""

import os
import platform
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.helpers.commands import GOLDEN, MODEL, assert_one_line_error, printed, run

SENTENCES = [
    ["Anna", "Keller", "joined", "Northfield", "Motors", "in", "1987", "."],
    ["No", "!"],
    ["naïve", "Zoë", "paid", "3.5", "€", "—", "really"],
    ["We", "won", "."] * 50,
]


def is_private(path):
    """Whether nobody but its owner and root can change what lies in `path`."""
    return all(
        part.stat().st_uid in (0, os.getuid())
        and not part.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        for part in [path, *path.parents]
    )


@pytest.fixture(scope="module")
def private(pytestconfig):
    """A directory where NLTK trusts programs: nobody else may write to its parents."""
    places = [place.resolve() for place in (pytestconfig.rootpath, Path.home())]
    place = next((place for place in places if is_private(place)), None)
    if place is None:
        assert "CI" not in os.environ, places
        pytest.skip(f"others can write to {' and '.join(map(str, places))}")
    with tempfile.TemporaryDirectory(dir=place, prefix=".drop-in-") as parent:
        yield Path(parent)


@pytest.fixture(scope="module")
def drop_in(private):
    """A drop-in directory of a model in SENNA's format."""
    return make_drop_in(private / "senna", "-path", MODEL)


@pytest.fixture(scope="module")
def shipped_drop_in(private):
    """A drop-in directory of the shipped model."""
    return make_drop_in(private / "shipped")


def make_drop_in(directory, *options):
    assert printed(run("senna-model", "drop-in", directory, *options)) == ""
    return directory


def columns(*options, model=MODEL):
    """Columns that senna-tag prints for SENTENCES: a list of rows for each."""
    text = "".join(" ".join(sentence) + "\n" for sentence in SENTENCES).encode()
    result = run(
        "senna-tag", "-path", model, "-usrtokens", "-iobtags", *options, stdin=text
    )
    return [
        [[field.strip() for field in row.split("\t")] for row in sentence.splitlines()]
        for sentence in result.stdout.decode().split("\n\n")[:-1]
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    ("client", "option"),
    [("SennaTagger", "-pos"), ("SennaChunkTagger", "-chk"), ("SennaNERTagger", "-ner")],
)
def test_nltk_taggers(drop_in, client, option):
    from nltk.tag import senna as nltk_senna

    tagger = getattr(nltk_senna, client)(str(drop_in))
    expected = [[tuple(row) for row in s] for s in columns(option, model=drop_in)]
    assert tagger.tag_sents(SENTENCES) == expected
    assert tagger.tag(SENTENCES[0]) == expected[0]


@pytest.mark.process
@pytest.mark.parametrize("directory", ["drop_in", "shipped_drop_in"])
def test_nltk_pipeline(directory, request):
    from nltk.classify import Senna

    directory = request.getfixturevalue(directory)
    found = Senna(str(directory), ["pos", "chk", "ner"]).tag_sents(SENTENCES)
    assert [
        [
            [token["word"], token["pos"], token["chk"], token["ner"]]
            for token in sentence
        ]
        for sentence in found
    ] == columns("-pos", "-chk", "-ner", model=directory)


def test_the_copy_is_byte_identical(drop_in):
    for path in MODEL.rglob("*.*"):
        assert (drop_in / path.relative_to(MODEL)).read_bytes() == path.read_bytes()


def test_nobody_else_can_write_to_it(drop_in):
    for path in [drop_in, *drop_in.rglob("*")]:
        assert not path.is_symlink()
        assert not path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@pytest.mark.process
def test_the_launcher_runs_like_senna_from_anywhere(drop_in, tmp_path):
    prose = (GOLDEN / "prose.txt").read_bytes()
    name = "senna-osx" if platform.system() == "Darwin" else "senna-linux64"
    (tmp_path / "click.py").write_text(
        "raise SystemExit('a module of the working directory')"
    )
    for options in ([], ["-path", f"{drop_in}/"]):
        result = subprocess.run(
            [drop_in / name, *options, "-pos"],
            input=prose,
            capture_output=True,
            cwd=tmp_path,
            check=True,
        )
        assert result.stdout == (GOLDEN / "expected" / "prose.pos.txt").read_bytes()
    link = tmp_path / "link"
    link.symlink_to(drop_in / name)
    assert subprocess.run(
        [link, "-pos"], input=prose, stdout=subprocess.PIPE, check=True
    ).stdout


@pytest.mark.process
def test_the_shipped_model_has_all_columns(shipped_drop_in):
    assert not any(path.is_symlink() for path in shipped_drop_in.iterdir())
    result = launch(
        shipped_drop_in, "-usrtokens", stdin=b"Mary saw John leave .\nNo !\n"
    )
    first, second = result.stdout.decode().split("\n\n")[:2]
    for sentence, n_predicates in ((first, 2), (second, 0)):
        for row in sentence.splitlines():
            assert len(row.split("\t")) == 6 + n_predicates
    assert first.splitlines()[0].split("\t")[-1].startswith("(S1(S(NP*")


@pytest.mark.process
def test_a_column_is_never_left_out(private, tmp_path):
    model = tmp_path / "part.safetensors"
    shipped = Path(__file__).resolve().parents[2] / "models" / "en"
    run("senna-model", "build", model, f"{shipped}:pos")
    directory = make_drop_in(private / "part", "-path", model)
    assert_one_line_error(launch(directory), "cannot do chk")
    assert launch(directory, "-pos", stdin=b"No !\n").stdout.count(b"\n") == 3


def launch(directory, *options, stdin=b"Mary sleeps .\n"):
    """Run a launcher."""
    return subprocess.run(
        [directory / "senna", *options], input=stdin, capture_output=True, check=False
    )


def test_the_directory_must_be_empty(tmp_path):
    (tmp_path / "file").write_text("")
    assert_one_line_error(
        run("senna-model", "drop-in", tmp_path, "-path", MODEL), tmp_path
    )
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_unusable_model_leaves_nothing_behind(tmp_path, copied_model):
    damaged, target = copied_model / "data" / "pos.dat", tmp_path / "new"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    result = run("senna-model", "drop-in", target, "-path", copied_model)
    assert_one_line_error(result, damaged, "777.0")
    assert not target.exists()
