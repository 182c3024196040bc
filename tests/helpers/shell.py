"""Commands as pages and help show them: taken apart, and run within this process."""

import gzip
import lzma
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.helpers.commands import run, run_program

__all__ = ["LINES", "PROGRAMS", "Shell", "pipes_of"]

# Programs find this checkout, and Open MPI starts more processes than there are
# processors, also for root.
_ENVIRONMENT = {
    "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
_COMPRESSED = {".gz": gzip.compress, ".xz": lzma.compress}
# The file and the lines of `cat > FILE <<END`, or a command.
LINES = re.compile(
    r"^cat > (\S+) <<END\n(.*?)^END$|^([^\n]+)$", re.DOTALL | re.MULTILINE
)
PROGRAMS = (
    "senna-tag",
    "senna-py",
    "senna-train",
    "senna-eval",
    "senna-model",
    "senna-lm",
)


def pipes_of(line: str) -> Iterator[tuple[list[str], str | None, str | None]]:
    """Words of each command of a pipe, and the files that its input and output are of,
    or None.
    """
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>")
    lexer.whitespace_split = True
    words, files, target = [], {}, None
    for word in [*lexer, "|"]:
        if word in ("<", ">"):
            target = word
        elif target:
            files[target], target = word, None
        elif word == "|":
            yield words, files.get("<"), files.get(">")
            words, files = [], {}
        else:
            words.append(word)


class Shell:
    """Runs commands of this project in a directory, and some other programs.

    Commands of this project run in this process. `echo`, `printf` and `mkdir` are built
    in, and the programs of `OTHERS` run as processes.

    said: the standard error of all commands that were run.
    """

    # Other programs, which are on most systems.
    OTHERS = ("awk", "mpirun", "python", "udvalidate")

    def __init__(
        self,
        directory: Path,
        options: Mapping[str, list[str]],
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Take the directory, and options that keep work small, by the beginnings of
        commands.

        names: what stands for paths outside the directory, such as /opt/senna.
        """
        self.directory, self.options, self.names = directory, options, names or {}
        self.said = ""

    def run_block(self, block: str) -> str:
        """Run the lines of a block of a page, in which `cat > FILE <<END` writes files;
        returns what is printed.
        """
        printed = ""
        for path, text, line in LINES.findall(block.replace("\\\n", " ")):
            if path:
                self.write(path, text)
            else:
                printed += self.run(line)
        return printed

    def run(self, line: str, stdin: bytes = b"") -> str:
        """Run a pipe; returns what is printed. A command that fails is an
        AssertionError.

        stdin: the standard input of the first command, if no file is.
        """
        data = stdin
        for name, other in self.names.items():
            line = line.replace(name, other)
        for words, source, target in pipes_of(line):
            if source:
                data = (self.directory / source).read_bytes()
            data = self._run([*self._matched(words, line)], data)
            if target:
                (self.directory / target).write_bytes(data)
        return data.decode()

    def _matched(self, words, line):
        """Yield the words of a command, with the files that patterns match."""
        for word in words:
            quoted = f"'{word}'" in line or f'"{word}"' in line
            found = () if quoted or not {*"*?"} & {*word} else self.directory.glob(word)
            paths = sorted(path.relative_to(self.directory) for path in found)
            yield from map(str, paths) if paths else [word]

    def _run(self, words, data):
        variables = dict(re.findall(r"^(\w+)=(.*)$", words[0]))
        program, *arguments = words[1:] if variables else words
        if program == "echo":
            return (" ".join(arguments) + "\n").encode()
        if program == "printf":
            return arguments[0].encode().decode("unicode_escape").encode()
        if program == "mkdir":
            (self.directory / arguments[-1]).mkdir(parents=True, exist_ok=True)
            return b""
        for beginning, more in self.options.items():
            if " ".join(words).startswith(beginning):
                arguments = [*arguments, *more]
        place = self.directory
        if program in self.OTHERS:
            typed = data.decode()
            result = run_program(
                program, *arguments, stdin=typed, cwd=place, **_ENVIRONMENT
            )
            printed, said = result.stdout.encode(), result.stderr
        else:
            assert program in PROGRAMS, f"{program}: not one of this project"
            result = run(program, *arguments, stdin=data, cwd=place, env=variables)
            printed, said = result.stdout, result.stderr.decode()
        self.said += said
        assert result.returncode == 0, f"{' '.join(words)}: {said}"
        return printed

    def write(self, name: str, text: str) -> None:
        """Write a file, compressed if its name says so."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        path.write_bytes(_COMPRESSED.get(path.suffix, bytes)(data))
