"""Targets: requests to the server; directories of corpora in parts; records, tables,
sentences.
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
from pathlib import Path
from unittest.mock import patch

from tests.fuzz.cases import Target, refuse, written
from tests.fuzz.damage import HOSTILE, damage_lines, damage_text, replace_value
from tests.fuzz.of_models import GOLDEN
from tests.helpers.commands import files_below, in_directory

_REQUESTS = (  # method and path, headers, and a body
    b"GET /\nhost: localhost\n\n",
    b"HEAD /?a=b\nhost: 127.0.0.1:80\naccept: text/html\n\n",
    b"OPTIONS *\nhost: [::1]\norigin: http://localhost\n\n",
    b'POST /tag\nhost: localhost\ncontent-length: 24\n\n{"text": "He lives. No"}',
    b'POST /tag\nhost: localhost\n\n{"texts": ["He lives."], "tasks": ["ner"], '
    b'"format": "csv", "scores": true}',
    b"GET /metrics\nhost: localhost\n\n",
    b"POST /\nhost: localhost\norigin: http://localhost\nsec-fetch-site: same-origin\n\n"
    b"text=a+b%0Ac",
)
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9a-z-]+")  # of a header: servers refuse others


class Requests(Target):
    """What `senna-py serve` gets of requests, whose body comes in pieces, or does not
    end.
    """

    name = "server"

    def prepare(self, directory):
        """Have a tagger."""
        from senna_py.tagger import Tagger

        self._tagger = Tagger(GOLDEN / "model", ["pos", "ner"])

    def run(self, source, directory):
        """Damage a request and look at the answer; the message is what it says."""
        from senna_py.kernels.runtime.switch import fixed_kernels
        from senna_py.server.application import create_application
        from senna_py.server.service import Service
        from tests.helpers.server import scope_of

        data = damage_text(
            source, source.choice(_REQUESTS), (b"\n", b" ", b":", b"/", b"=", b'"')
        )
        head, _, body = data.partition(b"\n\n")
        first, *lines = head.split(b"\n")
        method, _, path = first.decode("latin-1").partition(" ")
        pairs = (line.lower().partition(b": ") for line in lines)
        headers = [(name, value) for name, _, value in pairs if _NAME.fullmatch(name)]
        cuts = sorted(
            source.randrange(len(body) + 1) for _ in range(source.choice([0, 1, 3]))
        )
        pieces = [
            body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)
        ]
        ends, sent = source.random() < 0.9, []

        async def receive():
            if not pieces:
                # A client that waits, or has left.
                await asyncio.sleep(60 if ends else 0)
                return {"type": "http.disconnect"}
            piece = pieces.pop(0)
            return {
                "type": "http.request",
                "body": piece,
                "more_body": bool(pieces) or not ends,
            }

        async def send(message):
            sent.append(message)

        with fixed_kernels(plain=True):
            application = create_application(Service(self._tagger))
            scope = scope_of(method, path, headers)
            asyncio.run(application(scope, receive, send))
        status, kind = sent[0]["status"], dict(sent[0]["headers"])[b"content-type"]
        assert status in (200, 400, 403, 404, 405, 413, 499), sent
        if kind.startswith(b"application/json"):
            found = json.loads(sent[1]["body"], parse_constant=refuse)
            assert ("error" in found) == (status >= 400)
        return f"status {status}" if status >= 400 else None


def _one_by_one(_, work, inputs, hear):
    """Tag parts as `parts.run.outcomes` has them tagged, in this process, which hides
    no fault.
    """
    from senna_py.corpora.places import BatchPlace
    from senna_py.io.streaming import InputError

    for parts in inputs:
        place = BatchPlace(parts[0].input.name)
        for part in parts:
            try:
                yield part, work.tag(part, place, hear)
                place = work.place_after(part, place, hear)
            except InputError as error:
                yield part, str(error)


def _tag(names, form, part_bytes, **options):
    """Tag inputs below the working directory into `out`; returns the message, or
    None.
    """
    from senna_py.cli.corpus import work_of
    from senna_py.cli.tag_options import TagOptions
    from senna_py.errors import SennaError
    from senna_py.kernels.runtime.switch import fixed_kernels
    from senna_py.parts import run

    tasks, notes = () if form == "trees" else ("pos",), []
    options = TagOptions(
        path=str(GOLDEN / "model"), tasks=tasks, format=form, **options
    )
    try:
        with fixed_kernels(plain=True), patch.object(run, "outcomes", _one_by_one):
            work = work_of("out", options)
            n_failed = run.tag_corpus(
                names,
                work,
                contextlib.nullcontext(),
                part_bytes,
                lambda *note: notes.extend(note),
            )
    except SennaError as error:
        return str(error)
    json.loads(Path("out/_manifest.json").read_bytes(), parse_constant=refuse)
    return notes[0] if n_failed else None


_TEXT = b"Anna sees Rome .\n\nHe sleeps. They do not.\n> quoted\n--\nA. K.\n"
_LINES = (
    b'{"text": "He sleeps .", "n": 1.10}\n{"id": [1e999, null], "text": "No.\\nYes."}\n'
)


class Corpora(Target):
    """Directories of `senna-py corpus` of which anything was changed since the first
    run.
    """

    name = "corpus"

    def run(self, source, directory):
        """Tag, change what there is, and tag again: all is as before, or the message of
        a line.
        """
        written(directory / "victim", b"stays")
        written(directory / "work" / "in" / "a.txt", _TEXT)
        written(directory / "work" / "in" / "b.jsonl", _LINES)
        form = source.choice(["senna", "conll", "jsonl", "parquet", "trees"])
        given = ["in"], form, source.choice([9, 30, 10_000])
        with in_directory(directory / "work"):
            assert _tag(*given) is None
            before = _outputs()
            for _ in range(source.choice([1, 1, 2, 5])):
                _change(
                    source, [path for path in Path("out").rglob("*") if path.is_file()]
                )
            problem = _tag(*given)
            if problem is None:
                assert {name: _outputs().get(name) for name in before} == before
        assert (directory / "victim").read_bytes() == b"stays"
        assert sorted(os.listdir(directory)) == ["victim", "work"]
        assert sorted(os.listdir(directory / "work")) == ["in", "out"]
        return problem


def _outputs():
    """Bytes of the outputs by name."""
    files = files_below("out")
    return {name: data for name, data in files.items() if not name.startswith("_")}


def _change(source, files):
    """Damage one of the files that a run wrote, or put something else in its place."""
    path, kind = source.choice(files), source.randrange(9)
    if not path.exists() or path.is_symlink():
        return
    if kind < 3 and path.suffix == ".json":
        path.write_bytes(_other_json(source, path.read_bytes()))
    elif kind < 5:
        path.write_bytes(
            damage_text(source, path.read_bytes(), (b'"', b" ", b",", b":"))
        )
    elif kind == 5:
        path.write_bytes(source.choice(HOSTILE))
    elif kind == 6:
        shutil.copy(
            source.choice([each for each in files if each.exists()]),
            path.with_name("x"),
        )
        os.replace(path.with_name("x"), path)
    else:
        path.unlink()
        if kind == 7:
            path.symlink_to(
                source.choice(["/victim", "../../victim", path.name, "nothing"])
            )
        elif source.random() < 0.3:
            path.mkdir()
        elif source.random() < 0.5:
            os.mkfifo(path)


def _other_json(source, data):
    """A JSON object with another value somewhere, as bytes, or with other bytes if it
    is none.
    """
    try:
        value = json.loads(data)
        replace_value(source, value)
    except (ValueError, TypeError, IndexError):  # it was damaged before, or is empty
        return damage_lines(source, data, (b'"', b",", b":"))
    return json.dumps(value).encode()


class JsonLines(Target):
    """JSON lines, their texts and what they carry."""

    name = "records"

    def run(self, source, directory):
        """Tag damaged lines to JSON and to Parquet."""
        lines = [_LINES, *(_object(source) for _ in range(source.choice([1, 3])))]
        data = b"".join(lines)
        if source.random() < 0.7:
            data = damage_text(source, data, (b",", b":", b'"', b" "))
        path = written(directory / "a.jsonl", data)
        form = source.choice(["jsonl", "jsonl", "parquet"])
        with in_directory(directory):
            problem = _tag(
                [path.name], form, 10_000, split_sentences=source.random() < 0.5
            )
            if problem is None:
                _check_fields(form, data)
        return problem


def _object(source):
    """A JSON object of a text and other fields, as bytes of a line."""
    values = [
        None,
        True,
        0,
        -0.0,
        1e300,
        10**30,
        "",
        "a\x00\ud800\u2028",
        [],
        {},
        [[1.5]],
        {"": 1},
    ]
    found = {
        source.choice(["x", "y", "text", "", "é", "fields"]): source.choice(values)
        for _ in range(source.randrange(4))
    }
    found["text"] = source.choice(
        ["He sleeps .", "", "\n", "a\nb\n", "\ud83d x", "\x1f\x85", None]
    )
    return (
        json.dumps(found, ensure_ascii=source.random() < 0.5).encode("utf-8", "replace")
        + b"\n"
    )


def _pairs(data):
    """A JSON object as a list of its names and values, with numbers as they are
    written.
    """
    return json.loads(
        data,
        parse_int=str,
        parse_float=str,
        parse_constant=refuse,
        object_pairs_hook=list,
    )


def _check_fields(form, data):
    """Raise AssertionError unless each sentence has the other fields of its record."""
    (out,) = Path("out").glob(f"a.jsonl.00000.{form}")
    text = (
        data.decode("utf-8-sig")
        if not data.startswith(b"\xff\xfe")
        else data.decode("utf-16")
    )
    wanted = [
        [pair for pair in _pairs(line) if pair[0] != "text"] if line.strip() else None
        for line in text.split("\n")
    ]
    if form == "parquet":
        import pyarrow.parquet as pq

        rows = pq.read_table(out).to_pylist()
        found = [(row["document"], _pairs(row["fields"])) for row in rows]
    else:
        rows = [dict(_pairs(line)) for line in out.read_bytes().split(b"\n") if line]
        found = [(row["document"], row["fields"]) for row in rows]
    for document, fields in found:
        number = int(document.rpartition(":")[2])
        assert _utf8(fields) == _utf8(wanted[number - 1]), document


def _utf8(pairs):
    return json.dumps(pairs).replace("\\ud800", "\\ufffd")


class Tables(Target):
    """Tables of Arrow with any columns beside the text."""

    name = "tables"

    def run(self, source, directory):
        """Tag a table, and look at the one that comes of it."""
        import pyarrow as pa

        from senna_py.dataframe import annotate, schema
        from senna_py.kernels.runtime.switch import fixed_kernels

        n, names = source.choice([0, 1, 3]), ["id", "x", "y", "tokens", "text"]
        texts = source.choices(["a b.", "", None, "x\ny", "\0"], k=n)
        pairs = [("text", pa.array(texts, pa.string()))]
        for name in names if source.random() < 0.1 else names[:2]:
            pairs.append((name, _column(source, n)))
        table = pa.Table.from_arrays(
            [each for _, each in pairs], [name for name, _ in pairs]
        )
        text = source.choice(["text", "text", *names[-2:]])
        options = {"text": text, "tasks": ["pos"], "model": str(GOLDEN / "model")}
        options["document"] = source.choice([None, None, *names[:3]])
        with fixed_kernels(plain=True):
            found = annotate(table, **options)
        found.validate(full=True)
        assert found.schema == schema(table.schema, **options)


def _column(source, n):
    import pyarrow as pa

    value = source.choice(
        [
            None,
            1.5,
            float("nan"),
            b"\xff",
            "é",
            [1, None],
            {"a": [b"\xff"]},
            2**62,
            True,
            [[]],
            {"a": None},
        ]
    )
    array = pa.array([value if source.random() < 0.7 else None for _ in range(n)])
    return (
        array.dictionary_encode()
        if isinstance(value, str) and source.random() < 0.5
        else array
    )
