"""Tags, trains, scores and serves in an empty directory, the argument: a script for
other systems.

Raises AssertionError where something fails or comes out otherwise; see
`tests/test_systems.py`.
"""

import http.client
import importlib.util
import json
import socket
import sys
import threading
import time
from pathlib import Path

from tests.helpers.commands import GOLDEN, MODEL, run, tag
from tests.helpers.small_corpora import toml, write_corpora, write_vectors


def done(*command):
    """Run a command, and check that it succeeds; returns what it prints."""
    result = run(*command)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout


def tag_files(place):
    """Tag into a new file, and again, in place of it; then in the pipe."""
    texts = [GOLDEN / f"{name}.txt" for name in ("prose", "edge")]
    wanted = b"".join(
        (GOLDEN / "expected" / f"{path.stem}.all.txt").read_bytes() for path in texts
    )
    for jobs in (1, 2):
        result = tag("-o", place / "out", "--jobs", jobs, *texts)
        assert result.returncode == 0, result.stderr.decode()
        assert (place / "out").read_bytes() == wanted
    assert tag(stdin=b"\n".join(path.read_bytes() for path in texts)).returncode == 0
    assert [path.name for path in place.iterdir()] == ["out"]


def train(place):
    """Train a tagger, go on with it, and score it; cluster words of its text."""
    write_corpora(place)
    write_vectors(place / "vectors.txt")
    for epochs in (2, 4):
        (place / "pos.toml").write_text(
            toml("pos", training={"epochs": epochs}), encoding="utf-8"
        )
        more = ["--resume"] if epochs == 4 else []
        vectors = ["--vectors", place / "vectors.txt"]
        done("senna-train", place / "pos.toml", place, place / "pos", *vectors, *more)
    columns = ["--columns", "word,pos,-,-,-,-,-"]
    done(
        "senna-eval",
        "model",
        "pos",
        place / "dev.tsv",
        *columns,
        "--path",
        place / "pos",
    )
    assert {path.name for path in (place / "pos").iterdir()} == {
        "model.safetensors",
        "checkpoint.npz",
        "log.jsonl",
    }


def make_corpus(place):
    """Number the words of a text, which starts processes and maps files; twice at one
    place.
    """
    (place / "text.txt").write_text(
        "The dog sees Anna. The cat sees Rome.\n" * 300, "utf-8"
    )
    for _ in range(2):
        done(
            "senna-py",
            "vectors",
            "prepare",
            place / "n",
            place / "text.txt",
            "--jobs",
            "2",
        )


def serve():
    """Answer a request for JSON."""
    if not all(map(importlib.util.find_spec, ("starlette", "uvicorn"))):
        return
    import uvicorn

    from senna_py.server.application import create_application
    from senna_py.server.service import Service
    from senna_py.tagger import Tagger

    application = create_application(Service(Tagger(MODEL)))
    server = uvicorn.Server(uvicorn.Config(application, log_config=None))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        client = http.client.HTTPConnection(*listening.getsockname(), timeout=240)
        client.request(
            "POST", "/tag", '{"text": "He left."}', {"Content-Type": "application/json"}
        )
        assert len(json.loads(client.getresponse().read())["sentences"]) == 1
        client.close()
        server.should_exit = True
        thread.join()


if __name__ == "__main__":  # processes that are started import this file
    place, began = Path(sys.argv[1]), time.monotonic()
    for name, work in {"tag": tag_files, "train": train, "corpus": make_corpus}.items():
        (place / name).mkdir()
        work(place / name)
        print(f"{name}: {time.monotonic() - began:.1f} s")
    serve()
    print(f"serve: {time.monotonic() - began:.1f} s")
