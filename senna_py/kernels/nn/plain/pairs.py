"""Twin of the kernel of `kernels.nn.pairs` that tagging uses."""

__all__ = ["pair_units"]


def pair_units(firsts, seconds, table, i, j, k, out):
    n = out.shape[1]
    first, second = firsts[i], seconds[j]
    out[:] = first[:, :n] + second[:, :n] + table[k[:, 0]] + first[:, n:] * second[:, n:]
    for column in k.T[1:]:
        out += table[column]
