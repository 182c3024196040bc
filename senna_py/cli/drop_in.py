"""Makes a directory that clients of SENNA can use as an installation of SENNA."""

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

# The names of the program on various platforms, under which clients look for it.
LAUNCHERS = ("senna", "senna-linux64", "senna-linux32", "senna-osx")

# The launcher is both a shell script and a Python program, because the interpreter's
# path in a `#!` line may be neither long nor contain spaces. Like SENNA, it uses the
# model beside it unless there is `-path`. Clients count columns, so a column that the
# model lacks is an error.
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
    """Write a model, and launchers with the names of SENNA's programs.

    A native model is copied; other models are written in SENNA's format.

    Args:
        directory: The directory to write, which must be new or empty.
        path: The path of the model; see `model.find_model`.

    Raises:
        SennaError: If the model cannot be read, or the directory is not empty or cannot
            be written.
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
        # Clients refuse files that others can change, so only the owner may write,
        # regardless of the umask.
        directory.chmod(0o755)
        for place in directory.rglob("*"):
            place.chmod(0o755 if place.is_dir() or place.name in LAUNCHERS else 0o644)
