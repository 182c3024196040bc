"""How much memory there is, and which setting asks for too much of it."""

import os

import pytest

from senna_py.errors import SennaError, SettingError
from senna_py.io import memory
from senna_py.io.memory import check_memory, check_room, in_bytes, memory_limit, training_bytes


def test_limits_of_the_machine_and_of_groups(monkeypatch, tmp_path):
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 1 << 20 < memory_limit() <= whole
    own = tmp_path / "a" / "b"
    own.mkdir(parents=True)
    (tmp_path / "a" / "memory.max").write_text(f"{5 << 20}\n")
    (own / "memory.max").write_text("max\n")
    lines = tmp_path / "cgroup"
    lines.write_text("3:cpu:/x\n0::/a/b\n")
    monkeypatch.setattr(memory, "_GROUPS", tmp_path)
    monkeypatch.setattr(memory, "_OWN", lines)
    assert memory_limit() == 5 << 20
    old = tmp_path / "memory" / "c"
    old.mkdir(parents=True)
    (old / "memory.limit_in_bytes").write_text(f"{4 << 20}\n")
    lines.write_text("8:pids:/\n4:cpu,memory:/c\n")
    assert memory_limit() == 4 << 20
    lines.unlink()
    assert memory_limit() > 1 << 20


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 bytes"), (1023, "1,023 bytes"), (1 << 10, "1.0 KiB"), (1600, "1.5 KiB"),
        (23 << 30, "23.0 GiB"), (862 << 40, "862 TiB"), (1 << 90, "1,073,741,824 EiB"),
    ],
)  # fmt: skip
def test_bytes_for_people(number, text):
    assert in_bytes(number) == text


def test_the_setting_that_asks_for_most_is_named(monkeypatch):
    monkeypatch.setattr(memory, "memory_limit", lambda: 1 << 20)

    def plan(hidden, window, batch):
        return hidden * window * 1000 + batch

    check_memory(plan, hidden=100, window=3, batch=5)
    with pytest.raises(SettingError) as error:
        check_memory(plan, "network.{}", hidden=1200, window=3, batch=5)
    assert (
        str(error.value) == "network.hidden: 1,200 needs about 3.4 MiB of memory; there are 1.0 MiB"
    )
    with pytest.raises(SettingError, match=r"^batch: 9,000,000 needs"):
        check_memory(plan, hidden=100, window=3, batch=9_000_000)
    with pytest.raises(
        SennaError, match=r"^m: needs about 2\.0 MiB of memory; there are 1\.0 MiB$"
    ):
        check_room("m", 2 << 20)


def test_bytes_of_training():
    layers, tables = {"w": (3, 4), "b": (4,)}, {"vectors": (10, 2)}
    assert training_bytes((layers, 3)) == 4 * (3 * 16 + 2 * 12)
    assert training_bytes((layers, 3), (tables, 1), batch=5) == 4 * (3 * 16 + 20 + 5 + 2 * 20)
    assert training_bytes((layers, 3), ({}, 1)) == training_bytes((layers, 3))
