"""The command `senna-py serve`: a web page that tags text, and a JSON interface."""

from __future__ import annotations

import logging
import socket
import sys
from typing import Any

import click

from senna_py.cli.help import Command
from senna_py.cli.options import flag, number, option
from senna_py.cli.parameter_types import WORKERS, Duration
from senna_py.cli.tag_options import TagOptions, tag_options
from senna_py.cli.warm_up import compile_apart
from senna_py.errors import SennaError, missing
from senna_py.server.limits import LONGEST_SENTENCE, Limits

_SWITCH_INTERVAL = 0.001  # The time after which a thread may take turns, in seconds.


@click.command(
    "serve",
    cls=Command,
    brief="pos chk ner srl psg upos lemma path paragraphs host port jobs",
    examples=("senna-py serve --pos --ner --port 8080",),
)
@tag_options(
    only=(
        "path",
        "tasks",
        "posvbs",
        "paragraphs",
        "abbreviations",
        "rules",
        "tokens",
    ),
    verb="Find",
)
@option("--host", "Address to listen on.", default="127.0.0.1")
@option(
    "--public-host",
    "Name of the server in the addresses that browsers show, such as the name of a "
    "proxy; may be repeated.",
    metavar="NAME",
    multiple=True,
)
@number("--port", "Port; 0: any.", default=8765, least=0, most=65535)
@option("--jobs", "Cores to use.", type=WORKERS, default=1)
@number(
    "--max-body", "Bytes that a request may have.", default=Limits.max_body, metavar="N"
)
@number("--max-texts", "Texts that a request may have.", default=Limits.max_texts)
@number(
    "--max-concurrent",
    "Requests that may wait or be answered at a time; further ones get the status 429.",
    default=Limits.max_concurrent,
)
@option(
    "--timeout",
    "Time after which a request gets the status 503, such as 90s.",
    type=Duration(),
    default=f"{Limits.timeout:g}s",
)
@flag(
    "--log-requests",
    "Write a line for each request on standard error: time, client, method, path, "
    "status, bytes and seconds.",
)
def command(
    host: str,
    public_host: tuple[str, ...],
    port: int,
    jobs: int,
    max_body: int,
    max_texts: int,
    max_concurrent: int,
    timeout: float,
    log_requests: bool,
    **options: Any,
) -> None:
    """Serve a web page that tags what is typed into it, and a JSON interface.

    POST /tag tags texts, and POST /search finds patterns in them. GET /openapi.json
    describes the interface; /health and /metrics are for operators. If tasks are named,
    requests can choose only among these.
    """
    try:
        import starlette  # noqa: F401 - part of the extra
        import uvicorn  # noqa: F401
    except ImportError:
        raise SennaError(missing("serve", "serve", "starlette", "uvicorn")) from None
    from senna_py.kernels.runtime.switch import prepare_kernels
    from senna_py.server.application import create_application
    from senna_py.server.names import Names
    from senna_py.server.process import serve
    from senna_py.server.service import Service

    names = Names.of_options(host, public_host)
    chosen = TagOptions.from_options(options)
    tagger = chosen.tagger()
    tagger.cut_sentences(LONGEST_SENTENCE)
    compile_apart(chosen, tagger)

    def run() -> None:
        tagger.annotate(tagger.tokenizer.document("Ann said that 20 men had left."))

    prepare_kernels(run)
    service = Service(tagger, chosen.tasks, chosen.tokens, chosen.paragraphs)
    limits = Limits(max_body, max_texts, max_concurrent, timeout)
    app = create_application(service, limits, jobs, names, log_requests)
    try:  # uvicorn would only log this error
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise SennaError(f"{host}, port {port}: {error.strerror}") from None
    # When uvicorn rejects a HEAD request, it raises an error. asyncio closes the
    # connection and logs a traceback.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    # Otherwise, reading and writing would often wait for a thread that tags.
    sys.setswitchinterval(_SWITCH_INTERVAL)
    serve(app, host, port, timeout)
