"""Words of text that is tokenized already: what lies between white space."""

from senna_py.kernels.runtime.jit import kernel
from senna_py.kernels.text.dictionary import EMPTY_HASH, enter, extend_hash

LINE_END = -1
_NEWLINE, _TAB, _RETURN, _SPACE = 10, 9, 13, 32


@kernel
def number_words(raw, slots, begin, end, out):
    """Number the different words of `raw`: uint8[n], in the order in which they first
    occur.

    slots: int32[2**k], all -1, more than twice as many as words; begin, end: int32[n //
    2 + 1] get the bytes of each; out: int32[n] gets the number of each word, and
    LINE_END for each newline. Words are separated by ASCII's white space. Returns the
    lengths of `out` and of `begin`.
    """
    n_out = n_words = i = 0
    while i < len(raw):
        byte = raw[i]
        if byte == _SPACE or _TAB <= byte <= _RETURN:
            if byte == _NEWLINE:
                out[n_out] = LINE_END
                n_out += 1
            i += 1
            continue
        value = EMPTY_HASH
        begin[n_words] = i
        while i < len(raw) and raw[i] != _SPACE and not _TAB <= raw[i] <= _RETURN:
            value = extend_hash(value, raw[i])
            i += 1
        end[n_words] = i
        found = enter(raw, begin, end, slots, n_words, value)
        out[n_out] = found
        n_out += 1
        n_words += found == n_words
    return n_out, n_words
