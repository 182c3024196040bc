"""Target: cells of column files, in all layouts and through all commands, with kernels compiled."""

import shutil

from tests.fuzz.cases import OfCorpora, call, written
from tests.fuzz.of_files import LAYOUTS, begin_training
from tests.fuzz.of_models import GOLDEN

# What may stand in a cell: nothing, blanks of all kinds, what is no text, and too much of it.
_CELLS = (
    b"", b"", b"", b" ", b"  ", b"\x0b", b"\x0c", b"\r", b"\x1c", b"\x1f", b"\xc2\x85", b"\xc2\xa0",
    b"\xe2\x80\xa8", b"\xe3\x80\x80", b"\xe2\x80\x8b", b"\x00", b"\x01", b"\xff", b"\xfe\xff",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xef\xbb\xbf", b"\xef\xbb\xbfa",
    b"a\xef\xbb\xbf", b"x" * 70_000, b"\xe4\xb8\xad" * 30_000, b"1" * 5000, b"." * 5000,
    b"(" * 5000, b"x" * 1_100_000, b"#", b"# ", b"-", b"_", b"*", b'"', b'""', b'"""', b'""""',
    b"O", b"B", b"I", b"L-X", b"U-X", b"M-X", b"B-", b"S-", b"-X", b"B-\xff", b"(X)", b"(X(Y*)",
    b"(X(Y)", b"*))", b"X)", b"\\", b"|", b"-DOCSTART-", b"PADDING", b"UNKNOWN", b"<unk>", b"0",
    b"-1", b"999999999999999999999", b"a b",
)  # fmt: skip
_PLAIN = "the\tDT\tB-NP\tO\ndog\tNN\tI-NP\tS-X\n\nAnna\tNNP\tB-NP\tB-PER\nsees\tVBZ\tB-VP\tO\n"
_TASKS = {"conll2000": "chk", "conll2009": "pos", "conll2012": "ner", "conllu": "pos"}
_NAMES = {"conll2000": "word,pos,chk", "": "word,pos,chk,ner"}


class Cells(OfCorpora):
    """Cells that are empty, blank, huge or no text, missing columns, and tabs too many."""

    name = "cells"

    def run(self, source, directory):
        """Change some cells, and give the file to all commands that read such."""
        from senna_py.kernels.runtime.pace import one_way

        layout = source.choice(["", *LAYOUTS])
        text = LAYOUTS.get(layout, _PLAIN).rstrip("\n") + "\n\n"
        if layout != "conllu" and source.random() < 0.7:
            text = "\t".join(text.split(" ")) if layout != "conll2012" else text
        data = _changed(source, text.encode() * source.choice([1, 2, 40]))
        suffix = "conllu" if layout == "conllu" else source.choice(["tsv", "tsv", "tsv.gz"])
        if suffix.endswith("gz"):
            import gzip

            data = gzip.compress(data)
        path = written(directory / f"train.{suffix}", data)
        with one_way(plain=False):
            problem = _tag(source, path, layout)
            _score(source, path, layout)
            _count(source, path)
        for name in ("dev.tsv", "vectors.txt"):
            shutil.copy(self._corpora / name, directory / name)
        task = _TASKS.get(layout, "ner")
        columns = {} if layout else {"columns": _NAMES[""].split(",")}
        train = [{"files": [path.name], "layout": layout} | columns]
        if layout == "conllu" and source.random() < 0.5:
            dev = [{"files": [written(directory / "dev.conllu", LAYOUTS[layout].encode()).name]}]
            blocks = {"approach": "dilated", "width": 4, "dilations": [1]}
            return begin_training(directory, directory, "dep", train=train, dev=dev, network=blocks)
        return begin_training(directory, directory, task, train=train) or problem


def _changed(source, data):
    """Bytes of a column file with other cells in some of its lines."""
    lines = data.split(b"\n")
    for _ in range(source.choice([0, 1, 1, 1, 2, 9])):
        at = source.randrange(len(lines))
        mark = b"\t" if b"\t" in lines[at] else b" "
        cells, kind = lines[at].split(mark), source.randrange(8)
        place = source.choice([0, source.randrange(len(cells))])  # words are often the first
        if kind == 0:
            del cells[place]
        elif kind == 1:
            cells.insert(place, source.choice(_CELLS))
        elif kind == 2:
            cells += [b""] * source.choice([1, 1, 2])
        else:
            cells[place] = source.choice(_CELLS)
        lines[at] = mark.join(cells)
    data = b"\n".join(lines)
    kind = source.randrange(12)
    if kind == 0:
        return b"\xef\xbb\xbf" + data
    if kind == 1:
        return data.replace(b"\n", b"\r\n")
    return data.decode("utf-8", "replace").encode("utf-16") if kind == 2 else data


def _tag(source, path, layout):
    from senna_py.cli.tag import command, verb

    form, jobs = source.choice(["senna", "conll", "conllu", "jsonl"]), source.choice([1, 1, 2])
    tasks = source.sample(["pos", "chk", "ner", "srl", "psg"], source.choice([1, 2]))
    problem = None
    for tag in (command, verb):
        given = [*(f"--{task}" for task in tasks), "--format", form, "--jobs", jobs]
        given += ["--layout", layout] if layout else ["--usrtokens"]
        problem = call(tag, "--path", GOLDEN / "model", *given, "-o", path.with_name("out"), path)
        # An input that cannot be read is told on standard error, and ends with an exit code.
        assert not (layout and problem) or str(path) in problem or "exit code" in problem, problem
    return problem


def _score(source, path, layout):
    from senna_py.cli.eval import command

    model = ["--path", GOLDEN / "model"]
    if layout == "conllu":
        call(command, "text", path, *model)
        call(command, "text", path, path)
    else:
        call(
            command, "text", path, *model, "--columns", "word,pos" + ",-" * (layout == "conll2000")
        )
    task = source.choice(["pos", "chk", "ner"])
    columns = ["--layout", layout] if layout else ["--columns", _NAMES[""]]
    call(command, "model", task, path, *model, *columns)
    for kind in (["chunk"], ["chunk", "-r"], ["token"], ["srl", path], ["tree", path]):
        call(command, *kind, path)
    call(command, "compare", "--samples", "100", path, path, path)


def _count(source, path):
    """Train on the words of the cells, and score them."""
    from senna_py.cli.lm import command as lm
    from senna_py.cli.vectors import command as vectors

    target, kind = path.with_name("m.arpa"), source.randrange(3)
    if kind == 0:
        vocabulary = ["--vocab", path] if source.random() < 0.5 else []
        if call(lm, "train", "ngram", target, path, "--order", "2", *vocabulary) is None:
            assert call(lm, "score", target, path, "-o", path.with_name("scored")) is None
    elif kind == 1:
        call(
            vectors,
            "cluster",
            path.with_name("classes"),
            path,
            "--classes",
            "2",
            "--min-count",
            "1",
        )
    else:
        call(vectors, "export", path, path.with_name("vectors"), "--to", "word2vec")
