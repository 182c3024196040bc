"""Application of rules to the layers of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.rules.phrases import Listed, PhraseFinder, Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from senna_py.rules.file import EntityRule, Rules, WordRule
    from senna_py.rules.patterns import PatternFinder
    from senna_py.rules.phrases import Place
    from senna_py.text.tokenizer import Tokenizer
    from senna_py.text.tokens import Tokens


class RuleSet:
    """The rules for the layers of a tagger. Threads may share it.

    Labels of words are set first, in the order of the rules, where the first rule for
    a word counts. Then spans are found, and may depend on these labels.
    """

    def __init__(
        self, rules: Iterable[Rules], tasks: Iterable[str], tokenizer: Tokenizer
    ) -> None:
        """Compile rules, whose tasks and labels have been checked.

        Args:
            rules: The rules. Of several, the first ones count.
            tasks: The tasks whose layers there are; rules for others are left out.
            tokenizer: The tokenizer that divides the text.
        """
        rules, known = list(rules), {*tasks}
        self._words: list[WordRule] = [
            rule for each in rules for rule in each.words if known & {*rule.labels}
        ]
        self._entities: list[EntityRule] = [
            rule for each in rules for rule in each.entities if rule.task in known
        ]
        self._known, self._unknown_word = known, tokenizer.unknown
        self._patterns_of_words = _pattern_finder(self._words)
        self._patterns_of_spans = _pattern_finder(self._entities)
        listed = [
            Listed(form, rule.ignore_case, number, True)
            for number, rule in enumerate(self._words)
            for form in rule.forms
        ]
        listed += [
            Listed(phrase, rule.ignore_case, number, False)
            for number, rule in enumerate(self._entities)
            for phrase in rule.phrases
        ]
        self._finder = PhraseFinder(listed, tokenizer) if listed else None

    def apply(self, tokens: Tokens, layers: Mapping[str, Layer]) -> dict[str, Layer]:
        """Return the layers with the labels and spans of the rules.

        Args:
            tokens: The tokens of the batch, whose forms are all in their text.
            layers: The layers by task, which do not change.
        """
        places = Places([], [])
        if self._finder is not None:
            places = self._finder.find(tokens)
        new, (words, spans) = dict(layers), places
        if self._patterns_of_words is not None:
            words += self._patterns_of_words.find(tokens, new)
        self._label(tokens, words, new)
        if self._patterns_of_spans is not None:
            spans += self._patterns_of_spans.find(tokens, new)
        for task in {self._entities[each.rule].task for each in spans}:
            of_task = [each for each in spans if self._entities[each.rule].task == task]
            new[task] = self._with_spans(new[task], of_task, tokens)
        return new

    def _label(
        self, tokens: Tokens, found: Iterable[Place], layers: dict[str, Layer]
    ) -> None:
        """Set the labels of the words that rules for words found."""
        labels: dict[str, dict[int, str]] = {}
        for begin, end, number in sorted(found, key=lambda each: each.rule):
            rule = self._words[number]
            for token in range(begin, end):
                if rule.yields and tokens.word[token] != self._unknown_word:
                    continue
                for task in self._known & rule.labels.keys():
                    label = rule.labels[task]
                    labels.setdefault(task, {}).setdefault(token, label)
        for task, by_token in labels.items():
            layers[task] = _with_labels(layers[task], by_token)

    def _with_spans(
        self, layer: Layer, found: Sequence[Place], tokens: Tokens
    ) -> Layer:
        """Return a layer with the spans that rules for its task found.

        Of overlapping spans, the longest counts, and then the one of the first rule.
        """
        tags = layer.sequence_tags(tokens.starts)
        labels = dict.fromkeys(self._entities[each.rule].label for each in found)
        needed = ["O", *(f"{mark}-{label}" for label in labels for mark in "BIES")]
        names = tuple(dict.fromkeys((*tags.names, *needed)))
        number_of = {name: number for number, name in enumerate(names)}
        spans = tags.spans()
        tag, is_decided = tags.tag.copy(), np.zeros(len(tags.tag), bool)
        for begin, end, rule in sorted(
            found, key=lambda each: (each.begin - each.end, each.rule, each.begin)
        ):
            if is_decided[begin:end].any():
                continue
            first = np.searchsorted(spans.end, begin, side="right")
            last = np.searchsorted(spans.begin, end, side="left")
            if self._entities[rule].yields and first < last:
                continue
            for row in range(first, last):
                removed = slice(spans.begin[row], spans.end[row])
                is_kept = is_decided[removed]
                tag[removed][~is_kept] = number_of["O"]
            label = self._entities[rule].label
            tag[begin:end] = number_of[f"I-{label}"]
            tag[begin], tag[end - 1] = number_of[f"B-{label}"], number_of[f"E-{label}"]
            if end - begin == 1:
                tag[begin] = number_of[f"S-{label}"]
            is_decided[begin:end] = True
        is_decided |= tag != tags.tag
        return Layer.from_tags(
            layer.task, tags._replace(names=names).decided(tag, is_decided)
        )


def _pattern_finder(
    rules: Sequence[WordRule | EntityRule],
) -> PatternFinder | None:
    """Return the finder of the patterns of rules, or None without patterns."""
    patterns = [(text, i) for i, rule in enumerate(rules) for text in rule.patterns]
    if not patterns:
        return None
    from senna_py.rules.patterns import PatternFinder  # noqa: PLC0415 - few have one

    return PatternFinder(patterns)


def _with_labels(layer: Layer, labels: Mapping[int, str]) -> Layer:
    """Return a layer with a label for each token, some of which are replaced."""
    label, names = layer.label.copy(), list(layer.names)
    numbers = {name: number for number, name in reversed([*enumerate(names)])}
    rows = np.array([*labels], np.int64)
    for name in labels.values():
        if name not in numbers:
            numbers[name] = len(names)
            names.append(name)
    label[rows] = [numbers[name] for name in labels.values()]
    score = layer.score
    if score is not None:
        score = score.copy()
        score[rows] = 1
    return Layer(layer.task, names, label, score=score)
