"""How much memory there is, and what asks for too much of it."""

import os

import pytest

from senna_py.errors import SennaError
from senna_py.io import memory
from senna_py.io.memory import check_room, in_bytes, memory_limit


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


def test_what_needs_more_than_there_is(monkeypatch):
    monkeypatch.setattr(memory, "memory_limit", lambda: 1 << 20)
    check_room("m", 1 << 20)
    wanted = r"^m: needs about 2\.0 MiB of memory; there are 1\.0 MiB$"
    with pytest.raises(SennaError, match=wanted):
        check_room("m", 2 << 20)
