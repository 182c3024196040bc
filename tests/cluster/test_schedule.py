"""The order of the work, whatever order results come in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("fsspec")

from senna_py.cluster.extents import NOTHING, Extent
from senna_py.cluster.inputs import JSONL, PARQUET, TEXT, Input
from senna_py.cluster.parts import Part
from senna_py.cluster.schedule import SCAN, TAG, Schedule

pytestmark = pytest.mark.extra


def parts_of(number, n_parts, kind):
    found = Input(f"{number}.x", f"memory:///{number}.x", 10 * n_parts, "", kind, False)
    return [Part(found, i, n_parts, 10 * i, 10 * (i + 1)) for i in range(n_parts)]


def extent(part):
    """As many lines as the part's number says, so that sums tell which parts were before."""
    return Extent(1 << part.number, 0, 0, b"", False)


@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from([TEXT, JSONL, PARQUET])), max_size=4),
    st.data(),
)
def test_every_missing_part_is_tagged_once_with_what_is_before_it(inputs, data):
    parts = [parts_of(i, *each) for i, each in enumerate(inputs)]
    every = [part for of_input in parts for part in of_input]
    done = data.draw(st.sets(st.sampled_from(every)) if every else st.just(set()))
    schedule = Schedule(parts, done.__contains__, lambda found: found.kind != TEXT)
    assert schedule.n_missing == len(every) - len(done)
    tagged, scanned, running = [], set(), []
    while True:
        while len(running) < 3 and (task := schedule.next()):
            running.append(task)
        if not running:
            break
        kind, part, before = running.pop(data.draw(st.integers(0, len(running) - 1)))
        if kind == TAG:
            tagged.append(part)
            placed = part.input.kind == JSONL
            assert before.lines == ((1 << part.number) - 1 if placed else 0)
        else:
            assert part not in scanned
            scanned.add(part)
            schedule.scanned(part, extent(part))
    assert len(tagged) == len(set(tagged))
    assert {*tagged} == {*every} - done
    missing = {(part.input, part.number) for part in {*every} - done}
    for part in scanned:
        assert any(each == part.input and number > part.number for each, number in missing)


def test_a_bad_input_is_dropped_and_the_others_go_on():
    bad, good = parts_of(0, 4, JSONL), parts_of(1, 2, JSONL)
    schedule = Schedule([bad, good], lambda part: False, lambda found: True)
    assert schedule.next() == (TAG, bad[0], NOTHING)
    assert schedule.drop(bad[0].input) == 3
    assert schedule.next() == (TAG, good[0], NOTHING)
    assert schedule.next() == (SCAN, good[0], None)
    schedule.scanned(bad[0], extent(bad[0]))  # was on its way
    assert schedule.next() is None
    schedule.scanned(good[0], extent(good[0]))
    assert schedule.next()[:2] == (TAG, good[1])
    assert schedule.next() is None
