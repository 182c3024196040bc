"""Reports as pages: mistakes, confusions and bars."""

import html5lib
import pytest

from senna_py.cli.eval import command
from senna_py.errors import SennaError
from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.html_report import html_report
from senna_py.evaluation.mistakes import worst_sentences, worst_trees
from senna_py.evaluation.tokens import score_tokens
from senna_py.evaluation.trees import TreePair, score_trees
from senna_py.labels.trees import Tree

NAMESPACE = {"h": "http://www.w3.org/1999/xhtml", "s": "http://www.w3.org/2000/svg"}


def parsed(page):
    """Tree of a page, which must be without errors."""
    return html5lib.HTMLParser(strict=True).parse(page)


def texts(page, path):
    """The text of each element at a path."""
    return ["".join(found.itertext()).strip() for found in page.findall(path, NAMESPACE)]


def test_sentences_are_in_the_order_of_their_mistakes():
    sentences = [
        (["a", "b"], ["B-X", "I-X"], ["B-X", "I-X"]),
        (["c", "d"], ["B-X", "O"], ["B-Y", "B-X"]),
        (["e", "f"], ["B-X", "O"], ["O", "O"]),
        (["g", "h"], ["O", "B-X"], ["O", "O"]),
    ]
    found = worst_sentences("segments", sentences)
    assert [(each.number, each.n_mistakes) for each in found] == [(2, 2), (3, 1), (4, 1)]
    assert found[0].comparisons[0].predicted == [("Y", 0, 1), ("X", 1, 2)]
    assert [each.number for each in worst_sentences("tags", sentences, 1)] == [2]
    assert worst_sentences("tags", sentences)[1].n_mistakes == 1


def test_roles_are_compared_by_predicate():
    gold = {0: ["S-V", "S-A1", "O"], 2: ["O", "O", "S-V"]}
    predicted = {0: ["S-V", "S-A0", "O"]}
    (found,) = worst_sentences("roles", [(["a", "b", "c"], gold, predicted)])
    assert [(each.name, each.n_mistakes) for each in found.comparisons] == [("a", 1), ("c", 1)]
    same = worst_sentences("roles", [(["a"], {0: [("V", 0, 1)]}, {0: ["S-V"]})])
    assert same == []


def test_a_report_shows_counts_confusions_and_mistakes():
    pairs = [(["B-NP", "I-NP", "B-<x>"], ["B-NP", "I-NP", "B-VP"]), (["B-NP"], ["O"])]
    scores = score_chunks(pairs)
    words = [["the", "<b>dog</b>", "runs"], ["it"]]
    worst = worst_sentences("segments", [(w, *p) for w, p in zip(words, pairs, strict=True)])
    text = html_report("a & b", ["F1 < 50"], scores, worst)
    page = parsed(text)
    assert texts(page, ".//h:h1") == ["a & b"]
    assert texts(page, ".//h:pre") == ["F1 < 50"]
    bars, heat = page.findall(".//h:table[@class]", NAMESPACE)
    assert texts(bars, ".//h:tr")[1] == "NP21" + "1100.0050.0066.67"
    meter = bars.find(".//h:meter", NAMESPACE)
    assert meter.attrib["value"] == "66.67"
    assert texts(heat, ".//h:tr")[0] == "<x>NPVP-"
    assert "<x>" in texts(heat, ".//h:tr")[1]
    cells = {row.find("h:th", NAMESPACE).text.strip(): texts(row, "h:td")
             for row in heat.findall(".//h:tr", NAMESPACE)[1:]}  # fmt: skip
    assert cells == {
        "<x>": ["", "", "1", ""], "NP": ["", "1", "", "1"], "VP": [""] * 4, "-": [""] * 4,
    }  # fmt: skip
    assert texts(page, ".//h:li/h:p") == ["Sentence 1: 1 mistake", "Sentence 2: 1 mistake"]
    assert "<b>dog</b>" in texts(page, ".//h:th")
    classes = [cell.attrib.get("class") for cell in page.findall(".//h:li//h:td", NAMESPACE)]
    assert classes.count("k") == 2  # what is right has no colour, of both sides


def test_a_report_without_a_mistake_or_with_many_labels():
    good = score_tokens([(["a"], ["a"])])
    assert "There are none." in texts(parsed(html_report("x", [], good, [])), ".//h:p")
    tags = [f"T{i:02}" for i in range(40)]
    many = score_tokens([(tags, tags[1:] + tags[:1])])
    page = parsed(html_report("x", [], many, []))
    assert any("30 labels with the most mistakes, of 40" in p for p in texts(page, ".//h:p"))
    assert len(page.findall(".//h:table", NAMESPACE)[1].findall(".//h:tr", NAMESPACE)) == 31


def test_trees_are_shown_one_below_the_other():
    gold = Tree.parse("(S (NP (DT the) (NN dog)) (VP (VBZ runs)))")
    other = Tree.parse("(S (NP (DT the)) (NX (NN dog)) (VP (VBZ runs)))")
    pairs = [TreePair(gold, gold), TreePair(gold, other), TreePair(gold, None)]
    scores = score_trees(pairs)
    worst = worst_trees(scores, pairs)
    assert [(each.number, each.n_mistakes) for each in worst] == [(2, 3)]
    page = parsed(html_report("x", [], scores, worst))
    assert texts(page, ".//h:li//h:figcaption") == ["gold", "predicted"]
    shown = page.findall(".//h:figure/s:svg", NAMESPACE)
    assert len(shown) == 2
    assert "NX" in texts(shown[1], ".//s:text")


@pytest.mark.parametrize(
    "args",
    [["chunk", "chunk.iob2.txt"], ["chunk", "-r", "pos.raw.txt"], ["token", "pos.raw.txt"],
     ["srl", "srl.gold.props", "srl.pred.props"], ["tree", "tree.gold.mrg", "tree.pred.mrg"]],
)  # fmt: skip
def test_every_command_writes_a_page(golden, tmp_path, monkeypatch, capfd, args):
    monkeypatch.chdir(golden / "eval")
    out = tmp_path / "report.html"
    command.main(args, standalone_mode=False)
    plain = capfd.readouterr().out
    command.main([*args, "--html", str(out)], standalone_mode=False)
    assert capfd.readouterr().out == plain != ""
    page = parsed(out.read_text("utf-8"))
    assert len(page.findall(".//h:li", NAMESPACE)) == 20
    assert texts(page, ".//h:h2") == ["Labels", "Confusions", "Worst sentences"]


def test_a_report_does_not_overwrite_what_is_read(tmp_path, capfd):
    path = tmp_path / "a"
    path.write_text("x B-NP B-NP\n")
    with pytest.raises(SennaError, match="overwrite the input"):
        command.main(["chunk", str(path), "--html", str(path)], standalone_mode=False)
    assert path.read_text() == "x B-NP B-NP\n"


def test_a_model_is_reported(golden, tmp_path, capfd):
    data, out = tmp_path / "a.tsv", tmp_path / "report.html"
    data.write_text("He\tPRP\nlives\tVBZ\n\nNo\tDT\n.\t.\n")
    run = ["model", "pos", str(data), "-path", str(golden / "model"), "--columns", "word,pos"]
    command.main([*run, "--html", str(out)], standalone_mode=False)
    page = parsed(out.read_text("utf-8"))
    assert any(text.startswith("Sentence 1") for text in texts(page, ".//h:li/h:p"))
    assert {"He", "lives"} <= set(texts(page, ".//h:th"))
