"""Options of senna-tag for corpora larger than one machine."""

import re

import click

__all__ = ["CLUSTER_OPTIONS", "check_cluster", "cluster_options"]

_UNITS = {"": 0, "K": 10, "M": 20, "G": 30}
# What outputs in a directory are made without.
_WITHOUT = {
    "output": "--output", "usrvbs": "-usrvbs", "layout": "--layout", "limit": "--limit",
    "live": "--live",
}  # fmt: skip
CLUSTER_OPTIONS = ("output_dir", "cluster", "text_field", "part_size", "send_model")
_DEFAULTS = {"text_field": "text", "part_size": 16 << 20}


class _Size(click.ParamType):
    """A number of bytes such as `16M`."""

    name = "size"

    def convert(self, value, param, ctx):
        """Bytes as int."""
        found = re.fullmatch(r"(\d+)([KMG]?)", str(value), re.IGNORECASE)
        size = found and int(found[1]) << _UNITS[found[2].upper()]
        if not size:
            self.fail(f"{value!r} is not a size such as 16M", param, ctx)
        return size


def cluster_options(function):
    """Add the options to a command."""
    for option in reversed((
        click.option(
            "--output-dir", metavar="DIR",
            help="Tag FILEs, directories, globs and URLs in parts, with a file here for each.",
        ),
        click.option(
            "--cluster", metavar="ADDRESS",
            help="With --output-dir: a Dask scheduler, or `local` for --jobs processes here.",
        ),
        click.option(
            "--text-field", metavar="NAME",
            help="With --output-dir: where JSON lines and Parquet have the text.  [default: text]",
        ),
        click.option(
            "--part-size", metavar="SIZE", type=_Size(),
            help="With --output-dir: bytes of an input in a part.  [default: 16M]",
        ),
        click.option(
            "--send-model", is_flag=True,
            help="With --cluster: put the model into DIR for workers that lack it.",
        ),
    )):  # fmt: skip
        function = option(function)
    return function


def check_cluster(options, wanted):
    """Raise UsageError for options that do not go together; fill in defaults."""
    if options["output_dir"] is None:
        for name in CLUSTER_OPTIONS:
            if options[name]:
                raise click.UsageError(f"--{name.replace('_', '-')} goes with --output-dir only")
        if wanted.format == "parquet":
            raise click.UsageError("--format parquet goes with --output-dir only")
        return
    for name, shown in _WITHOUT.items():
        if options.get(name) or (name in ("usrvbs", "layout", "limit") and getattr(wanted, name)):
            raise click.UsageError(f"{shown} does not go with --output-dir")
    if wanted.format == "html":
        raise click.UsageError("--format html does not go with --output-dir")
    if not options["files"] or "-" in options["files"]:
        raise click.UsageError("--output-dir takes files, directories, globs and URLs")
    if options["send_model"] and options["cluster"] in (None, "local"):
        raise click.UsageError("--send-model goes with --cluster ADDRESS only")
    given = click.get_current_context().get_parameter_source("jobs")
    has_jobs = given is not click.core.ParameterSource.DEFAULT
    if options["cluster"] not in (None, "local") and has_jobs:
        raise click.UsageError(
            "--jobs does not go with --cluster ADDRESS: its workers have threads"
        )
    if options["cluster"] == "local" and not has_jobs:
        import os

        options["jobs"] = len(os.sched_getaffinity(0))
    for name, value in _DEFAULTS.items():
        options[name] = options[name] or value
