"""Networks of names that SENNA does not have: trained, printed, scored, and asked for
by name.
"""

import json

import pytest

from senna_py.errors import UsageError
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.tagger import Tagger
from tests.helpers.commands import assert_one_line_error, printed
from tests.helpers.commands import run as run_command
from tests.helpers.small_corpora import run, settings, write_corpora, write_vectors

SENTENCE = "the old dog sees Anna ."
COLUMNS = ["word", "upos", "chk", "phrase", "-", "-", "-"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with corpora, runs of one network each, and `all`, a model of all of
    them.
    """
    place = tmp_path_factory.mktemp("own")
    write_vectors(write_corpora(place) / "vectors.txt")
    for task, changes in (
        ("upos", {"kind": "tags"}),
        ("chk", {}),
        ("phrase", {"features": {"upos": 2}, "cascade": {"upos": "../upos"}}),
    ):
        data = {
            part: [{"files": [f"{part}.tsv"], "columns": COLUMNS}]
            for part in ("train", "dev")
        }
        assert (
            run(place / task, settings(task, **data, **changes), place).trainer().run()
        )
    build_model(place / "all", [place / task for task in ("phrase", "upos", "chk")])
    return place


def test_which_tasks_there_are(place):
    model = Model(place / "all")
    assert model.networks_for(["phrase"]) == ["upos", "phrase"]
    # Upos serves another, but can be asked for.
    assert model.tasks() == (
        "chk",
        "phrase",
    )
    assert model.default_tasks() == ("chk", "phrase", "upos")
    assert Model(place / "upos").default_tasks() == ("upos",)
    assert Tagger(place / "upos").tasks == ("upos",)
    assert Tagger(model, ["upos", "chk", "phrase"]).tasks == ("chk", "phrase", "upos")
    assert [model.task(name).shape.name for name in ("upos", "phrase")] == [
        "tags",
        "segments",
    ]
    with pytest.raises(
        UsageError, match=r"no such task: 'xpos'; there are pos, chk, .*, phrase"
    ):
        Tagger(model, "xpos")


def test_sentences_have_the_tags(place):
    sentence = Tagger(place / "all", ["upos", "chk"])(SENTENCE)
    assert sentence.tags.keys() == {"chk", "upos"}
    assert sentence[2].tags == {"chk": sentence.tags["chk"][2], "upos": "NN"}
    assert sentence[2].pos == sentence[2].upos == "NN"
    assert repr(sentence[0]).endswith(f"chk={sentence[0].chk!r}, upos='DT')")
    assert len({*sentence}) == len(sentence)  # tokens can be hashed
    assert Tagger(place / "all", "upos")("").tokens == ()


def tagged(place, *options):
    """Lines that senna-tag prints for SENTENCE."""
    tag = "senna-tag", "-path", place / "all", *options
    return printed(run_command(*tag, stdin=f"{SENTENCE}\n".encode())).splitlines()


def test_columns_stand_behind_those_of_senna(place):
    options = ("-task", "upos", "-chk", "-task", "phrase")
    rows = [row.split() for row in tagged(place, *options)]
    alone = [row.split() for row in tagged(place, "-task", "upos")]
    assert [row[3] for row in rows[:-1]] == [row[-1] for row in alone[:-1]]
    header, *rows = tagged(place, *options, "--format", "conll", "--header", "-iobtags")
    assert header == "word\tchk\tphrase\tupos"
    assert rows[0] == "the\tB-NP\tO\tDT"
    assert {row.split("\t")[2] for row in rows if row} <= {"O", "B-NAME", "I-NAME"}


def test_json_has_them(place):
    options = ("-task", "upos", "-task", "phrase", "-brackettags", "--format", "jsonl")
    (line,) = tagged(place, *options)
    tags, spans = json.loads(line)["tags"], json.loads(line)["spans"]
    sentence = Tagger(place / "all")(SENTENCE)
    assert spans == {"phrase": [span.to_dict() for span in sentence.spans["phrase"]]}
    assert tags["upos"][:3] == ["DT", "JJ", "NN"]
    assert set(tags["phrase"]) <= {"*", "(NAME*", "*)", "(NAME*)"}


def test_scores(place):
    options = "-path", place / "all", "--columns", ",".join(COLUMNS)
    for task, score in (("upos", "accuracy"), ("phrase", "FB1")):
        result = run_command("senna-eval", "model", task, place / "dev.tsv", *options)
        assert score in printed(result)


def test_a_task_that_the_model_lacks(place):
    problem = "no such task: 'xpos'; there are pos, chk, ner, pt0, srl, psg, phrase"
    evaluate = (
        "senna-eval",
        "model",
        "xpos",
        place / "dev.tsv",
        "--columns",
        "word,xpos",
    )
    for command in (("senna-tag", "-task", "xpos"), evaluate):
        result = run_command(*command, "-path", place / "all")
        assert_one_line_error(result, problem, code=2)
