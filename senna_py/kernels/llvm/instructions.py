"""Instructions for kernels that are written in LLVM's own terms, over vectors of LANES numbers."""

import functools

from senna_py.kernels.runtime.jit import Intrinsic

__all__ = ["LANES", "WIDE", "Tile", "generated", "has_features"]

LANES = 16  # float32 of the widest vectors; LLVM cuts these into what the processor has
WIDE = "avx512f"  # the feature of processors that have these


def has_features(context, *features):
    """Return whether the target processor has all of these features; names as LLVM has them."""
    found = context.codegen().magic_tuple()[2].split(",")
    return all(f"+{feature}" in found for feature in features)


def generated(types):
    """Decorate a function that generates code, to be an Intrinsic for kernels.

    types: what it returns and takes, as Numba writes signatures. The function takes a Tile and a
    value of LLVM for each argument; for an array, which must be of one dimension and contiguous, a
    _Vector.
    """

    def decorate(generate):
        def make():
            from numba.core.sigutils import normalize_signature  # noqa: PLC0415

            wanted, result = normalize_signature(types)

            @functools.wraps(generate)  # whose parameters Numba looks at
            def typed(context, *given):
                def code(context, builder, signature, values):
                    pairs = zip(values, signature.args, strict=True)
                    taken = [_taken(context, builder, *pair) for pair in pairs]
                    found = generate(Tile(context, builder), *taken)
                    return context.get_dummy_value() if found is None else found

                return result(*map(_fitting, given, wanted)), code

            return typed

        return Intrinsic(make)

    return decorate


def _fitting(given, wanted):
    """The type of an argument; raises TypingError for another array than is wanted."""
    from numba.core.errors import TypingError  # noqa: PLC0415
    from numba.types import Array  # noqa: PLC0415

    if not isinstance(wanted, Array):
        return wanted
    found = (given.dtype, given.ndim, given.layout) if isinstance(given, Array) else None
    if found != (wanted.dtype, 1, "C"):
        raise TypingError(f"{given}: expected a contiguous vector of {wanted.dtype}")
    return given


def _taken(context, builder, value, kind):
    from numba.types import Array  # noqa: PLC0415

    if not isinstance(kind, Array):
        return value
    return _Vector(builder, context.make_array(kind)(context, builder, value))


class _Vector:
    """An array of one dimension; size: the number of its elements."""

    def __init__(self, builder, array):
        self._builder, self._data, self.size = builder, array.data, array.nitems

    def at(self, position):
        """Address of an element."""
        return self._builder.gep(self._data, [position])


class Tile:
    """Helpers of loops: vectors of LANES at addresses, and results in registers."""

    def __init__(self, context, builder):
        """Take what Numba gives a function that generates code."""
        from llvmlite import ir  # noqa: PLC0415
        from numba.core import cgutils  # noqa: PLC0415

        self.context, self.builder, self.tools, self.ir = context, builder, cgutils, ir
        self.vector = ir.VectorType(ir.FloatType(), LANES)
        self.nothing = ir.Constant(self.vector, ir.Undefined)

    def constant(self, value):
        """An integer, as positions are."""
        return self.ir.IntType(64)(int(value))

    def integers(self, bits, n):
        """The type of vectors of integers."""
        return self.ir.VectorType(self.ir.IntType(bits), n)

    def pick(self, places, a, b=None):
        """The elements of vector a, followed by b, at these places."""
        places = self.ir.Constant(self.integers(32, len(places)), list(places))
        return self.builder.shuffle_vector(a, b or a, places)

    def call(self, name, kind, *arguments):
        """Call a function of LLVM that returns a kind of value."""
        signature = self.ir.FunctionType(kind, [argument.type for argument in arguments])
        function = self.tools.get_or_insert_function(self.builder.module, signature, name)
        return self.builder.call(function, arguments)

    def plus(self, position, n, step):
        """The position n steps further."""
        return self.builder.add(position, self.builder.mul(n, step))

    def _vector_at(self, address):
        return self.builder.bitcast(address, self.vector.as_pointer())

    def load(self, address):
        """LANES elements that may begin anywhere."""
        return self.builder.load(self._vector_at(address), align=4)

    def repeat(self, address):
        """One element, LANES times."""
        return self.repeat_value(self.builder.load(address))

    def repeat_value(self, value):
        """A number, LANES times."""
        first = self.builder.insert_element(self.nothing, value, self.ir.IntType(32)(0))
        return self.pick([0] * LANES, first)

    def results(self, values):
        """Places for results that begin with these values; LLVM will keep them in registers."""
        return [self.tools.alloca_once_value(self.builder, value) for value in values]

    def multiply(self, i, inputs, panels, begin, height, sums):
        """Add to the sums of each row its i-th input times row i of panels.

        inputs: addresses where the rows of inputs begin; begin: of the first panel; height: rows
        of a panel, after which the next one begins; sums: see `results`, of each row those of all
        panels.
        """
        n_panels = len(sums) // len(inputs)
        steps = [self.plus(i, height, i.type(p)) for p in range(n_panels)]
        weights = [self.load(panels.at(self.plus(begin, step, i.type(LANES)))) for step in steps]
        for r, row in enumerate(inputs):
            value = self.repeat(self.builder.gep(row, [i]))
            for panel, total in zip(weights, sums[r * n_panels :], strict=False):
                self.add_product(value, panel, total)

    def add_product(self, a, b, total):
        """Add a * b to a result."""
        added = self.sum_with_product(self.builder.load(total), a, b)
        self.builder.store(added, total)

    def sum_with_product(self, total, a, b):
        """Vector total + a * b, rounded once where the processor can."""
        product = self.builder.fmul(a, b, flags=("contract",))
        return self.builder.fadd(total, product, flags=("contract",))

    def store(self, results, addresses):
        """Write results, of LANES elements, to where they belong, which may be anywhere."""
        for result, address in zip(results, addresses, strict=True):
            self.builder.store(self.builder.load(result), self._vector_at(address), align=4)
