"""The rows of the table of speed, and how each is measured."""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from common.checkouts import Checkout
from common.crf_peer import crf_rates, train_crf
from common.processes import ONE_THREAD, Launch, median_ratio
from common.roofline import sgemm_rate
from common.texts import join_marks, repeat
from common.throughput import Run, best, layer_flops

from senna_py import Model
from senna_py.kernels.runtime.background import alone

__all__ = ["PARTS", "PEERS", "ROWS", "Bench"]

ROOT = Path(__file__).resolve().parents[2]
ROWS = {
    "pos": "POS, tokens/s",
    "three": "POS CHUNK NER, tokens/s",
    "five": "POS CHUNK NER PT0 SRL, tokens/s",
    "six": "POS CHUNK NER PT0 SRL and trees, tokens/s",
    "all": "all tasks of the model, tokens/s",
    "pipe": "all tasks from Python: times the rate of the command",
    "senna": "POS CHUNK NER SRL and trees, tokens/s",
    "more": "these, dependencies and lemmas, tokens/s",
    "trees": "trees, batches of 1,000 sentences, tokens/s",
    "roofline": "POS as a fraction of the roofline",
    "cores": "two cores against one, POS",
    "raw": "raw text against given tokens, POS",
    "start": "start, one sentence, POS: times `import numpy`",
    "first_run": "the same, first run ever: more than that",
    "first_file": "first large file ever: first output, POS",
    "first_file_all": "first large file ever: first output, all tasks",
    "plain": "NumPy fallbacks, POS, tokens/s",
    "plain_all": "NumPy fallbacks, all tasks, tokens/s",
    "ready": "compiled kernels for POS: to load them",
    "ready_first": "compiled kernels for POS: to compile them",
    "memory_sentence": "peak memory, one sentence, all tasks",
    "memory_text": "peak memory, the whole text, all tasks",
    "memory_large": "1 GB of input, POS: memory against 1 MB",
    "load": "reading the model for POS, in none of the rates",
}
PEERS = {
    "sgemm": "float32 matrix product 512 x 512, one core",
    "numpy": "python -c 'import numpy'",
    "crf_bytes": "CRFsuite POS, bytes to bytes from Python, tokens/s",
    "crf_core": "CRFsuite POS, its own work on features made before, tokens/s",
}
PARTS = ("rates", "cores", "starts", "fallbacks", "compiling", "memory")
# Arguments: a model, and whether to run NumPy fallbacks.
ONE_WAY = """
import sys
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.cli.tag_files import tag_files
from senna_py.cli.tag_options import TagOptions
with fixed_kernels(plain=sys.argv[2] == "plain"):
    tag_files(["-"], TagOptions(sys.argv[1], ("pos",), usrtokens=True), print)
"""


class Bench:
    """The inputs, and what is measured on them, one model after another."""

    def __init__(self, directory, sentences, options):
        """Write the inputs into `directory`, in the sizes of the options."""
        self.sentences, self.options, self._directory = (
            sentences,
            options,
            Path(directory),
        )
        self._clock = "processor" if options["processor_time"] else "seconds"
        tokens, slow = options["tokens"], options["slow_tokens"] or options["tokens"]
        self.text = self._write("text", repeat(sentences, tokens))
        self.slow = self._write("slow", repeat(sentences, slow))
        self.long = self._write("long", repeat(sentences, 4 * tokens))
        self.warm = self._write("warm", repeat(sentences, 5000))
        self.short = self._write("short", repeat(sentences, min(tokens, 1600)))
        self.raw = self._write("raw", map(join_marks, repeat(sentences, tokens)))
        self.sentence = self._write("sentence", [max(sentences[:100], key=len)])
        environment = {"PYTHONPATH": _python_path()}
        self._python = Launch([sys.executable], environment)
        self._tag = Launch(senna_tag(), environment)

    def _write(self, name, lines):
        path = self._directory / f"{name}.txt"
        text = "".join(f"{line}\n" for line in lines)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return str(path)

    def tag(self, path, *tasks, **how):
        """Run senna-tag with a model on given tokens; see `Launch`."""
        flags = [f"-{task}" for task in tasks]
        return self._tag("-path", path, "-usrtokens", *flags, **how)

    def measure(self, path, gigabyte=False):
        """Return the rows of a model: a dict from the keys of ROWS to (number, text).

        `gigabyte` says whether 1 GB of input is among them.
        """
        has = Model(path).tasks()
        measures = {
            "rates": self._rates,
            "cores": self._cores,
            "starts": self._starts,
            "fallbacks": self._fallbacks,
            "compiling": self._compiling,
            "memory": self._memory,
        }
        rows = {}
        for part in self.options["parts"] or PARTS:
            rows.update(measures[part](path, has))
        return rows | self._gigabyte(path) if gigabyte else rows

    def measure_peers(self):
        """Return the rows of peers, a dict from the keys of PEERS; see `measure`."""
        rate, numpy = sgemm_rate(), self._numpy()
        for _ in range(self.options["pairs"]):
            numpy = min(numpy, self._numpy())
        rows = {
            "sgemm": (rate, f"{rate / 1e9:.0f} Gflop/s"),
            "numpy": (numpy, f"{numpy:.3f} s at best"),
        }
        if self.options["crf_train"] is None:
            return rows
        try:
            some = repeat(self.sentences, self.options["tokens"] // 10)
            model = train_crf(self.options["crf_train"], self.options["crf_cache"])
            rates = crf_rates(model, some, self.options["processor_time"])
        except ImportError:
            return {**rows, "crf_bytes": (None, "python-crfsuite is not installed")}
        return {
            **rows,
            **{f"crf_{way}": (rate, f"{rate:,.0f}") for way, rate in rates.items()},
        }

    def _rates(self, path, has):
        rounds, rows = self.options["rounds"], {}
        given = Run(path, ["pos"], self.text)
        found = Run(path, ["pos"], self.raw, whitespace=False)
        pos, raw = best([given, found], rounds, self.warm, self._clock)
        share = layer_flops(path, ["pos"]) * pos["rate"] / sgemm_rate()
        ratio = raw["rate"] / pos["rate"]
        rows["pos"] = pos["rate"], f"{pos['rate']:,.0f}"
        rows["raw"] = ratio, f"{ratio:.2f}; {raw['rate']:,.0f} tokens/s"
        rows["roofline"] = share, f"{share:.2f}"
        rows["load"] = pos["load"], f"{pos['load']:.2f} s"
        senna = ["pos", "chk", "ner", "srl", "psg"]
        runs = {
            "senna": Run(path, senna, self.slow),
            "more": Run(path, [*senna, "dep", "lemma"], self.slow),
            "three": Run(path, ["pos", "chk", "ner"], self.text),
            "five": Run(path, ["pos", "chk", "ner", "pt0", "srl"], self.slow),
            "six": Run(path, ["pos", "chk", "ner", "pt0", "srl", "psg"], self.slow),
            "trees": Run(path, ["psg"], self.slow, batch=1000),
        }
        for key, run in runs.items():
            if set(run.tasks) <= set(has):
                (found,) = best([run], rounds, self.warm, self._clock)
                text = f"{found['rate']:,.0f}"
                if key == "five":
                    text += f"; {found['predicates'] / found['tokens']:.1%} predicates"
                if key == "trees":
                    text += f"; {found['levels'] / found['tokens']:.1f} levels a token"
                rows[key] = found["rate"], text
        both = [Run(path, list(has), self.slow, pipe=pipe) for pipe in (True, False)]
        pipe, printed = best(both, rounds, self.warm, self._clock)
        ratio = pipe["rate"] / printed["rate"]
        rows["all"] = printed["rate"], f"{printed['rate']:,.0f}"
        rows["pipe"] = ratio, f"{ratio:.2f}; {pipe['rate']:,.0f} tokens/s"
        return rows

    def _cores(self, path, has):
        self._jobs(path, 2)  # compiles
        one, two, both = [], [], []
        for _ in range(self.options["pairs"]):
            one.append(self._jobs(path, 1))
            two.append(self._jobs(path, 2))
            with ThreadPoolExecutor(2) as pool:
                both.append(max(pool.map(partial(self._jobs, path), (1, 1))))
        one, two, both = min(one), min(two), min(both)
        shown = f"{one / two:.2f} x; {one:.1f} s and {two:.1f} s"
        return {
            "cores": (
                one / two,
                f"{shown}; two processes at once {2 * one / both:.2f} x",
            )
        }

    def _jobs(self, path, jobs):
        return self._tag(
            "-path",
            path,
            "-usrtokens",
            "-pos",
            "--jobs",
            jobs,
            text=self.long,
            **ONE_THREAD,
        )["seconds"]

    def _starts(self, path, has):
        def start():
            return self.tag(path, "pos", text=self.sentence)[self._clock]

        ratio, warm, base = median_ratio(start, self._numpy, self.options["pairs"])
        first = (
            self._first(self.tag, path, "pos", text=self.sentence)[self._clock] - warm
        )
        rows = {
            "start": (ratio, f"{ratio:.2f} x; {warm:.3f} s and {base:.3f} s"),
            "first_run": (first, f"{first:.2f} s"),
        }
        for key, tasks in (("first_file", ["pos"]), ("first_file_all", has)):
            how = {"text": self.text, "first_byte": True}
            cold = self._first(self.tag, path, *tasks, **how)[self._clock]
            self.tag(path, *tasks, text=self.sentence)
            warm = self.tag(path, *tasks, **how)[self._clock]
            rows[key] = cold, f"{cold:.1f} s; warm {warm:.1f} s"
        return rows

    def _fallbacks(self, path, has):
        rows = {}
        for key, tasks in (("plain", ["pos"]), ("plain_all", list(has))):
            run = Run(path, tasks, self.short, plain=True)
            (found,) = best([run], self.options["rounds"], self.sentence, self._clock)
            rows[key] = found["rate"], f"{found['rate']:,.0f}"
        return rows

    def _compiling(self, path, has):
        def start(way, run=self._python):
            return run("-c", ONE_WAY, path, way, text=self.sentence)[self._clock]

        start("compiled")
        rounds = range(self.options["rounds"])
        plain, loaded = (
            min(start(way) for _ in rounds) for way in ("plain", "compiled")
        )
        first = start("compiled", partial(self._first, self._python))
        times = {"ready": loaded - plain, "ready_first": first - plain}
        return {key: (time, f"{time:.1f} s") for key, time in times.items()}

    def _numpy(self):
        return self._python("-c", "import numpy")[self._clock]

    def _first(self, launch, *arguments, **how):
        """Run a process without any compiled code: Numba's directories are empty."""
        with tempfile.TemporaryDirectory(dir=self._directory) as empty:
            caches = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), empty)
            result = launch(*arguments, **how, **caches)
            for lock in Path(empty).rglob("senna-py.lock"):
                with alone(lock.parent, waits=True):  # it compiles in the background
                    pass
        return result

    def _memory(self, path, has):
        sentence = self.tag(path, *has, text=self.sentence)["peak_bytes"]
        text = self.tag(path, *has, text=self.text)["peak_bytes"]
        return {
            "memory_sentence": (sentence, f"{sentence / 1e6:.0f} MB"),
            "memory_text": (text, f"{text / 1e6:.0f} MB"),
        }

    def _gigabyte(self, path):
        small, large = (
            self.tag(path, "pos", text=self.text, n_bytes=n)["peak_bytes"]
            for n in (10**6, 10**9)
        )
        shown = f"{large / small:.2f} x; {small / 1e6:.0f} MB and {large / 1e6:.0f} MB"
        return {"memory_large": (large / small, shown)}


def senna_tag():
    """Return the command senna-tag of this Python's environment, or of this checkout."""
    installed = Path(sys.executable).parent / "senna-tag"
    return [str(installed)] if installed.exists() else Checkout(ROOT).command("tag")


def _python_path():
    """Return the variable that makes processes take senna_py from this checkout."""
    return os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
