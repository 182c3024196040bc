"""Damage: what is changed in files that were whole. All of it follows from a
`random.Random`.
"""

import json
import struct

import numpy as np

# What may stand in place of a field of a text file.
HOSTILE = (
    b"",
    b" ",
    b"\t",
    b"-",
    b"_",
    b"nan",
    b"inf",
    b"-inf",
    b"-Infinity",
    b"1e999",
    b"-1e-999",
    b"0",
    b"-0",
    b"-1",
    b"1_0",
    b"-0_2",
    b"0x1p3",
    b"9" * 5000,
    b"-" + b"9" * 400,
    b"1e5000",
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    "１２".encode(),
    "\u2028".encode(),
    "\ufeff".encode(),
    b"\x0b",
    b"\x1c",
    b"\r",
    b"(",
    b")",
    b"((((",
    b"(" * 3000,
    b"*" * 50,
    b"(A0*)",
    b"B-",
    b"S-V",
    b"O",
    b"a" * 70_000,
    b"#",
    b'"',
    b'"""',
    b"=",
    b"|",
    b"1-2",
    b"1.1",
    b"0-0",
    b"\\",
    b"<unk>",
    b"</s>",
    b"<s>",
    b"\\data\\",
    b"\\end\\",
    b"ngram 1=3",
    b"[",
    b"{}",
    b"-DOCSTART-",
    b"%s%n",
    b"PADDING",
    b"  ",
    b"\x01",
    b"\x1f",
    b"\xc2\x85",
    b"\xc2\xa0",
    "\u3000".encode(),
    b"\xe2\x80\x8b",
    b"\xfe\xff",
    b"\xf4\x90\x80\x80",
    "\ufeffa".encode(),
    "a\ufeff".encode(),
    b"x" * 1_100_000,
    "中".encode() * 30_000,
    b"." * 5000,
    b"# ",
    b"*",
    b'""',
    b'""""',
    b"B",
    b"I",
    b"L-X",
    b"M-X",
    b"-X",
    b"\xc3",
    b"B-\xff",
    b"(X)",
    b"(X(Y*)",
    b"(X(Y)",
    b"*))",
    b"X)",
    b"UNKNOWN",
    b"a b",
)
_NUMBERS = (b"\0\0\xc0\x7f", b"\0\0\x80\x7f", b"\xff\xff\xff\x7f", b"\xff\xff\x7f\xff")


def damage(source, data):
    """Flip bytes of `data`, cut it or make it longer; where sizes and keys stand, if it
    is long.
    """
    data = bytearray(data)
    kind = source.choice(["flip", "flip", "flip", "start", "number", "cut", "extend"])
    if kind == "cut":
        return data[: source.randrange(len(data))]
    if kind == "extend":
        return data + source.randbytes(source.choice([1, 4, 100]))
    # Any aligned value may become one that is no number, or a huge one.
    if kind == "number":
        at = 4 * source.randrange(len(data) // 4)
        data[at : at + 4] = source.choice(_NUMBERS)
        return data
    end = min(len(data), 64) if kind == "start" else len(data)
    for _ in range(source.choice([1, 2, 10, 1000])):
        data[source.randrange(end)] ^= 1 << source.randrange(8)
    return data


def damage_header(source, data):
    """Put another value in place of one anywhere in the header of a file of tensors.

    What is JSON inside a string of it is JSON to this as well.
    """
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    inner = [key for key in ("model", "info") if key in header["__metadata__"]]
    if inner and source.random() < 0.5:
        key = source.choice(inner)
        description = json.loads(header["__metadata__"][key])
        if description:
            replace_value(source, description)
        header["__metadata__"][key] = json.dumps(description)
    else:
        replace_value(source, header)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data[8 + length :]


def replace_value(source, value):
    """Change something in nested lists and dicts."""
    key = source.choice(list(range(len(value)) if isinstance(value, list) else value))
    inner = value[key]
    if isinstance(inner, list | dict) and inner and source.random() < 0.9:
        replace_value(source, inner)
    elif source.random() < 0.3:
        del value[key]
    elif isinstance(value, list) and source.random() < 0.3:
        source.shuffle(value)
    elif isinstance(inner, int) and source.random() < 0.5:
        value[key] = inner + source.choice([-2, -1, 1, 2, 64])
    elif isinstance(inner, str) and source.random() < 0.3:
        value[key] = source.choice(
            [f"{inner}0", inner[:-1], "9" * 5000, "1e400", "nan", "-1"]
        )
    else:
        others = [
            None,
            -1,
            0,
            3,
            1e300,
            2**70,
            1e400,
            float("nan"),
            True,
            "",
            "pos",
            "word",
            "\ud800",
            [],
            [1],
            {},
            {"a": 1},
            10**6,
        ]
        value[key] = source.choice(others)


@np.errstate(all="ignore")
def damage_arrays(source, arrays):
    """The dict of arrays with one of them missing, more, or of other numbers, shape or
    type.
    """
    arrays = {name: array.copy() for name, array in arrays.items()}
    name = source.choice(sorted(arrays))
    array, kind = arrays[name], source.randrange(12)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        arrays[source.choice([f"{name}0", "x", f"{name}/y", "networks/pos/x"])] = array
    elif kind == 2:
        arrays[name] = arrays[source.choice(sorted(arrays))].copy()
    elif kind == 3:
        arrays[name] = array.astype(source.choice(["f4", "f2", "i4", "u1", "i1"]))
    elif kind == 4:
        arrays[name] = np.ascontiguousarray(array.T)
    elif kind == 5:
        arrays[name] = array.reshape(source.choice([(-1,), (1, -1), (-1, 1)]))
    elif kind == 6 and array.ndim:
        arrays[name] = np.concatenate([array, array])[
            : source.randrange(2 * len(array) + 1)
        ]
    elif kind == 7 and array.ndim > 1:
        arrays[name] = array[..., : source.randrange(array.shape[-1] + 1)].copy()
    elif array.size:
        _change_numbers(source, array)
    return arrays


def _change_numbers(source, array):
    """Put other numbers into an array: one, some or all."""
    flat = array.reshape(-1)
    if array.dtype.kind == "f":
        top = float(np.finfo(array.dtype).max)
        number = source.choice(
            [np.nan, np.inf, -np.inf, top, -top, 1e-30, 0, -1, 1, 99]
        )
    elif array.dtype.kind in "iu":
        info = np.iinfo(array.dtype)
        marks = b"\0\1\2\3\n d"  # of text, in arrays of bytes
        number = source.choice([info.min, info.max, *marks, len(flat), len(flat) - 1])
        number = min(max(number, info.min), info.max)
    else:
        return
    size = source.choice([1, 1, 1, 10, len(flat)])
    for _ in range(min(size, 1000)):
        flat[source.randrange(len(flat))] = number


def damage_lines(source, data, separators=(b" ", b"\t")):
    """Change lines of a text file or fields of them, put there what no writer
    writes.
    """
    lines = data.split(b"\n")
    for _ in range(source.choice([1, 1, 1, 2, 5])):
        at = source.randrange(len(lines))
        kind = source.randrange(9)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[source.randrange(len(lines))])
        elif kind == 2:
            lines[at] = source.choice(HOSTILE)
        elif kind == 3:
            lines.insert(at, source.choice(HOSTILE))
        elif kind == 4:
            lines[at] += source.choice(HOSTILE)
        else:
            lines[at] = _change_field(source, lines[at], source.choice(separators))
        if not lines:
            break
    return b"\n".join(lines)


def _change_field(source, line, separator):
    fields = line.split(separator)
    at, kind = source.randrange(len(fields)), source.randrange(5)
    if kind == 0:
        del fields[at]
    elif kind == 1:
        fields.insert(at, source.choice(HOSTILE))
    elif kind == 2:
        fields[at] = fields[source.randrange(len(fields))]
    else:
        fields[at] = source.choice(HOSTILE)
    return separator.join(fields)


def damage_text(source, data, separators=(b" ", b"\t")):
    """Damage a text file by lines and fields, or by bytes, or both; rarely its line
    ends.
    """
    kind = source.randrange(10)
    if kind < 7:
        data = damage_lines(source, data, separators)
    if kind in (6, 7, 8) and data:
        data = bytes(damage(source, data)) if len(data) > 4 else data
    if kind == 9:
        data = source.choice(
            [
                data.replace(b"\n", b"\r\n"),
                data.replace(b"\n", b"\r"),
                b"\xef\xbb\xbf" + data,
                b"",
                data.decode("utf-8", "replace").encode("utf-16"),
                data.rstrip(b"\n"),
                b"\n" + data,
            ]
        )
    return data
