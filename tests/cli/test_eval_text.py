"""senna-eval text: tokens, sentences and tags of raw text."""

import json

import pytest

from senna_py.corpora.raw_text import raw_text, read_paragraphs
from tests.helpers.commands import MODEL, assert_one_line_error, printed, run

GOLD = """# newpar
1\tHe\t_\tPRON\tPRP\t_\t_\t_\t_\t_
2\tdid\t_\tVERB\tVBD\t_\t_\t_\t_\tSpaceAfter=No
3\tn't\t_\tPART\tRB\t_\t_\t_\t_\t_
4\tsleep\t_\tVERB\tVB\t_\t_\t_\t_\tSpaceAfter=No
5\t.\t_\tPUNCT\t.\t_\t_\t_\t_\t_

1\tMary\t_\tPROPN\tNNP\t_\t_\t_\t_\t_
2\tsaw\t_\tVERB\tVBD\t_\t_\t_\t_\t_
3\thim\t_\tPRON\tPRP\t_\t_\t_\t_\t_

"""


@pytest.fixture
def gold(write):
    return write(GOLD, "gold.conllu")


def scores(*args, **options):
    return json.loads(printed(run("senna-eval", "text", *args, "--json", **options)))


def test_a_file_of_the_same(gold):
    assert printed(run("senna-eval", "text", gold, gold)).splitlines() == [
        "           precision    recall        F1   aligned",
        "Tokens        100.00    100.00    100.00",
        "Sentences     100.00    100.00    100.00",
        "Words         100.00    100.00    100.00",
        "UPOS          100.00    100.00    100.00    100.00",
        "XPOS          100.00    100.00    100.00    100.00",
    ]
    alike = printed(run("senna-eval", "text", gold, gold, "--confusions"))
    assert alike.endswith(
        "\n\nAll tokens and sentence boundaries are as in the gold file.\n"
    )
    result = run(
        "senna-eval",
        "text",
        gold,
        "-",
        "--confusions",
        stdin=GOLD.replace("\n\n1\tMary", "\n6\tMary", 1)
        .replace("\n2\tsaw", "\n7\tsaw")
        .replace("\n3\thim\t_\tPRON", "\n8\thim\t_\tX")
        .encode(),
    )
    assert printed(result).splitlines()[2:] == [
        "Sentences       0.00      0.00      0.00",
        "Words         100.00    100.00    100.00",
        "UPOS           87.50     87.50     87.50     87.50",
        "XPOS          100.00    100.00    100.00    100.00",
        "",
        "             gold  predicted           count",
        "sleep . | Mary saw  sleep . Mary saw        1",
    ]


def test_a_model_on_the_text_is_what_senna_tag_finds(gold, write):
    found = scores(gold, "-path", MODEL)
    text = "".join(raw_text(each)[0] + "\n" for each in read_paragraphs(gold))
    tagged = run(
        "senna-tag",
        "--split-sentences",
        "--format",
        "conllu",
        "-path",
        MODEL,
        stdin=text.encode(),
    ).stdout
    assert scores(gold, "-", stdin=tagged) == found
    assert found["tokens"]["gold"] == 8
    assert found["sentences"]["f1"] == 100
    assert found["xpos"]["predicted"] == found["words"]["predicted"] > 0
    rows = [line.split("\t") for line in GOLD.splitlines()[1:]]
    columns = write(
        "".join(f"{row[1]}\t{row[4]}\n" if row[0] else "\n" for row in rows)
    )
    of_columns = scores(columns, "-path", MODEL, "--columns", "word,pos")
    assert of_columns == {
        name: found[name] for name in ("tokens", "sentences", "words", "xpos")
    }
    joined = scores(columns, "-path", MODEL, "--columns", "word,pos", "--one-paragraph")
    assert joined["tokens"] == of_columns["tokens"]


def test_tokens_of_several_words(write):
    empty = "\t_" * 5
    gold = write(
        f"1-2\tdu\t_\t_\t_{empty}\n1\tde\t_\tADP\t_{empty}\n2\tle\t_\tDET\t_{empty}\n"
    )
    found = write(f"1\tdu\t_\tADP\t_{empty[2:]}\tUPOS=ADP+DET\n", "found.conllu")
    assert scores(gold, found)["upos"]["f1"] == 0
    assert scores(gold, found, "--multiwords", "tokens")["upos"]["f1"] == 100


def test_errors(gold, tmp_path):
    other = tmp_path / "other.conllu"
    other.write_text(GOLD.replace("Mary", "Marie"))
    result = run("senna-eval", "text", gold, other)
    assert_one_line_error(
        result, f"{other}: line 8: expected 'ysawhim' as in {gold}: line 8"
    )
    other.write_text("")
    for files in ((other, gold), (gold, other)):
        result = run("senna-eval", "text", *files)
        assert_one_line_error(result, f"{other}: there is no sentence to score")
    for options, problem in (
        ((gold, other, "--path", MODEL), "cannot be used with SYSTEM"),
        ((gold, other, "--one-paragraph"), "cannot be used with SYSTEM"),
        (("-", "-"), "cannot both be standard input"),
    ):
        result = run("senna-eval", "text", *options)
        assert_one_line_error(result, problem, code=2, is_last=True)


@pytest.mark.parametrize("columns", ["pos", "word,chk", "word,-,word", ""])
def test_columns_that_are_none(columns, gold, tmp_path):
    for command in (
        ("senna-eval", "text", gold),
        ("senna-model", "sentences", tmp_path, MODEL, gold),
    ):
        result = run(*command, "--columns", columns)
        assert_one_line_error(result, f"--columns {columns}: expected word", code=2)


@pytest.mark.parametrize(
    "command",
    [
        ["chunk", "F"],
        ["token", "F"],
        ["srl", "F", "F"],
        ["tree", "F", "F"],
        ["compare", "F", "F", "F"],
        ["text", "F", "--columns", "word"],
    ],
)
def test_commands_for_columns_say_what_scores_conllu(command, gold):
    result = run("senna-eval", *(gold if word == "F" else word for word in command))
    assert_one_line_error(
        result, f"{gold}: line 2: this looks like CoNLL-U", "senna-eval text"
    )


@pytest.mark.parametrize("blank", ["\u00a0", "\u0085", "\u3000"])
def test_a_token_of_white_space_is_an_error_of_its_sentence(blank, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text(f"He\tPRP\n\nruns\tVBZ\n{blank}\tSYM\n", newline="")
    result = run("senna-eval", "text", path, "--path", MODEL, "--columns", "word,pos")
    assert_one_line_error(
        result, f"{path}: line 3: a sentence with a token of white space"
    )


ROW = "1\tw\tw\tNOUN\tNN\t_\t0\troot\t_\t_\n"


def range_of(n):
    words = (f"{i}\ta\t_\tX\tX\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, n + 1))
    return f"1-{n}\tx" + "\t_" * 8 + "\n" + "".join(words) + "\n"


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (
            ROW.replace("\t0\t", f"\t{'9' * 5000}\t"),
            1,
            "expected heads from 0, the root, to 1",
        ),
        (ROW.replace("\t0\t", "\t٠\t"), 1, "expected heads from 0, the root, to 1"),
        (range_of(1001), 1, "a token of 1,001 words; it may have 1,000"),
        (
            f"# {'x' * (1 << 19)}\n" * 40 + ROW,
            32,
            "a sentence of more than 16,777,216 bytes",
        ),
        (
            ROW.replace("\t_\n", f"\t{'x' * (1 << 19)}\n") * 40,
            32,
            "a sentence of more than",
        ),
    ],
    ids=["head", "digits", "range", "comments", "misc"],
)
def test_what_takes_memory_or_time_out_of_proportion_is_refused(
    text, line, problem, write
):
    rows = text.split("\n1\t")
    text = "\n".join([rows[0], *(f"{i}\t{row}" for i, row in enumerate(rows[1:], 2))])
    path = write(text + "\n", "a.conllu")
    assert_one_line_error(
        run("senna-eval", "text", path, path), f"line {line}: {problem}"
    )


def test_tokens_that_overlap_without_end_are_refused(write):
    def chain(*tokens):
        rows, n = [], 0
        for size in tokens:
            words = [
                f"{n + k + 1}\tq\t_\tX\tX\t_\t{n + k}\tdep\t_\t_\n" for k in range(2)
            ]
            token = f"{n + 1}-{n + 2}\t{'a' * size}" + "\t_" * 7 + "\tSpaceAfter=No\n"
            rows += [token, *words]
            n += 2
        return "".join(rows) + "\n"

    one = write(chain(*[2] * 1000), "one.conllu")
    other = write(chain(1, *[2] * 999, 1), "other.conllu")
    result = run("senna-eval", "text", one, other)
    assert_one_line_error(
        result, "2,000 and 2,002 words of tokens that overlap, too many"
    )
    small = (
        write(chain(*[2] * 400), "small.conllu"),
        write(chain(1, *[2] * 399, 1), "s.conllu"),
    )
    assert scores(*small)["words"]
