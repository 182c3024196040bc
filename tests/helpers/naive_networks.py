"""The networks said again as the obvious loops, one sentence at a time, in double precision."""

import numpy as np


def _lookup(tables, rows):
    """Concatenated table rows, float64[n, sum of dims], for rows of feature indices."""
    return np.array(
        [np.concatenate([t[i] for t, i in zip(tables, row, strict=True)]) for row in rows], float
    )


def _pad(features, half, padding):
    return [padding] * half + list(features) + [padding] * half


def _score(x, net, more=0):
    hidden = np.clip(x @ net.hidden_weight.astype(float) + net.hidden_bias + more, -1, 1)
    return hidden @ net.output_weight.astype(float) + net.output_bias


def _viterbi(scores, net):
    initial, transition = net.initial.astype(float), net.transition.astype(float)
    score, back = initial + scores[0], []
    for row in scores[1:]:
        paths = score[:, None] + transition
        back.append(paths.argmax(axis=0))
        score = paths.max(axis=0) + row
    final = 0 if net.final is None else net.final.astype(float)
    tags = [int((score + final).argmax())]
    for sources in reversed(back):
        tags.append(int(sources[tags[-1]]))
    return tags[::-1]


def tag_window(net, features):
    """Tags of one sentence by a WindowNetwork."""
    half = net.window // 2
    x = _lookup(net.tables, _pad(features, half, net.padding))
    windows = np.array([x[t : t + net.window].ravel() for t in range(len(features))])
    if net.hidden_weight is None:
        scores = windows @ net.output_weight.astype(float) + net.output_bias
    else:
        scores = _score(windows, net)
    return scores.argmax(axis=1).tolist() if net.initial is None else _viterbi(scores, net)


def tag_words(net, features):
    """Tags of one sentence by a SentenceNetwork without predicates."""
    return tag_roles(net, features, None)


def tag_roles(net, features, verb):
    """Tags of one sentence by a SentenceNetwork, for the predicate at `verb`, if it has any."""
    half, n = net.window // 2, len(features)
    words = _lookup(net.tables, _pad(features, half, net.padding))
    position = np.arange(-half, n + half)  # also of the padding
    weights = [net.word_weight, net.verb_distance_weight, net.word_distance_weight]
    weight = np.concatenate([w for w in weights if w is not None]).astype(float)
    pooled = []
    for word in range(n):
        parts = [words]
        for table, centre in ((net.verb_distances, verb), (net.word_distances, word)):
            if table is not None:
                m = (len(table) - 1) // 2
                parts.append(table[np.clip(position - centre, -m, m) + m].astype(float))
        windows = [
            np.concatenate([part[i : i + net.window].ravel() for part in parts]) for i in range(n)
        ]
        pooled.append((np.array(windows) @ weight + net.conv_bias).max(axis=0))
    return _viterbi(_score(np.array(pooled), net), net)


def tree_levels(net, features):
    """Levels of labels of one sentence by a TreeNetwork, innermost first, and the segments."""
    n, n_positions = len(features), len(net.position_bias)
    latest, segments, levels = [0] * n, [], []
    while (0, n) not in segments:
        rows = [(*row, label) for row, label in zip(features, latest, strict=True)]
        x = _lookup(net.tables, rows) @ net.word_weight.astype(float) + net.word_bias
        pooled = []
        for k in range(n):
            place = np.clip(np.arange(n) - k + (n_positions - 1) // 2, 0, n_positions - 1)
            pooled.append((x + net.position_bias[place]).max(axis=0))
        labels, new = _best_segments(_score(np.array(pooled), net), net, segments)
        if not new:
            break
        levels.append(labels)
        latest = [label or before for label, before in zip(labels, latest, strict=True)]
        kept = [(c, d) for c, d in segments if all(d <= a or b <= c for a, b in new)]
        segments = sorted(kept + new)
    return levels, segments


def _may_stand(a, b, segments):
    """Whether a new segment contains each old one and is longer, or does not touch it."""
    return all(
        b <= c or d <= a or (a <= c and d <= b and b - a > d - c) for c, d in segments
    )  # fmt: skip


def _best_segments(scores, net, old):
    """Best labels and their segments, built up from whole segments and words outside any.

    best[t][label] is the best score of words up to t, the last of which has that label, and the
    segment (or O) that ends there with the label before it.
    """
    n, n_labels = scores.shape
    initial, step = net.initial.astype(float), net.transition.astype(float)
    best = [{} for _ in range(n)]

    def enter(t, label):
        """Best score of what precedes `label` at t, and the label there."""
        if t == 0:
            return initial[label], None
        return max((value + step[last, label], last) for last, (value, *_) in best[t - 1].items())

    def offer(t, label, value, begin, before):
        if label not in best[t] or value > best[t][label][0]:
            best[t][label] = (value, begin, before)

    for a in range(n):
        value, before = enter(a, 0)
        offer(a, 0, value + scores[a, 0], a, before)
        for b_label in range(1, n_labels, 4):
            i_label, e_label, s_label = b_label + 1, b_label + 2, b_label + 3
            if _may_stand(a, a + 1, old):
                value, before = enter(a, s_label)
                offer(a, s_label, value + scores[a, s_label], a, before)
            value, before = enter(a, b_label)
            value, last = value + scores[a, b_label], b_label
            for e in range(a + 1, n):
                if _may_stand(a, e + 1, old):
                    offer(e, e_label, value + step[last, e_label] + scores[e, e_label], a, before)
                value, last = value + step[last, i_label] + scores[e, i_label], i_label
    label = max(best[-1], key=lambda label: best[-1][label][0])
    labels, segments, t = [0] * n, [], n - 1
    while t >= 0:
        _, begin, before = best[t][label]
        if label:
            segments.append((begin, t + 1))
            labels[t] = label
            if begin < t:
                labels[begin] = label - 2
                labels[begin + 1 : t] = [label - 1] * (t - begin - 1)
        t, label = begin - 1, before
    return labels, sorted(segments)
