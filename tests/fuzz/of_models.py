"""Targets: models of taggers and of language, in all their formats."""

import json
import shutil
from operator import itemgetter
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.models.tensors import read_tensors, write_tensors
from tests.fuzz.cases import Target, call, refuse, written
from tests.fuzz.damage import (
    damage,
    damage_arrays,
    damage_header,
    damage_lines,
    damage_text,
)
from tests.helpers.language_models import language_models

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
TEXT = (
    "The company's shares fell 3.5% to $41.25 , said Mr. Howard .\n"
    "He can't sleep . She gave the old dog a BONE in New York City .\n"
    "é — “x” \x01 AT&T\nword\n\nreads the s-bahn x y z .\n"
)


def _damaged(source, data, directory):
    """Bytes of a file of tensors that is damaged in some way."""
    kind = source.randrange(4)
    if kind == 0:
        return bytes(damage(source, data))
    if kind == 1:
        return damage_header(source, data)
    path = written(directory / "whole.tensors", data)
    metadata, arrays = read_tensors(path)
    for _ in range(source.choice([1, 1, 1, 2])):
        arrays = damage_arrays(source, arrays) if arrays else arrays
    write_tensors(path, metadata, arrays)
    data = path.read_bytes()
    path.unlink()
    return data


def _check_sentences(found, texts):
    """Sentences are as many as the texts, and what is said of them is JSON with
    probabilities.
    """
    assert len(found) == len(texts)
    for sentence in found:
        said = json.loads(sentence.to_json(), parse_constant=refuse)
        spans = [*said.get("chunks", ()), *said.get("entities", ())]
        scores = [
            *map(itemgetter("score"), filter(lambda each: "score" in each, spans))
        ]
        for values in (scores, *said.get("scores", {}).values()):
            assert all(0 <= p <= 1.001 for p in values), values


class NativeModels(Target):
    """Models of taggers in one file: every kind of network, feature and resource."""

    name = "models"

    def prepare(self, directory):
        """Write models with random weights."""
        from senna_py.models.native_writer import write_model
        from senna_py.text.splitter import N_KNOWN, N_WEIGHTS, SentenceSplitter
        from tests.helpers import native_models as small

        self._files = {}
        directory.mkdir(parents=True, exist_ok=True)
        kinds = "all", "dilated", "joint", "senna", "arc"
        for name, bits in [*((name, 16) for name in kinds), ("all", 8)]:
            path = directory / f"{name}-{bits}.safetensors"
            parts = getattr(small, f"{name}_parts")(np.random.default_rng(0))
            write_model(path, *small.model_arguments(parts, bits))
            self._files[path.stem] = path.read_bytes()
        splitter = SentenceSplitter(
            np.ones(N_WEIGHTS), np.zeros(N_KNOWN, bool), ("z.B", ":")
        )
        *arguments, _ = small.model_arguments(
            small.senna_parts(np.random.default_rng(0))
        )
        path = directory / "sentences.safetensors"
        write_model(path, *arguments, {"tokenizer": "unicode"}, splitter)
        self._files[path.stem] = path.read_bytes()
        for name, chart in (("tree", False), ("chart", True)):
            path = directory / f"{name}.safetensors"
            small.write_tree_model(path, 1, chart=chart)
            self._files[name] = path.read_bytes()
        for how in ("vote", "scores"):
            self._files[how] = _ensemble(directory / how, how)

    def run(self, source, directory):
        """Damage a model, tag with every task and format, describe it, and write it
        again.
        """
        data = _damaged(
            source, self._files[source.choice(sorted(self._files))], directory
        )
        path = written(directory / "model.safetensors", data)
        return use_tagger(path, directory, source.random() < 0.3, source.random() < 0.2)


def _ensemble(directory, how):
    from senna_py.models.build import build_model
    from senna_py.tagging.ensembles import Ensemble
    from tests.helpers.native_models import parts_apart

    built = Ensemble(parts_apart(directory, "pt0"), how).save(directory / "ensemble")
    whole = build_model(
        directory / "m.safetensors", [built, directory / "others.safetensors"]
    )
    return whole.read_bytes()


def use_tagger(path, directory, plain=False, export=False):
    """Use a model for all that it can do; returns the message of the error, or None."""
    from senna_py.cli.model import command
    from senna_py.cli.model_summary import model_summary, short_lines, summary_lines
    from senna_py.kernels.runtime.switch import fixed_kernels
    from senna_py.model import Model

    problem = call(command, "info", path, "--json")
    try:
        model = Model(path)
        summary = model_summary(model)
        [
            *summary_lines(summary),
            *short_lines(summary),
            *model.describe(model.storage.networks),
        ]
        if export:
            call(command, "export", directory / "senna", "--path", path)
            call(command, "build", directory / "again.safetensors", path)
        tasks = model.tasks() or model.tasks("pos") or None
        with fixed_kernels(plain):
            _tag_all(model, tasks)
    except SennaError as error:
        return str(error)
    return problem


def _tag_all(model, tasks):
    from senna_py.answers.reading import sentences
    from senna_py.cli.tag_options import TagOptions
    from senna_py.corpora.places import BatchPlace
    from senna_py.formats.probabilities import ProbabilityPrinter
    from senna_py.model import PREDICATES
    from senna_py.tagger import Tagger

    able = [
        each for each in PREDICATES if tasks and set(tasks) <= set(model.tasks(each))
    ]
    for predicates in able[:2] or ["given"]:
        tagger = Tagger(model, tasks, predicates, with_scores=True)
        tagger.tokenizer.document(TEXT)
        tokens = tagger.tokenizer.lines(TEXT.encode())
        if tagger.longest_sentence:
            tokens = tokens.cut(tagger.longest_sentence)
        marks = np.ones(len(tokens), bool) if predicates == "given" else None
        found = tagger.annotate(tokens, marks)
        names = ["senna", "conll", "conllu", "jsonl", "html"]
        names += ["trees"] if "psg" in tagger.tasks else []
        names += ["brat"] if {"ner", "dep"} & {*tagger.tasks} else []
        for name in names:
            options = TagOptions(
                format=name,
                offsettags=name == "senna",
                brackettags=name not in ("html", "trees", "brat"),
            )
            printed = bytes(
                options.printer(tagger, title="x").format(found, BatchPlace("x"))
            )
            assert printed.count(b"\n") >= tokens.n_sentences or name in (
                "html",
                "brat",
            ), name
        lines = TEXT.split("\n")
        texts = {s: lines[s] for s in np.unique(tokens.source).tolist()}
        _check_sentences(sentences(found, texts), texts)
    for task in [t for t in tagger.tasks if tagger.task(t).shape.head == "words"][:2]:
        one = Tagger(model, task, able[0] if able else "given")
        printer = ProbabilityPrinter(one)
        tokens = one.tokenizer.lines(TEXT.encode())
        tokens = tokens.cut(one.longest_sentence or len(tokens))
        found = one.annotate(tokens, None, one.tasks)
        p = found.layers[task].score
        assert np.isfinite(p).all() and (p >= 0).all() and (p < 1.001).all(), (task, p)
        bytes(printer.format(found, BatchPlace("x")))


class SennaDirectories(Target):
    """Models as SENNA has them."""

    name = "senna"

    def prepare(self, directory):
        """List the files of the reference model."""
        self._model = GOLDEN / "model"
        self._files = sorted(
            p.relative_to(self._model) for p in self._model.rglob("*.*")
        )

    def run(self, source, directory):
        """Damage one file of a copy, or two, tag with all tasks, and import the
        model.
        """
        from senna_py.cli.model import command

        model = shutil.copytree(self._model, directory / "model")
        for path in source.sample(self._files, source.choice([1, 1, 1, 2])):
            data = (model / path).read_bytes()
            if path.suffix == ".lst" and source.random() < 0.5:
                data = damage_lines(source, data)
            else:
                data = damage(source, data) if len(data) > 4 else source.randbytes(9)
            (model / path).write_bytes(data)
        plain = source.random() < 0.3
        if source.random() < 0.2:
            call(command, "import", model, directory / "native.safetensors")
        return use_tagger(model, directory, plain)


class LanguageModels(Target):
    """Language models of all kinds."""

    name = "lm"

    def prepare(self, directory):
        """Write one of each."""
        self._files = {
            path.name: path.read_bytes() for path in language_models(directory)
        }

    def run(self, source, directory):
        """Damage one, and use it; those that a mixture needs are there whole."""
        name = source.choice(sorted(self._files))
        for needed in ("ngram.lm", "interpolated.lm"):
            written(directory / needed, self._files[needed])
        path = written(
            directory / "m.lm", _damaged(source, self._files[name], directory)
        )
        return _use_language_model(path, directory, source.randrange(100))


def _use_language_model(path, directory, seed):
    """Describe a model, score text, make text up, look for neighbours; a message or
    None.
    """
    from senna_py.cli.lm import command
    from senna_py.cli.vectors import command as vectors

    text = written(
        directory / "text.txt", b"the a b c in he zzz\n\nx y x\n" + b"a b " * 99 + b"\n"
    )
    problem = call(command, "info", path)
    for form in ("columns", "jsonl", "summary"):
        out = directory / f"{form}.out"
        problem = (
            call(command, "score", path, text, "--format", form, "-o", out) or problem
        )
        _check_scores(out)
    generate = ("generate", path, "--length", 5, "--seed", seed)
    problem = call(command, *generate, "--temperature", 0.5) or problem
    call(vectors, "neighbors", path, "a", "the", "-n", 3)
    call(vectors, "neighbors", path, "a", "wug", "-n", 3, "--from", "lm")
    call(vectors, "export", path, directory / "vectors.txt", "--to", "word2vec")
    call(command, "export", path, directory / "m.arpa", "--to", "arpa")
    return problem


def _check_scores(path):
    """What was printed are log probabilities, and no NaN."""
    data = path.read_bytes().decode("utf-8", "replace") if path.exists() else ""
    for line in data.splitlines():
        if line.startswith("{"):
            found = json.loads(line, parse_constant=refuse)
            values = [*found["log10"], found["total"]]
        else:
            values = list(map(float, line.split("\t")[1:2]))
        for value in values:
            # None: minus infinity.
            assert value is None or value <= 1e-3, (
                path.name,
                line,
            )


class ArpaFiles(Target):
    """N-gram models as text."""

    name = "arpa"

    def prepare(self, directory):
        """Write one."""
        from senna_py.lm.model_files import open_model
        from senna_py.lm.ngram.arpa_file import write_arpa

        language_models(directory)
        write_arpa(directory / "m.arpa", open_model(directory / "ngram.lm"))
        self._data = (directory / "m.arpa").read_bytes()

    def run(self, source, directory):
        """Damage its lines and fields, use it, and write it as a file of tensors."""
        from senna_py.cli.lm import command

        data = damage_text(source, self._data, (b" ", b"\t", b"="))
        path = written(directory / "m.arpa", data)
        problem = _use_language_model(path, directory, source.randrange(100))
        return (
            call(command, "export", path, directory / "m.lm", "--to", "lm") or problem
        )
