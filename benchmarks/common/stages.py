"""Where the processor's time goes: all kernels and the steps around them are timed."""

import sys
import time
from collections import defaultdict
from functools import wraps

from senna_py.features.assembly import Assembly
from senna_py.features.form_inputs import FormInputs
from senna_py.features.forms import FormTable
from senna_py.formats.columns import ColumnPrinter
from senna_py.kernels.runtime.jit import Kernel
from senna_py.networks.trunk import Trunk
from senna_py.tagger import Tagger
from senna_py.text.tokenizer import Tokenizer

__all__ = ["print_profile", "profile"]

# What a kernel is to the networks; the others go by their names.
_KERNELS = {
    "add_products": "first layer",
    "add_input_sums": "first layer",
    "input_sums": "first layer",
    "find_products": "first layer",
    "keep_products": "first layer",
    "linear": "hidden and output layer",
    "linear_of_rows": "hidden and output layer",
    "panels_of": "hidden and output layer",
    "hardtanh": "hidden and output layer",
    "add_gated_units": "gated blocks",
    "round_rows": "rounding",
    "pack_weight": "packing",
    "linear_of_words": "hidden and output layer",
    "normalize_rows": "layer norms",
    "spans_above": "scores of spans",
    "max_over_sentences": "max over time",
    "viterbi": "decoding",
    "decode_levels": "decoding",
    "score_windows": "first and output layer",
    "score_predicates": "max over time, hidden and output layer",
    "score_words": "hidden and output layer",
    "add_pairs": "first layer",
    "lookup": "look up",
    "lookup_changed": "look up",
    "lookup_changed_bytes": "look up",
    "pad_sentences": "look up",
}


class _Clock:
    """The time of nested steps, each without the steps inside it."""

    def __init__(self):
        self.seconds = defaultdict(float)
        self._stack = []

    def timed(self, step, function):
        """Return the function, with its time counted as `step`.

        `step` is a part of the step around it, or a function that returns (step, part).
        """

        @wraps(function)
        def run(*arguments, **named):
            outer = self._stack[-1][0] if self._stack else None
            key = step() if callable(step) else (outer[0] if outer else "", step)
            self._stack.append([key, 0.0])
            begin = time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                taken = time.process_time() - begin
                self.seconds[key] += taken - self._stack.pop()[1]
                if self._stack:
                    self._stack[-1][1] += taken

        return run


def profile(run):
    """Return the result of a Run, and seconds by (step, part).

    The steps of a batch are divided into parts: kernels, and Python for the rest of a step.
    The step of a network has its name. Time outside of all steps, mostly for reading, is
    `other`.
    """
    run()  # compiles, and imports every module
    clock = _Clock()
    changed = []

    def change(owner, name, step):
        changed.append((owner, name, getattr(owner, name)))
        setattr(owner, name, clock.timed(step, getattr(owner, name)))

    try:
        _change_kernels(change)
        change(Tokenizer, "lines", _step("tokens"))
        change(FormTable, "find", _step("features"))
        change(FormInputs, "__call__", _step("features"))
        change(Assembly, "columns", _step("features"))
        change(ColumnPrinter, "format", _step("printing"))
        change(Trunk, "states", _step("layers that networks share"))
        change(Tagger, "_find_lemmas", _step("lemma"))
        change(Tagger, "_row_classes", _step("classes of rows"))
        change(Tagger, "_find_predicates", _step("predicates"))
        _change_networks(run, change)
        result = run()
    finally:
        for owner, name, value in reversed(changed):
            setattr(owner, name, value)
    seconds = {key: value for key, value in clock.seconds.items() if key[0]}
    rest = result["processor"] - sum(seconds.values())
    return result, {**seconds, ("other", "Python"): rest}


def _step(name):
    return lambda: (name, "Python")


def _change_kernels(change):
    """Replace the kernels in every module by timed ones, except kernels inside kernels."""
    for name, module in list(sys.modules.items()):
        if name.startswith("senna_py.") and not name.startswith("senna_py.kernels."):
            for attribute, value in list(vars(module).items()):
                if isinstance(value, Kernel):
                    change(
                        module, attribute, _KERNELS.get(value.__name__, value.__name__)
                    )
                elif getattr(value, "__name__", "").startswith("senna_py.kernels."):
                    for inner, kernel in list(vars(value).items()):
                        if (
                            isinstance(kernel, Kernel)
                            and kernel.__module__ == value.__name__
                        ):
                            step = _KERNELS.get(inner, inner)
                            change(value, inner, step)


def _change_networks(run, change):
    tagger = Tagger(run.path, run.tasks)
    classes = {type(tagger.model.storage.network(name)) for name in tagger.networks}
    names = iter(())

    def step():
        nonlocal names
        network = next(names, None)
        if network is None:
            names = iter(tagger.networks)
            network = next(names)
        return network, "Python"

    for network in classes:
        change(network, "annotate", step)


def print_profile(result, seconds):
    """Print the result of `profile` in nanoseconds per token, step by step."""
    per_token = 1e9 / result["tokens"]
    steps = defaultdict(dict)
    for (step, part), taken in seconds.items():
        steps[step][part] = taken * per_token
    print(f"{'total':34}{result['processor'] * per_token:10,.0f} ns a token")
    for step, parts in steps.items():
        print(f"{step:34}{sum(parts.values()):10,.0f}")
        for part, taken in sorted(parts.items(), key=lambda item: -item[1]):
            print(f"    {part:30}{taken:10,.0f}")
