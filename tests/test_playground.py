"""The page to type into: its parts, and all of it in a browser."""

import functools
import http.server
import importlib.util
import json
import re
import runpy
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import parse_qs, quote

import pytest

from senna_py import load
from senna_py.display import STYLES, body_html
from tests.helpers.browser import open_browser, open_page, violations, why_none

ROOT = Path(__file__).resolve().parent.parent
PLAYGROUND = ROOT / "docs" / "playground"
PAGE = (PLAYGROUND / "index.md").read_text("utf-8")
SCRIPT = "<img src=x onerror=\"document.title = 'hacked'\"> left Chicago."


def hook():
    """The module that adds the files of the playground to the site."""
    pytest.importorskip("mkdocs")
    path = PLAYGROUND / "site_files.py"
    spec = importlib.util.spec_from_file_location("site_files", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_program_of_the_worker_gives_the_html_of_a_document(
    shipped_model, monkeypatch, caplog
):
    monkeypatch.delenv("SENNA_PY_MODEL", raising=False)
    caplog.set_level("WARNING", "senna_py")  # the program's level ends with the test
    program = runpy.run_path(str(PLAYGROUND / "tagging.py"))
    html, n_sentences = program["tag"](f"{SCRIPT} It rains.", "entities")
    assert html == body_html(load().document(f"{SCRIPT} It rains."), "entities")
    assert "<img" not in html
    assert n_sentences == 2
    assert ".senna-py" in program["style_sheet"]()


def test_the_form_shows_styles_of_the_display():
    assert {*re.findall('name="show" value="([^"]+)"', PAGE)} < {*STYLES}


def test_the_script_uses_elements_of_the_form():
    script = (PLAYGROUND / "playground.js").read_text("utf-8")
    names = {*re.findall(r'\bat\("(\w+)"\)', script)}
    assert len(names) > 3
    assert names == {*re.findall('id="playground-(\\w+)"', PAGE)} - {"input", "output"}


def test_the_page_is_told_what_to_load(tmp_path, monkeypatch):
    """The sizes of all files that a browser fetches, and the name of the wheel."""
    module = hook()
    monkeypatch.setattr(module, "PYODIDE", tmp_path)
    monkeypatch.setattr(module, "WHEEL", tmp_path / "senna_py-1-py3-none-any.whl")
    assert module.missing() == [tmp_path]
    assert module.on_files([], None) == []  # It is no error.

    packages = {name: {"file_name": f"{name}.whl"} for name in module.PACKAGES}
    lock = json.dumps({"packages": packages})
    (tmp_path / module.LOCK).write_text(lock)
    for path in module.missing():
        path.write_bytes(bytes(1000))
    assert module.missing() == []
    assert module.manifest() == {
        "bytes": 1000 * (3 + len(packages)) + len(lock),
        "packages": module.PACKAGES,
        "wheel": module.WHEEL.name,
    }
    published = {*module.published()}
    assert published > {f"playground/pyodide/{name}.whl" for name in packages}
    assert published > {
        "playground/pyodide/pyodide.mjs",
        f"playground/{module.WHEEL.name}",
    }


def why_not():
    """What a test in a browser lacks, or an empty text."""
    if reason := why_none():
        return reason
    if importlib.util.find_spec("mkdocs") is None:
        return "mkdocs is not installed (the extra `docs`)"
    return "docs/playground/prepare.sh was not run" if hook().missing() else ""


TIMEOUT = 900_000  # milliseconds; loading takes seconds, unless the machine is busy


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of the site, which is served below a folder, as it is published."""
    if reason := why_not():
        pytest.skip(reason)
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    root = tmp_path_factory.mktemp("www")
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(root / "senna-py")))
    handler = functools.partial(_Quiet, directory=str(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/senna-py/"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def page(site):
    """The playground with a hostile text in its address; `requests` has its addresses."""
    with open_browser() as browser:
        browser.set_default_timeout(TIMEOUT)
        requests = []
        browser.on("request", lambda request: requests.append(request.url))
        kept = f"playground/#text={quote(SCRIPT)}&show=entities"
        page = open_page(browser, site + kept, 1280, 900)
        page.requests = requests
        wait(page)
        yield page


def wait(page):
    """Wait until the text of the form is tagged; return what is shown."""
    status = page.locator("#playground-status").filter(has_text="tagged in")
    status.wait_for()
    page.wait_for_selector("#playground-result:not(.stale)")
    return page.locator("#playground-result .senna-py")


def show(page, layers):
    page.get_by_label(layers, exact=True).check()
    return wait(page)


@pytest.mark.extra
class TestInABrowser:
    """The page as it is published."""

    def test_the_text_of_a_link_is_shown_and_escaped(self, page):
        assert page.get_by_label("Text", exact=True).input_value() == SCRIPT
        assert page.get_by_label("Entities").is_checked()
        assert page.title() != "hacked"
        assert "<img" in wait(page).inner_text()
        assert wait(page).locator("mark").text_content() == "ChicagoLOC"

    def test_results_are_those_of_python(self, page, shipped_model):
        text = "Bo Li paid $3 to his aunt in Ohio.\n\nShe didn't like it, did she?"
        page.get_by_label("Text", exact=True).fill(text)
        page.wait_for_url("**/#text=Bo*")
        show(page, "Everything")
        expected = body_html(load(shipped_model).document(text))
        same = "(shown, html) => {const other = shown.cloneNode();"
        same += "other.innerHTML = html; return other.innerHTML === shown.innerHTML}"
        assert wait(page).evaluate(same, expected)

    def test_nothing_is_sent(self, page, site):
        before = len(page.requests)
        page.get_by_label("Text", exact=True).fill("He left in 1999.")
        page.wait_for_url("**/#text=He*")
        wait(page)
        assert len(page.requests) == before
        assert [each for each in page.requests if not each.startswith(site)] == []

    @pytest.mark.parametrize("layers", ["Roles", "Tree", "Dependencies", "Everything"])
    def test_the_address_keeps_text_and_layers(self, page, layers):
        page.get_by_label("Examples").select_option(index=2)
        show(page, layers)
        kept = parse_qs(page.url.partition("#")[2])
        assert kept["text"] == [page.get_by_label("Text", exact=True).input_value()]
        assert kept.get("show", ["everything"]) == [layers.lower()]

    def test_a_long_text_leaves_the_tagger_alive(self, page):
        page.get_by_label("Text", exact=True).fill("tall " * 200)
        page.wait_for_url("**/#text=tall+tall*")
        page.get_by_label("Text", exact=True).fill("He left.")
        page.wait_for_url("**/#text=He+left*")
        page.wait_for_selector("#playground-result:not(.stale)")
        assert "He left." in show(page, "Everything").inner_text()

    @pytest.mark.parametrize("scheme", ["default", "slate"])
    def test_results_follow_the_colors_of_the_site(self, page, scheme):
        choose = "scheme => document.body.dataset.mdColorScheme = scheme"
        page.evaluate(choose, scheme)
        color = "shown => getComputedStyle(shown).backgroundColor"
        light = show(page, "Everything").evaluate(color) == "rgb(255, 255, 255)"
        assert light == (scheme == "default")
        assert [each for each in violations(page) if "playground" in each] == []

    def test_a_narrow_page_is_not_scrolled_sideways(self, page):
        page.set_viewport_size({"width": 390, "height": 844})
        width = page.evaluate("[document.body.scrollWidth, innerWidth]")
        assert width[0] <= width[1]

    def test_nothing_went_wrong(self, page):
        assert page.messages == []

    def test_the_benchmark_measures_it(self, site):
        script = ROOT / "benchmarks" / "playground.py"
        command = [sys.executable, str(script), site]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        assert "| a sentence, median | " in result.stdout
