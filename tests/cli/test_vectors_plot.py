"""`senna-py vectors plot`."""

import pytest

from senna_py.errors import SennaError
from senna_py.lm.neighbors import draw_map
from senna_py.models.embeddings import read_embeddings
from tests.helpers.commands import vectors_say

VECTORS = "the 1 2 3\ndog 3 2 1\n$cat$ 0 1 0\nAnna 5 5 1\n"


@pytest.mark.extra
@pytest.mark.parametrize(
    ("more", "count"), [([], 4), (["--top", "3"], 3), (["DOG", "$cat$", "dog"], 2)]
)
def test_vectors_are_drawn_as_a_map(tmp_path, more, count):
    pytest.importorskip("matplotlib")
    (tmp_path / "v.txt").write_text(VECTORS)
    picture = tmp_path / "map.svg"
    said = vectors_say("plot", tmp_path / "v.txt", picture, *more)
    assert said == f"{picture}: {count} words\n"
    shown = picture.read_text()
    assert [word in shown for word in ("<!-- dog -->", "<!-- Anna -->")] == [True, not more]


@pytest.mark.extra
def test_maps_that_cannot_be_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "v.txt").write_text(VECTORS)
    args = tmp_path / "v.txt", tmp_path / "x.png", "dog", "none"
    assert "not in the dictionary: none" in vectors_say("plot", *args, code=1)
    embeddings = read_embeddings(tmp_path / "v.txt")
    with pytest.raises(SennaError, match="found 1 of 3"):
        draw_map(embeddings, [0], tmp_path / "x.png")
