"""The engine for Presidio, within Presidio's own analyzer."""

import pytest

from senna_py.errors import SennaError
from tests.helpers.pages import PAGES, blocks_of

presidio = pytest.importorskip("presidio_analyzer")

pytestmark = pytest.mark.extra
TEXT = "😀 Angela Merkel met Ann Lee in Berlin on 3 May 2012; mail ann@example.org."


@pytest.fixture(scope="module")
def engine(shipped_model):
    from senna_py.presidio import Engine

    made = Engine()
    assert not made.is_loaded()
    made.load()
    return made


@pytest.fixture(scope="module")
def analyzer(engine):
    return presidio.AnalyzerEngine(nlp_engine=engine)


def findings(text, results):
    return {(result.entity_type, text[result.start : result.end]) for result in results}


def test_the_analyzer_reports_our_entities_and_its_own(analyzer):
    results = analyzer.analyze(TEXT, language="en")
    expected = {
        ("PERSON", "Angela Merkel"),
        ("PERSON", "Ann Lee"),
        ("LOCATION", "Berlin"),
        ("DATE_TIME", "3 May 2012"),
        ("EMAIL_ADDRESS", "ann@example.org"),
    }
    assert expected <= findings(TEXT, results)
    scores = [result.score for result in results if result.entity_type == "PERSON"]
    assert all(0 < score <= 1 for score in scores)
    assert scores != [0.85] * len(scores)


def test_the_page_finds_entities(shipped_model):
    (code,) = (
        b.text for b in blocks_of(PAGES["docs/guide/redact.md"]) if b.kind == "py"
    )
    *lines, call = code.splitlines()
    names = {}
    exec("\n".join(lines), names)
    found = findings("Angela Merkel lives in Berlin.", eval(call, names))
    assert found == {("PERSON", "Angela Merkel"), ("LOCATION", "Berlin")}


def test_words_around_a_number_are_its_context(analyzer):
    text = "My card number is 4111 1111 1111 1111."
    (card,) = analyzer.analyze(text, language="en", entities=["CREDIT_CARD"])
    assert text[card.start : card.end] == "4111 1111 1111 1111"


def test_batches_give_what_single_texts_give(analyzer, engine):
    texts = [TEXT, "", "Nothing here.", "John Smith works for Siemens."]
    batches = presidio.BatchAnalyzerEngine(analyzer).analyze_iterator(
        texts, language="en"
    )
    for text, results in zip(texts, batches, strict=True):
        single = analyzer.analyze(text, language="en")
        assert findings(text, results) == findings(text, single)
    pairs = [*engine.process_batch([(TEXT, 7)], "en", as_tuples=True)]
    assert [(text, context) for text, _, context in pairs] == [(TEXT, 7)]


def test_artifacts(engine):
    artifacts = engine.process_text("Ann Lee bought 2 houses.", "en")
    assert [span.text for span in artifacts.entities] == ["Ann Lee"]
    assert "house" in artifacts.keywords
    assert artifacts.tokens_indices[:2] == [0, 4]
    assert '"Ann Lee"' in artifacts.to_json()


def test_what_the_engine_says_about_itself(engine):
    assert engine.is_loaded()
    assert engine.get_supported_languages() == ["en"]
    entities = engine.get_supported_entities()
    assert entities == ["PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME"]
    assert engine.is_stopword("the", "en")
    assert engine.is_punct("?", "en")
    assert not engine.is_punct("the", "en")


def test_unknown_languages_and_models(engine, tmp_path):
    with pytest.raises(SennaError, match="no model of 'de'"):
        engine.process_text("Guten Tag.", "de")
    with pytest.raises(SennaError, match="no such"):
        type(engine)({"en": str(tmp_path / "none")}).load()
