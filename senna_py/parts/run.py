"""Parts in the hands of Dask, which does the scheduling and what is lost with a worker again."""

import contextlib
import logging
import os
from concurrent.futures import CancelledError

import dask
from distributed import Client, as_completed, get_worker

from senna_py.corpora.places import Place
from senna_py.errors import SennaError
from senna_py.io.streaming import InputError
from senna_py.io.system import room_for_files

_AHEAD = 10_000  # parts that Dask has before another input is given to it
_TOPIC = "senna-py"
_SECONDS_TO_WAIT = 120  # for the first worker
_ON_THIS_MACHINE = {
    "distributed.scheduler.allowed-failures": 12,  # workers that may die at one task
    "distributed.scheduler.worker-ttl": "60s",  # then one that does not answer is killed
    "distributed.scheduler.worker-saturation": 1.0,  # so that no other task is lost with one
    # Dask has its workers give memory back at once. The arrays of each batch then are new pages,
    # which costs a third of the time.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 25,
}


@contextlib.contextmanager
def connect(address, jobs):
    """A context of a Client of the scheduler at an address; None: of `jobs` processes, made for it.

    Raises SennaError if there is none, no worker within two minutes, or one that stops answering.
    """
    for name in ("asyncio", "distributed", "distributed.client", "tornado"):  # the command says it
        logging.getLogger(name).setLevel(logging.CRITICAL)
    own = {"n_workers": jobs, "threads_per_worker": 1, "silence_logs": logging.CRITICAL}
    own |= {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with dask.config.set({} if address else _ON_THIS_MACHINE):
        try:
            with contextlib.nullcontext() if address else _room(jobs):
                client = Client(address, set_as_default=False, **({} if address else own))
            client.wait_for_workers(1, timeout=_SECONDS_TO_WAIT)
        except (OSError, ValueError, RuntimeError) as error:
            if "new thread" in str(error):
                raise  # the command says it
            while not isinstance(error, OSError | ValueError) and error.__context__:
                error = error.__context__  # why the nanny of a process failed
            raise SennaError(f"{address or 'local'}: no Dask workers: {error}") from None
        try:
            with client:
                yield client
        except TimeoutError:
            raise SennaError("a worker stopped answering; run it again for the rest") from None


@contextlib.contextmanager
def _room(jobs):
    """A context in which `jobs` processes begin, without standard error for their tracebacks."""
    room_for_files(48 + 12 * jobs)  # without descriptors, Dask waits
    seen = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(seen, 2)
        os.close(seen)


def results(client, work, inputs, hear=lambda *_: None):
    """Have all parts tagged; yield each with what `work.tag` returns, or with why not, a str.

    work: see `cli.tag_parts.Work`; inputs: a list of Parts for each; hear: called, in a thread,
    with what workers `tell`. Raises SennaError for what concerns all, such as a full disk.
    """
    client.subscribe_topic(_TOPIC, lambda event: hear(*event[1]))
    running, parts_of = as_completed(loop=client.loop), {}
    for parts in [*inputs, []]:
        place = Place(parts[0].input.name) if parts else None
        for part in parts:
            future = client.submit(work.tag, part, place, pure=False)
            parts_of[future.key] = part
            running.add(future)
            if part is not parts[-1]:  # else no other begins where it ends
                place = client.submit(work.scan, part, place, pure=False, priority=1)
        while running.count() > (_AHEAD if parts else 0):
            future = next(running)
            part = parts_of.pop(future.key)
            yield part, _result(future, part)


def tell(*message):
    """Tell whoever reads the `results` what a worker has done of a part."""
    with contextlib.suppress(ValueError):  # no worker does it
        get_worker().log_event(_TOPIC, message)


def _result(future, part):
    try:
        return future.result()
    except CancelledError:
        raise SennaError("the scheduler is gone; what is done stays: run it again") from None
    except InputError as error:
        return str(error)
    except SennaError:
        raise
    except Exception as error:  # as KilledWorker
        return f"{part.input.name}, part {part.number}: {type(error).__name__}: {error}"
