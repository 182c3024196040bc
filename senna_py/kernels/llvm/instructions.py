"""Instructions for kernels that are written in LLVM's own terms, over vectors of LANES
numbers.
"""

import inspect

from senna_py.kernels.runtime.jit import Intrinsic

LANES = 16  # float32 of the widest vectors; LLVM cuts these into what the processor has
WIDE = "avx512f"  # the feature of processors that have these


def has_features(context, *features):
    """Return whether the target processor has all of these features; names as LLVM has
    them.
    """
    found = context.codegen().magic_tuple()[2].split(",")
    return all(f"+{feature}" in found for feature in features)


def generated(types):
    """Decorate a function that generates code, to be an Intrinsic for kernels.

    types: what it returns and takes, as Numba writes signatures. The function takes a
    Tile and a value of LLVM for each argument; for an array, Numba's structure, which
    has `nitems`. For other types TypingError is raised, but whether an array may be
    written is not checked.
    """

    def decorate(generate):
        def make():
            from numba.core.errors import TypingError  # noqa: PLC0415
            from numba.core.sigutils import normalize_signature  # noqa: PLC0415
            from numba.types import Array  # noqa: PLC0415

            kinds, result = normalize_signature(types)
            arrays = [isinstance(kind, Array) for kind in kinds]
            # As either kind of array can be converted to.
            wanted = [
                kind.copy(readonly=True) if is_array else kind
                for kind, is_array in zip(kinds, arrays, strict=True)
            ]

            def typed(context, *given):
                if None in map(context.can_convert, given, wanted):
                    raise TypingError(f"{given}: expected {types}")

                def code(context, builder, signature, values):
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

            typed.__signature__ = inspect.signature(
                generate
            )  # Numba looks at its parameters
            return typed

        return Intrinsic(make)

    return decorate


class Tile:
    """Helpers of loops: vectors in arrays, and results in registers."""

    def __init__(self, context, builder, element=None, lanes=LANES):
        """Hold Numba's context and builder; element: LLVM's type of elements, float32
        if None.
        """
        from llvmlite import ir  # noqa: PLC0415
        from numba.core import cgutils  # noqa: PLC0415

        self.context, self.builder, self.tools, self.ir = context, builder, cgutils, ir
        self.vector = ir.VectorType(element or ir.FloatType(), lanes)

    def integers(self, bits, n):
        """The type of vectors of integers."""
        return self.ir.VectorType(self.ir.IntType(bits), n)

    def pick(self, places, a, b=None):
        """The elements of vector a, followed by b, at these places."""
        places = self.ir.Constant(self.integers(32, len(places)), list(places))
        return self.builder.shuffle_vector(a, b or a, places)

    def call(self, name, kind, *arguments):
        """Call a function of LLVM that returns a kind of value."""
        signature = self.ir.FunctionType(
            kind, [argument.type for argument in arguments]
        )
        function = self.tools.get_or_insert_function(
            self.builder.module, signature, name
        )
        return self.builder.call(function, arguments)

    def plus(self, position, n, step):
        """The position n steps further."""
        return self.builder.add(position, self.builder.mul(n, step))

    def at(self, array, position):
        """Address of an element."""
        return self.builder.gep(array.data, [position])

    def _vector_at(self, array, position):
        return self.builder.bitcast(self.at(array, position), self.vector.as_pointer())

    def load(self, array, position):
        """A vector that may begin anywhere."""
        return self.builder.load(self._vector_at(array, position), align=4)

    def repeat(self, value):
        """A vector of one number."""
        nothing, index = (
            self.ir.Constant(self.vector, self.ir.Undefined),
            self.ir.IntType(32),
        )
        first = self.builder.insert_element(nothing, value, index(0))
        return self.pick([0] * self.vector.count, first)

    def larger(self, a, b):
        """The larger of two numbers, or of the elements of vectors; any if one is
        NaN.
        """
        flags = "nnan", "nsz"
        return self.builder.select(
            self.builder.fcmp_ordered(">", a, b, flags=flags), a, b, flags=flags
        )

    def results(self, values):
        """Places for results that begin with these values; LLVM will keep them in
        registers.
        """
        return [self.tools.alloca_once_value(self.builder, value) for value in values]

    def multiply(self, rows, n, panels, p_begin, begins, out, o_begin, o_width):
        """Fill a tile of `out` with sums that begin so, and the products of rows and
        panels.

        rows: addresses of n inputs each; begins: a vector for each panel, of which the
        first one begins at p_begin and has n of them, the next one follows, and so on;
        o_begin: where the first row of the tile begins, o_width elements before the
        next one.
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

    def add_product(self, a, b, total):
        """Add a * b to a result."""
        added = self.sum_with_product(self.builder.load(total), a, b)
        self.builder.store(added, total)

    def sum_with_product(self, total, a, b):
        """total + a * b, rounded once where the processor can."""
        product = self.builder.fmul(a, b, flags=("contract",))
        return self.builder.fadd(total, product, flags=("contract",))

    def store(self, results, array, begin, step):
        """Write results, vectors, each a step after the one before; they may begin
        anywhere.
        """
        for k, result in enumerate(results):
            address = self._vector_at(array, self.plus(begin, step.type(k), step))
            self.builder.store(self.builder.load(result), address, align=4)
