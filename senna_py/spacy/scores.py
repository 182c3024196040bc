"""The scores of the tasks, by spaCy's measures and under spaCy's names."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from spacy.scorer import PRFScore, Scorer, get_ner_prf

from senna_py.evaluation.roles import VERB
from senna_py.labels.tasks import Structure
from senna_py.spacy.attributes import LEMMA_TASKS, MORPH_TASKS, POS_TASKS, TAG_TASKS
from senna_py.spacy.relations import gives_heads
from senna_py.spacy.spans import group_name, has_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from spacy.tokens import Span, Token
    from spacy.training import Example

    from senna_py.labels.tasks import Task

_ATTRIBUTES = {
    "tag": TAG_TASKS,
    "pos": POS_TASKS,
    "morph": MORPH_TASKS,
    "lemma": LEMMA_TASKS,
}
# The id of a span that has an anchor: a token, or a range of tokens.
_ANCHOR = re.compile(r"([0-9]{1,9})(?::([0-9]{1,9}))?")


class _Key(NamedTuple):
    """What has to be right of a span."""

    label: str
    tokens: tuple[int, int] | None
    anchor: tuple[int, int] | None


def scores_of(examples: Sequence[Example], tasks: Sequence[Task]) -> dict[str, Any]:
    """Return the scores of tasks, which `Language.evaluate` merges with others.

    Dependencies of punctuation are ignored, as in spaCy's own components. Span groups
    are scored if a reference has them.
    """
    names = {task.name for task in tasks}
    scores: dict[str, Any] = {}
    for attribute, any_of in _ATTRIBUTES.items():
        if names & {*any_of}:
            scores |= Scorer.score_token_attr(examples, attribute, getter=_value)
    if any(map(gives_heads, tasks)):
        scores |= Scorer.score_deps(
            examples,
            "dep",
            getter=lambda token, _: token.dep_,
            ignore_labels=("p", "punct"),
        )
    if any(task.marked for task in tasks):
        scores |= get_ner_prf(examples)
    for task in filter(has_spans, tasks):
        scores |= _scores_of_group(examples, task)
    return scores | Scorer.score_spans(
        examples,
        "sents",
        getter=getattr,
        has_annotation=lambda doc: doc.has_annotation("SENT_START"),
    )


def _value(token: Token, attribute: str) -> str:
    """Return an attribute of a spaCy token as text."""
    return str(token.morph) if attribute == "morph" else getattr(token, f"{attribute}_")


def _scores_of_group(examples: Iterable[Example], task: Task) -> dict[str, Any]:
    """Return the scores of a task's span group, for examples whose reference has it.

    A span is right if its label, its tokens and its anchor are. Predicates are not
    scored, as in CoNLL-2005. The result is empty if no reference has the group.
    """
    name, total = group_name(task), PRFScore()
    by_label: defaultdict[str, PRFScore] = defaultdict(PRFScore)
    is_scored = False
    for example in examples:
        if name not in example.reference.spans:
            continue
        is_scored = True
        gold, predicted = _keys_of(example, name)
        if task.shape.structure is Structure.FRAMES:
            gold = {key for key in gold if key.label != VERB}
            predicted = {key for key in predicted if key.label != VERB}
        total.score_set(predicted, gold)
        for label in {key.label for key in gold | predicted}:
            by_label[label].score_set(
                {key for key in predicted if key.label == label},
                {key for key in gold if key.label == label},
            )
    if not is_scored:
        return {}
    per_type = {label: score.to_dict() for label, score in by_label.items()}
    scores: dict[str, Any] = {
        f"spans_{name}_{measure}": value for measure, value in total.to_dict().items()
    }
    return scores | {f"spans_{name}_per_type": per_type}


def _keys_of(example: Example, name: str) -> tuple[set[_Key], set[_Key]]:
    """Return the keys of the spans of a group in the reference and the predicted Doc.

    Both have the token indices of the reference. If no span of the reference has an
    anchor, anchors do not count.
    """
    n_tokens = len(example.reference)
    gold = {
        _key(span, lambda begin, end: range(begin, min(end, n_tokens)))
        for span in example.reference.spans[name]
    }
    alignment = example.alignment.x2y
    predicted = {
        _key(span, lambda begin, end: alignment[begin:end].tolist())
        for span in example.predicted.spans.get(name, ())
    }
    if not any(key.anchor for key in gold):
        predicted = {key._replace(anchor=None) for key in predicted}
    return gold, predicted


def _key(span: Span, aligned: Callable[[int, int], Sequence[int]]) -> _Key:
    """Return the key of a span, with the tokens to which its tokens are aligned."""

    def place(begin: int, end: int) -> tuple[int, int] | None:
        tokens = aligned(begin, end)
        return (tokens[0], tokens[-1] + 1) if tokens else None

    anchor = None
    if match := _ANCHOR.fullmatch(span.id_):
        first = int(match[1])
        anchor = place(first, int(match[2] or first + 1))
    return _Key(span.label_, place(span.start, span.end), anchor)
