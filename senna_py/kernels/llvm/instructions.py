"""Helpers for intrinsics, which generate LLVM instructions on vectors of numbers."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from senna_py.kernels.runtime.jit import Intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# The number of float32 in the widest vectors. LLVM splits them for processors with
# shorter vectors.
LANES = 16
WIDE = "avx512f"  # the LLVM feature of processors with 512-bit vectors


def has_features(context: Any, *features: str) -> bool:
    """Return whether the target processor has all of these LLVM features."""
    found = context.codegen().magic_tuple()[2].split(",")
    return all(f"+{feature}" in found for feature in features)


def generated(types: str) -> Callable[[Callable[..., Any]], Intrinsic]:
    """Return a decorator that turns a code-generating function into an Intrinsic.

    The function takes a Tile and an LLVM value for each argument. For an array, the
    value is Numba's structure, which has `nitems`. Arguments of other types raise
    TypingError, but it is not checked whether an array is writable.

    Args:
        types: The signature of the Intrinsic, as Numba writes it.
    """

    def decorate(generate: Callable[..., Any]) -> Intrinsic:
        def make() -> Callable[..., Any]:
            from numba.core.errors import TypingError  # noqa: PLC0415
            from numba.core.sigutils import normalize_signature  # noqa: PLC0415
            from numba.types import Array  # type: ignore[attr-defined] # noqa: PLC0415

            kinds, result = normalize_signature(types)
            arrays = [isinstance(kind, Array) for kind in kinds]
            # Writable and read-only arrays can both be converted to this type.
            wanted = [
                kind.copy(readonly=True) if is_array else kind
                for kind, is_array in zip(kinds, arrays, strict=True)
            ]

            def typed(context: Any, *given: Any) -> tuple[Any, Any]:
                if None in map(context.can_convert, given, wanted):
                    raise TypingError(f"{given}: expected {types}")

                def code(
                    context: Any, builder: Any, signature: Any, values: Any
                ) -> Any:
                    taken = [
                        context.make_array(kind)(context, builder, value)
                        if is_array
                        else value
                        for kind, value, is_array in zip(
                            wanted, values, arrays, strict=True
                        )
                    ]
                    made = generate(Tile(context, builder), *taken)
                    return context.get_dummy_value() if made is None else made

                return result(*wanted), code

            # Numba inspects the names of the parameters.
            typed.__signature__ = inspect.signature(generate)  # type: ignore[attr-defined]
            return typed

        return Intrinsic(make)

    return decorate


class Tile:
    """Helpers that generate loops over vectors, with results in registers."""

    def __init__(
        self, context: Any, builder: Any, element: Any = None, lanes: int = LANES
    ) -> None:
        """Store Numba's context and builder.

        Args:
            context: Numba's target context.
            builder: The builder of LLVM instructions.
            element: The LLVM type of the elements, or None for float32.
            lanes: The number of elements of a vector.
        """
        from llvmlite import ir  # noqa: PLC0415
        from numba.core import cgutils  # noqa: PLC0415

        self.context, self.builder, self.tools, self.ir = context, builder, cgutils, ir
        self.vector = ir.VectorType(element or ir.FloatType(), lanes)

    def integers(self, bits: int, n: int) -> Any:
        """Return the LLVM type of a vector of n integers of `bits` bits."""
        return self.ir.VectorType(self.ir.IntType(bits), n)

    def pick(self, places: Any, a: Any, b: Any = None) -> Any:
        """Return the elements at some indices of a and b, concatenated.

        Args:
            places: The indices.
            a: A vector.
            b: A vector of the same type, or None for a.
        """
        places = self.ir.Constant(self.integers(32, len(places)), list(places))
        return self.builder.shuffle_vector(a, b or a, places)

    def call(self, name: str, kind: Any, *arguments: Any) -> Any:
        """Generate a call of an LLVM function that returns a value of type `kind`."""
        signature = self.ir.FunctionType(
            kind, [argument.type for argument in arguments]
        )
        function = self.tools.get_or_insert_function(
            self.builder.module, signature, name
        )
        return self.builder.call(function, arguments)

    def plus(self, position: Any, n: Any, step: Any) -> Any:
        """Return the position `n` steps after `position`."""
        return self.builder.add(position, self.builder.mul(n, step))

    def at(self, array: Any, position: Any) -> Any:
        """Return the address of an element of an array."""
        return self.builder.gep(array.data, [position])

    def _vector_at(self, array: Any, position: Any) -> Any:
        return self.builder.bitcast(self.at(array, position), self.vector.as_pointer())

    def load(self, array: Any, position: Any) -> Any:
        """Load a vector that begins at any element of an array."""
        return self.builder.load(self._vector_at(array, position), align=4)

    def repeat(self, value: Any) -> Any:
        """Return a vector that repeats one number."""
        nothing, index = (
            self.ir.Constant(self.vector, self.ir.Undefined),
            self.ir.IntType(32),
        )
        first = self.builder.insert_element(nothing, value, index(0))
        return self.pick([0] * self.vector.count, first)

    def larger(self, a: Any, b: Any) -> Any:
        """Return the larger of two numbers, or the elementwise maximum of two vectors.

        If a number is NaN, the result is not defined; in practice it is either of the
        two.
        """
        flags = "nnan", "nsz"
        return self.builder.select(
            self.builder.fcmp_ordered(">", a, b, flags=flags), a, b, flags=flags
        )

    def results(self, values: Any) -> list[Any]:
        """Allocate and initialize a variable for each value.

        LLVM keeps these variables in registers.
        """
        return [self.tools.alloca_once_value(self.builder, value) for value in values]

    def multiply(
        self,
        rows: Any,
        n: Any,
        panels: Any,
        p_begin: Any,
        begins: Any,
        out: Any,
        o_begin: Any,
        o_width: Any,
    ) -> None:
        """Fill a tile of `out` with initial sums plus the products of rows and panels.

        Args:
            rows: The addresses of the rows, with n inputs each.
            n: The number of inputs.
            panels: The array of panels.
            p_begin: The index where the first panel begins. Each panel has n
                consecutive vectors, and panels are consecutive, too.
            begins: The initial sums, one vector for each panel.
            out: The array that is written.
            o_begin: The index where the first row of the tile begins in `out`.
            o_width: The distance between the rows of the tile in `out`.
        """
        builder, number = self.builder, n.type
        sums = self.results(begins * len(rows))
        with self.tools.for_range(builder, n) as loop:
            steps = [self.plus(loop.index, n, number(p)) for p in range(len(begins))]
            weights = [
                self.load(panels, self.plus(p_begin, s, number(LANES))) for s in steps
            ]
            for r, row in enumerate(rows):
                value = self.repeat(builder.load(builder.gep(row, [loop.index])))
                for weight, total in zip(
                    weights, sums[r * len(begins) :], strict=False
                ):
                    self.add_product(value, weight, total)
        for p in range(len(begins)):
            begin = builder.add(o_begin, number(p * LANES))
            self.store(sums[p :: len(begins)], out, begin, o_width)

    def add_product(self, a: Any, b: Any, total: Any) -> None:
        """Add a * b to the variable `total`; see `results`."""
        added = self.sum_with_product(self.builder.load(total), a, b)
        self.builder.store(added, total)

    def sum_with_product(self, total: Any, a: Any, b: Any) -> Any:
        """Return total + a * b, rounded once if the processor supports this."""
        product = self.builder.fmul(a, b, flags=("contract",))
        return self.builder.fadd(total, product, flags=("contract",))

    def store(self, results: Any, array: Any, begin: Any, step: Any) -> None:
        """Store variables that contain vectors to an array.

        Args:
            results: The variables; see `results`.
            array: The array, in which vectors may begin at any element.
            begin: The index for the first vector.
            step: The distance between the indices of consecutive vectors.
        """
        for k, result in enumerate(results):
            address = self._vector_at(array, self.plus(begin, step.type(k), step))
            self.builder.store(self.builder.load(result), address, align=4)
