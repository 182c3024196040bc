"""Parts in the hands of a Dask cluster, which does again what is lost with a worker."""

import contextlib
import logging
from concurrent.futures import CancelledError

from distributed import Client, as_completed, get_worker

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError
from senna_py.io.streaming import InputError
from senna_py.parts.progress import telling

_AHEAD = 10_000  # parts that Dask has before another input is given to it
_TOPIC = "senna-py"
_SECONDS_TO_WAIT = 120  # for the first worker


@contextlib.contextmanager
def connect(address):
    """A context of a Client of the scheduler at an address.

    Raises SennaError if there is none, no worker within two minutes, or one that stops
    answering.
    """
    for name in (
        "asyncio",
        "distributed",
        "distributed.client",
        "tornado",
    ):  # the command says it
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, set_as_default=False)
        client.wait_for_workers(1, timeout=_SECONDS_TO_WAIT)
    except (OSError, ValueError, RuntimeError) as error:
        if "new thread" in str(error):
            raise  # the command says it
        raise SennaError(f"{address}: no Dask workers: {error}") from None
    try:
        with client:
            yield client
    except TimeoutError:
        raise SennaError(
            "a worker stopped answering; run it again for the rest"
        ) from None


def results(client, work, inputs, hear):
    """Yield each part with its result, see `parts.run.results`; hear: called in a
    thread.
    """
    client.subscribe_topic(_TOPIC, lambda event: hear(*event[1]))
    running, parts_of = as_completed(loop=client.loop), {}
    for parts in [*inputs, []]:
        place = BatchPlace(parts[0].input.name) if parts else None
        for part in parts:
            future = client.submit(_tell, work.tag, part, place, pure=False)
            parts_of[future.key] = part
            running.add(future)
            if part is not parts[-1]:  # else no other begins where it ends
                place = client.submit(work.scan, part, place, pure=False, priority=1)
        while running.count() > (_AHEAD if parts else 0):
            future = next(running)
            part = parts_of.pop(future.key)
            yield part, _result(future, part)


def _tell(function, *arguments):
    """What a function returns, which tells, through Dask, what it has done."""
    worker = get_worker()
    with telling(lambda *message: worker.log_event(_TOPIC, message)):
        return function(*arguments)


def _result(future, part):
    try:
        return future.result()
    except CancelledError:
        raise SennaError(
            "the scheduler is gone; what is done stays: run it again"
        ) from None
    except InputError as error:
        return str(error)
    except SennaError:
        raise
    except Exception as error:  # as KilledWorker
        return f"{part.input.name}, part {part.number}: {type(error).__name__}: {error}"
