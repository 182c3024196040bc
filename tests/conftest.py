"""Fixtures of all tests."""

import contextlib
import gc
import os
import re
import shutil
import signal
import traceback
from pathlib import Path

# As the entry points of senna-tag and senna-train set it, before NumPy is imported:
# commands run in this process.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ["SENNA_PY_BACKGROUND"] = (
    "0"  # no process compiles kernels when a test is over
)

import pytest
from _pytest.mark.expression import Expression
from hypothesis import settings

from senna_py.errors import SennaError
from senna_py.model import TASKS, Model
from senna_py.tagger import Tagger

# Python would search for garbage every 700 objects, and Hypothesis listens to each search.
gc.set_threshold(50_000, 20, 20)

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would
# the commands that tests start and send it to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Marks of tests that `pytest` alone leaves out; setup.cfg says what they are.
LONG = ("slow", "process", "fuzz", "extra", "script")
MARKS = "|".join(LONG)

# The first call of a kernel may compile it: no example has a deadline. They are the same
# in each run, so that a few do for each change.
N_EXAMPLES = 100 if os.environ.get("SENNA_PY_VARIANTS") else 10
settings.register_profile(
    "senna", deadline=None, max_examples=N_EXAMPLES, derandomize=True
)
settings.load_profile("senna")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Run folders on all cores; files and single tests begin sooner in this process."""
    return os.cpu_count() if any(map(os.path.isdir, config.args)) else 0


def leaves_out_long_tests(config):
    """Return whether only the fast tests run: no files, folders or marks were named."""
    is_whole = config.args_source is config.ArgsSource.TESTPATHS
    return is_whole and not config.option.markexpr


def pytest_ignore_collect(collection_path, config):
    """Do not import files that have none of the wanted tests.

    A file has none if only long tests are wanted and it names no mark, or if only fast
    tests are wanted and one of the marks holds for the whole file.
    """
    if collection_path.suffix != ".py" or collection_path.name == "conftest.py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    if leaves_out_long_tests(config):
        whole = rf"^pytestmark = (\[[^\]]*)?pytest\.mark\.({MARKS})\b"
        return bool(re.search(whole, text, re.MULTILINE)) or None
    wanted = config.option.markexpr
    if wanted and not re.search(rf"\bmark\.({MARKS})\b", text):
        return not Expression.compile(wanted).evaluate(lambda *_, **__: False) or None
    return None


def pytest_collection_modifyitems(config, items):
    """Leave out what takes long, unless files, folders or marks were named."""
    if leaves_out_long_tests(config):
        left = [item for item in items if any(map(item.get_closest_marker, LONG))]
        config.hook.pytest_deselected(items=left)
        items[:] = [
            item for item in items if not any(map(item.get_closest_marker, LONG))
        ]


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect no garbage among modules and tests, which stay until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@contextlib.contextmanager
def skipping():
    """A context that skips the test if it asks for what this system lacks, such as
    `os.fork`.

    Where the package asks for it, that is a failure.
    """
    try:
        yield
    except AttributeError as error:
        (*_, place) = traceback.extract_tb(error.__traceback__)
        if error.obj in (os, signal) and Path(place.filename).is_relative_to(
            Path(__file__).parent
        ):
            pytest.skip(str(error))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Skip what a fixture cannot be made for here."""
    with skipping():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skip what cannot be tested here."""
    with skipping():
        return (yield)


@pytest.fixture(scope="session")
def golden():
    """Directory of the reference model, inputs and outputs."""
    return Path(__file__).parent / "data" / "golden"


@pytest.fixture(scope="session")
def model(golden):
    """Open the reference model."""
    return Model(golden / "model")


@pytest.fixture(scope="session")
def tagger(model):
    """Tagger for every task of the reference model."""
    return Tagger(model, TASKS)


@pytest.fixture(scope="session")
def shipped_model():
    """Open the English model, wherever a tagger without a path finds it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SENNA_PY_MODEL", raising=False)
        try:
            return Model()
        except SennaError as error:
            pytest.skip(str(error))


@pytest.fixture
def copied_model(golden, tmp_path):
    """Path of a copy of the reference model that a test may damage."""
    return Path(shutil.copytree(golden / "model", tmp_path / "model"))


@pytest.fixture
def write(tmp_path):
    """A function that writes str or bytes to a file, and returns its path."""

    def write(data, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write
