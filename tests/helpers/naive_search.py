"""A naive matcher of patterns, which tries everything from every token."""

from senna_py.labels.tasks import Structure
from senna_py.search.syntax import (
    SENTENCE,
    All,
    Alternatives,
    Any,
    Before,
    Capture,
    Compare,
    Edge,
    Node,
    Not,
    Region,
    Repeat,
    Same,
    Sequence,
    Word,
    targets_of,
)
from senna_py.search.table import WORD, attribute_named


class NaiveSearch:
    """Finds the matches of a query in a document, given as (begin, end, captures)."""

    def __init__(self, document, query):
        self.document, self.query = document, query
        self.layers = {name: [*layer.rows()] for name, layer in document.layers.items()}

    def matches(self):
        """Return the matches in text order."""
        out = []
        for sentence in self.document.sentences:
            free = sentence.start
            for start in range(sentence.start, sentence.end):
                if start < free:
                    continue
                self.first, self.last = sentence.start, sentence.end
                ways = {
                    (end, captures)
                    for end, captures in self.match(
                        self.query.part, start, sentence.end
                    )
                    if end > start
                    and self.is_within(start, end)
                    and all(
                        self.holds(each, dict(captures))
                        for each in self.query.conditions
                    )
                }
                if ways:
                    end = max(end for end, _ in ways)
                    longest = [dict(c) for e, c in ways if e == end]
                    out += [(start, end, each) for each in self.chosen(longest)]
                    free = end
        return out

    def chosen(self, ways):
        """Return one way for each assignment of the captures that are observed."""
        compared = {
            name for each in self.query.conditions for name in (each.left, each.right)
        }
        observed = self.query.targets | compared
        none = (-1, -1)

        def preference(captures):
            places = [captures.get(n) for n in self.query.names if n not in observed]
            return [(10**9, 1) if p is None else (p[0], -p[1]) for p in places]

        def key(captures):
            return tuple(
                captures.get(n, none) for n in self.query.names if n in observed
            )

        best = {}
        for captures in sorted(ways, key=preference):
            best.setdefault(key(captures), captures)
        return [best[each] for each in sorted(best)]

    def match(self, part, pos, limit):  # noqa: PLR0912 - a case for each part
        """Yield (end, captures) for each way in which a part can match at a token."""
        match part:
            case Node():
                for begin, end, captures in self.node(part):
                    if begin == pos and end <= limit:
                        yield end, captures
            case Sequence(parts):
                ways = {(pos, frozenset())}
                for each in parts:
                    ways = {
                        (end, merged(captures, more))
                        for at, captures in ways
                        for end, more in self.match(each, at, limit)
                    }
                yield from ways
            case Alternatives(parts):
                for each in parts:
                    yield from self.match(each, pos, limit)
            case Capture(name, inner):
                for end, captures in self.match(inner, pos, limit):
                    own = {(name, (pos, end))} if end > pos else set()
                    yield end, merged(captures, own)
            case Repeat(inner, least, most):
                yield from self.repeat(inner, least, most, pos, limit)
            case Region(tag, inner):
                for begin, stop, *_ in self.spans(tag):
                    if begin == pos and stop <= limit:
                        for end, captures in self.match(inner, pos, stop):
                            if end == stop:
                                yield end, captures
            case Edge(tag, is_end):
                place = 1 if is_end else 0
                inside = pos > self.first if is_end else pos < self.last
                if inside and any(span[place] == pos for span in self.spans(tag)):
                    yield pos, frozenset()

    def repeat(self, inner, least, most, pos, limit):
        """Yield the ways in which a part can be repeated."""
        empty = any(end == pos for end, _ in self.match(inner, pos, limit))
        ways, done = {(pos, frozenset())}, 0
        seen = set()
        while ways:
            if done >= least or self.can_be_empty(inner) or empty:
                yield from ways
            if most is not None and done == most:
                return
            seen |= ways
            ways = {
                (end, merged(captures, more))
                for at, captures in ways
                for end, more in self.match(inner, at, limit)
                if end > at
            }
            done += 1

    @staticmethod
    def can_be_empty(part):
        from senna_py.search.syntax import can_be_empty

        return can_be_empty(part)

    def node(self, node):
        """Yield (begin, end, captures) for each way in which a node can match."""
        for begin, end, first, last in self.starts(node.start):
            ways = {frozenset()}
            for relation in node.relations:
                more = self.related(relation, range(first, last))
                if relation.is_negated:
                    ways = set() if more else ways
                    continue
                if relation.is_optional and (
                    not more or not self.has_names(relation.target)
                ):
                    continue
                ways = {merged(a, b) for a in ways for b in more}
            for captures in ways:
                yield begin, end, captures

    @staticmethod
    def has_names(node):
        return bool(node.names or [*targets_of(node)])

    def starts(self, start):
        """Yield (begin, end, first, last) for a word or a span."""
        if isinstance(start, Word):
            for i in range(len(self.document)):
                if self.test(start.condition, i):
                    yield i, i + 1, i, i + 1
        else:
            yield from self.spans(start)

    def related(self, relation, sources):
        """Return the captures for each target of a relation from some tokens."""
        task = attribute_named(relation.task, self.layers).task
        layer = self.document.layers[task]
        steps = []  # (source token, target token, extent of an argument or None)
        for label, begin, end, anchor, _ in self.layers[task]:
            if anchor < 0 or (relation.label and not relation.label.accepts(label)):
                continue
            if layer.shape.structure is Structure.HEADS:
                above = [anchor]
                while relation.is_chain and self.layers[task][above[-1]][3] >= 0:
                    above.append(self.layers[task][above[-1]][3])
                steps += [(high, begin, None) for high in above]
            elif layer.shape.hangs_on == "token":
                steps += [(anchor, i, (begin, end)) for i in range(begin, end)]
            else:
                _, a, b, *_ = self.layers[task][anchor]
                steps += [
                    (j, i, (begin, end))
                    for i in range(begin, end)
                    for j in range(a, b)
                    if self.sentence_of(i) == self.sentence_of(j)
                ]
        if relation.goes_up:
            steps = [(low, high, None) for high, low, _ in steps]
        out = set()
        ways = [
            (first, last, begin, end, inner)
            for begin, end, first, last, inner in self.target_ways(relation.target)
        ]
        for source, target, extent in steps:
            if source not in sources:
                continue
            for first, last, begin, end, inner in ways:
                if first <= target < last:
                    place = begin, end
                    if extent and isinstance(relation.target.start, Word):
                        place = extent
                    names = {(name, place) for name in relation.target.names}
                    out.add(merged(inner, names))
        return out

    def target_ways(self, node):
        for begin, end, first, last in self.starts(node.start):
            ways = {frozenset()}
            for relation in node.relations:
                more = self.related(relation, range(first, last))
                if relation.is_negated:
                    ways = set() if more else ways
                elif not relation.is_optional or (
                    more and self.has_names(relation.target)
                ):
                    ways = {merged(a, b) for a in ways for b in more}
            for captures in ways:
                yield begin, end, first, last, captures

    def sentence_of(self, i):
        return self.document[i : i + 1].sentence.number

    def spans(self, tag):
        """Return the spans of a tag: (begin, end, first, last)."""
        if tag.task == SENTENCE:
            return [
                (s.start, s.end, s.start, s.end)
                for s in self.document.sentences
                if len(s)
            ]
        task = attribute_named(tag.task, self.layers).task
        layer, out = self.document.layers[task], []
        for label, begin, end, _, _ in self.layers[task]:
            if tag.value and not tag.value.accepts(label):
                continue
            place = begin, end
            if layer.shape.structure is Structure.HEADS:
                below = self.below(task, begin)
                place = min(below), max(below) + 1
            out.append((*place, begin, end))
        return out

    def below(self, task, i):
        children = [j for j, row in enumerate(self.layers[task]) if row[3] == i]
        return [i, *(k for j in children for k in self.below(task, j))]

    def test(self, condition, i):
        """Return whether a condition holds for a token."""
        match condition:
            case Compare(name, value):
                attribute = attribute_named(name, self.layers)
                if attribute.task == WORD:
                    values = [self.document[i].text]
                else:
                    rows = self.layers[attribute.task]
                    values = [label for label, a, b, *_ in rows if a <= i < b]
                if value is None:
                    return any(each not in ("", "_") for each in values)
                return any(map(value.accepts, values))
            case Not(inner):
                return not self.test(inner, i)
            case All(parts):
                return all(self.test(each, i) for each in parts)
            case Any(parts):
                return any(self.test(each, i) for each in parts)

    def is_within(self, start, end):
        tag = self.query.within
        return tag is None or any(
            begin <= start and end <= stop for begin, stop, *_ in self.spans(tag)
        )

    def holds(self, condition, captures):
        """Return whether a condition on captures holds."""
        if condition.left not in captures or condition.right not in captures:
            return False
        left, right = captures[condition.left], captures[condition.right]
        if isinstance(condition, Before):
            return left[1] <= right[0]
        assert isinstance(condition, Same)
        values = [
            [self.value(name, i) for i in range(*place)]
            for name, place in (
                (condition.left_attribute, left),
                (condition.right_attribute, right),
            )
        ]
        return (values[0] == values[1]) != condition.is_negated

    def value(self, name, i):
        attribute = attribute_named(name, self.layers)
        if attribute.task == WORD:
            return self.document[i].text
        return self.layers[attribute.task][i][0]


def merged(captures, more):
    """Return captures with others added; these take precedence."""
    return frozenset({**dict(captures), **dict(more)}.items())
