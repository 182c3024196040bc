"""The application: pages, JSON, errors, limits, and the description of all of them."""

import json
import re
import urllib.parse

import pytest

from senna_py import Document, __version__
from senna_py.errors import SennaError, UsageError
from senna_py.server.limits import Limits
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL
from tests.helpers.documents import document_of, frame, sentence_object
from tests.helpers.json_schema import problems

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from senna_py.server import pages
from senna_py.server.application import create_application
from senna_py.server.connections import connection_options
from senna_py.server.names import Names
from senna_py.server.pages import LONGEST_TEXT
from senna_py.server.requests import MEDIA_TYPES
from senna_py.server.service import Service
from tests.helpers.server import FORM, JSON, ask, call, faked, serving

pytestmark = pytest.mark.extra

CROSS = {"Sec-Fetch-Site": "cross-site"}
LARGEST = Limits.max_body


@pytest.fixture(scope="module")
def tagger():
    return Tagger(MODEL, ["pos", "ner"])


@pytest.fixture(scope="module")
def port(tagger):
    """Port of a server that tags a text at a time."""
    options = connection_options()
    with serving(create_application(Service(tagger)), options) as (_, port):
        yield port


def test_json_is_what_python_gives(port, tagger):
    text = "He left Rome. <b>She</b>\ndid not."
    status, headers, body = ask(port, "POST", "/tag", json.dumps({"text": text}), JSON)
    assert status == 200
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    found = Document.from_json(body)
    assert found == tagger.document(text)
    assert len(found.sentences) == 2
    assert Document.from_json(
        ask(port, "POST", "/tag", '{"text": ""}', JSON)[2]
    ) == Document("")
    odd = json.loads(
        ask(port, "POST", "/tag", '{"text": "a \\ud800\\u0000 b"}', JSON)[2]
    )
    assert odd["sentences"]
    chunked = ask(port, "POST", "/tag", iter([b'{"text": ', b'"No."}']), JSON)
    assert json.loads(chunked[2])["sentences"]


def test_the_page_shows_what_was_typed(port):
    status, headers, empty = ask(port, "GET", "/?x")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "<textarea" in empty
    assert "<ol" not in empty
    text = "\r\n</textarea><script>x</script> & é\r\nNo ."
    own = {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"}
    status, _, page = ask(
        port, "POST", "/", urllib.parse.urlencode({"text": text}), FORM | own
    )
    assert status == 200
    assert "<script" not in page
    assert (
        "&lt;/textarea&gt;&lt;script&gt;x&lt;/script&gt; &amp; é\nNo .</textarea>"
        in page
    )
    assert "<th>No<th>." in page
    head = ask(port, "HEAD", "/")
    assert (head[0], int(head[1]["Content-Length"]), head[2]) == (
        200,
        len(empty.encode()),
        "",
    )


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "said"),
    [
        ("GET", "/tag", None, {}, 405, "takes POST"),
        ("OPTIONS", "/tag", None, {}, 405, "takes POST"),
        ("PUT", "/", None, {}, 405, "takes GET, HEAD, POST"),
        ("GET", "/tag/", None, {}, 404, "there are /, /tag"),
        ("POST", "/tag", "nonsense", JSON, 400, "JSON object"),
        ("POST", "/tag", '{"text": 1}', JSON, 400, "text: expected a text"),
        ("POST", "/tag", "text=a", FORM, 400, "send a JSON object"),
        ("POST", "/tag", "[]", JSON, 400, "the body is not an object"),
        ("POST", "/tag", "[" * 10000, JSON, 400, "JSON object"),
        ("POST", "/tag", "", JSON, 400, "the body is empty: send a JSON object"),
        ("POST", "/tag", "{}", {"Content-Encoding": "gzip"}, 415, "g gzip is not"),
        ("POST", "/tag", None, {"Content-Length": "9" * 12}, 413, "is not read"),
        (
            "POST",
            "/search",
            '{"text": "a"}',
            JSON,
            400,
            "pattern is needed, such as in {",
        ),
        ("POST", "/tag", " " * (LARGEST + 1), JSON, 413, "at most 262,144 bytes"),
        ("POST", "/tag", " " * (LARGEST << 4), JSON, 413, "at most"),
        ("POST", "/tag", iter([b" " * LARGEST] * 3), JSON, 413, "at most"),
        ("GET", "/", None, {"Host": "example.com:80"}, 403, "unknown name"),
        ("GET", "/", None, {"Host": "localhost@example.com"}, 403, "unknown name"),
        ("POST", "/tag", "{}", {"Origin": "http://evil.example"}, 403, "another site"),
        ("POST", "/", "text=a", {"Origin": "null"}, 403, "another site"),
        ("POST", "/", "text=a", {"Origin": "http://["}, 403, "another site"),
        ("POST", "/", "text=a", CROSS, 403, "another site"),
        ("GET", "/", "text=a", {}, 400, "has none"),
    ],
)
def test_what_cannot_be_answered(port, method, path, body, headers, status, said):
    found, sent, text = ask(port, method, path, body, headers)
    assert found == status
    assert said in json.loads(text)["error"]
    assert sent["Connection"] == "close"
    assert sent["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("body", "status", "said", "kept"),
    [
        (
            b"text=" + b"No.+" * (LONGEST_TEXT // 4 + 1),
            413,
            "at most 65,536 bytes, this one 65,540",
            "No. " * (LONGEST_TEXT // 4 + 1),
        ),
        (b"text=" + b"%E9%BB" * LONGEST_TEXT, 413, "more than is shown", ""),
        (b"text=A+%3Cb%3E+\xff", 400, "form in UTF-8", "A &lt;b&gt; \ufffd"),
        (b"text=A+%FF", 400, "form in UTF-8", "A \ufffd"),
        (b"text=+%0D%0A", 200, "no text", " \n"),
        (b"text=", 200, "no text", ""),
        (b"other=1", 400, "send a form", ""),
        (b"a=&" * 11 + b"text=a", 400, "send a form", ""),
    ],
)
def test_errors_of_the_form_are_on_its_page(port, body, status, said, kept):
    found, headers, page = ask(port, "POST", "/", body, FORM)
    assert (found, headers["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert said in page.split("<p role=alert>")[1].split("</p>")[0]
    assert f"{kept}</textarea>" in page


def test_text_of_any_script_may_be_as_long(port):
    body = b"text=" + urllib.parse.quote("я" * 20).encode() + b"%0A" * 60_000
    assert ask(port, "POST", "/", body, FORM)[0] == 200


def test_a_browser_gets_a_page_whatever_it_asks_for(port):
    accepts = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for method, path, more in (
        ("GET", "/tag", {}),
        ("GET", "/x", {}),
        ("GET", "/", {"Host": "x"}),
    ):
        status, headers, page = ask(port, method, path, None, accepts | more)
        assert (status >= 400, headers["Content-Type"]) == (
            True,
            "text/html; charset=utf-8",
        )
        assert "<p role=alert>" in page and "<textarea" in page


def test_names_of_hosts_have_no_case(port):
    for host in (
        "LOCALHOST",
        "localhost.",
        f"LocalHost:{port}",
        "127.0.0.1",
        "[::1]:80",
    ):
        assert ask(port, "GET", "/", headers={"Host": host})[0] == 200
        own = {"Host": host, "Origin": f"http://{host.upper()}"}
        assert ask(port, "POST", "/tag", '{"text": ""}', own)[0] == 200
    assert ask(port, "GET", "/", headers=CROSS)[0] == 200  # a link on another page


@pytest.mark.parametrize(
    ("headers", "status", "said"),
    [
        (
            {"Host": "tagger.example.com", "Origin": "https://tagger.example.com"},
            200,
            "",
        ),
        ({"Host": "Tagger.Example.com.:443"}, 200, ""),
        ({"Host": "localhost:8765", "Origin": "https://tagger.example.com"}, 200, ""),
        ({"Host": "localhost:8765", "Origin": "https://evil.example"}, 403, "--public"),
        ({"Host": "xtagger.example.com:80"}, 403, "--public-host xtagger.example.com"),
        ({"Host": "tagger.example.com", "Origin": "null"}, 403, "address of the page"),
        ({"Host": "tagger.example.com", **CROSS}, 403, "another site"),
    ],
)
def test_a_proxy_has_a_name_of_its_own(headers, status, said):
    names = Names.of_options("127.0.0.1", ("Tagger.example.com",))
    application = faked(lambda text, is_wanted: "{}", names=names)
    sent = [(key.lower().encode(), value.encode()) for key, value in headers.items()]
    body = b'{"text": "a"}'
    found, _, text = call(application, "POST", "/tag", body, sent, host=None)
    assert found == status
    assert said in text


def test_programs_that_send_no_name_are_answered():
    application = faked(lambda text, is_wanted: "{}")
    assert call(application, "GET", "/health", host=None)[0] == 200
    assert call(application, "POST", "/tag", {"text": "a"}, host=None)[0] == 200
    sent = [(b"origin", b"https://evil.example")]
    assert call(application, "POST", "/tag", {"text": "a"}, sent, None)[0] == 403


def test_names_that_are_no_host_names_are_errors():
    for name in ("https://tagger.example.com", "tagger.example.com:443", ""):
        with pytest.raises(UsageError, match="give the name only"):
            Names.of_options("127.0.0.1", (name,))
    for host, is_local in (("::1", True), ("0.0.0.0", False)):
        assert Names.of_options(host, ()).is_local == is_local


def test_what_goes_wrong_in_tagging_is_an_error_and_the_text_stays_in_the_form():
    def fail(text, is_wanted=None):
        raise SennaError(f"model: broken\n{text}")

    application = faked(fail, fail)
    status, _, body = call(application, "POST", "/tag", {"text": "a"})
    assert (status, json.loads(body)) == (500, {"error": "model: broken\\na"})
    status, _, page = call(application, "POST", "/", b"text=a+%26+b")
    assert status == 500
    assert "model: broken" in page
    assert "a &amp; b</textarea>" in page


def test_an_error_of_the_program_is_an_answer_and_goes_on_to_the_log():
    def fail(text, is_wanted):
        raise RuntimeError("no such thing")

    with pytest.raises(RuntimeError):
        call(faked(fail), "POST", "/tag", {"text": "a"})


def test_a_client_that_sends_no_body_is_not_waited_for():
    application = faked(limits=Limits(timeout=0.05))
    status, headers, body = call(application, "POST", "/tag", None)
    assert (status, headers["retry-after"]) == (503, "1")
    assert "a request has 0.05 seconds" in json.loads(body)["error"]


def test_limits_say_what_to_do():
    application = faked(limits=Limits(max_body=40, max_texts=2))
    for texts, said in ((["a"] * 3, "in several requests"), (["a" * 40], "--max-body")):
        status, _, body = call(application, "POST", "/tag", {"texts": texts})
        assert status == 413
        assert said in json.loads(body)["error"]


def test_rows_of_too_many_predicates_are_not_drawn(monkeypatch):
    frames = [frame(i, ("V", i, i + 1)) for i in range(30)]
    tags = {"pos": ["VB"] * 30, "ner": ["O"] * 30}
    document = document_of(sentence_object(["eat"] * 30, tags=tags, frames=frames))
    application = faked(document=lambda text: document)
    body = b"text=" + b"+".join([b"eat"] * 30)
    page = call(application, "POST", "/", body)[2]
    assert page.count("tabindex=0><th>eat") == 30
    monkeypatch.setattr(pages, "MOST_DRAWN", 899)
    status, _, page = call(application, "POST", "/", body)
    assert (status, "<table" in page, "eat eat" in page) == (200, False, True)
    assert "30 predicates are too many to draw" in page.split("<p role=alert>")[1]


def test_health_and_metrics():
    application = faked(lambda text, is_wanted: "{}")
    status, _, body = call(application, "GET", "/health")
    assert status == 200
    assert json.loads(body) == {
        "status": "ok",
        "version": __version__,
        "model": "fake",
        "tasks": ["pos"],
        "waiting": 0,
        "running": 0,
    }
    call(application, "POST", "/tag", {"text": "a"})
    call(application, "GET", "/no/such/path")
    status, headers, text = call(application, "GET", "/metrics")
    assert headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert text.endswith("\n")
    values = dict(
        line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")
    )
    assert values['senna_requests_total{path="/tag",status="200"}'] == "1"
    assert values['senna_requests_total{path="other",status="404"}'] == "1"
    assert values["senna_request_seconds_count"] == "3"
    assert values['senna_request_seconds_bucket{le="+Inf"}'] == "3"
    assert values["senna_texts_total"] == "1"
    assert values["senna_tokens_total"] == "5"
    assert values["senna_queue_length"] == "0"
    names = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert all(any(key.startswith(name) for name in names) for key in values)


def test_the_log_has_a_line_for_each_request_without_its_text(capsys):
    application = faked(lambda text, is_wanted: "{}", log_requests=True)
    call(application, "POST", "/tag", {"text": "secret"})
    call(application, "GET", "/no such\npath" + "x" * 1000)
    call(faked(), "GET", "/health")
    first, second = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"[\d-]+T[\d:]+[+-]\d{4} - POST /tag 200 \d+ [\d.]+", first)
    assert " GET /no%20such%0Apathxxx" in second
    assert " 404 " in second
    assert len(second) < 200


def schema_of(description, path, method, status, media_type="application/json"):
    operation = description["paths"][path][method]
    return operation["responses"][str(status)]["content"][media_type]["schema"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("get", "/health", b"", 200),
        ("get", "/openapi.json", b"", 200),
        ("post", "/tag", {"text": "He left Rome. It's 5."}, 200),
        ("post", "/tag", {"texts": ["", "Ann left."], "tasks": ["ner"]}, 200),
        ("post", "/tag", {"text": "Ann", "scores": True, "tokens": "ptb"}, 200),
        ("post", "/search", {"text": "Ann left.", "pattern": "a:[]"}, 200),
        ("post", "/search", {"text": "Ann left."}, 400),
        ("post", "/tag", {"text": "Ann", "task": ["ner"]}, 400),
        ("post", "/tag", {"texts": ["a"] * 257}, 413),
    ],
)
def test_answers_are_what_the_description_says(tagger, method, path, body, status):
    application = create_application(Service(tagger))
    description = json.loads(call(application, "GET", "/openapi.json")[2])
    found, _, text = call(application, method.upper(), path, body)
    assert found == status
    answer = json.loads(text)
    schema = schema_of(description, path, method, status)
    assert problems(answer, schema, description) == []
    if method == "post":
        content = description["paths"][path]["post"]["requestBody"]["content"]
        found = problems(body, content["application/json"]["schema"], description)
        assert (found == []) == (status == 200)


def test_the_description_has_every_path_and_format():
    description = json.loads(call(faked(), "GET", "/openapi.json")[2])
    assert description["openapi"] == "3.1.0"
    listed = json.loads(call(faked(), "GET", "/none")[2])["error"]
    paths = listed.removeprefix("there are ").split(", ")
    assert {*description["paths"]} == {*paths} - {"/"}
    content = description["paths"]["/tag"]["post"]["responses"]["200"]["content"]
    assert {*content} == {"application/json", *MEDIA_TYPES.values()}
