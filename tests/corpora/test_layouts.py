"""CoNLL-U, and the layouts of the shared tasks, as columns by their names."""

import pytest

from senna_py.corpora.conll import ColumnFile
from senna_py.corpora.conllu import MULTIWORDS, ConlluFile
from senna_py.corpora.layout_files import LayoutFile
from senna_py.corpora.layouts import default_columns, layout_of
from senna_py.errors import SennaError
from senna_py.labels.tasks import Shape, Task, find_task
from tests.helpers.small_conllu import SENTENCE

VALUES = "\t_" * 8  # the columns after the form
CONLLU = f"""{SENTENCE}# text = #
1\t#\t#\tSYM\tS\t_\t0\troot\t_\t_
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_words_of_conllu(write, ends):
    path = write(CONLLU.replace("\n", ends), "a.conllu")
    first, second = ConlluFile(path)
    assert first.forms == ["De", "le", "13 819", "."]
    assert first.lines == [5, 6, 8, 9]
    # Behind the range, not behind its last word.
    assert first.spaces == [
        True,
        True,
        False,
        True,
    ]
    assert first.column("upos") == ["ADP", "DET", "NUM", "PUNCT"]
    assert first.column("misc.NER") == ["_", "_", "_", "O"]
    assert first.column("feats.B") == ["2", "_", "_", "_"]
    assert (first.comment("sent_id"), second.comment("sent_id")) == ("one", None)
    assert second.forms == ["#"]


def test_surface_tokens_of_conllu(write):
    first, _ = ConlluFile(write(CONLLU), "tokens")
    assert first.forms == ["Du", "13 819", "."]
    assert first.lines == [4, 8, 9]
    assert first.column("upos") == ["ADP+DET", "NUM", "PUNCT"]
    assert first.column("xpos") == ["E+R", "N", "FS"]
    assert first.column("feats") == ["A=1|B=2+_", "_", "_"]
    assert first.column("misc.NER") == ["B-X", "_", "O"]
    assert first.column("misc.Foo") == ["bar", "_", "_"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "1\ta\tb",
            r"line 1: expected the 10 columns of CoNLL-U between tabs, found 3",
        ),
        (
            "2\ta" + VALUES,
            r"line 1: expected the ID 1, found '2'; an empty line ends",
        ),
        ("2-3\ta" + VALUES, r"line 1: a range 2-3 after word 0"),
        ("1-2\ta" + VALUES, r"line 1: expected a word, found none"),
        (
            "1-2\ta" + VALUES + "\n1\ta" + VALUES,
            r"line 1: range 1-2 ends after the last word, 1$",
        ),
        ("1\t" + VALUES, r"line 1: the form is empty"),
        ("1\t \v" + VALUES, r"line 1: the form is empty"),
        ("1-2\t" + VALUES, r"line 1: the form is empty"),
        (
            "\n".join(f"{name}{VALUES}" for name in ("1-2\t_", "1\ta", "2\tb")),
            r"line 1: a range without a form",
        ),
    ],
)
def test_malformed_conllu(write, line, message):
    with pytest.raises(SennaError, match=message):
        list(ConlluFile(write(line + "\n")))


@pytest.mark.parametrize("multiwords", MULTIWORDS)
def test_an_underscore_in_the_text_may_be_a_range(write, multiwords):
    lines = "".join(f"{name}{VALUES}\n" for name in ("1-2\t_", "1\ta", "2\t_"))
    (sentence,) = ConlluFile(write(lines), multiwords)
    assert sentence.forms == (["_"] if multiwords == "tokens" else ["a", "_"])


def test_columns_of_conllu(write):
    columns = ["word", "pos=xpos", "upos", "-", "ner=misc.NER"]
    first, second = LayoutFile(write(CONLLU), "conllu", columns)
    assert first.columns[1][:2] == ["E", "R"]
    assert first.columns[3] == ["-"] * 4
    assert [first.line_of(i) for i in range(4)] == [5, 6, 8, 9]
    assert second.columns == [["#"], ["S"], ["SYM"], ["-"], ["_"]]
    with pytest.raises(
        SennaError, match=r"no word has NEE in its column MISC.*form,ner=misc.KEY"
    ):
        list(LayoutFile(write(CONLLU), "conllu", ["word", "ner=misc.NEE"]))
    with pytest.raises(
        SennaError, match="conllu has no column 'tag'; there are form, lemma"
    ):
        LayoutFile(write(CONLLU), "conllu", ["word", "tag"])


def test_which_columns_there_are():
    assert default_columns("conllu", find_task("ner"))[-1] == "ner=misc.NER"
    assert default_columns("conllu", find_task("pt0"))[-1] == "pt0=misc.Level0"
    assert default_columns("conllu", find_task("med"))[-1] == "med=misc.med"
    assert default_columns("conllu", find_task("med"), alone=False)[-1] == "deprel"
    links = Task("link", Shape("links", "links", hangs_on="span"))
    assert default_columns("conllu", links)[-1] == "link=misc.link"
    assert default_columns("conllu", find_task("srl"))[-1] == "deprel"
    assert "deprel" in default_columns("conllu", find_task("pos"))
    assert default_columns("conll2003", find_task("ner")) == [
        "word",
        "pos",
        "chk",
        "ner",
    ]
    assert default_columns("conll2002", find_task("ner")) == ["word", "ner"]
    assert default_columns("conll2002", find_task("pos")) == ["word", "ner", "pos"]
    assert default_columns("conll2012", find_task("srl"))[-1] == "roles"
    assert layout_of("x/a.CoNLLU.gz") == "conllu"
    assert layout_of("conllu") == ""
    assert layout_of("a.conllu", "conll2003") == "conll2003"


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        ("conll2002", "a B-X"),
        ("conll2002", "a N B-X"),
        ("conll2003", "a N B-NP B-X"),
        ("conll2003", "a a N B-NP B-X"),
    ],
)
def test_files_of_every_width_have_the_columns_that_are_not_named(
    layout, line, tmp_path
):
    (tmp_path / "f").write_text(f"{line}\n")
    columns = default_columns(layout, find_task("ner"))
    (sentence,) = LayoutFile(tmp_path / "f", layout, columns)
    assert dict(zip(columns, sentence.columns, strict=True))["ner"] == ["B-X"]


def test_a_mark_between_documents_needs_no_empty_line(tmp_path):
    (tmp_path / "f").write_text("a O\n-DOCSTART- O\nb O\nc O\n\n-DOCSTART- O\n\nd O\n")
    words = [s.columns[0] for s in LayoutFile(tmp_path / "f", "conll2002", ["word"])]
    mark = ["-DOCSTART-"]
    assert words == [["a"], mark, ["b", "c"], mark, ["d"]]


@pytest.mark.parametrize(
    ("layout", "text"),
    [("conllu", "1\té\t_\t_\t_\t_\t0\troot\t_\t_\n\n"), ("conll2002", "é O\n")],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_other_encodings(layout, text, encoding, tmp_path):
    (tmp_path / "f").write_bytes(text.encode(encoding))
    named = {"encoding": encoding} if encoding == "latin-1" else {}
    (sentence,) = LayoutFile(tmp_path / "f", layout, ["word"], **named)
    assert sentence.columns == [["é"]]


@pytest.mark.parametrize(
    ("layout", "text", "columns", "found"),
    [
        ("conll2000", "a DT B-NP\n", ["chk"], [["B-NP"]]),
        ("conll2002", "a B-X\n\na N B-Y\n", ["word", "ner"], [["a"], ["B-X"]]),
        ("conll2003", "a\ta\tDT\tI-NP\tO\n", ["pos", "ner"], [["DT"], ["O"]]),
        (
            "conll2009",
            "1 Go go go VB VB _ _ 0 0 R R Y go.01 A1\n",
            ["word", "predicate"],
            [["Go"], ["Y"]],
        ),
        (
            "conll2009",
            "1 Go go go VB VB _ _ 0 0 R R _ _\n",
            ["word", "predicate"],
            [["Go"], ["-"]],
        ),
        (
            "conll2012",
            "#begin document (x); part 000\n"
            "x 0 0 Go VB (TOP* go 01 1 A (PER* (V*) (2)\nx 0 1 on RP *) - - - A *) (A1*) -\n"
            "#end document\n",
            ["word", "parse", "ner", "predicate", "roles"],
            [
                ["Go", "on"],
                ["(TOP*", "*)"],
                ["B-PER", "E-PER"],
                ["01", "-"],
                ["S-V", "S-A1"],
            ],
        ),
    ],
)
def test_layouts_of_the_shared_tasks(write, layout, text, columns, found):
    sentence = next(iter(LayoutFile(write(text, "a.txt"), layout, columns)))
    assert sentence.columns == found


def test_another_number_of_columns_is_an_error(write):
    with pytest.raises(
        SennaError, match=r"line 1: expected the 4 or 5 columns of conll2003, found"
    ):
        list(LayoutFile(write("a b\n", "a.txt"), "conll2003", ["word", "ner"]))
    with pytest.raises(SennaError, match=r"line 3: expected .*, found 1 between tabs$"):
        list(
            LayoutFile(write("a\tN\tO\tO\n\nb N O O\n", "a.txt"), "conll2003", ["word"])
        )
    with pytest.raises(SennaError, match=r"line 1: expected .*, found 1$"):
        list(LayoutFile(write("EU\n", "a.txt"), "conll2003", ["word"]))
    with pytest.raises(
        SennaError, match=r"line 1: expected the 12 or more columns of conll2012"
    ):
        list(LayoutFile(write("a b\n", "a.txt"), "conll2012", ["word", "ner"]))


def test_conllu_is_not_read_as_plain_columns(write):
    without_comments = "".join(
        line for line in CONLLU.splitlines(keepends=True) if not line.startswith("#")
    )
    for text in (CONLLU, without_comments, without_comments.partition("\n")[2]):
        message = (
            r'this looks like CoNLL-U, .* called \*.conllu, or with layout = "conllu"'
        )
        with pytest.raises(SennaError, match=message):
            ColumnFile(write(text, "a.txt"))
    plain = "1" + "\ta" * 9 + "\n"  # ten columns, of which none has a head
    assert len(list(ColumnFile(write(plain, "a.txt")))) == 1
    assert [s.columns for s in ColumnFile(write("# a\nb c\n", "a.txt"))] == [
        [["#", "b"], ["a", "c"]]
    ]


@pytest.mark.parametrize(
    ("cells", "tags"),
    [
        (["(PER)", "*"], ["S-PER", "O"]),
        (["(PER)", "(LOC*)"], ["S-PER", "S-LOC"]),
        (["(ORG(GPE*)", "*)"], ["B-ORG", "E-ORG"]),  # the outer one counts
        (["(ORG*", "(GPE))"], ["B-ORG", "E-ORG"]),
        (["(ORG*", "(GPE*))"], ["B-ORG", "E-ORG"]),
        (["(A(B*))", "-"], ["S-A", "O"]),
        (["(ORG(GPE*)", "*"], ["S-GPE", "O"]),  # which alone ends
        (["(ORG(GPE)", "(PER*)"], ["S-GPE", "S-PER"]),
    ],
)
def test_nested_brackets_of_conll2012(write, cells, tags):
    rows = (
        f"x 0 0 w NN * - {'-' if i else '01'} - s {cell} {cell} -\n"
        for i, cell in enumerate(cells)
    )
    columns = ["word", "ner", "roles"]
    (sentence,) = LayoutFile(write("".join(rows), "a.txt"), "conll2012", columns)
    assert sentence.columns == [["w", "w"], tags, tags]


@pytest.mark.parametrize(
    "cell", ["(PER", "PER)", "(*)", "(A*)b", "*)", "(A)(B)", "((A*)"]
)
def test_other_brackets_are_errors_of_their_line(write, cell):
    text = f"# a\nx 0 0 w NN * - - - s * -\n# b\nx 0 1 w NN * - - - s {cell} -\n"
    with pytest.raises(
        SennaError, match=r"line 4: expected (brackets such|an open|PER to end)"
    ):
        list(LayoutFile(write(text, "a.txt"), "conll2012", ["word", "ner"]))


@pytest.mark.parametrize("layout", ["conll2000", "conll2002", "conll2003"])
def test_an_empty_word_is_an_error_of_its_line(write, layout):
    more = {
        "conll2000": "\tDT\tB-NP",
        "conll2002": "\tO",
        "conll2003": "\tDT\tB-NP\tO",
    }[layout]
    for word in ("", " ", "\v"):
        text = f"a{more}\n\n# a\nb{more}\n{word}{more}\n"
        with pytest.raises(SennaError, match="line 5: an empty word"):
            list(LayoutFile(write(text, "a.txt"), layout, ["word"]))
