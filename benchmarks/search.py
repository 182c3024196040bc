"""How fast `senna-py search` is: a row for each pattern and file.

    python benchmarks/search.py FILE... [--rounds N]

Each FILE was tagged before with pos, upos, ner, lemma, dep and srl. In CoNLL-U, grep also
looks for the first pattern, which is one word. All figures are medians over the rounds: wall
time and processor time of the whole command in seconds, and its largest memory.
"""

import os

from common.processes import ONE_THREAD, Launch

os.environ.update(ONE_THREAD)

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median

from common.machine import describe_machine

PATTERNS = (
    '[lemma="see"]',
    '[upos="ADJ"]+ [upos="NOUN"]',
    '<ner="PER"/>',
    'verb:[upos="VERB"] >nsubj who:[] >obj what:[]',
    'verb:[lemma="say"] >srl.A0 who:[] >srl.A1 what:[]',
)
GREP = r"^[0-9]+\t[^\t]*\tsee\t"
SEARCH = (sys.executable, "-m", "senna_py", "search", "--format", "count")


def commands(file: Path) -> dict[str, tuple[str, ...]]:
    """Return the commands that search a file, by the names of their rows."""
    named = {pattern: (*SEARCH, pattern, str(file)) for pattern in PATTERNS}
    grep = shutil.which("grep")
    if file.suffix == ".conllu" and grep:
        named[f"grep -c -P '{GREP}'"] = grep, "-c", "-P", GREP, str(file)
    return named


def count(command: tuple[str, ...]) -> int:
    """Return the number that a command prints."""
    return int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    runs = {
        (name, file): command
        for file in options.files
        for name, command in commands(file).items()
    }
    counts = {key: count(command) for key, command in runs.items()}
    measured = {key: [] for key in runs}
    for _ in range(options.rounds):
        for key, (program, *arguments) in runs.items():
            measured[key].append(Launch([program], ONE_THREAD)(*arguments))
    print("| pattern | file | matches | seconds | processor | MB |")
    print("|---|---|---|---|---|---|")
    for (name, file), rounds in measured.items():
        seconds, processor, memory = (
            median(each[key] for each in rounds)
            for key in ("seconds", "processor", "peak_bytes")
        )
        print(
            f"| `{name}` | {file.name} | {counts[name, file]:,} | {seconds:.2f} | "
            f"{processor:.2f} | {memory / 1e6:.0f} |"
        )
    print(describe_machine())


if __name__ == "__main__":
    main()
