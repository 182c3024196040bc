"""A disk that has no room for the first model of a run."""

from senna_py.errors import WriteError


def fail_once(monkeypatch, kind):
    """Let the first model of class `kind` not be written."""
    write, calls = kind.write, []

    def written(self, path):
        calls.append(path)
        if len(calls) == 1:
            raise WriteError(f"{path}: not written: No space left on device")
        write(self, path)

    monkeypatch.setattr(kind, "write", written)
