"""Takes parts of the system away from senna_py, as another system lacks them.

Python imports this by itself where its directory is in PYTHONPATH, in processes of a
process, too. The variable SENNA_TEST_WITHOUT names what is missing, such as `fcntl` or
`os.fork`; `renaming` is that of open files, which Windows refuses.
"""

import builtins
import importlib
import os
import types

_missing = os.environ.get("SENNA_TEST_WITHOUT", "").split()
_import = builtins.__import__


def _bare(name):
    """A copy of a module without what is missing in it."""
    module = importlib.import_module(name)
    lacks = {each.partition(".")[2] for each in _missing if each.startswith(f"{name}.")}
    bare = types.ModuleType(name)
    bare.__dict__.update(
        {key: value for key, value in vars(module).items() if key not in lacks}
    )
    return bare


_modules = {
    name: _bare(name)
    for name in {each.split(".")[0] for each in _missing if "." in each}
}


def _import_for(name, globals=None, locals=None, fromlist=(), level=0):
    if ((globals or {}).get("__name__") or "").startswith("senna_py"):
        if name in _missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name in _modules:
            return _modules[name]
    return _import(name, globals, locals, fromlist, level)


class _OfClosedFiles:
    """A function of `os` on paths that refuses files that this process has open or
    mapped.

    Not a Python function: `pathlib` of Python 3.10 would make it a method.
    """

    def __init__(self, function):
        self._function = function

    def __call__(self, *paths, **options):
        for path in map(os.path.realpath, paths):
            for descriptor in os.listdir("/proc/self/fd"):
                if os.path.realpath(f"/proc/self/fd/{descriptor}") == path:
                    raise PermissionError(
                        13, "The file is used by another process", path
                    )
        return self._function(*paths, **options)


if _missing:
    builtins.__import__ = _import_for
if "renaming" in _missing:
    for _name in ("replace", "rename", "unlink", "remove"):
        setattr(os, _name, _OfClosedFiles(getattr(os, _name)))
        for _module in _modules.values():
            if hasattr(_module, _name):
                setattr(_module, _name, getattr(os, _name))
