"""Target: checkpoints of training runs of every kind."""

from senna_py.models.checkpoint import CHECKPOINT
from tests.fuzz.cases import Target, written
from tests.fuzz.damage import damage
from tests.helpers.small_trainers import TRAINERS


class Checkpoints(Target):
    """Checkpoints that a run goes on from, and whose vectors are read."""

    name = "checkpoints"

    def __init__(self, names=tuple(TRAINERS)):
        """Names: of the trainers that are taken."""
        self._names = names

    def prepare(self, directory):
        """Begin a run of each trainer, and keep what it left."""
        self._runs = {}
        for name in self._names:
            new = TRAINERS[name](directory / name)
            run = new(directory / name / "run")
            run.run(time_limit=0)
            files = [p for p in run.directory.iterdir() if p.is_file()]
            self._runs[name] = new, {p.name: p.read_bytes() for p in files}

    def run(self, source, directory):
        """Damage the file, and go on with the run."""
        new, files = self._runs[source.choice(self._names)]
        for each, data in files.items():
            written(directory / each, data)
        path = directory / CHECKPOINT
        path.write_bytes(damage(source, path.read_bytes()))
        run = new(directory)
        run.resume()
        run.run(time_limit=0)
