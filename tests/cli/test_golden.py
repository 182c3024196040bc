"""senna-tag prints what SENNA prints: 39 outputs, from files and pipes, with one job
and two.
"""

import pytest

from senna_py.cli.tag import command
from senna_py.kernels.runtime.switch import fixed_kernels
from tests.helpers.commands import GOLDEN, MODEL, tag

INPUTS = ("prose", "edge", "random")
OPTIONS = {
    "all": [],
    "pos": ["-pos"],
    "chk": ["-chk"],
    "ner": ["-ner"],
    "srl": ["-srl"],
    "psg": ["-psg"],
    "pos-chk-iob": ["-pos", "-chk", "-iobtags"],
    "usrtokens": ["-usrtokens", "-pos", "-chk", "-ner", "-srl"],
    "ner-srl-bracket": ["-ner", "-srl", "-brackettags"],
    "srl-posvbs": ["-srl", "-posvbs"],
    "offsets": ["-pos", "-offsettags"],
    "notokens": ["-notokentags", "-pos", "-ner"],
    "all-iob": ["-iobtags"],
}


def expected(name):
    return {i: (GOLDEN / "expected" / f"{i}.{name}.txt").read_bytes() for i in INPUTS}


def test_there_are_39_outputs():
    stored = {path.name for path in (GOLDEN / "expected").iterdir()}
    assert stored == {f"{i}.{name}.txt" for i in INPUTS for name in OPTIONS}
    assert len(stored) == 39


@pytest.mark.parametrize("piped", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", OPTIONS)
def test_files_and_standard_input(name, jobs, piped):
    files = [GOLDEN / f"{i}.txt" for i in INPUTS]
    text = b"".join(path.read_bytes() for path in files)
    result = tag(*OPTIONS[name], "--jobs", jobs, *([] if piped else files), stdin=text)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == b"".join(expected(name).values())


# Those that reach other kernels than one before.
BY_FALLBACKS = (
    "all",
    "usrtokens",
    "ner-srl-bracket",
    "srl-posvbs",
    "offsets",
    "notokens",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plain"),
    [("all", False), *((n, True) for n in BY_FALLBACKS)],
)
def test_each_way_to_run_kernels(name, plain, tmp_path):
    inputs = INPUTS[:2] if plain else INPUTS  # the last is long
    files = [str(GOLDEN / f"{i}.txt") for i in inputs]
    options = ["-path", str(MODEL), *OPTIONS[name], "-o", str(tmp_path / "out"), *files]
    with fixed_kernels(plain):
        command.main(options, standalone_mode=False)
    assert (tmp_path / "out").read_bytes() == b"".join(
        expected(name)[i] for i in inputs
    )


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("name", ["pos", "all", "offsets"])
def test_many_batches_keep_their_order(tmp_path, name, jobs):
    lines = (GOLDEN / "random.txt").read_bytes()
    big = tmp_path / "big.txt"
    big.write_bytes(lines * 8)
    result = tag(*OPTIONS[name], "--jobs", jobs, big)
    assert result.stdout == expected(name)["random"] * 8


def test_iob_wins_over_brackets():
    text = (GOLDEN / "prose.txt").read_bytes()
    result = tag("-iobtags", "-brackettags", stdin=text)
    assert result.stdout == expected("all-iob")["prose"]


def test_pt0_is_printed_between_ner_and_srl_when_asked_for():
    text = (GOLDEN / "prose.txt").read_bytes()

    def columns(*options):
        rows = tag(*options, stdin=text).stdout.decode().splitlines()
        return [row.split("\t") if row else [] for row in rows]

    together = columns("-psg", "-pt0", "-srl", "-ner")
    single = {task: columns(f"-{task}") for task in ("ner", "pt0", "srl", "psg")}
    for row, *parts in zip(together, *single.values(), strict=True):
        assert row == (
            parts[0][:1] + [f for part in parts for f in part[1:]] if row else []
        )
    labels = (GOLDEN / "model" / "hash" / "pt0.lst").read_text().split()
    assert {row[1].strip() for row in single["pt0"] if row} <= set(labels)
    iob = {row[1].strip()[:1] for row in columns("-pt0", "-iobtags") if row}
    assert iob <= {"B", "I", "O"}
