"""Inputs and outputs on S3: a server of moto takes its place, and worker processes write to it."""

import json
import time

import pytest

pytest.importorskip("distributed")
pytest.importorskip("pyarrow")
pytest.importorskip("s3fs")
moto_server = pytest.importorskip("moto.server")

import fsspec  # noqa: E402 - the libraries above are needed for it to be of use

from senna_py.cluster.engines import local_cluster  # noqa: E402
from tests.helpers.tagging import tag_in_parts as tag_parts  # noqa: E402

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def bucket():
    """A file system with an empty bucket `corpus`, which processes that begin now find, too."""
    server = moto_server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1",
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for key, value in keys.items():
            patch.setenv(key, value)
        store = fsspec.filesystem("s3", use_listings_cache=False, skip_instance_cache=True)
        store.mkdir("corpus")
        yield store
    server.stop()


@pytest.fixture(scope="module")
def cluster(bucket):
    """Two worker processes that have the keys of the bucket."""
    engine = local_cluster(2)
    while len(engine._client.nthreads()) < 2:
        time.sleep(0.05)
    yield engine._own
    engine.close()


def outputs(bucket):
    """Outputs of the run by name, in order."""
    paths = sorted(bucket.find("corpus/out/corpus"))
    return {path: bucket.cat_file(path) for path in paths}


def test_a_bucket_gets_the_bytes_of_one_process(bucket, cluster, golden, in_one_process):
    bucket.put_file(str(golden / "random.txt"), "corpus/in/a.txt")
    notes = []

    def tag():
        return tag_parts(
            ["s3://corpus/in/*.txt"], ["pos"], "s3://corpus/out", part_size=3000,
            cluster=cluster.scheduler_address, path=golden / "model", note=notes.append,
        )  # fmt: skip

    assert tag() == 0, notes
    parts = outputs(bucket)
    assert len(parts) > 3
    assert b"".join(parts.values()) == in_one_process(golden / "random.txt", ["pos"])
    assert json.loads(bucket.cat_file("corpus/out/_manifest.json"))["complete"]

    lost, kept, *_ = parts
    bucket.rm(lost)
    written = bucket.info(kept)["LastModified"]
    assert tag() == 0, notes
    assert outputs(bucket) == parts
    assert bucket.info(kept)["LastModified"] == written
    assert notes == ["8 parts of 9 done before"]
