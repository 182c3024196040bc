"""The same sentence gets the same answer: whichever way, batch, position, job or cache
it takes.
"""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.model import TASKS
from senna_py.tagger import Tagger
from tests.helpers.counting import counting
from tests.helpers.tagging import tag_paths

SENTENCES = [
    "i am going out tonight to get wasted if anyone is interested .",
    "The U.S. Senate , which he joined in 1998 , never passed the bill that Ann Lee wrote .",
    "He does n't eat meat and prefers fish , doesn't he ?",
    "“ Stop ! ” she cried ; Dr. Möller 's dog ran ( fast ) to 12 Main St. , Springfield",
    "Ok",
    "lol 2 go 😀 http://a.example/x?y=1 @bob #win",
    "x " * 70,
]
WORDS = st.sampled_from(sorted({word for text in SENTENCES for word in text.split()}))
TEXTS = st.one_of(
    st.sampled_from(SENTENCES), st.lists(WORDS, min_size=1, max_size=25).map(" ".join)
)


@pytest.fixture(scope="module", params=["English", "SENNA's form"])
def scoring(request, golden):
    """A tagger of all tasks, with scores."""
    model = None
    if request.param == "English":
        request.getfixturevalue("shipped_model")
    else:
        model = golden / "model"
    return Tagger(model, TASKS, with_scores=True)


def answers(tagger, texts):
    """What is said of each text, as JSON."""
    return [json.dumps(sentence.to_dict()) for sentence in tagger.pipe(texts)]


@settings(max_examples=4)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_answers_do_not_depend_on_the_way_or_the_company(scoring, texts, random):
    with fixed_kernels(plain=True):
        alone = {text: answers(scoring, [text])[0] for text in texts}
    mixed = [text for text in texts for _ in range(3)] + SENTENCES
    random.shuffle(mixed)
    with fixed_kernels(plain=False):
        found = dict.fromkeys(texts, "")
        for text, answer in zip(mixed, answers(scoring, mixed), strict=True):
            if text in found:
                assert found[text] in ("", answer)
                found[text] = answer
    assert found == alone


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_tagged_before_kernels_are_there_is_like_the_rest(
    jobs, shipped_model, tmp_path
):
    source, expected = tmp_path / "text", tmp_path / "compiled"
    source.write_text(f"{SENTENCES[0]}\n" * 300)
    options = {"path": shipped_model.path, "usrtokens": True, "jobs": jobs}
    with fixed_kernels(plain=False):
        tag_paths([source], TASKS, output=expected, **options)
    with counting(3000):
        tag_paths([source], TASKS, output=tmp_path / "mixed", **options)
    assert len(set(expected.read_text().split("\n\n")[:-1])) == 1
    assert (tmp_path / "mixed").read_bytes() == expected.read_bytes()
