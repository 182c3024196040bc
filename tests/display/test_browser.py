"""Pages in a real browser, where there is one."""

import socket
import threading

import pytest
from test_render import sentence_from, sentence_of

from senna_py.display import STYLES, render
from tests.helpers.browser import open_browser, open_page, violations, why_none
from tests.helpers.documents import arcs as arcs_json

pytestmark = [
    pytest.mark.extra,
    pytest.mark.skipif(why_none() is not None, reason=str(why_none())),
]
SCRIPT = "<script>document.title = 'hacked'</script>"
WORDS = [
    "Dani",
    SCRIPT,
    "<img src=x onerror=alert(1)>",
    "שלום",
    "\u202eevil",
    "\x00",
    "met",
]


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Address of a page with all styles of sentences whose words are hostile, or
    many.
    """
    odd = sentence_of(WORDS, ["</td>", *"abcdef"], "</style>")
    long = sentence_of([f"word{i}" for i in range(60)], ["NN"] * 60, "NP")
    right_to_left = sentence_of(["שלום", "עולם", "טוב"], ["NN"] * 3, "NP")
    body = "".join(render([odd, long, right_to_left], style) for style in STYLES)
    path = tmp_path_factory.mktemp("page") / "page.html"
    whole = render([odd, long, right_to_left], page=True, title="Test")
    path.write_text(whole.replace("</main>", f"{body}</main>"), "utf-8")
    return path.as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "dark")])
def test_nothing_is_wrong_with_pages(browser, address, width, scheme):
    page = open_page(browser, address, width, scheme=scheme)
    assert page.title() == "Test"
    assert page.messages == []
    assert violations(page) == []
    body = page.evaluate("[document.body.scrollWidth, innerWidth]")
    assert body[0] <= body[1]
    page.close()


def test_text_can_be_selected_and_is_the_sentence(browser, address):
    page = open_page(browser, address)
    for place, words in ((0, WORDS), (2, ["שלום", "עולם", "טוב"])):
        chosen = page.evaluate(
            "place => { getSelection().selectAllChildren(document.querySelectorAll('p')[place]);"
            "return getSelection().toString() }",
            place,
        )
        assert chosen == " ".join(words).replace("\0", "\u2400")
    page.close()


def test_one_predicate_can_be_followed(browser, address):
    page = open_page(browser, address)
    page.evaluate("document.querySelectorAll('.x')[1].scrollIntoView()")
    page.keyboard.press("Tab")
    weight = "row => getComputedStyle(row.querySelector('th')).fontWeight"
    rows = page.locator(".x").nth(1).locator("tr.f0, tr.f1")
    assert {rows.nth(i).evaluate(weight) for i in range(rows.count())} == {"400"}
    for follow in ("focus", "hover"):
        first = rows.nth(0)
        getattr(first if follow == "focus" else first.locator("th"), follow)()
        assert first.evaluate("row => row.className") == "f0"
        shown = [
            rows.nth(i).evaluate("row => row.className") for i in range(rows.count())
        ]
        seen = [rows.nth(i).evaluate(weight) for i in range(rows.count())]
        assert seen == ["700" if name == "f0" else "400" for name in shown]
        page.evaluate("document.activeElement.blur()")
    page.close()


def test_the_sentences_of_a_page_are_printed_whole(browser, address):
    page = open_page(browser, address, 717)  # A4 between the margins of Chromium
    page.emulate_media(media="print", color_scheme="dark")
    style = "getComputedStyle(document.body)"
    assert page.evaluate(f"{style}.backgroundColor") == "rgb(255, 255, 255)"
    wide = page.evaluate(
        "Array.from(document.querySelectorAll('.x'), x => x.scrollWidth - x.clientWidth)"
    )
    assert max(wide) <= 0
    page.close()


def test_sentences_in_the_page_of_somebody_else(browser, tmp_path):
    path = tmp_path / "notebook.html"
    shown = sentence_from(["a", "b"])._repr_html_()
    path.write_text(
        "<!DOCTYPE html><title>x</title><body><p id=own>own</p>" + shown,
        encoding="utf-8",
    )
    page = open_page(browser, path.as_uri(), scheme="dark")
    assert page.evaluate("getComputedStyle(own).color") == "rgb(0, 0, 0)"
    page.close()


def test_the_page_of_a_server(browser, tagger):
    uvicorn = pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    from senna_py.server.application import create_application
    from senna_py.server.service import Service

    application = create_application(Service(tagger))
    server = uvicorn.Server(uvicorn.Config(application, log_config=None))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        page = open_page(browser, f"http://127.0.0.1:{listening.getsockname()[1]}/")
        page.get_by_label("Text").fill(f"{SCRIPT} left .")
        page.get_by_role("button", name="Tag").click()
        page.wait_for_selector("table")
        assert page.get_by_label("Text").input_value() == f"{SCRIPT} left ."
        assert page.title() == "senna-py"
        assert page.messages == []
        assert violations(page) == []
        page.close()
        server.should_exit = True
        thread.join()


def test_a_wide_sentence_is_scrolled_to_its_root(browser, tmp_path):
    arcs = arcs_json([70 if i != 70 else None for i in range(80)], ["dep"] * 80)
    wide = sentence_from([f"word{i}" for i in range(80)], arcs=arcs)
    (tmp_path / "page.html").write_text(render(wide, "dependencies", page=True))
    page = open_page(browser, (tmp_path / "page.html").as_uri())
    place = page.evaluate("document.querySelector('.o').getBoundingClientRect().x")
    assert 200 < place < page.evaluate("innerWidth")
    page.close()
