"""Fixtures of the tests of corpora in parts."""

import contextlib

import pytest

from senna_py.kernels.runtime.switch import fixed_kernels
from tests.helpers.tagging import tag_paths


@pytest.fixture(scope="session")
def client():
    """A Client of Dask whose worker is a thread of this process."""
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("pyarrow")
    client = distributed.Client(
        processes=False,
        n_workers=1,
        threads_per_worker=2,
        dashboard_address="127.0.0.1:0",
        set_as_default=False,
    )
    yield client
    # At the end of all tests, its loop may have gone.
    with contextlib.suppress(RuntimeError):
        client.close()


@pytest.fixture
def compiled():
    """Let text be tagged as later text of a long run is, so that scores are the same
    bits.
    """
    with fixed_kernels(plain=False):
        yield


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The current directory, empty."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture
def in_one_process(tmp_path, compiled):
    """A function that gives what one process prints of a file, with options of
    `tag_files`.
    """

    def run(path, tasks=("pos",), **options):
        output = tmp_path / "one-process"
        assert (
            tag_paths([path], tasks, output=output, note=lambda *_: None, **options)
            == 0
        )
        return output.read_bytes()

    return run


@pytest.fixture
def tag(client, place):
    """A function that tags inputs in parts and returns the number that failed; `notes`
    it has.
    """
    from senna_py.cli.corpus import work_of
    from senna_py.cli.tag_options import TagOptions
    from senna_py.parts.cluster import Cluster
    from senna_py.parts.run import tag_corpus
    from tests.helpers.commands import MODEL

    def run(
        *names,
        tasks=("pos",),
        to="out",
        part_bytes=40,
        text_field="text",
        by=None,
        **options,
    ):
        options = TagOptions(**{"path": str(MODEL), "tasks": tasks, **options})
        work = work_of(str(to), options, text_field)
        connected = contextlib.nullcontext(by or Cluster(client))
        return tag_corpus(names, work, connected, part_bytes, note)

    def note(line, kind=None):
        run.notes.append(line)

    run.notes = []
    return run
