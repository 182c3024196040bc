"""What type checkers know of the public API: read by mypy, never run."""

from typing_extensions import assert_type

from senna_py import Document, Sentence, Tagger, load

nlp: Tagger = load()
assert_type(next(nlp.pipe(["a", ["a", "b"]])), Sentence)
assert_type(next(nlp.pipe(["a"], documents=True)), Document)
assert_type(next(nlp.pipe(["a"], documents=True, paragraphs=True)), Document)
assert_type(next(nlp.pipe([("a", 1)], as_tuples=True)), tuple[Sentence, int])
assert_type(
    next(nlp.pipe([("a", 1)], 8, documents=True, as_tuples=True)), tuple[Document, int]
)
assert_type(nlp.document("a").sentences[0][0].pos, str)
assert_type(nlp.document("a").entities[0][0:1].text, str)
nlp.pipe([3])  # type: ignore[list-item]
