"""A run: what is missing is done by an engine, and a manifest closes it."""

from dataclasses import dataclass, field

from senna_py.cluster.engines import LostWorkers
from senna_py.cluster.inputs import find_inputs
from senna_py.cluster.parts import cut
from senna_py.cluster.schedule import SCAN, Schedule
from senna_py.cluster.work import is_of, scan, tag
from senna_py.errors import SennaError, UsageError, counted
from senna_py.io.overwriting import reads
from senna_py.io.streaming import InputError

__all__ = ["Plan", "manifest", "run", "summary"]


@dataclass
class Plan:
    """What a run has to do.

    parts: lists of Parts, one for each input; errors: messages by the name of what cannot be read;
    records: of the parts that are there, by name, of other inputs, too; none before `begin`.
    """

    parts: list
    errors: dict
    records: dict = field(default_factory=dict)

    @property
    def n_parts(self):
        """Number of parts of all inputs."""
        return sum(map(len, self.parts))

    @property
    def n_done(self):
        """Number of these that are there."""
        return sum(part.name in self.records for of_input in self.parts for part in of_input)

    @classmethod
    def of(cls, names, store, part_bytes, encoding=None):
        """The plan for inputs named by the user, which are not looked for in the Store yet.

        Raises UsageError if an input is an output, or if two would have the same output.
        """
        inputs, errors = find_inputs(names)
        parts, owners = [], {}
        for found in inputs:
            if store.holds(found.url):
                raise UsageError(f"{found.name}: an input in the --output-dir")
            reads(found.url.removeprefix("file://"))
            try:
                of_input = cut(found, part_bytes, encoding)
            except InputError as error:
                errors[found.name] = str(error)
                continue
            other = owners.setdefault(of_input[0].name, found)
            if other is not found:
                raise UsageError(f"{found.name} and {other.name}: would have the same output")
            parts.append(of_input)
        return cls(parts, errors)

    def begin(self, store, settings, ending):
        """Begin in a Store, see there; outdated outputs in it are removed.

        settings: of the run; ending: of outputs. Raises UsageError if one would take the place of a
        file that is read.
        """
        wanted = {part.name: part for of_input in self.parts for part in of_input}
        store.check_outputs(f"{name}.{ending}" for name in wanted)
        store.begin(settings)
        inputs = {of_input[0].input.name for of_input in self.parts}
        records = self.records = store.records()
        for name, record in list(records.items()):
            part = wanted.get(name)
            if record["input"] in inputs and (part is None or not is_of(record, part)):
                store.forget(name, records.pop(name))


def run(plan, work, make_engine, settings, progress, places):
    """Do what is missing of a Plan; returns how many inputs could not be read.

    work: a Work; make_engine: gives `engines.Threads` or another; settings: what the manifest says
    of the run; progress: a PartProgress, which also prints what there is to say; places: see
    Schedule. Raises SennaError for what concerns all inputs, such as a full disk; what was done
    until then stays.
    """
    for message in plan.errors.values():
        progress.note(message)
    if plan.n_done < plan.n_parts:
        schedule = Schedule(plan.parts, lambda part: part.name in plan.records, places)
        engine = make_engine()
        try:
            _do(schedule, plan, work, engine, progress)
        finally:
            engine.close()
    work.store.finish(manifest(plan, settings))
    return len(plan.errors)


def _do(schedule, plan, work, engine, progress):
    """Keep the engine busy until nothing is left."""
    while True:
        while engine.busy < engine.slots and (task := schedule.next()):
            kind, part, before = task
            if kind == SCAN:
                engine.submit((kind, part), scan, work, part)
            else:
                engine.submit((kind, part), tag, work, part, before)
        if not engine.busy:
            return
        (kind, part), result = engine.wait()
        try:
            found = result()
        except (InputError, LostWorkers, MemoryError) as error:
            _fail(schedule, plan, part, error, progress)
            continue
        except SennaError:
            raise
        except Exception as error:
            raise SennaError(f"{part}: {type(error).__name__}: {error}") from error
        if kind == SCAN:
            schedule.scanned(part, found)
            continue
        plan.records[part.name] = found
        progress.finished(found["tokens"])
        for note in found["notes"]:
            progress.note(note)


def _fail(schedule, plan, part, error, progress):
    """Give up an input, for which one message is enough."""
    progress.failed(1 + schedule.drop(part.input))
    if part.input.name in plan.errors:
        return
    message = str(error) if isinstance(error, InputError) else f"{part}: {error or 'no memory'}"
    plan.errors[part.input.name] = message
    progress.note(message)


def manifest(plan, settings):
    """What is in the output directory, a dict: parts in order, sums, and what failed."""
    records = sorted(plan.records.values(), key=lambda each: (each["input"], each["part"]))
    sums = ("bytes", "sentences", "tokens")
    return {
        "complete": not plan.errors and plan.n_done == plan.n_parts,
        "settings": settings,
        **{key: sum(record[key] for record in records) for key in sums},
        "failed": plan.errors,
        "parts": [{k: v for k, v in record.items() if k != "notes"} for record in records],
    }


def summary(plan):
    """A line about what is there already, or None."""
    if not plan.n_done:
        return None
    return f"{counted(plan.n_done, 'part')} of {plan.n_parts:,} done before"
