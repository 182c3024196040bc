"""Sentences read out of the arrays of a tagged batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.annotation import ByTask, Segment, Sentence
from senna_py.labels.tag_schemes import segments
from senna_py.labels.tasks import POS, ROLES, TREES
from senna_py.labels.tree_keys import found_phrases
from senna_py.labels.trees import EMPTY, SENTENCE, Leaf, Phrase, Tree, build_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from senna_py.layers.likelihood import PathScores
    from senna_py.networks.answers import RoleLabels
    from senna_py.tagger import Annotations, Tagger
    from senna_py.text.vocabulary import Vocabulary

__all__ = ["sentences", "sentences_of_lines"]


def sentences(
    tagger: Tagger, annotations: Annotations, texts: Mapping[int, str | Sequence[str]]
) -> list[Sentence]:
    """One Sentence for each input of a batch, even if it has no token.

    texts: a dict of the inputs by their number in `annotations.tokens.source`: str, or lists of
    str tokens, which are joined by a space. An input that was cut for the networks is whole
    again: one root holds the trees of its parts. After `Tokens.split` inputs are sentences, whose
    characters are those of their line.
    """
    reader = _BatchReader(annotations, tagger)
    parts: dict[int, list[int]] = {number: [] for number in texts}
    for s, source in enumerate(annotations.tokens.source.tolist()):
        parts[source].append(s)
    return [reader.sentence(text, parts[number]) for number, text in texts.items()]


def sentences_of_lines(tagger: Tagger, annotations: Annotations) -> list[Sentence]:
    """One Sentence for each line of a batch that has tokens, or for each sentence of the lines.

    Bytes outside UTF-8 are lone surrogates in their texts, as of `surrogateescape`.
    """
    tokens = annotations.tokens
    texts = {
        source: tokens.data[begin:end].decode("utf-8", "surrogateescape").removesuffix("\r")
        for source, begin, end in zip(
            tokens.source.tolist(), tokens.text_begin.tolist(), tokens.text_end.tolist(),
            strict=True,
        )
    }  # fmt: skip
    return sentences(tagger, annotations, texts)


class _LabelCache(dict[int, str]):
    """Labels by index, decoded once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def __missing__(self, index: int) -> str:
        self[index] = label = self._vocabulary[index]
        return label


class _BatchReader:
    """Reads sentences out of the arrays of a batch."""

    def __init__(self, annotations: Annotations, tagger: Tagger) -> None:
        self._tokens, self._found = annotations.tokens, annotations.found
        self._tasks, self._with_scores = tagger.tasks, tagger.with_scores
        tasks = {name: tagger.task(name) for name in tagger.tasks}
        self._of_words = [n for n, task in tasks.items() if task.labels == "words"]
        self._segments = {n: task.attribute for n, task in tasks.items() if task.kind == "segments"}
        printed = {*tasks, *(need for task in tasks.values() for need in task.needs)}
        self._labels = {task: _LabelCache(tagger.labels(task)) for task in printed}
        if TREES in tasks:
            self._phrases = found_phrases(
                self._found[TREES], self._tokens.starts, self._labels[TREES], SENTENCE
            )
        self._offsets = annotations.tokens.offsets()

    def sentence(self, text: str | Sequence[str], parts: list[int]) -> Sentence:
        """Sentence of the input `text`, which stands in the batch as the sentences `parts`."""
        if not isinstance(text, str):
            text = " ".join(text)
        starts = self._tokens.starts
        begin, end = (starts[parts[0]], starts[parts[-1] + 1]) if parts else (0, 0)
        tags: ByTask[tuple[str, ...]] = ByTask()
        scores = {}
        for task in self._of_words:
            label, answer = self._labels[task].__getitem__, self._found[task]
            tags[task] = tuple(map(label, answer.labels[begin:end].tolist()))
            if answer.scores is not None:
                scores[task] = answer.scores.take(begin, end)
        spans = {task: _segments(tags[task], 0, scores.get(task)) for task in self._segments}
        found: dict[str, Any] = {
            name: spans.pop(task) for task, name in self._segments.items() if name
        }
        if spans:
            found["spans"] = spans
        if self._with_scores:
            scored = ((task, tuple(scores[task].tag.tolist())) for task in tags if task in scores)
            found["scores"] = ByTask(scored)
        if ROLES in self._tasks:
            found["frames"] = self._frames(self._found[ROLES], parts, begin)
        places = self._offsets[begin:end]
        if TREES in self._tasks:
            at = self._start(parts[0]) if parts else 0
            words = [text[first - at : last - at] for first, last in places.tolist()]
            found["tree"] = self._tree(words, parts, begin)
        return Sentence(
            text,
            tuple(places[:, 0].tolist()),
            tuple(places[:, 1].tolist()),
            tags,
            self._start(parts[0]) if parts else 0,
            found,
        )

    def _start(self, part: int) -> int:
        """Character of its line where the text of a sentence begins."""
        tokens = self._tokens
        if tokens.text_begin[part] == tokens.line_begin[part]:
            return 0
        return int(self._offsets[tokens.starts[part], 0])

    def _frames(
        self, roles: RoleLabels, parts: list[int], origin: int
    ) -> tuple[tuple[int, tuple[Segment, ...]], ...]:
        starts = self._tokens.starts
        frames = []
        for s in parts:
            first = int(starts[s] - origin)
            for p in range(roles.first[s], roles.first[s + 1]):
                rows = int(roles.begin[p]), int(roles.begin[p + 1])
                tags = [self._labels[ROLES][i] for i in roles.labels[slice(*rows)].tolist()]
                scores = None if roles.scores is None else roles.scores.take(*rows)
                arguments = _segments(tags, first, scores)
                frames.append((int(roles.predicate[p] - origin), arguments))
        return tuple(frames)

    def _tree(self, words: list[str], parts: list[int], origin: int) -> Tree:
        """Tree of an input; several parts of it have a root around theirs."""
        if not words:
            return EMPTY
        starts = self._tokens.starts
        tags = self._found[POS].labels[origin : origin + len(words)].tolist()
        leaves = [Leaf(word, self._labels[POS][tag]) for word, tag in zip(words, tags, strict=True)]
        phrases = [Phrase(SENTENCE, 0, len(words))] if len(parts) > 1 else []
        for s in parts:
            first = int(starts[s] - origin)
            phrases += [Phrase(label, first + a, first + b) for label, a, b in self._phrases[s]]
        return build_tree(leaves, phrases)


def _segments(tags: Sequence[str], first: int, scores: PathScores | None) -> tuple[Segment, ...]:
    """Segments of IOBES `tags`, the first of which belongs to token `first`."""
    return tuple(
        (label, begin + first, end + first, scores.of_segment(begin, end) if scores else None)
        for label, begin, end in segments(tags)
    )
