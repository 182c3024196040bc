"""The model of a run on machines that have it, have another, or have none."""

import shutil

import pytest

pytest.importorskip("fsspec")

from senna_py.cluster import models
from senna_py.cluster.models import ModelCopy, ModelError
from senna_py.cluster.store import Store
from senna_py.model import Model

pytestmark = pytest.mark.extra


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Where fetched models go."""
    monkeypatch.setattr(models.tempfile, "gettempdir", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr(models, "shipped_model", lambda: None)
    return tmp_path / "cache"


def test_a_model_is_found_where_it_is(copied_model, cache):
    assert ModelCopy.of(copied_model).find() == copied_model


def test_without_it_a_machine_is_named(copied_model, cache):
    found = ModelCopy.of(copied_model)
    file = next(path for path in copied_model.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(ModelError, match=r"another model is at .*--send-model"):
        found.find()
    shutil.rmtree(copied_model)
    with pytest.raises(ModelError, match=r"no model is at .*--send-model"):
        found.find()


def test_it_is_fetched_once_and_checked(copied_model, cache, tmp_path):
    store = Store.at(tmp_path / "out")
    sent = ModelCopy.of(copied_model, store)
    assert ModelCopy.of(copied_model, store) == sent
    copied_model.rename(tmp_path / "hidden")
    place = sent.find()
    assert cache in place.parents
    assert Model(place).tasks() == Model(tmp_path / "hidden").tasks()
    shutil.rmtree(tmp_path / "out")
    assert sent.find() == place
    next(path for path in place.rglob("*") if path.is_file()).write_bytes(b"")
    with pytest.raises(ModelError, match="the model was not fetched"):
        sent.find()


def test_a_file_is_sent_too(shipped_model, cache, tmp_path):
    copy = shutil.copy(shipped_model.path, tmp_path / "one.safetensors")
    sent = ModelCopy.of(copy, Store.at(tmp_path / "out"))
    (tmp_path / "one.safetensors").unlink()
    assert Model(sent.find()).tasks() == shipped_model.tasks()
