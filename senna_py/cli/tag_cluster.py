"""Tagging inputs in parts, for `senna-tag --output-dir`."""

from dataclasses import replace

from senna_py import __version__
from senna_py.errors import SennaError

__all__ = ["tag_parts"]


def tag_parts(
    paths, options, output_dir, cluster=None, jobs=1, text_field="text",
    part_size=16 << 20, send_model=False, progress=None, verbose=False, note=print,
):  # fmt: skip
    """Tag files, directories, globs and URLs in parts, each with an output of its own.

    paths: the inputs; output_dir: where outputs go, a path or URL; cluster: address of a Dask
    scheduler, `local` for worker processes on this machine, or None for threads of this process;
    jobs: processes or threads on this machine; note: called with lines of text for the user;
    options: TagOptions. Returns the number of inputs that could not be
    read; each was noted. Raises SennaError for whatever concerns all inputs.
    """
    _check_installed()
    from senna_py.cli.tag_parts import PartOptions
    from senna_py.cluster.inputs import JSONL
    from senna_py.cluster.models import ModelCopy
    from senna_py.cluster.progress import PartProgress
    from senna_py.cluster.run import Plan, run, summary
    from senna_py.cluster.store import Store
    from senna_py.cluster.work import Work
    from senna_py.corpora.places import blank_test
    from senna_py.io.streaming import BY_MARK

    store = Store.at(output_dir)
    path = options.path
    wanted = PartOptions(ModelCopy.of(path), replace(options, path=None), text_field)
    tagger = options.tagger()  # what cannot be done is said at once
    options.printer(tagger)
    if verbose:
        for line in tagger.model.describe(tagger.networks):
            note(line)
    settings = _settings(wanted, part_size)
    plan = Plan.of(paths, store, part_size, options.encoding)
    plan.begin(store, settings, wanted.ending)
    if send_model:
        wanted = replace(wanted, model=ModelCopy.of(path, store))
    if (line := summary(plan)) is not None:
        note(line)
    is_blank = blank_test(tagger.tokenizer.kind, options.usrtokens)
    encoding = options.encoding or BY_MARK
    work = Work(store, wanted, wanted.ending, encoding, wanted.mark, is_blank)

    def places(found):
        return options.format not in ("senna", "conll", "trees", "tokens") or found.kind == JSONL

    with PartProgress(plan.n_parts, plan.n_done, progress, note) as shown:
        return run(plan, work, lambda: _engine(cluster, jobs), settings, shown, places)


def _check_installed():
    """Raise SennaError unless the libraries of the extra are there."""
    from importlib.util import find_spec

    lacks = [name for name in ("dask", "distributed", "fsspec", "pyarrow") if not find_spec(name)]
    if lacks:
        raise SennaError(
            f"--output-dir needs {', '.join(lacks)}: install senna-py with its extra dask"
        )


def _engine(cluster, jobs):
    from senna_py.cluster.engines import Cluster, Threads, local_cluster

    if cluster is None:
        return Threads(jobs)
    return local_cluster(jobs) if cluster == "local" else Cluster(cluster)


def _settings(wanted, part_size):
    """What the bytes of outputs depend on, by the names of options."""
    return {
        "senna-py": __version__, "model": wanted.model.digest, "part_size": part_size,
        "text_field": wanted.text_field, **wanted.options.as_dict(),
    }  # fmt: skip
