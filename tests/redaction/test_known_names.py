"""Names that were found once are found again."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from senna_py.redaction.findings import Finding
from senna_py.redaction.known_names import KnownNames


def found_in(text, names, known=None):
    """Return what is found if a model has found only the first mention of each name."""
    findings = sorted(
        Finding(text.index(name), text.index(name) + len(name), "PERSON")
        for name in names
        if name in text
    )
    known = KnownNames() if known is None else known
    return [text[start:end] for start, end, _ in known.with_missed(text, findings)]


def test_surnames_in_the_same_and_in_later_lines():
    text = "Page called.\nWill Page called, and Page again.\nMr. Page will. The page, Pages."
    assert found_in(text, ["Will Page"]) == ["Will Page", "Page", "Page"]


def test_single_and_short_names():
    text = "Nana left. Nana came. Li Na left. Na came."
    assert found_in(text, ["Nana", "Li Na"]) == ["Nana", "Nana", "Li Na"]
    assert found_in("tyler left. tyler came.", ["tyler"]) == ["tyler"]
    assert found_in("John Smith Jr. saw Smith.", ["John Smith Jr."])[1:] == ["Smith"]


def test_what_is_covered_is_not_found_again():
    text = "Ann Lee wrote to lee@x.org and Lee."
    findings = [Finding(0, 7, "PERSON"), Finding(17, 26, "EMAIL")]
    assert KnownNames().with_missed(text, findings) == [*findings, (31, 34, "PERSON")]
    assert KnownNames().with_missed("Lee", [Finding(0, 3, "PLACE")]) == [
        (0, 3, "PLACE")
    ]


WORDS = st.sampled_from(
    ["Page", "page", "Will Page", "Lee", "\r", " ", "😀", "\x0b", "\n"]
)


@given(st.lists(WORDS, max_size=20), st.data())
def test_pieces_of_a_text_give_what_the_text_gives(words, data):
    text = " ".join(words)
    starts = [i for i in range(len(text)) if text.startswith("Will Page", i)]
    findings = [Finding(i, i + 9, "PERSON") for i in starts]
    whole = KnownNames().with_missed(text, findings)
    known, pieces, place = KnownNames(), [], 0
    for line in text.splitlines(keepends=True) if data.draw(st.booleans()) else [text]:
        end = place + len(line)
        here = [f for f in findings if place <= f.start < end]
        moved = [Finding(f.start - place, f.end - place, f.type) for f in here]
        pieces += [
            Finding(f.start + place, f.end + place, f.type)
            for f in known.with_missed(line, moved)
        ]
        place = end
    assert pieces == whole
    assert all(one.end <= two.start for one, two in pairwise(whole))
