"""Inputs and outputs on S3: a server of moto takes its place, and worker processes
write to it.
"""

import json
from functools import partial

import pytest

pytest.importorskip("distributed")
pytest.importorskip("pyarrow")
pytest.importorskip("s3fs")
moto_server = pytest.importorskip("moto.server")

import fsspec  # noqa: E402 - the libraries above are needed for it to be of use

from senna_py.parts.run import connect  # noqa: E402

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def bucket():
    """A file system with an empty bucket `corpus`, which processes that begin now find,
    too.
    """
    server = moto_server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for key, value in keys.items():
            patch.setenv(key, value)
        store = fsspec.filesystem(
            "s3", use_listings_cache=False, skip_instance_cache=True
        )
        store.mkdir("corpus")
        yield store
    server.stop()


@pytest.fixture(scope="module")
def workers(bucket):
    """A Client of two worker processes that have the keys of the bucket."""
    with connect(None, 2) as client:
        yield client


def outputs(bucket):
    """Outputs of the run by name, in order."""
    paths = sorted(bucket.find("corpus/out/corpus"))
    return {path: bucket.cat_file(path) for path in paths}


def test_a_bucket_gets_the_bytes_of_one_process(
    tag, bucket, workers, golden, in_one_process
):
    bucket.put_file(str(golden / "random.txt"), "corpus/in/a.txt")
    run = partial(
        tag, "s3://corpus/in/*.txt", to="s3://corpus/out", part_bytes=3000, by=workers
    )
    assert run() == 0, tag.notes
    parts = outputs(bucket)
    assert len(parts) > 3
    assert b"".join(parts.values()) == in_one_process(golden / "random.txt")
    assert json.loads(bucket.cat_file("corpus/out/_manifest.json"))["complete"]

    lost, kept, *_ = parts
    bucket.rm(lost)
    written = bucket.info(kept)["LastModified"]
    assert run() == 0, tag.notes
    assert outputs(bucket) == parts
    assert bucket.info(kept)["LastModified"] == written
    assert tag.notes == ["8 of 9 parts were there already"]
