"""What asks for more memory than there is."""

import pytest

from senna_py.errors import SennaError
from senna_py.io import memory


def test_what_needs_more_than_there_is(monkeypatch):
    assert memory.memory_limit() > 1 << 20
    monkeypatch.setattr(memory, "memory_limit", lambda: 1 << 30)
    memory.check_room("m", 1 << 30)
    wanted = r"^m: needs about 2,048\.0 GiB of memory; there are 1\.0 GiB$"
    with pytest.raises(SennaError, match=wanted):
        memory.check_room("m", 2 << 40)
