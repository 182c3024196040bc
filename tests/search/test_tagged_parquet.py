"""Search in Parquet: the same matches as in the documents that were written."""

import pytest
from hypothesis import given, settings

from senna_py.formats.tagged import read_tagged
from senna_py.search.hits import hits_in
from senna_py.search.pattern import Pattern
from tests.helpers.commands import assert_one_line_error, printed, run
from tests.helpers.random_documents import KNOWN, documents
from tests.helpers.searched import TASKS, searched
from tests.helpers.searched_parquet import write_rows

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

PATTERNS = [
    "a:[pos='A|B-C'] b:<ner/>? [word='.*']",
    "<psg='A'> []* v:<own/>? []* </psg>",
    "[] >srl. who:[]",
    "[] >link. to:[]",
    "a:<dep/> <dep.A b:[]",
    "[chk & !srl]",
]


def places(document, pattern):
    return [
        (
            match.start - match.sentence.start,
            match.text,
            {name: span.text for name, span in match.captures.items()},
        )
        for match in document.search(pattern)
    ]


def places_in(path, pattern):
    return [
        (
            hit.begin,
            hit.text,
            {
                name: hit.sentence.between(*place)
                for name, place in hit.captures.items()
            },
        )
        for batch in read_tagged(str(path), "a", "parquet", pattern)
        for hit in hits_in(batch, pattern)
    ]


@settings(max_examples=15)
@given(documents(all_tasks=True))
def test_the_same_matches_as_in_documents(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("rows") / "a.parquet"
    tasks = [task.name for task in KNOWN]
    forms = [token.text for token in document]
    if not len(document) or "\udcff" in "".join([document.text, *forms]):
        return  # Rows describe tasks, and Parquet has UTF-8 only.
    write_rows(document, path, tasks)
    for text in PATTERNS:
        pattern = Pattern(text)
        assert places_in(path, pattern) == places(document, pattern)


@pytest.fixture
def sample(tmp_path):
    path = tmp_path / "a.parquet"
    write_rows(searched(), path, TASKS)
    return path


@pytest.mark.parametrize(
    "pattern",
    [
        'verb:[upos="VERB"] >nsubj who:<dep/> >obj what:[]?',
        "[] >srl.A0 who:[] >srl.A1 what:<val/>?",
        "<psg='VP'> []* v:<ner/> []* </psg>",
        "[Number='Plur' & chk='NP']",
    ],
)
def test_the_sample(sample, pattern):
    found = places_in(sample, Pattern(pattern))
    assert found == places(searched(), pattern)
    assert found


def test_the_command_reads_it(sample):
    out = printed(run("senna-py", "search", "--format", "csv", "'dog'", sample))
    assert out.splitlines()[1].startswith("x,d.txt,2,1,5,6,")
    assert out.endswith(",He saw the big old ,dog, in New York and did not like it.\n")


def test_what_is_wrong_is_named(sample, tmp_path, write):
    result = run("senna-py", "search", "[foo]", sample)
    assert result.returncode == 2
    assert b"was not tagged with foo; there are pos" in result.stderr
    broken = write(b"PAR1", "b.parquet")
    assert_one_line_error(run("senna-py", "search", "[]", broken), "b.parquet: ")
    other = tmp_path / "c.parquet"
    pq.write_table(pa.table({"a": [1]}), other)
    result = run("senna-py", "search", "[]", other)
    assert_one_line_error(result, "c.parquet: no column 'text'")
    result = run("senna-py", "search", "--from", "parquet", "[]")
    assert_one_line_error(result, "standard input: Parquet is read from a file")
