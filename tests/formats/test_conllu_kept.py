"""CoNLL-U in, CoNLL-U out: what stays, what validators and readers say, and the same
text.
"""

import io
import re
import subprocess
import sys
from pathlib import Path

import conllu
import pyconll
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from senna_py.answers.document import Document
from senna_py.cli.tag_options import TagOptions
from senna_py.corpora.places import BatchPlace, blank_test
from senna_py.formats.conllu import ConlluPrinter
from senna_py.formats.json_lines import JsonPrinter
from senna_py.io.streaming import BY_MARK, Source
from senna_py.labels.universal_tags import universal_tag
from senna_py.pipeline import columns
from senna_py.pipeline.run import Pipeline
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL, run, tag
from tests.helpers.small_corpora import write_vectors

SENTENCES = """\

# newdoc id = d
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
# sent_id = one
# text = Du vin rouge.
1-2\tDu\t_\t_\t_\t_\t_\t_\t_\tNER=B-X|Lang=fr
1\tDe\tde\tADP\tE\tA=1|B=2\t3\tcase\t3:case\tNER=O
2\tle\tle\tDET\tR\t_\t3\tdet\t_\tFoo=bar|NER=I-X|Bar
2.1\tgone\tgo\tVERB\tV\t_\t_\t_\t1:dep\tNER=O
3\tvin rouge\t_\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\tFS\t_\t3\tpunct\t_\tUPOS=A+B|Predicate=Yes|Roles=3:S-A0

# newpar
# text = a
1\ta\tb\tX\t_\t_\t0\troot\t_\t_
  \t
# the end
"""
_CELL = st.one_of(st.just("_"), st.text("aÉ|=#.- +\u00a0", min_size=1, max_size=4))
_FORM = _CELL.filter(lambda cell: cell.strip(" "))
# A range without a form is refused, unless one of its words has an underscore.
_FORM_OF_RANGE = _FORM.filter(lambda cell: cell != "_")
_MISC = st.lists(
    st.sampled_from(
        ["NER=O", "SpaceAfter=No", "Gloss=a b", "UPOS=A+B", "XPOS=b", "NER", "="]
    ),
    max_size=3,
).map(lambda items: "|".join(items) or "_")
_COMMENT = st.text("a =\té#", max_size=9).map(lambda text: f"#{text}")


@pytest.fixture(scope="module")
def tagger():
    return Tagger(MODEL, ["pos", "ner"])


@st.composite
def _sentences(draw):
    """Lines of a sentence, from the lines before it to the empty one."""
    lines = draw(st.lists(st.one_of(_COMMENT, st.sampled_from(["", "  "])), max_size=3))
    n_words, range_end = draw(st.integers(1, 5)), 0
    for i in range(1, n_words + 1):
        cells = [draw(_CELL) for _ in range(7)]
        if range_end < i < n_words and draw(st.booleans()):
            range_end = draw(st.integers(i + 1, n_words))
            none = "\t_" * 7
            lines.append(
                f"{i}-{range_end}\t{draw(_FORM_OF_RANGE)}{none}\t{draw(_MISC)}"
            )
        lines.append("\t".join([str(i), draw(_FORM), *cells, draw(_MISC)]))
        if draw(st.booleans()):
            lines.append("\t".join([f"{i}.1", draw(_CELL), *cells, draw(_MISC)]))
    return [*lines, ""]


@st.composite
def _files(draw):
    lines = [
        line
        for each in draw(st.lists(_sentences(), min_size=1, max_size=4))
        for line in each
    ]
    lines += draw(st.lists(st.one_of(_COMMENT, st.just("")), max_size=2))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return "".join(line + end for line in lines)


def printed(path, text, tagger, asked, multiwords="words", batch=1 << 16):
    """What is printed of a CoNLL-U file with the text `text`."""
    path.write_bytes(text.encode())
    printer = ConlluPrinter(tagger, asked=asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "BATCH_BYTES", batch)
        file = columns.ColumnText(path, "conllu", multiwords, BY_MARK)
        batches = file.batches(tagger.tokenizer, "a")
        found = (
            printer.format(tagger.annotate(tokens), place) for tokens, place in batches
        )
        return b"".join(found).decode()


@pytest.mark.slow
@given(_files(), st.sampled_from(["words", "tokens"]), st.sampled_from([1, 9, 1 << 16]))
def test_what_was_not_asked_for_stays(
    tmp_path_factory, tagger, text, multiwords, batch
):
    path = tmp_path_factory.getbasetemp() / "kept.conllu"
    kept = printed(path, text, tagger, ("none",), multiwords, batch)
    text = re.sub(r"(?m)^[ \t]+(?=\r?$)", "", text)  # blanks of a line without any ink
    assert kept == text
    found = printed(path, text, tagger, ("pos", "ner"), multiwords, batch)
    tagged = 0
    for line, before in zip(found.split("\n"), text.split("\n"), strict=True):
        row, old = line.split("\t"), before.split("\t")
        if before.startswith("#") or len(old) != 10 or "." in old[0]:
            assert line == before
            continue
        if "-" in old[0]:
            assert row[4] == "_"
        else:
            tagged += 1
        assert row[:4] + row[5:9] == old[:4] + old[5:9]
        misc, others = (
            [
                item
                for item in cells[9].rstrip("\r").split("|")
                if item.partition("=")[0] != "NER" and item != "_"
            ]
            for cells in (row, old)
        )
        assert misc == others
        assert line.endswith("\r") == before.endswith("\r")
    assert tagged == len(re.findall(r"(?m)^\d+\t", text))
    assert printed(path, found, tagger, ("pos", "ner"), multiwords) == found


def test_what_is_asked_for_stands_once(tagger, tmp_path):
    path = tmp_path / "a.conllu"
    one, two, _ = conllu.parse(printed(path, SENTENCES, tagger, ("ner",)))
    assert [" ".join(token["misc"] or ()) for token in one] == [
        "Lang",
        "NER",
        "NER Foo Bar",
        "NER",
        "NER SpaceAfter",
        "NER UPOS Predicate Roles",
    ]
    assert one[3]["misc"] == {"NER": "O"}  # an empty node is not tagged
    assert [token["xpos"] for token in one] == [None, "E", "R", "V", None, "FS"]
    one, two, _ = conllu.parse(printed(path, SENTENCES, tagger, ("ner",), "tokens"))
    found = [i for i, token in enumerate(one) if "NER" in (token["misc"] or ())]
    assert (found, len(one)) == ([0, 3, 4, 5], 6)
    one, two, _ = conllu.parse(printed(path, SENTENCES, tagger, ("pos",)))
    assert [token["upos"] for token in one] == [
        "_",
        "ADP",
        "DET",
        "VERB",
        "NOUN",
        "PUNCT",
    ]
    assert one[1]["xpos"] != "E"
    assert two.metadata == {"newpar": None, "text": "a"}


def test_by_the_command(tmp_path, tagger):
    def kept(*args, **options):
        return tag("--format", "conllu", "--ner", *args, **options).stdout.decode()

    def expected(text):
        return printed(tmp_path / "b.conllu", text, tagger, ("ner",))

    path = tmp_path / "a.conllu"
    in_windows = SENTENCES.replace("\n", "\r\n")
    path.write_bytes((SENTENCES + in_windows.rstrip()).encode())
    found = kept(path)
    assert found == expected(SENTENCES + in_windows.removesuffix("\r\n") + "\n")
    assert kept("--jobs", "2", "--layout", "conllu", stdin=path.read_bytes()) == found
    assert kept(path, path) == 2 * found
    one = expected(SENTENCES).split("\n\n")[0] + "\n\n"
    assert kept("--limit", "1", path) == one
    for end in ("", "\n", "\n\n"):  # a sentence always ends with an empty line
        path.write_text(SENTENCES.split("\n\n", 1)[0] + end)
        assert kept(path) == one
        path.write_bytes((in_windows.split("\r\n\r\n")[0] + end).encode())
        assert kept(path).replace("\r\n", "\n") == one
    text = tmp_path / "b.txt"
    text.write_text("He is here.\n")
    assert re.findall("# newdoc.*", kept(path, text)) == [
        "# newdoc id = d\r",
        f"# newdoc id = {text}",
    ]


def test_a_sentence_longer_than_what_networks_take_is_one(tmp_path):
    path = tmp_path / "long.conllu"
    rows = (f"{i}\the\thim\tPRON\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 1301))
    path.write_text("# sent_id = a\n" + "".join(rows) + "\n")
    result = tag("--format", "conllu", "--psg", path)
    assert b"is cut into sentences" in result.stderr
    found = re.sub(rb"\tParse=\S+", b"\t_", result.stdout)
    assert found == path.read_bytes()


@pytest.mark.slow
def test_a_range_that_is_a_token_gives_its_tag_to_its_words(tmp_path):
    lines = SENTENCES.split("# newpar", 1)[0]
    (tmp_path / "train.conllu").write_text(lines * 40)
    data = "".join(
        f'[[{part}]]\nfiles = ["train.conllu"]\nmultiwords = "tokens"\n'
        'columns = ["form", "upos", "feats"]\n'
        for part in ("train", "dev")
    )
    write_vectors(tmp_path / "vectors.txt")
    for task in ("upos", "feats"):
        config = f'task = "{task}"\nkind = "tags"\n{data}\n[training]\nepochs=8\n'
        (tmp_path / f"{task}.toml").write_text(config)
        trained = run(
            "senna-train",
            f"{task}.toml",
            ".",
            task,
            "--vectors",
            "vectors.txt",
            cwd=tmp_path,
        )
        assert trained.returncode == 0, trained.stderr.decode()
    blank = re.sub(r"\t(ADP|DET|NOUN|PUNCT|A=1\|B=2)\t", "\t_\t", lines)
    assert blank != lines
    (tmp_path / "blank.conllu").write_text(blank)
    options = ("--format", "conllu", "--multiwords", "tokens", "--path")
    found = run(
        "senna-tag", *options, "upos", "blank.conllu", cwd=tmp_path
    ).stdout.decode()
    expected = re.sub(r"\tA=1\|B=2\t", "\t_\t", lines)
    assert found == expected.replace(
        "NER=B-X|Lang", "UPOS=ADP+DET|NER=B-X|Lang"
    ).replace("UPOS=A+B|", "")
    found = run(
        "senna-tag", *options, "feats", "blank.conllu", cwd=tmp_path
    ).stdout.decode()
    assert found == re.sub(r"\t(ADP|DET|NOUN|PUNCT)\t", "\t_\t", lines)


_WRITTEN = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")


@pytest.fixture(scope="module")
def pos_tagger():
    return Tagger(MODEL, ["pos"])


def lines_printed(printer, pos_tagger, pieces, split=False):
    """What a printer writes of lines that come in pieces: bytes."""
    place, out = BatchPlace("a"), []
    for piece in pieces:
        tokens = pos_tagger.tokenizer.lines(piece)
        if split:
            tokens = pos_tagger.tokenizer.split_sentences(tokens)
        out.append(printer.format(pos_tagger.annotate(tokens), place))
        place = place.after(piece, blank_test(""))
    return b"".join(out)


def unescape(value):
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _WRITTEN[m[2]], value)


def text_of(sentences):
    """The text of what `conllu` has read; without a key, nothing ends a document."""
    out, default = [], ""
    for sentence in sentences:
        out.append("" if "newdoc id" in sentence.metadata else default)
        for token in sentence:
            misc = token["misc"] or {}
            before = default if token is not sentence[0] else ""
            out += before, unescape(misc.get("SpacesBefore", "")), token["form"]
            default = "" if misc.get("SpaceAfter") == "No" else " "
            if "SpacesAfter" in misc:
                out.append(unescape(misc["SpacesAfter"] or ""))
                default = ""
    return "".join(out)


def without_blank_end(text):
    """A text without its last lines that are blank, or of marks of quotation alone."""
    lines = text.split("\n")
    while lines and not lines[-1].lstrip(" \t>").strip():
        lines.pop()
    end = "\n" if text.count("\n") >= len(lines) > 0 else ""
    return "\n".join(lines) + end


TEXTS = st.lists(
    st.text(
        st.sampled_from("aB.?! |\\\t\r\v\f\x85\u00a0\u2028\u3000é\"'_="), max_size=12
    ),
    max_size=6,
).map("\n".join)


@pytest.mark.slow
@given(TEXTS, st.booleans())
@settings(max_examples=60)
def test_the_text_comes_back(pos_tagger, text, split):
    data = text.encode()
    printer = ConlluPrinter(pos_tagger, split=split)
    whole = lines_printed(printer, pos_tagger, [data], split)
    assert text_of(conllu.parse(whole.decode())) == without_blank_end(text)
    lines = data.splitlines(keepends=True) if b"\r" not in data else [data]
    assert lines_printed(printer, pos_tagger, lines, split) == whole
    as_json = JsonPrinter(pos_tagger, split=split)
    assert lines_printed(as_json, pos_tagger, lines, split) == lines_printed(
        as_json, pos_tagger, [data], split
    )


@pytest.mark.parametrize(
    ("end", "key"), [("", "_"), (" ", r"SpacesAfter=\s"), ("\n", r"SpacesAfter=\n")]
)
def test_the_end_of_one_of_several_documents(pos_tagger, end, key):
    printer = ConlluPrinter(pos_tagger, alone=False)
    out = lines_printed(printer, pos_tagger, [f"He ran.{end}".encode()]).decode()
    assert out.splitlines()[-2].split("\t")[-1] == key
    assert Document.from_conllu(out).text == f"He ran.{end}"


class LineByLine(Source):
    """A source whose next line always has to be waited for."""

    def __init__(self, data):
        super().__init__("a", raw=io.BytesIO(data))

    def ready(self):
        return False

    def _read(self, size):
        return self._raw.readline()


BLANKS = " \t\v\f\r\x85\u00a0\u2003\u2028\u3000"
WRAPPED = st.lists(
    st.lists(st.sampled_from([*BLANKS, "a", "B.", ">", "--", "é"]), max_size=4).map(
        "".join
    )
).map("\n".join)


@pytest.mark.slow
@given(WRAPPED)
@example("One.\n\u00a0\n\nTwo.\n")
@example("One.\n>\n\nTwo.\n")
@settings(max_examples=100)
def test_the_text_of_paragraphs_comes_back(pos_tagger, text):
    options = TagOptions(paragraphs=True)
    printer = ConlluPrinter(pos_tagger, split=True)
    pipeline = Pipeline(pos_tagger, options, printer, print)
    batches = pipeline.reader.read_lines(LineByLine(text.encode()), BatchPlace("a"))
    out = b"".join(batch.data for batch in pipeline.format_all(batches))
    assert text_of(conllu.parse(out.decode())) == without_blank_end(text)


def test_universal_tags():
    assert [
        universal_tag(*pair)
        for pair in (
            ("VBZ", "Is"),
            ("VBZ", "has"),
            ("RB", "n't"),
            ("NNP", "Is"),
            ("-LRB-", "("),
            ("TO", "to"),
            ("E", "de"),
        )
    ] == [
        "AUX",
        "VERB",
        "PART",
        "PROPN",
        "PUNCT",
        "PART",
        "X",
    ]


def senna_tag(*args):
    return tag("--format", "conllu", *args).stdout


@pytest.mark.process
def test_the_validator_and_readers_take_it(tmp_path):
    text = 'He said "x | y"  to\u00a0her. \n\n\n  She \\lives. And?So? # 1\n'
    first, second = tmp_path / "a b.txt", tmp_path / "c.txt"
    first.write_text(text)
    second.write_text("_ =|")
    found = senna_tag("--split-sentences", first, second, first)
    path = tmp_path / "out.conllu"
    path.write_bytes(found)
    validate = [
        Path(sys.executable).parent / "udvalidate",
        "--level",
        "2",
        "--lang",
        "en",
        path,
    ]
    result = subprocess.run(validate, capture_output=True, text=True, check=False)
    assert (result.returncode, "PASSED" in result.stdout + result.stderr) == (
        0,
        True,
    ), result
    sentences = conllu.parse(found.decode())
    assert text_of(sentences) == text + "_ =|" + text
    loaded = pyconll.load_from_file(str(path))
    assert [s.id for s in loaded] == [s.metadata["sent_id"] for s in sentences]
    assert len({s.id for s in loaded}) == len(sentences)
    assert [
        s.metadata["newdoc id"] for s in sentences if "newdoc id" in s.metadata
    ] == [str(name).replace(" ", "_") for name in (first, second, f"{first}.2")]
    assert {key for s in sentences for t in s for key in t["misc"]} >= {
        "NER",
        "Chunk",
        "Predicate",
        "Roles",
        "Parse",
    }
    for token in sentences[0]:
        assert token["upos"] == universal_tag(token["xpos"], token["form"])
    again = senna_tag("-pos", path)  # sentences and their names are kept
    assert [s.metadata["sent_id"] for s in conllu.parse(again.decode())] == [
        s.id for s in loaded
    ]


def test_lines_that_were_joined_come_back(tmp_path):
    text = "> Hi, you\n> two. So\n\n\nA long\nline. Is\n\n--\nme\n"
    path = tmp_path / "a.txt"
    path.write_text(text)
    sentences = conllu.parse(senna_tag("-pos", "--paragraphs", path).decode())
    assert text_of(sentences) == text
    ends = [s.metadata["sent_id"].partition(".txt-")[2] for s in sentences]
    assert ends == ["1-1", "2-2", "5-1", "6-2", "8-1", "9-1"]
    assert sum("newpar id" in s.metadata for s in sentences) == 4


def test_what_is_asked_for(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("He is here\n")
    (sentence,) = conllu.parse(
        senna_tag("-ner", "-offsettags", "-iobtags", path).decode()
    )
    assert all(token["xpos"] for token in sentence)
    assert [*sentence[1]["misc"]] == ["NER", "TokenRange"]
    assert sentence[1]["misc"]["TokenRange"] == "3:5"


def test_keys_are_sorted_and_ranges_count_in_the_document(tagger):
    """...as UDPipe, which has the key TokenRange, and other writers do."""
    text = "\u00c9t\u00e9 (hot).\n\n  In Rome.  \n"
    options = "--format", "conllu", "-pos", "-ner", "-chk", "-offsettags"
    for more in ((), ("--split-sentences",), ("--paragraphs",)):
        found = tag(*options, *more, stdin=text.encode()).stdout.decode()
        tokens = [token for sentence in conllu.parse(found) for token in sentence]
        assert len(tokens) == 8
        for token in tokens:
            begin, end = map(int, token["misc"]["TokenRange"].split(":"))
            assert text[begin:end] == token["form"]
            assert [*token["misc"]] == sorted(token["misc"], key=str.lower)
