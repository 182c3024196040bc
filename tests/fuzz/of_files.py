"""Targets: vectors, lists, labelled files, trees, configurations."""

import gzip
import re
import shutil

import numpy as np

from tests.fuzz.cases import OfCorpora, Target, call, written
from tests.fuzz.damage import damage, damage_arrays, damage_lines, damage_text
from tests.fuzz.of_models import GOLDEN
from tests.helpers.commands import files_below
from tests.helpers.language_models import language_models
from tests.helpers.small_conllu import SENTENCE


class Vectors(Target):
    """Word vectors in every format that is read."""

    name = "vectors"

    def prepare(self, directory):
        """Write the same vectors in all formats, and models that have some."""
        from senna_py.models.checkpoint import write_arrays
        from senna_py.models.embedding_formats.trained import words_in_checkpoint
        from senna_py.models.embeddings import (
            FORMATS,
            Embeddings,
            write_embeddings,
        )

        words = ["PADDING", "UNKNOWN", "the", "a", "house", "Häuser", "0", "."]
        rows = np.random.default_rng(0).normal(0, 1, (len(words), 3)).astype(np.float32)
        self._files, place = {}, directory / "formats"
        for form in FORMATS:
            write_embeddings(
                place / form / "v.npy" if form == "npy" else place / form / "v",
                Embeddings(words, rows),
                form,
            )
            self._files[form] = files_below(place / form)
        state = {"state": {"scale": 1.5}}
        (place / "checkpoint").mkdir()
        write_arrays(
            place / "checkpoint" / "checkpoint.npz",
            state,
            words=words_in_checkpoint(words),
            vectors=rows,
        )
        self._files["checkpoint"] = files_below(place / "checkpoint")
        for path in language_models(directory / "lm"):
            if path.stem in ("word", "morph", "nplm-direct"):
                self._files[path.stem] = {path.name: path.read_bytes()}
        for form in ("word2vec", "glove"):
            self._files[f"{form}-gz"] = {
                "v.txt.gz": gzip.compress(self._files[form]["v"])
            }

    def run(self, source, directory):
        """Damage one file of them, and export, import and search the vectors."""
        from senna_py.cli.vectors import command
        from senna_py.models.embeddings import read_embeddings

        name = source.choice(sorted(self._files))
        files = dict(self._files[name])
        chosen = source.choice(sorted(files))
        data = files[chosen]
        if chosen.endswith(".gz") and source.random() < 0.7:
            data = gzip.compress(damage_text(source, gzip.decompress(data)))
        elif chosen.endswith(".npy") and source.random() < 0.5:
            data = _npy(source)
        elif name in ("word2vec", "glove", "senna") or chosen.endswith(".words"):
            data = damage_text(source, data)
        elif name == "word2vec-binary" and source.random() < 0.5:
            head, _, rest = data.partition(b"\n")
            data = damage_lines(source, head) + b"\n" + rest
        else:
            data = bytes(damage(source, data))
        for each, whole in files.items():
            written(directory / "in" / each, data if each == chosen else whole)
        path = {"npy": "v.npy", "senna": "v"}.get(name, next(iter(files)))
        path = directory / "in" / path
        is_known = name in {
            "word2vec",
            "word2vec-binary",
            "glove",
            "npy",
            "senna",
            "checkpoint",
        }
        form = ["--from", name] if is_known and source.random() < 0.25 else []
        out = directory / "out" / "v.txt"
        problem = call(command, "export", path, out, "--to", "word2vec", *form)
        if problem is None:
            again = read_embeddings(out, "word2vec")
            assert np.isfinite(again.vectors).all()
            assert all(again.words)
        call(command, "import", path, directory / "out" / "adopted", *form)
        problem = call(command, "neighbors", path, "the", *form) or problem
        call(
            command,
            "export",
            path,
            directory / "out" / "half",
            "--to",
            "npy",
            "--half",
            *form,
        )
        return problem


def _npy(source):
    """Bytes of a .npy file of some other array."""
    from io import BytesIO

    arrays = damage_arrays(
        source, {"v": np.ones((8, 3), "f4"), "w": np.ones((2, 2), "f8")}
    )
    file = BytesIO()
    np.save(file, source.choice(list(arrays.values())))
    return file.getvalue()


_CHART = {"approach": "chart", "width": 12, "dilations": [1, 2]}


def begin_training(directory, corpora, task, **changes):
    """Train a tagger on a batch below `directory`; returns the message of its error, or
    None.
    """
    from senna_py.errors import SennaError
    from tests.helpers.small_corpora import run, settings

    try:
        config = settings(task, **changes)
        run(directory / "run", config, corpora).trainer().run(time_limit=0)
    except SennaError as error:
        return str(error)
    return None


_LISTS = {
    "classes.tsv": b"01\tthe\t9\n01\ta\n10\tdog\t3\n11\tcat\t2\n110\tsees\t1\n",
    "places.txt": "Rome\nNew York\nNew York City\nAnna\nthe dog\nSão Paulo\n".encode(),
    "abbreviations.txt": b"Abt.\nvgl\nd.h.\nca\n",
    "words.txt": b"<unk>\n<s>\n</s>\nthe\na\ndog\nsees\ncat\n",
}


class Lists(OfCorpora):
    """Classes of words, phrases of gazetteers, abbreviations, dictionaries."""

    name = "lists"

    def run(self, source, directory):
        """Damage one of the files, and train with it, or tokenize, or count."""
        from senna_py.cli.lm import command as lm
        from senna_py.cli.tag import tokenize

        for name, data in _LISTS.items():
            written(directory / name, data)
        name = source.choice(sorted(_LISTS))
        path = written(directory / name, damage_text(source, _LISTS[name]))
        text = self._corpora.parent / "words.txt"
        text.write_text("the dog sees a cat\nthe cat sees Rome vgl . Abt. ca 3\n" * 9)
        if name == "abbreviations.txt":
            return call(
                tokenize,
                "--path",
                GOLDEN / "model",
                "--abbreviations",
                path,
                "-o",
                directory / "o",
                text,
            )
        if name == "words.txt":
            return call(
                lm,
                "train",
                "ngram",
                directory / "m.arpa",
                text,
                "--vocab",
                path,
                "--order",
                "2",
            )
        problem = None
        if name == "classes.tsv":
            problem = call(
                lm,
                "train",
                "ngram",
                directory / "m.lm",
                text,
                "--classes",
                path,
                "--order",
                "2",
            )
        return (
            begin_training(
                directory,
                self._corpora,
                "pos",
                features={"class.k": 2, "gazetteer.p": 2},
                classes={"k": str(directory / "classes.tsv")},
                gazetteers={"p": [str(directory / "places.txt")]},
            )
            or problem
        )


_CONLLU = f"""{SENTENCE}# text = the dog
1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\tNER=O
2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\tNER=O|SpaceAfter=No
"""
LAYOUTS = {
    "conllu": _CONLLU,
    "conll2000": "the DT B-NP\ndog NN I-NP\nsees VBZ B-VP\n\na DT B-NP\ncat NN I-NP\n",
    "conll2002": "Rome B-LOC\nis O\n\nold O\n",
    "conll2003": "-DOCSTART- -X- -X- O\n\nRome NNP B-NP B-LOC\nsees VBZ B-VP O\n",
    "conll2009": "1 Go go go VB VB _ _ 0 0 R R Y go.01 _\n2 Rome r r NNP NNP _ _ 1 1 O O _ _ A1\n",
    "conll2012": (
        "#begin document (d); part 000\n"
        "d 0 0 Rome NNP (TOP(S(NP*) - - - s (GPE) (ARG0*) -\n"
        "d 0 1 sleeps VBZ (VP*))) sleep 01 1 s * (V*) -\n#end document\n"
    ),
}


class ColumnFiles(OfCorpora):
    """Column files, through all commands, with labels and with probabilities of
    labels.
    """

    name = "columns"

    def prepare(self, directory):
        """Have soft labels, too."""
        super().prepare(directory)
        self._train = (self._corpora / "train.tsv").read_bytes()
        blocks = self._train.split(b"\n\n")[:12]
        self._train = b"\n\n".join(blocks)
        rows = [line.split(b"\t") for line in self._train.split(b"\n")]
        self._soft = {
            task: b"\n".join(
                b"\t".join(form) % tuple(row[k] for k in used) if row[1:] else b""
                for row in rows
            )
            for task, used, *form in (
                ("pos", (0, 1), b"%b", b"%b:0.75,XX:.25"),
                ("srl", (0, 5, 6), b"%b", b"%b", b"%b:0.75,O:.25"),
                ("psg", (0, 1), b"%b", b"X%b/1:0.75,S(VP/1:.25"),
            )
        }

    def run(self, source, directory):
        """Damage one of them, tag, score and count the words, and begin to train on the
        labels.
        """
        from senna_py.kernels.runtime.switch import fixed_kernels

        layout = source.choice(["", "", "soft", *LAYOUTS])
        task = source.choice(["pos", "chk", "ner", "srl", "psg", "vbs"])
        if layout == "soft":
            task = source.choice(sorted(self._soft))
        data = {"": self._train, "soft": self._soft.get(task)}.get(layout)
        data = data or (LAYOUTS[layout].encode() + b"\n") * source.choice([1, 2, 40])
        if layout not in ("conllu", "conll2012") and source.random() < 0.3:
            data = data.replace(b" ", b"\t")
        separators = b"\t:,=|/" if layout in ("soft", "conllu") else b"\t\t"
        if source.random() < 0.9:
            data = damage_text(
                source, data, [b" ", *(bytes([each]) for each in separators)]
            )
        suffix = (
            "conllu" if layout == "conllu" else source.choice(["tsv", "tsv", "tsv.gz"])
        )
        if suffix.endswith("gz"):
            data = gzip.compress(data)
        path = written(directory / f"train.{suffix}", data)
        for name in ("dev.tsv", "vectors.txt"):
            shutil.copy(self._corpora / name, directory / name)
        problem = None
        if layout != "soft":
            with fixed_kernels(plain=False):
                problem = _tag_columns(source, path, layout)
                _score_columns(source, path, layout)
                _count_words(source, path)
        return _train_on_columns(source, path, layout, task) or problem


def _tag_columns(source, path, layout):
    """Tag a file of a layout, and what was written of it; returns a message or None."""
    from senna_py.cli.tag import command, verb

    form = source.choice(["senna", "conll", "conllu", "jsonl"])
    tasks = source.sample(["pos", "chk", "ner", "srl", "psg"], source.choice([1, 2]))
    given = ["--layout", layout] if layout else ["--usrtokens"]
    given += [*(f"--{task}" for task in tasks), "--path", GOLDEN / "model"]
    jobs = ["--jobs", source.choice([1, 1, 2])]
    for tag in (command, verb):
        problem = call(
            tag, *given, *jobs, "--format", form, "-o", path.with_name("out"), path
        )
        # An input that cannot be read is told on standard error, and ends with an exit
        # code.
        assert (
            not (layout and problem) or str(path) in problem or "exit code" in problem
        ), problem
    if problem is None and layout == "conllu":
        one, two = path.with_name("one.conllu"), path.with_name("two.conllu")
        call(command, *given, "--format", "conllu", "-o", one, path)
        assert call(command, *given, "--format", "conllu", "-o", two, one) is None
    return problem


def _score_columns(source, path, layout):
    from senna_py.cli.eval import command

    model, columns = ["--path", GOLDEN / "model"], ["--columns", "word,pos,-,-,-,-,-"]
    if layout == "conllu":
        call(command, "text", path, path)
    elif layout == "conll2000":
        columns = ["--columns", "word,pos,-"]
    call(command, "text", path, *model, *([] if layout == "conllu" else columns))
    columns = ["--layout", layout] if layout else columns
    call(command, "model", source.choice(["pos", "chk", "ner"]), path, *model, *columns)
    for kind in (["chunk"], ["chunk", "-r"], ["token"], ["srl", path], ["tree", path]):
        call(command, *kind, path)
    call(command, "compare", "--samples", "100", path, path, path)


def _count_words(source, path):
    """Train on the words of the cells, and score them."""
    from senna_py.cli.lm import command as lm
    from senna_py.cli.vectors import command as vectors

    target, kind = path.with_name("m.arpa"), source.randrange(3)
    if kind == 0:
        vocabulary = ["--vocab", path] if source.random() < 0.5 else []
        if (
            call(lm, "train", "ngram", target, path, "--order", "2", *vocabulary)
            is None
        ):
            assert (
                call(lm, "score", target, path, "-o", path.with_name("scored")) is None
            )
    elif kind == 1:
        sizes = ["--classes", "2", "--min-count", "1"]
        call(vectors, "cluster", path.with_name("classes"), path, *sizes)
    else:
        call(vectors, "export", path, path.with_name("vectors"), "--to", "word2vec")


def _train_on_columns(source, path, layout, task):
    from tests.helpers.small_corpora import settings

    if layout == "conllu" and source.random() < 0.5:
        dev = [
            {"files": [written(path.with_name("dev.conllu"), _CONLLU.encode()).name]}
        ]
        blocks = {"approach": "dilated", "width": 4, "dilations": [1]}
        train = [{"files": [path.name]}]
        return begin_training(
            path.parent, path.parent, "dep", train=train, dev=dev, network=blocks
        )
    task = "pos" if layout == "conllu" else task
    data = {"files": [path.name]}
    if layout == "soft":
        columns = ["word", "predicate", "roles"] if task == "srl" else ["word", task]
        data |= {"columns": columns, "soft": True}
    elif layout in LAYOUTS:
        data |= {"layout": layout}
    else:
        data |= {"columns": settings(task).train[0].columns}
    network = _CHART if task == "psg" else {}
    return begin_training(path.parent, path.parent, task, train=[data], network=network)


_SCORED = (  # commands of senna-eval, and their files
    ("chunk", "chunk.iob2.txt"),
    ("chunk", "ner.iob1.txt"),
    ("token", "pos.raw.txt"),
    ("srl", "srl.gold.props", "srl.pred.props"),
    ("text", "gold.conllu", "found.conllu"),
    ("tree", "tree.gold.mrg", "tree.pred.mrg"),
)


class Scored(OfCorpora):
    """Files that senna-eval compares, and trees to train on."""

    name = "scored"

    def prepare(self, directory):
        """Read the beginnings of the golden ones."""
        super().prepare(directory)
        self._files = dict.fromkeys(["gold.conllu", "found.conllu"], _CONLLU.encode())
        for name in {
            name for _, *names in _SCORED for name in names
        } - self._files.keys():
            end = b"\n" if name.endswith("mrg") else b"\n\n"
            blocks = (GOLDEN / "eval" / name).read_bytes().split(end)[:20]
            self._files[name] = end.join(blocks) + end

    def run(self, source, directory):
        """Damage one or both of a pair, and score them, as text and as JSON."""
        from senna_py.cli.eval import command

        kind, *names = source.choice(_SCORED)
        files, more = [], []
        for name in names:
            data = self._files[name]
            if len(names) == 1 or source.random() < 0.6:
                data = damage_text(source, data, (b" ", b"\t", b"(", b")", b"-"))
            files.append(written(directory / name, data))
        if kind == "tree" and source.random() < 0.3:
            lines = (
                b"DELETE_LABEL TOP\nEQ_LABEL ADVP PRT\nCUTOFF_LEN 40\nMAX_ERROR 10\n"
            )
            more = [
                "--parameters",
                written(directory / "p.prm", damage_text(source, lines)),
            ]
        call(command, kind, *files, "--json", *more)
        problem = call(command, kind, *files, *more, *["--by-label"] * (kind == "tree"))
        if kind != "tree":
            return problem
        shutil.copy(self._corpora / "vectors.txt", directory / "vectors.txt")
        data = [{"files": [names[0]], "columns": ["brackets"]}]
        found = begin_training(
            directory, directory, "psg", train=data, dev=data, network=_CHART
        )
        return found or problem


class PredicateFiles(Target):
    """Predicates from a file."""

    name = "predicates"
    _text = b"The dog sees a cat .\nAnna gives Rome stars .\n\nHe sleeps .\n"
    _marks = b"-\n-\nsees\n-\n-\n-\n\n-\ngives\n-\n-\n-\n\n-\nsleeps\n-\n\n"

    def run(self, source, directory):
        """Damage the file, and sometimes the text, and tag roles with it."""
        from senna_py.cli.tag import command

        written(directory / "marks.txt", damage_text(source, self._marks))
        text = self._text if source.random() < 0.7 else damage_text(source, self._text)
        return call(
            command,
            "-path",
            GOLDEN / "model",
            "-srl",
            "-usrtokens",
            "-usrvbs",
            directory / "marks.txt",
            "--format",
            source.choice(["senna", "jsonl", "conll"]),
            "--jobs",
            source.choice([1, 2]),
            "-o",
            directory / "out",
            written(directory / "text.txt", text),
        )


class RecordFiles(Target):
    """CSV, TSV and JSON lines, of which each record comes out again."""

    name = "csv"
    _rows = (
        b'id,text,x\r\n1,He sleeps .,"a ""b"",\nc"\r\n2,,\r\n"003","No , no .\n\nYes .",d\r\n',
        b'text\tx\nHe sleeps .\t\xff\nNo " .\t\n',
        b'"te,xt";text\n;"He; sleeps ."\n',
        b'{"text": "He sleeps .", "x": [1, {"text": 1}]}\n{"text": null}\n',
    )

    def run(self, source, directory):
        """Damage a file, tag it with one core and with two, and look for its rows."""
        from senna_py.cli.tag import verb

        data = source.choice(self._rows)
        if source.random() < 0.8:
            data = damage_text(source, data, (b",", b'"', b"\t", b";", b"\r\n"))
        path = written(directory / "rows", data)
        option = "--field" if data[:1] == b"{" else "--column"
        form = source.choice([None, None, "jsonl", "json", "csv", "entities", "senna"])
        options = [] if form is None else ["--format", form]
        if form != "senna" and source.random() < 0.4:
            options += source.choice([["--scores"], ["--sort-by", "score"]])
        if source.random() < 0.2:
            options.append(source.choice(["--paragraphs", "--lines", "--no-quotes"]))
        if source.random() < 0.2:
            options += ["--id-from", source.choice(["id", "x"])]
        tasks = source.sample(["-pos", "-chk", "-srl", "-psg"], 2)
        if form == "entities":
            tasks = ["-chk"]
        problems, outputs = [], []
        for jobs in (1, 2):
            out = directory / f"{jobs}.out"
            given = ["--path", GOLDEN / "model", *tasks, *options, "--live"]
            given += ["--jobs", jobs, "-o", out, option, "text", path]
            problems.append(call(verb, *given))
            outputs.append(out.read_bytes() if out.exists() else b"")
        assert outputs[0] == outputs[1], "one core and two print differently"
        if problems[0] is None and form in (None, "csv") and option == "--column":
            _check_rows(data, outputs[0], sorts="--sort-by" in options)
        return problems[0]


def _check_rows(data, printed, sorts):
    """Raise AssertionError unless each line of a table is in what was printed."""
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = data.removeprefix(b"\xef\xbb\xbf")
        for line in re.split(b"\r?\n", data):
            assert line in printed, line
            if line and not sorts:
                printed = printed[printed.index(line) + len(line) :]


_VALUES = (
    "0",
    "-1",
    "1",
    "2",
    "3",
    "1e-3",
    "0.5",
    "1e400",
    "nan",
    "inf",
    "true",
    '"x"',
    "[]",
    "{}",
    "1000000",
    "100000000",
    "1" + "0" * 18,
    "9" * 5000,
    "[1, 2]",
    '["word"]',
    '""',
    '"sgd"',
    '"window"',
    '"sentence"',
    '"tree"',
    '"chart"',
    '"srl"',
    '"pos"',
    '"../x"',
    "1979-05-27",
    "[0]",
    "[1000000000]",
    '"word"',
    '"random"',
    '"given"',
    "[0.0, 0.0]",
    "[[1]]",
)


class Configurations(OfCorpora):
    """Configurations of senna-train, from TOML to the first epoch."""

    name = "configurations"

    def prepare(self, directory):
        """Have one that says most of what it can."""
        from tests.helpers.small_corpora import toml

        super().prepare(directory)
        columns = ["word", "pos", "chk", "-", "-", "-", "-"]
        train = {
            "files": ["train.tsv"],
            "columns": columns,
            "scheme": "iob2",
            "part": [0.0, 0.9],
            "weight": 2.0,
            "labels": {"VP": "O"},
        }
        self._text = toml(
            "chk",
            train=[train],
            features={"caps": 5, "pos": 3, "suffix.2": 3, "shape": 2},
            network={
                "approach": "dilated",
                "width": 12,
                "dilations": [1, 2],
                "hidden": 8,
                "criterion": "word",
            },
            training={
                "epochs": 1,
                "dropout": 0.1,
                "unknown": 0.01,
                "final_rate": 0.5,
                "patience": 2,
                "min_count": 3,
                "seed": 3,
            },
            info={"name": "x", "license": "MIT"},
        )

    def run(self, source, directory):
        """Change some values, or lines; train for an epoch, or for a tenth of a
        second.
        """
        from senna_py.cli.train import command

        text = self._text
        for _ in range(source.choice([0, 1, 1, 1, 2, 3])):
            lines = text.split("\n")
            at = source.choice([k for k, line in enumerate(lines) if "=" in line])
            key = lines[at].partition("=")[0]
            lines[at] = f"{key}= {source.choice(_VALUES)}"
            text = "\n".join(lines)
        data = text.encode()
        if source.random() < 0.3:
            data = damage_text(source, data, (b" ", b"=", b"."))
        path, vectors = (
            written(directory / "c.toml", data),
            self._corpora / "vectors.txt",
        )
        return call(
            command,
            path,
            self._corpora,
            directory / "run",
            "--vectors",
            vectors,
            "--time-limit",
            "0.1s",
        )
