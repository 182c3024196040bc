"""Tagging inputs in parts, for `senna-tag --output-dir`."""

from dataclasses import asdict, replace

from senna_py import __version__
from senna_py.errors import SennaError

__all__ = ["tag_parts"]


def tag_parts(
    paths, tasks, output_dir, cluster=None, jobs=1, path=None, text_field="text",
    part_size=16 << 20, send_model=False, encoding=None, abbreviations=None, progress=None,
    verbose=False, note=print, **options,
):  # fmt: skip
    """Tag files, directories, globs and URLs in parts, each with an output of its own.

    paths: the inputs; output_dir: where outputs go, a path or URL; cluster: address of a Dask
    scheduler, `local` for worker processes on this machine, or None for threads of this process;
    jobs: processes or threads on this machine; note: called with lines of text for the user; the
    other parameters are the options of senna-tag. Returns the number of inputs that could not be
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
    from senna_py.text.known_texts import read_abbreviations

    store = Store.at(output_dir)
    own = () if abbreviations is None else tuple(sorted(read_abbreviations(abbreviations)))
    known = {name: options[name] for name in PartOptions.__dataclass_fields__ if name in options}
    wanted = PartOptions(
        ModelCopy.of(path), tasks and tuple(tasks), encoding=encoding or BY_MARK,
        abbreviations=own, text_field=text_field, **known,
    )  # fmt: skip
    tagger, printer = wanted.prepare(path, verbose, note)  # what cannot be done is said at once
    settings = _settings(wanted, part_size)
    plan = Plan.of(paths, store, part_size, None if wanted.encoding == BY_MARK else encoding)
    plan.begin(store, settings, wanted.ending)
    if send_model:
        wanted = replace(wanted, model=ModelCopy.of(path, store))
    if (line := summary(plan)) is not None:
        note(line)
    is_blank = blank_test(tagger.tokenizer.kind, wanted.usrtokens)
    work = Work(store, wanted, wanted.ending, wanted.encoding, wanted.mark, is_blank)

    def places(found):
        return printer.wants_places or found.kind == JSONL  # whose errors name lines

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
    values = asdict(wanted)
    model = values.pop("model")["digest"]
    return {"senna-py": __version__, "model": model, "part_size": part_size} | {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }
