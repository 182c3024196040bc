"""Fallbacks of `kernels.text.gazetteer`, by a KeySearch or PhraseSearch of
`runtime.search`.
"""

from senna_py.kernels.text.plain.tokens import fold_bytes


def join_tokens(
    raw, begin, end, char_kind, char_lower, joined, kind, origin, first, last
):
    """Only `joined`, `first` and `last` are written."""
    data, n = raw.tobytes(), 0
    for t, (a, b) in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
        text, _, _ = fold_bytes(data, a, b, False, char_kind, char_lower)
        first[t], last[t] = n, n + len(text)
        text.append(32)
        joined[n : n + len(text)] = text
        n += len(text)


def _longest_entity(joined, first, last, t, end, phrases, entity):
    stop = t
    for u in range(t, end):
        index = phrases.find(joined[first[t] : last[u]].tobytes())
        if index < 0:
            break
        if entity[index]:
            stop = u + 1
    return stop
