"""The progress of a training run, as its checkpoint and its log say."""

from dataclasses import dataclass

__all__ = ["RunProgress"]


@dataclass
class RunProgress:
    """Counts of a run, which the loop alone changes.

    epoch: whole epochs; batch: batches of the present one; steps, examples: batches and examples
    since the run began; seconds: of training, without compilation; cost, n_costs, span: sum of the
    costs, their number and the seconds of training since the last line of the log; best,
    best_epoch: the best dev score, None without one, and the epoch that ended with it, from 1;
    waited: epochs since the dev score was last better than all before.
    """

    epoch: int = 0
    batch: int = 0
    steps: int = 0
    examples: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    n_costs: int = 0
    span: float = 0.0
    best: float | None = None
    best_epoch: int = 0
    waited: int = 0

    def add(self, n_batches: int, cost: float, n_costs: int, seconds: float) -> None:
        """Count batches that were trained on."""
        self.batch += n_batches
        self.steps += n_batches
        self.examples += n_costs
        self.seconds += seconds
        self.cost += cost
        self.n_costs += n_costs
        self.span += seconds

    def clear_sums(self) -> None:
        """Begin the sums for the next line of the log."""
        self.cost, self.n_costs, self.span = 0.0, 0, 0.0

    @property
    def mean_cost(self) -> float | None:
        """Mean cost since the last line of the log, None if nothing was trained since."""
        return self.cost / self.n_costs if self.n_costs else None

    @property
    def speed(self) -> float:
        """Examples a second since the last line of the log."""
        return self.n_costs / max(self.span, 1e-9)
