"""senna-tag: pages of HTML, directories of them, and limits."""

import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from senna_py.errors import SennaError
from senna_py.kernels.runtime.switch import fixed_kernels
from tests.helpers.commands import MODEL, tag
from tests.helpers.tagging import tag_paths

TEXT = "He lives in Rome .\n\nThe <b>man</b> & she left .\nNo .\n"


class Page(HTMLParser):
    """Headings, paragraphs and links of a page."""

    def __init__(self, path):
        super().__init__()
        self.headings, self.paragraphs, self.links, self._into, self.ended = (
            [],
            [],
            [],
            None,
            [],
        )
        self.feed(path.read_text("utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self._into = {
            "h1": self.headings,
            "h2": self.headings,
            "p": self.paragraphs,
        }.get(tag)
        if self._into is not None:
            self._into.append("")
        if tag == "a":
            self.links.append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        self._into = None
        self.ended.append(tag)

    def handle_data(self, data):
        if self._into is not None:
            self._into[-1] += data


def write(*paths, **options):
    return tag_paths(paths, format="html", **options)


@pytest.fixture(autouse=True)
def with_kernels():
    """Tag by compiled kernels, whatever was tagged before in this process."""
    with fixed_kernels(plain=False):
        yield


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a&b.txt"
    path.write_text(TEXT)
    return path


def test_one_page(text, tmp_path):
    out = tmp_path / "page.html"
    assert write(text, tasks=["pos", "psg"], output=str(out)) == 0
    page = Page(out)
    assert page.headings == [str(text)]
    assert page.paragraphs == [
        "He lives in Rome .",
        "The <b>man</b> & she left .",
        "No .",
    ]
    assert page.ended[-4:] == ["ol", "main", "body", "html"]
    shown = out.read_text()
    assert all(
        part in shown
        for part in ("<table>", "<svg viewBox=", "<th>lives", "<th>pos<td")
    )


def first_to(notes):
    return lambda line, kind=None: notes.append(line)


def test_entities_alone_are_marked_in_the_text_as_it_was(text, tmp_path):
    out = tmp_path / "page.html"
    text.write_bytes(b"\n He lives in Rome .  She\r\n\nleft <b> .\n" * 900)
    assert (
        write(text, tasks=["ner"], output=str(out), split_sentences=True, jobs=2) == 0
    )
    shown = out.read_text().split('<p class=r lang="">')[1].split("</p>")[0]
    words = re.sub("<b>[^<]*</b>|<[^>]*>", "", shown).replace("&lt;b&gt;", "<b>")
    assert words == "\nHe lives in Rome . She\n\nleft <b> .\n" * 900
    assert Page(out).ended[-3:] == ["main", "body", "html"]


def test_a_page_has_a_heading_for_each_of_several_inputs(text, tmp_path):
    out, notes, missing = tmp_path / "page.html", [], tmp_path / "missing"
    given = {"tasks": ["pos"], "output": out, "note": first_to(notes)}
    assert write(text, missing, text, **given) == 1
    left = f"{out}.partial"
    assert [note for note in notes if "markup of HTML" not in note] == [
        f"{missing}: No such file or directory",
        f"{out}: not written: not all inputs could be read; what was written is in {left}",
    ]
    page = Page(Path(left))
    assert page.headings == ["Sentences", str(text), f"{text}.2"]
    assert len(page.paragraphs) == 6
    assert page.ended.count("ol") == 2


def test_a_directory_gets_a_page_for_each_input_and_an_index(text, tmp_path):
    other = tmp_path / "other" / "A&B.TXT"
    other.parent.mkdir()
    other.write_text("Yes .\n")
    empty, missing, index = (tmp_path / name for name in ("empty", "missing", "index"))
    for path in (empty, index):
        path.write_text("")
    out, notes = tmp_path / "pages", []
    given = {"tasks": ["pos"], "output": f"{out}/", "note": first_to(notes)}
    assert write(text, other, empty, missing, index, **given) == 1 and len(notes) == 2
    assert "markup of HTML" in notes[0] and str(missing) in notes[1]
    names = [
        "a&b.txt.html",
        "A&B.TXT.2.html",
        "empty.html",
        "index.2.html",
        "index.html",
    ]
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    assert Page(out / names[0]).paragraphs[0] == "He lives in Rome ."
    assert Page(out / names[1]).headings == [str(other)]
    assert Page(out / names[2]).paragraphs == []
    assert Page(out / names[2]).ended[-2:] == ["body", "html"]
    index = Page(out / "index.html")
    assert index.links == [
        "a%26b.txt.html",
        "A%26B.TXT.2.html",
        "empty.html",
        "index.2.html",
    ]
    assert "</a>: 3 sentences" in (out / "index.html").read_text()
    assert write(text, tasks=["pos"], output=str(out)) == 0  # it is a directory now
    assert Page(out / "index.html").links == ["a%26b.txt.html"]


@pytest.mark.slow
def test_an_input_that_ends_early_has_a_partial_page(text, tmp_path):
    short, out, notes = tmp_path / "a.gz", tmp_path / "pages", []
    lines = b"".join(b"He left %d times .\n" % i for i in range(3_000))
    short.write_bytes(gzip.compress(lines)[:-9])
    given = {"tasks": ["pos"], "output": f"{out}/", "note": first_to(notes)}
    assert write(short, text, **given) == 1
    left = out / "a.gz.html.partial"
    assert len(notes) == 3 and "markup of HTML" in notes[2]
    assert notes[1].startswith(f"{short}: no page: not all of it could be read; ")
    assert notes[1].endswith(str(left))
    assert Page(left).ended[-2:] == ["body", "html"]
    assert Page(out / "index.html").links == ["a%26b.txt.html"]


def test_a_directory_that_cannot_be_made_is_named(text):
    with pytest.raises(
        SennaError, match=r"txt/: (Not a directory|a file, no directory)"
    ):
        write(text, tasks=["pos"], output=f"{text}/")


@pytest.mark.parametrize(
    ("name", "split"),
    [("jsonl", True), ("trees", False), ("senna", False), ("conllu", True)],
)
def test_a_limit_leaves_the_rest(tmp_path, name, split):
    path, out = tmp_path / "a.txt", tmp_path / "out"
    path.write_text("\nHe left. She did.\n\nNo .\n\nYes .\n\n" + "More .\n" * 300)
    short = tmp_path / "b" / "a.txt"
    short.parent.mkdir()
    short.write_text("\nHe left. She did.\n" + ("" if split else "\nNo .\n"))
    task = ["psg"] if name == "trees" else ["pos"]
    found = []
    for each, limit in ((path, 2), (short, None), (short, 9)):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(each.parent)
            tag_paths(
                ["a.txt"],
                task,
                MODEL,
                split_sentences=split,
                format=name,
                output=str(out),
                limit=limit,
            )
        found.append(out.read_bytes())
    if name == "conllu":  # which says what follows a sentence
        found = [
            b"".join(s for s in each.split(b"\n") if s[:1].isdigit()) for each in found
        ]
        found = [each.split(b"Space")[0] for each in found]
    assert found[0] == found[1] == found[2] != b""


def test_a_limit_counts_the_sentences_of_each_input(text, tmp_path):
    out = tmp_path / "out"
    conllu = tmp_path / "a.conllu"
    conllu.write_text("".join(f"1\tx{i}" + "\t_" * 8 + "\n\n" for i in range(4)))
    tag_paths(
        [str(text), str(conllu)],
        ["pos"],
        MODEL,
        format="jsonl",
        output=str(out),
        limit=2,
        jobs=2,
    )
    texts = [json.loads(line)["text"] for line in out.read_text().splitlines()]
    assert texts == ["He lives in Rome .", "The <b>man</b> & she left .", "x0", "x1"]


def test_a_directory_is_for_pages():
    result = tag("-o", "pages/")
    assert (result.returncode, b"pages/" in result.stderr) == (2, True)
