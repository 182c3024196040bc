"""Sentences as HTML: any text is shown as text, and pages are what parsers expect."""

import re
from html.parser import HTMLParser

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py import Document, Sentence
from senna_py.display import STYLES, render
from senna_py.display.escapes import direction, escape, hue, width
from senna_py.display.page import style_sheet
from senna_py.errors import UsageError
from senna_py.labels.trees import Leaf, Phrase, build_tree
from tests.helpers.documents import arcs as arcs_json
from tests.helpers.documents import document_of, frame, sentence_object, span
from tests.helpers.documents import sentence_of as sentence_with

TAGS = {
    "div",
    "style",
    "ol",
    "li",
    "p",
    "mark",
    "bdi",
    "b",
    "table",
    "tr",
    "td",
    "th",
    "svg",
    "path",
    "text",
    "title",
    "g",
    "i",
}
PAGE_TAGS = TAGS | {"html", "head", "meta", "title", "body", "main", "h1"}
ATTRIBUTES = {
    "class",
    "lang",
    "dir",
    "tabindex",
    "colspan",
    "viewbox",
    "width",
    "aria-label",
    "d",
    "x",
    "y",
    "title",
    "style",
}
HOSTILE = st.one_of(
    st.text(min_size=1, max_size=8),
    st.text(
        "<>&\"'=/ `\0\x07\r\n\x7f\x85\ud800\udcff\ufffe\u202e\u05d0a",
        min_size=1,
        max_size=8,
    ),
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "</style>",
            "--><img src=x onerror=alert(1)>",
            "&lt;",
            "]]>",
            "</svg></li></ol>",
            "javascript:alert(1)",
            "&#0;",
            "\u202eevil",
        ]
    ),
)


class Reader(HTMLParser):
    """Tags, attributes and the text of each element of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self._open = set(), {}, {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value)
        if tag not in ("path", "meta"):
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if self._open:
            self.texts[self._open[-1]][-1] += data

    def handle_decl(self, decl):
        assert decl == "DOCTYPE html"

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_pi = unknown_decl = handle_comment


def sentence_from(words, tags=None, **answers):
    """A sentence of words with a space between them; answers: by their keys of JSON."""
    tags = {task: [*column] for task, column in (tags or {}).items()}
    return sentence_with(words, tags=tags, **answers)


def segments(*places):
    """JSON of spans with labels and their tokens."""
    return [span(*place) for place in places]


def tree_of(words, tags, phrases):
    """JSON of a tree, by its keys."""
    leaves = [Leaf(*pair) for pair in zip(words, tags, strict=True)]
    tree = build_tree(leaves, [Phrase(*phrase) for phrase in phrases])
    return {"tree": str(tree), "constituents": segments(*phrases)}


def sentence_of(words, tags, label):
    """A sentence with all that can be found, the labels from `tags` and `label`."""
    n, tags = len(words), tuple(tags)
    last = frame(n - 1, *([(label, 0, 1), (label, 0, n)] if n == 1 else []))
    frames = [frame(0, (label, 0, 1), (label, 0, n)), last][-min(n, 2) :]
    return sentence_from(
        words,
        {"pos": tags, label: tags},
        chunks=segments((label, 0, n)),
        frames=frames,
        entities=segments((label, n - 1, n)),
        arcs=arcs_json([i - 1 if i else None for i in range(n)], [label] * n),
        **tree_of(words, tags, [("S1", 0, n), (label, 0, 1)]),
    )


def as_parsed(text):
    """What a parser gives of a text that was escaped."""
    return Reader(f"<p>{escape(text)}</p>").texts["p"][0]


SENTENCES = st.lists(st.tuples(HOSTILE, HOSTILE), min_size=1, max_size=6).flatmap(
    lambda pairs: st.builds(
        sentence_of,
        st.just([a for a, _ in pairs]),
        st.just([b for _, b in pairs]),
        HOSTILE,
    )
)


@pytest.mark.slow
@given(SENTENCES, st.sampled_from(STYLES), st.booleans())
def test_hostile_text_is_text(sentence, style, page):
    shown = render([sentence, sentence], style, page=page, title=sentence.text)
    shown.encode()  # has no lone surrogate
    assert not any(ord(c) < 32 and c not in "\t\n" for c in shown)
    found = Reader(shown.split("</head>")[-1]) if page else Reader(shown)
    assert found.tags <= (PAGE_TAGS if page else TAGS)
    assert set(found.attributes) <= ATTRIBUTES
    assert found.attributes.get("class", set()) <= {
        "senna-py tex2jax_ignore mathjax_ignore",
        "senna-py page",
        "x",
        "w",
        "t",
        "u",
        "v",
        "o",
        *"abcdefghij",
        *(f"{c}{end}" for c in "abcdefghij" for end in (" y", " z", " y z")),
        *(f"f{i}" for i in range(12)),
    }
    if style in ("all", "roles"):
        words = [as_parsed(token.text) for token in sentence]
        heads = found.texts["th"]
        assert all(word in heads for word in words)
    if style in ("all", "tree", "dependencies"):
        assert as_parsed(sentence.tokens[-1].text) in found.texts["text"]
    if style == "roles":
        assert found.texts["p"] == [as_parsed(sentence.text)] * 2


@given(SENTENCES)
def test_pages_parse_without_an_error(sentence):
    html5lib.HTMLParser(strict=True).parse(
        render([sentence] * 2, page=True, title=sentence.text)
    )


def test_text_is_escaped():
    assert escape("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#x27;"
    assert escape("\0\x1b\r\x7f\x85\udcff\uffff\t\n") == "␀␛␍␡\ufffd\ufffd\ufffd\t\n"


WORDS = ["Dani", "met", "her", "in", "Rome", "."]


@pytest.fixture(scope="module")
def sentence():
    tags = ("NNP", "VBD", "PRP", "IN", "NNP", ".")
    phrases = [
        ("S1", 0, 6),
        ("S", 0, 6),
        ("NP", 0, 1),
        ("VP", 1, 5),
        ("NP", 2, 3),
        ("PP", 3, 5),
        ("NP", 4, 5),
    ]
    return sentence_from(
        WORDS,
        {"pos": tags},
        chunks=segments(
            ("NP", 0, 1), ("VP", 1, 2), ("NP", 2, 3), ("PP", 3, 4), ("NP", 4, 5)
        ),
        entities=segments(("PER", 0, 1), ("LOC", 4, 5)),
        frames=[
            frame(1, ("A0", 0, 1), ("V", 1, 2), ("A1", 2, 3), ("AM-LOC", 3, 5)),
        ],
        **tree_of(WORDS, tags, phrases),
        arcs=arcs_json(
            [1, None, 1, 4, 1, 1], ["nsubj", "root", "obj", "case", "obl", "punct"]
        ),
    )


def test_each_style_shows_its_part(sentence):
    shown = {style: Reader(render(sentence, style)) for style in STYLES}
    drawn = {"table", "tr", "td", "th", "svg", "path", "text", "title", "g", "i"}
    assert shown["entities"].tags == TAGS - drawn
    assert shown["entities"].texts["b"] == ["PER", "LOC"]
    assert shown["entities"].texts["bdi"] == ["Dani", "Rome"]
    assert shown["chunks"].texts["b"] == ["NP", "VP", "NP", "PP", "NP"]
    assert shown["roles"].texts["th"] == [*WORDS, "pos", "met"]
    cells = shown["roles"].texts["td"]
    assert cells == [
        "",
        "NNP",
        "VBD",
        "PRP",
        "IN",
        "NNP",
        ".",
        "A0",
        "V",
        "A1",
        "AM-LOC",
    ]
    assert shown["roles"].attributes["colspan"] == {"2"}
    tree = shown["tree"].texts["text"]
    assert tree[:7] == ["S1", "S", "NP", "VP", "NP", "PP", "NP"]
    assert tree[7:] == ["NNP", "VBD", "PRP", "IN", "NNP", ".", *WORDS]
    arcs = shown["dependencies"]
    assert arcs.tags == TAGS - drawn - {"mark", "bdi", "b"} | {
        "svg",
        "path",
        "text",
        "title",
        "g",
    }
    assert sorted(arcs.texts["text"][:6]) == [
        "case",
        "nsubj",
        "obj",
        "obl",
        "punct",
        "root",
    ]
    assert arcs.texts["text"][6:] == [*WORDS, *sentence.tags["pos"]]
    everything = shown["all"]
    assert everything.tags == TAGS - {"i"}
    # Parts of speech stand in a row.
    assert everything.texts["text"] == [
        *tree[:7],
        *WORDS,
        *arcs.texts["text"][:6],
        *WORDS,
    ]


def test_labels_say_what_they_mean(sentence):
    """...if they are of a task whose labels are known: other tasks may mean something
    else.
    """
    found = render(sentence)
    assert '<mark class=a title="person"><bdi>Dani' in found
    assert '<td title="proper name, singular">NNP' in found
    assert re.search(
        r'<td title="prepositional phrase; as a chunk[^"]*" class=\w>PP', found
    )
    assert '<td title="predicate" class=j>V' in found
    assert re.search(r"<text x=\d+ y=\d+><title>clause</title>S</text>", found)
    own = {"pos": ("THING",) * 2, "med": ("S-NP", "O"), "fine": ("NN", "X")}
    spans = {"med": segments(("NP", 0, 1))}
    assert "title" not in render(sentence_from(["a", "b"], own, spans=spans))
    known = render(sentence_from(["a"], {"feats": ("Case=Acc",), "lemma": ("case",)}))
    assert '<td title="case: accusative">Case=Acc' in known and "<td>case" in known
    odd = render(
        sentence_from(["a"], {"pos": ("``",)}, entities=segments(('"x"', 0, 1)))
    )
    assert odd.count("title=") == 1


def test_a_document_with_marks_alone_is_running_text():
    text = "Rome . \t Rome .\r\n\nRome .\n"
    places = [match.start() for match in re.finditer("Rome", text)]
    entities = segments(("LOC", 0, 1))
    document = document_of(
        *(
            sentence_object(["Rome", "."], "Rome .", place, tags={}, entities=entities)
            for place in places
        ),
        text=text,
    )
    mark = '<mark class=b title="place"><bdi>Rome</bdi><b>LOC</b></mark> .'
    for style in ("all", "entities"):
        shown = render(document, style)
        assert f'<p class=r lang="">{mark} {mark}\n\n{mark}\n</p>' in shown
        assert "<li" not in shown
    assert (
        render(document, "roles").count("<li")
        == render(document.sentences).count("<li")
        == 3
    )
    assert "<li" not in render(Document("", ()))


def test_dollars_are_no_formulas(sentence):
    assert render(sentence).startswith(
        '<div class="senna-py tex2jax_ignore mathjax_ignore">'
    )


def test_wide_sentences_are_cut_into_lines_and_brackets_are_open_there(sentence):
    frames = [frame(0, ("V", 0, 1), ("A1", 2, 60)), frame(1, ("A0", 1, 2))]
    found = render(sentence_from(["word"] * 60, frames=frames), "roles")
    tables = found.split("<table>")[1:]
    assert len(tables) == 4
    # With names.
    assert [table.count("<th>word") for table in tables] == [
        20,
        19,
        19,
        7,
    ]
    assert sum(table.count("<tr class=f0") for table in tables) == 4
    # Nothing on other lines.
    assert sum(table.count("<tr class=f1") for table in tables) == 1
    assert found.count("tabindex=0") == 1 + 2
    late = [frame(0, ("V", 0, 1)), frame(3), frame(50, ("V", 50, 51))]
    lines = render(sentence_from(["word"] * 60, frames=late), "roles").split("<table>")[
        1:
    ]
    rows = [re.findall(r"<tr class=(\w+)", line) for line in lines]
    assert rows == [["f0", "f1"], [], ["f2"], []]  # f1 has nothing to show on any
    names = [table.split("colspan=", 1)[1].split(">")[0] for table in tables]
    assert names[0].endswith('class="b z"')
    assert names[1].endswith('class="b y z"')
    assert names[-1].endswith('class="b y"')


def test_lines_of_a_tree_lead_to_all_children(sentence):
    """The bar below a phrase reaches from its first child to its last, be they leaves
    or not.
    """
    shown = render(sentence, "tree")
    places = [int(x) for x in re.findall(r"<text x=(\d+)>", shown)][: len(WORDS)]
    bars = re.findall(r"M(\d+),(\d+)V(\d+)H(\d+)V(\d+)", shown)
    in_vp, in_s, in_pp = (bars[i] for i in (1, 0, 2))
    assert [int(in_vp[0]), int(in_vp[3])] == [places[1], (places[3] + places[4]) // 2]
    assert int(in_s[3]) == places[5]
    assert [int(in_pp[0]), int(in_pp[3])] == [places[3], places[4]]
    middle = re.findall(r"M(\d+),(\d+)v(\d+)", shown)
    assert len(middle) == 2  # VP in S, NP in VP
    assert int(middle[1][0]) == places[2]


def test_the_root_of_a_wide_tree_is_in_sight_and_above_its_children():
    for way in ("word", "שלום"):
        words = [f"{way}{i}" for i in range(80)]
        phrases = [("S", 0, 80), ("NP", 0, 2), ("VP", 2, 80), ("X", 40, 80)]
        tree = tree_of(words, ["NN"] * 80, phrases)
        shown = render(sentence_from(words, **tree), "tree")
        width = int(re.search(r"viewBox=0,0,(\d+)", shown)[1])
        (root, *inner) = [int(x) for x in re.findall(r"<text x=(\d+) y=", shown)]
        assert (root if way == "word" else width - root) < 60  # units of 6 pixels
        for left, right in re.findall(r"M(\d+),\d+V\d+H(\d+)V", shown):
            assert any(int(left) <= x <= int(right) for x in (root, *inner))
        bar = re.search(r"M(\d+),\d+V4H(\d+)V", shown)
        assert int(bar[1]) <= root <= int(bar[2])


def arcs_of(text):
    """Of each arc of an SVG: where it begins and ends, and how high it is."""
    path = r"<path d=M([\d.]+),[\d.]+V([\d.]+)q[^H]*H([\d.]+)q([-\d.]+),0"
    return [
        (float(begin), float(end) + float(bend), float(top))
        for begin, top, end, bend in re.findall(path, text)
    ]


def test_arcs_lead_from_heads_to_dependents_and_cross_no_label():
    heads = [2, 0, None, 6, 5, 6, 2, 2, 3]  # the last one crosses others
    words = [f"word{i}" for i in range(len(heads))]
    sentence = sentence_from(
        words, arcs=arcs_json(heads, [f"a{i}" for i in range(len(heads))])
    )
    shown = render(sentence, "dependencies")
    places = [float(x) for x in re.findall(r"<text x=([\d.]+)>", shown)]
    found = arcs_of(shown)
    assert len(found) == len(heads) - 1
    relations = re.findall(r">a(\d)</text>", shown)
    for number, (begin, end, _) in zip(map(int, relations), found, strict=False):
        assert abs(end - places[number]) < 0.1
        assert abs(begin - places[heads[number]]) < 3
        assert (begin < places[heads[number]]) == (number < heads[number])
    begins = [begin for begin, _, _ in found]
    assert len({*begins}) == len(begins)  # no two lines lie upon each other
    for i, (begin, end, top) in enumerate(found):
        for other_begin, other_end, other_top in found[:i]:
            apart = min(max(begin, end), max(other_begin, other_end)) <= max(
                min(begin, end), min(other_begin, other_end)
            )
            assert apart or top != other_top


def test_wide_arcs_are_scrolled_to_their_root():
    for n, root in ((80, 70), (80, 2), (3, 2)):
        arcs = arcs_json([None if i == root else root for i in range(n)], ["x"] * n)
        shown = render(sentence_from(["word"] * n, arcs=arcs), "dependencies")
        marks = re.findall(r"</svg><i style=margin-inline-start:(\d+)px></i>", shown)
        assert len(marks) == shown.count("<i") == (root == 70)
        for mark in marks:
            x = float(re.search(r"<g class=o><path d=M([\d.]+)", shown)[1])
            assert 300 < x * 6 - int(mark) < 500


def test_arcs_from_right_to_left():
    words, arcs = ["שלום", "עולם"], arcs_json([None, 0], ["root", "dep"])
    ((begin, end, _),) = arcs_of(
        render(sentence_from(words, arcs=arcs), "dependencies")
    )
    assert begin > end
    ((begin, end, _),) = arcs_of(
        render(sentence_from(["a", "b"], arcs=arcs), "dependencies")
    )
    assert begin < end


def test_right_to_left(sentence):
    words = ["שלום", "עולם"]
    tree = tree_of(words, "XX", [("S", 0, 2)])
    backwards = render(sentence_from(words, **tree))
    assert "<li dir=rtl>" in backwards
    first, second = (backwards.index(f">{word}</text>") for word in words)
    places = [int(backwards[:at].rsplit("x=", 1)[1]) for at in (first, second)]
    assert places[0] > places[1]
    assert "<li dir" not in render(sentence)
    assert [direction(text) for text in ("1 א", "x א", "", "...")] == [
        "rtl",
        "ltr",
        "ltr",
        "ltr",
    ]


def test_width_of_text():
    assert [width(text) for text in ("ab", "日本", "e\u0301", "")] == [2, 4, 1, 0]


def test_labels_have_colours_of_their_own():
    assert len({hue(label) for label in ("PER", "LOC", "ORG", "MISC")}) == 4
    assert (
        len({hue(label) for label in ("V", "A0", "A1", "A2", "AM-TMP", "AM-LOC")}) == 6
    )
    assert hue("any \udcff") in "abcdefghi"
    assert {hue(f"label {i}") for i in range(200)} == set("abcdefghi")  # j is for V


def test_the_style_sheet_leaves_the_rest_of_a_page_alone():
    rules = style_sheet().replace("@media", "\n@media")
    for rule in rules.split("}"):
        selectors = rule.rsplit("{", 1)[0].split("*/")[-1].split("{")[-1]
        for selector in selectors.split(",\n"):
            assert selector.strip() == "" or selector.strip().startswith(
                (".senna-py", "@media")
            )


def test_sentences_without_tokens_or_annotations():
    empty = sentence_with([])
    assert Reader(render(empty)).texts["p"] == [""]
    assert "<table>" not in render([])
    assert Reader(render(sentence_from(["a", "b"]))).texts["p"] == ["a b"]


def test_tags_that_look_like_those_of_segments_are_shown():
    token = {"text": "O", "start_char": 0, "end_char": 1}
    sentence = Sentence.from_dict(
        {"text": "O", "tokens": [token], "tags": {"lemma": ["O"]}}
    )
    assert "<th>lemma<td>O" in render(sentence)


def test_notebooks_show_everything(sentence):
    assert sentence._repr_html_() == render(sentence)


def test_unknown_styles_are_named():
    with pytest.raises(UsageError, match="no such style: 'x'; there are all, entities"):
        render([], "x")


def test_text_in_place_of_sentences_is_an_error():
    with pytest.raises(UsageError, match="expected sentences"):
        render("He left.")


def test_predicates_beyond_those_of_the_style_sheet_are_lit_line_by_line():
    words = [f"word{i}" for i in range(27)]
    frames = [frame(i, ("V", i, i + 1)) for i in range(len(words))]
    found = render(sentence_from(words, frames=frames), "roles", page=True)
    rules = set(re.findall(r"\.(f\d*):is\(:hover", found))
    rows = re.findall(r"<tr class=(f\d*)", found)
    assert set(rows) == rules
    assert {"f0", "f23", "f"} <= {*rows}
