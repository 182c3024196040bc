"""The pictures of the documentation, as benchmarks/screenshots.py makes them."""

from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def test_pictures_are_small_and_shown():
    pictures = sorted(DOCS.glob("display-*.png"))
    assert len(pictures) == 5
    sizes = [path.stat().st_size for path in pictures]
    assert max(sizes) <= 60_000
    assert sum(sizes) <= 150_000
    pages = "".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))
    assert all(f"]({path.name})" in pages for path in pictures)
