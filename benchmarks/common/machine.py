"""What measured figures depend on: date, processor, commit, versions."""

import os
import platform
import subprocess
import sys
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["describe_machine"]

_PACKAGES = "numpy", "numba", "python-crfsuite", "spacy", "ufal.udpipe"
_KIND = ("family", "cpu family"), ("model", "model")


def describe_machine():
    """Return a dict with what is recorded besides figures."""
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="minutes"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "commit": _commit(),
        "command": " ".join(sys.argv),
        "versions": {
            "python": platform.python_version(),
            **{name: _version(name) for name in _PACKAGES},
        },
    }


def _processor():
    """Return the name of the processor, with family and model if the name is ambiguous."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            pairs = [
                line.partition(":")[::2]
                for line in file.read().split("\n\n")[0].split("\n")
            ]
    except OSError:
        pairs = []
    facts = {name.strip(): value.strip() for name, value in pairs}
    if "model name" not in facts:
        return platform.processor() or platform.machine()
    kind = [f"{name} {facts[key]}" for name, key in _KIND if key in facts]
    return ", ".join([facts["model name"], *kind])


def _commit():
    """Return the short name of the commit, or None outside a checkout.

    It has a + if files differ from the commit.
    """
    command = [
        "git",
        "-C",
        str(Path(__file__).parent),
        "describe",
        "--always",
        "--dirty=+",
    ]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None
