"""Install distributions, tag a sentence, and uninstall them: nothing of them may stay.

    python .ci/try_distribution.py dist/senna_py-0.2.0-py3-none-any.whl

The environment, the home directory and the working directory are fresh ones, so that
nothing of a checkout is found. What stays in the home directory may be only the cache of
kernels.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

# For each distribution: arguments of senna-tag, a sentence, and what its tags are.
SENTENCES = {
    "senna-py": ([], "Angela Merkel lives in Berlin.", "S-LOC"),
    "senna-py-pt": (["--path", "pt"], "Maria mora em Lisboa.", "S-LOC"),
}


def main() -> None:
    """Try the distributions that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("distributions", nargs="+", type=Path)
    parser.add_argument(
        "--warm-up", action="store_true", help="compile kernels, which makes the cache"
    )
    parser.add_argument(
        "--no-deps", action="store_true", help="take what it needs from this Python"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        try:
            try_in(Path(place).resolve(), options)
        except subprocess.CalledProcessError as error:
            sys.exit(str(error))


def try_in(place: Path, options: argparse.Namespace) -> None:
    """Do it all in an empty directory; exits if something is wrong."""
    paths = [str(path.resolve()) for path in options.distributions]
    names = ["senna-py", *["senna-py-pt" for path in paths if "senna_py_pt" in path]]
    fresh = Fresh(place)
    before = files_of(fresh.environment)
    how = ["--no-deps", "--ignore-installed"] if options.no_deps else []
    if options.no_deps:
        fresh.take_packages_of_this_python()
    fresh.pip("install", *how, *paths)
    for name in names:
        arguments, sentence, tag = SENTENCES[name]
        printed = fresh.run("senna-tag", *arguments, "--ner", text=f"{sentence}\n")
        print(printed)
        if tag not in printed:
            sys.exit(f"{name}: no {tag} in what it prints")
    if options.warm_up:
        fresh.run("senna-py", "warm-up")
    fresh.pip("uninstall", "--yes", *names)
    report(files_of(fresh.environment) - before, files_of(fresh.home))


class Fresh:
    """An environment, a home directory and a working directory, all of them empty.

    environment: its directory.
    home: the directory below which caches are.
    """

    def __init__(self, place: Path) -> None:
        """Make the directories in an empty one."""
        self.environment, self.home = place / "venv", place / "home"
        self._work = place / "work"
        self.home.mkdir()
        self._work.mkdir()
        venv.create(self.environment, with_pip=True)
        unset = "SENNA_", "NUMBA_", "PYTHONPATH", "XDG_", "VIRTUAL_ENV"
        self._variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(unset)
        }

    def run(self, program: str, *arguments: str, text: str = "") -> str:
        """Run a program of the environment; returns what it prints."""
        homes = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA"), str(self.home))
        variables = {**self._variables, **homes, "SENNA_PY_BACKGROUND": "0"}
        return self._run(program, *arguments, text=text, variables=variables)

    def pip(self, *arguments: str) -> None:
        """Run pip, which writes into the home directory of the user, too."""
        options = ["--disable-pip-version-check", "--no-cache-dir", "--quiet"]
        words = ["-m", "pip", *options, *arguments]
        self._run("python", *words, text="", variables=self._variables)

    def _run(self, program, *arguments, text, variables):
        folder = self.environment / ("Scripts" if os.name == "nt" else "bin")
        path = min(folder.glob(f"{program}*"))
        return subprocess.run(
            [str(path), *arguments],
            cwd=self._work,
            env=variables,
            input=text,
            stdout=subprocess.PIPE,
            check=True,
            encoding="utf-8",
        ).stdout

    def take_packages_of_this_python(self) -> None:
        """Let the environment find what this Python has installed."""
        folders = [path for path in sys.path if Path(path).name == "site-packages"]
        (packages,) = self.environment.rglob("site-packages")
        (packages / "base.pth").write_text("\n".join(folders), "utf-8")


def files_of(directory: Path) -> set[Path]:
    """Return all paths below a directory."""
    return {*directory.rglob("*")}


def report(new: set[Path], at_home: set[Path]) -> None:
    """Print what is left of senna-py; exits if it is more than the cache of kernels."""
    left = [path for path in new if "senna" in path.name]
    caches = {path for path in at_home if path.name == "senna-py" and path.is_dir()}
    files = [path for path in at_home if path.is_file()]
    left += [path for path in files if not caches & {*path.parents}]
    for path in left:
        print(f"left: {path}")
    if left:
        sys.exit("uninstalling leaves files of senna-py")
    size = sum(path.stat().st_size for path in files) / 1e6
    print(
        f"nothing is left but the cache of kernels: {len(files)} files, {size:.0f} MB"
    )


if __name__ == "__main__":
    main()
