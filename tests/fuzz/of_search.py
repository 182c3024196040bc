"""Targets: patterns, and tagged files in which they are searched."""

import importlib.util
import json

from tests.fuzz.cases import Target, call, written
from tests.fuzz.damage import damage, damage_lines, damage_text
from tests.helpers.searched import SAMPLE, TASKS, searched

_PATTERNS = (
    'verb:[upos="VERB" & !(lemma=="be"%c)] >nsubj who:<dep/> !>obj []',
    "(a:[pos='DT'] | b:[Number])* []{0,3} </chk> within <s/> & a.lemma != b.pos",
    "<psg='VP'> [] <psg='NP'/> </psg>",
    "[] >srl.A0 (x:[] >>/am.*/ y:[]) <<ccomp []?",
    "[ner | val]+ [!chk]",
)
_SIGNS = b'[] () {2,} <> </ /> | & ! == "x" : ? * + >> within'.split()


class Searches(Target):
    """A damaged pattern in a damaged file."""

    name = "search"

    def prepare(self, directory):
        """Make the sample in all formats."""
        rows = [sentence.to_dict() for sentence in searched().sentences]
        lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
        self._files = {"conllu": SAMPLE.read_bytes(), "jsonl": lines}
        if importlib.util.find_spec("pyarrow"):
            from tests.helpers.searched_parquet import write_rows

            directory.mkdir(parents=True, exist_ok=True)
            path = directory / "a.parquet"
            write_rows(searched(), path, TASKS)
            self._files["parquet"] = path.read_bytes()

    def run(self, source, directory):
        """Damage a pattern or a file, and search."""
        from senna_py.cli.search import command

        pattern = source.choice(_PATTERNS)
        form, data = source.choice([*self._files.items()])
        if source.random() < 0.5:
            pattern = damage_text(source, pattern.encode(), _SIGNS)
            pattern = pattern.decode("utf-8", "replace").replace("\0", "")
        else:
            change = source.choice([damage, damage_lines])
            data = damage(source, data) if form == "parquet" else change(source, data)
        path = written(directory / f"a.{form}", data)
        shown = source.choice(["kwic", "csv", "jsonl", "json", "count"])
        out = directory / "out"
        return call(command, "--format", shown, "-o", out, "--", pattern, path)
