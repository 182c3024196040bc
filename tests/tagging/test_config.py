"""Configurations, and every kind of wrong one."""

import pytest

from senna_py.errors import SennaError
from senna_py.tagging.config import Config, read_config
from senna_py.tagging.config_lines import config_lines
from tests.helpers.refusal import refusal

MINE = "gazetteer_places = true"
WINDOW = "[network]\napproach = 'window'\n"
GOOD = """
task = "chk"
gazetteer_places = true
[[train]]
files = ["a.tsv"]
columns = ["word", "pos", "chk"]
[[dev]]
files = ["b.tsv"]
columns = ["word", "chk"]
part = [0, 0.5]
[features]
caps = 5
"suffix.3" = 4
[training]
rate = 1
"""


def read(tmp_path, text):
    path = tmp_path / "run.toml"
    path.write_text(text)
    return read_config(path)


def test_defaults_and_settings(tmp_path):
    config = read(tmp_path, GOOD)
    assert config.kind == "segments"
    assert config.train[0].columns == ["word", "pos", "chk"]
    assert config.dev[0].part == [0, 0.5]
    assert config.features == {"caps": 5, "suffix.3": 4}
    assert config.network.sizes.hidden == 0
    assert config.training.rate == 1
    assert config.as_dict()["train"][0]["labels"] == {}


MINIMAL = """
task = "{}"
[[train]]
files = ["a"]
columns = ["word", "pos", "chk", "parse", "predicate", "roles"]
[[dev]]
files = ["a"]
columns = ["word", "pos", "chk", "parse", "predicate", "roles"]
"""
SRL = MINIMAL.format("srl")


@pytest.mark.parametrize(
    ("task", "more", "approach", "hidden"),
    [
        ("pos", "", "dilated", 0),
        ("chk", "", "dilated", 0),
        ("srl", "", "dilated", 192),
        ("psg", "", "chart", 300),
        ("chk", "[network.window]\nhidden = 7", "window", 7),
        ("chk", "[network]\nwindow = {}\nsentence = {}", "dilated", 0),
        ("psg", "[network.window]\n[network.chart]\nhidden = 8", "chart", 8),
        ("srl", "[network.sentence]\n", "sentence", 300),
        ("srl", "[network.dilated]\nhidden = 9", "dilated", 9),
    ],
)
def test_the_network_where_none_is_named(task, more, approach, hidden, tmp_path):
    config = read(tmp_path, MINIMAL.format(task) + more)
    assert (config.network.approach, config.network.sizes.hidden) == (approach, hidden)
    assert {"caps", "shape", "suffix.3", "prefix.2"} < config.features.keys()
    training = config.training
    assert (training.optimizer, training.final_rate, training.batch) == ("adam", 0, 16)
    assert read(tmp_path, "\n".join(config_lines(config.as_dict()))) == config


def test_features_where_none_are_named(tmp_path):
    text = MINIMAL.format("chk")
    config = read(tmp_path, text + "[cascade]\npos = '../pos'")
    assert config.features["pos"] == 20
    none = read(tmp_path, text + "[features]")
    assert none.features == {}
    assert read(tmp_path, "\n".join(config_lines(none.as_dict()))) == none


def test_lines_say_a_configuration_again(tmp_path):
    labels = 'part = [0, 0.5]\nlabels = {NP = "O", "a b" = "é\\"\\n"}'
    config = read(tmp_path, changed("part = [0, 0.5]", labels) + "fixed = ['word']\n")
    lines = config_lines(config.as_dict())
    assert read(tmp_path, "\n".join(lines)) == config
    assert [
        line for line in lines if line.startswith(("vectors", "epochs", "until"))
    ] == []
    assert lines[:2] == ['task = "chk"', 'kind = "segments"']


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({"train": 5, "network": None}, ["train = 5", "network = null"]),
        ({"dev": [{}, 1], "new": {"a": [1]}}, ["dev = [{}, 1]", "[new]", "a = [1]"]),
        (
            {"train": [], "training": {"rate": 0.0, "x": 1}},
            ["train = []", "[training]", "x = 1"],
        ),
    ],
)
def test_lines_of_whatever_a_model_says(values, lines):
    assert config_lines(values) == lines


@pytest.mark.parametrize(
    ("task", "kind", "columns"),
    [
        ("pos", "tags", ["pos"]),
        ("ner", "segments", ["ner"]),
        ("vbs", "tags", ["predicate"]),
        ("srl", "roles", ["predicate", "roles"]),
        ("pt0", "segments", ["parse"]),
        ("pt4", "segments", ["parse"]),
    ],
)
def test_kinds_of_tasks(task, kind, columns, tmp_path):
    data = f'files = ["a"]\ncolumns = {["word", *columns]}\n'
    assert (
        read(tmp_path, f'task = "{task}"\n[[train]]\n{data}[[dev]]\n{data}').kind
        == kind
    )


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("task = ", "not TOML"),
        ('task = "chk"', "train is missing"),
        (changed('task = "chk"', "task = 3"), "task: expected a string, found 3"),
        (changed('task = "chk"', 'task = "caps"'), "task: expected a name"),
        (
            changed('task = "chk"', 'task = "psg"') + WINDOW,
            "trees need network.approach = ",
        ),
        (changed(MINE, "speed = 4"), "speed: no such setting; there are gazetteers"),
        (
            'task = "pos"\ntrain = []',
            "train: expected [[train]] with files and columns",
        ),
        (
            GOOD[: GOOD.index("[[dev]]")],
            "dev: expected [[dev]] with files and columns; part = [0",
        ),
        (changed(MINE, 'kind = "tree"'), "kind: expected one of tags, segments, roles"),
        (changed(MINE, 'kind = "roles"'), "kind: chk is of the kind segments, found"),
        (SRL + WINDOW, 'roles need network.approach = "sentence" or "dilated"'),
        (changed("[[train]]", "[train]"), "train: expected a list, found {"),
        (changed('files = ["b.tsv"]', ""), "dev.files is missing"),
        (
            changed('files = ["b.tsv"]', "files = [1]"),
            "dev.files: expected a string, found 1",
        ),
        (
            changed('files = ["b.tsv"]', "files = []"),
            "dev.files: expected a list of names",
        ),
        (changed('files = ["b.tsv"]', 'files = "b.tsv"'), "dev.files: expected a list"),
        (
            changed('["word", "chk"]', '["chk", "-"]'),
            '["chk", "-"]: there is no `word`',
        ),
        (changed('["word", "chk"]', '["word", "pos"]'), "chk needs a column `chk`"),
        (changed('["word", "chk"]', '["word", "chk", "chk"]'), "a name occurs twice"),
        (
            changed("part = [0, 0.5]", "part = [0.5, 0.5]"),
            "part: expected two fractions",
        ),
        (changed("part = [0, 0.5]", 'part = ["0", 1]'), "dev.part: expected a number"),
        (
            changed("part = [0, 0.5]", "until = 0.0"),
            "dev.until: expected more than 0, found 0.0",
        ),
        (
            changed('"pos", "chk"]', '"pos", "chk"]\nuntil = 0.5'),
            "no [[train]] is left",
        ),
        (
            changed("part = [0, 0.5]", 'scheme = "bilou"'),
            "scheme: expected one of any, iob1",
        ),
        (
            changed("part = [0, 0.5]", "labels = {NP = 3}"),
            "dev.labels.NP: expected a string, found 3",
        ),
        (changed("caps = 5", "caps = 0"), "features.caps: expected a size, found 0"),
        (
            changed("caps = 5", "word = 5"),
            "features.word: its size is that of the given vectors",
        ),
        (
            changed("caps = 5", "chk = 5"),
            "features.chk: that is what this run predicts",
        ),
        (
            changed("caps = 5", "suffix.3 = 4").replace('"suffix.3" = 4', ""),
            "features.suffix: expected a whole number",
        ),
        (changed("suffix.3", "suffix.x"), "no such feature: 'suffix.x'"),
        (
            changed("[features]", '[gazetteers]\nper = "per.txt"\n[features]'),
            "gazetteers.per: expected a list of files",
        ),
        (
            changed("[features]", '[classes]\nbrown = ["a.tsv"]\n[features]'),
            "classes.brown: expected a file, found ['a.tsv']",
        ),
        (
            changed("[features]", '[classes]\n"a.b" = "a.tsv"\n[features]'),
            "classes.a.b: expected a file",
        ),
        (changed("suffix.3", "class.brown.x"), "no such feature: 'class.brown.x'"),
        (
            changed("[features]", "[cascade]\npos = 3\n[features]"),
            "cascade.pos: expected a string, found 3",
        ),
        (
            changed("rate = 1", "rate = -1"),
            "training.rate: expected 0 at least, found -1",
        ),
        (
            changed("rate = 1", "final_rate = 2"),
            "training.final_rate: expected 1 at most",
        ),
        (
            changed("rate = 1", 'optimizer = "lbfgs"'),
            "training.optimizer: expected one of sgd",
        ),
        (changed("rate = 1", "dropout = 1"), "training.dropout: expected less than 1"),
        (
            changed("rate = 1", "unknown = -0.1"),
            "training.unknown: expected 0 at least",
        ),
        (
            changed("rate = 1", "batch = 0"),
            "training.batch: expected 1 at least, found 0",
        ),
        (changed("rate = 1", 'fixed = ["pos"]'), "training.fixed: 'pos' is no feature"),
        (
            GOOD + "[network.window]\nwindow = 4",
            "network.window.window: expected an odd number",
        ),
        (
            changed("rate = 1", f"batch = 1{'0' * 5000}"),
            "not TOML: a number of too many digits",
        ),
        (
            GOOD + "[info]\ndata = 2026-11-24",
            "dates and times are strings, found 2026-11-24",
        ),
        (
            GOOD + '[network]\napproach = "bush"',
            "network.approach: expected one of window",
        ),
        (
            GOOD + '[network]\napproach = "sentence"\nsentence.hidden = 0',
            "network.sentence.hidden: expected 1 at least, found 0",
        ),
        (GOOD + "[network]\nwindow = 3", "network.window: expected a table, found 3"),
        (GOOD + "[network.window]\nwidth = 3", "network.window.width: no such setting"),
        (
            SRL.replace('"predicate", "roles"', '"-", "roles"'),
            "srl needs columns `predicate` and",
        ),
        (
            SRL.replace('"roles"]', '"srl"]'),
            "srl needs columns `predicate` and `roles`",
        ),
        (
            SRL.replace('"predicate", "roles"', '"roles", "predicate"'),
            "roles are not the last",
        ),
        (
            SRL + "[network.sentence]\nconv = 0",
            "network.sentence.conv: expected 1 at least",
        ),
        (
            SRL.replace("[[train]]", 'kind = "tags"\n[[train]]'),
            "kind: srl is of the kind roles, found 'tags'",
        ),
    ],
)
def test_wrong_settings(text, message, tmp_path):
    assert message in refusal(tmp_path / "run.toml", read, tmp_path, text)


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(SennaError, match=str(path)):
            read_config(path)
    (tmp_path / "latin.toml").write_bytes(b'task = "\xe9"')
    with pytest.raises(SennaError, match="not TOML"):
        read_config(tmp_path / "latin.toml")


def test_settings_of_other_approaches_are_not_read(tmp_path):
    """A joint configuration may give all of its tasks another approach."""
    config = read(
        tmp_path, GOOD + "[network]\napproach = 'window'\n[network.sentence]\nconv = -1"
    )
    assert config.network.sizes.hidden == 300
    assert list(config.as_dict()["network"])[-1] == "window"
    again = Config.of(config.as_dict())
    assert again == config
