"""The journal of a run: its settings, its inputs, and the finished steps."""

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import replace_file
from senna_py.io.nesting import parse_json
from senna_py.training.checkpointing import difference

JOURNAL = "run.json"  # in the directory of a run
_CHUNK = 1 << 20


class Journal:
    """The journal of a run, which is written before training and after each step.

    Attributes:
        path: The path of the file.
        steps: A line for the user from each finished step, by the name of the step.
        facts: The results of steps that later steps need, as JSON values by name.
    """

    def __init__(
        self,
        path: Path,
        settings: Mapping[str, Any],
        options: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Read the journal from its file, or begin one if there is no file.

        Args:
            path: The file.
            settings: The settings and the inputs of the run, as JSON values.
            options: The options of the command from which settings come, by the name
                of the setting; an error tells the user to repeat them.

        Raises:
            SennaError: If the file cannot be read, or belongs to another run.
        """
        self.path, self._settings = path, settings
        self.steps: dict[str, str] = {}
        self.facts: dict[str, Any] = {}
        if not path.exists():
            return
        try:
            with report_os_errors(path):
                stored = parse_json(path.read_text("utf-8"))
            if not isinstance(stored["settings"], dict):
                raise ValueError("settings are no object")
            self.steps, self.facts = dict(stored["steps"]), dict(stored["facts"])
        except (ValueError, LookupError, TypeError) as error:
            raise SennaError(f"{path}: not the journal of a run: {error}") from None
        if problem := difference(stored["settings"], settings):
            option = options.get(problem.name.partition(".")[0])
            advice = f"; give {option} as before" if option else ""
            raise SennaError(f"{path}: made with {problem}{advice}")

    def finish(self, step: str, line: str) -> None:
        """Record that a step is finished.

        Args:
            step: The name of the step.
            line: A line for the user.

        Raises:
            WriteError: If the file cannot be written.
        """
        self.steps[step] = line
        self.write()

    def write(self) -> None:
        """Write the journal to its file, so that the run can be resumed.

        Raises:
            WriteError: If the file cannot be written.
        """
        contents = {
            "settings": self._settings,
            "steps": self.steps,
            "facts": self.facts,
        }
        text = json.dumps(contents, indent=1) + "\n"
        replace_file(self.path, lambda file: file.write(text.encode()))


def checksums(paths: Iterable[Path]) -> dict[str, str]:
    """Return the size and the CRC-32 of each file, by its path.

    Raises:
        SennaError: If a file cannot be read.
    """
    found = {}
    for path in paths:
        size = value = 0
        with report_os_errors(path), open(path, "rb") as file:
            while data := file.read(_CHUNK):
                size, value = size + len(data), zlib.crc32(data, value)
        found[str(path.resolve())] = f"{size} bytes, CRC-32 {value:08x}"
    return found
