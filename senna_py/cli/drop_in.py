"""A directory that looks like an installed SENNA to its clients."""

import os
import shlex
import sys
from pathlib import Path

from senna_py.io.file_errors import report_os_errors
from senna_py.io.locks import lock_directory
from senna_py.io.progress import say
from senna_py.model import Model
from senna_py.models.native import NativeModel
from senna_py.models.senna_conversion import copy_native, export_senna

# Names under which clients look for the program, by platform.
LAUNCHERS = ("senna", "senna-linux64", "senna-linux32", "senna-osx")

# A shell script and a Python program at once: an interpreter's path in a `#!` line may be neither
# long nor have spaces. Without -path the model beside the launcher is used, as SENNA does. Clients
# count columns: one that the model lacks must not be left out.
_LAUNCHER = """\
#!/bin/sh
'''exec' {python} "$0" "$@"
' '''
import os
import sys

here = os.path.dirname(os.path.realpath(__file__))
os.environ["SENNA_PY_MODEL"] = here
sys.path[0] = {package!r}
sys.argv.insert(1, "--all-columns")

from senna_py.cli.entry import tag

tag()
"""


def make_drop_in(
    directory: str | os.PathLike[str], path: str | os.PathLike[str] | None = None
) -> None:
    """Write a model and launchers with the names of SENNA's programs into a directory.

    A native model is copied; other models are written in SENNA's format.

    Args:
        directory: The directory, which must be new or empty.
        path: The path of the model, as `model.find_model` takes it.

    Raises:
        SennaError: If the directory is not empty or cannot be written.
    """
    directory = Path(directory)
    storage = Model(path).storage
    with lock_directory(directory, say), report_os_errors(directory):
        if isinstance(storage, NativeModel):
            copy_native(storage, directory)
        else:
            export_senna(storage, directory)
        package = str(Path(__file__).resolve().parents[2])
        text = _LAUNCHER.format(python=shlex.quote(sys.executable), package=package)
        for name in LAUNCHERS:
            (directory / name).write_text(text, encoding="utf-8")
        # Only the owner may write, whatever the umask: clients refuse files that others
        # can change.
        directory.chmod(0o755)
        for place in directory.rglob("*"):
            place.chmod(0o755 if place.is_dir() or place.name in LAUNCHERS else 0o644)
