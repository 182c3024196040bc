"""Compilation of kernels in fewer steps than Numba takes.

Numba optimizes the LLVM code of each function, generates its machine code, and does so
again for the copy in each function that calls it. Here, functions that only kernels
call, among them Numba's own, are only translated to LLVM's language. A kernel that
Python calls is linked with all of them once, and optimized as a whole once.

Half of Numba's passes are left out, because kernels have nothing for them to do. They
are for parallel loops, reports, and parts of Python that kernels do not use: `with`,
nested functions, errors with computed messages, `isinstance`, `literal_unroll`. Numba
rejects code in which one of these is left when it finds the types or lowers the code.
Functions that Numba would inline are called, and LLVM may inline them.

This depends on internals of Numba, as `code_cache` does. If a kernel cannot be compiled
in this way, Numba's own compiler compiles it; see `FAILED`.
"""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# The names of functions that Numba's own compiler had to compile, and the errors.
FAILED: list[tuple[str, str]] = []
_PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    RewriteSemanticConstants,
    DeadBranchPrune,  # A branch on `x is None` may not have types otherwise.
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
)


class _KernelLibrary(JITCodeLibrary):
    """The code of a kernel that Python calls."""

    def add_llvm_module(self, module: Any) -> None:
        """Add code, which is not optimized before the kernel is complete."""
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Link all functions that are called, optimize the whole and generate code."""
        codegen: Any = self._codegen
        self._raise_if_finalized()
        codegen._check_llvm_bugs()
        _link_callees(self, self._final_module)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()
        for callee in _callees(self):
            for name, environment in getattr(callee, "environments", {}).items():
                if codegen._engine.is_symbol_defined(name):
                    codegen.set_env(name, environment)

    def _optimize_final_module(self) -> None:
        """Optimize the code, and before that drop needless counting of references."""
        make_manager = getattr(llvm, "create_new_module_pass_manager", object)
        first: Any = make_manager()
        if not hasattr(first, "add_sroa_pass"):  # llvmlite before 0.45
            super()._optimize_final_module()
            return
        options = llvm.create_pipeline_tuning_options(0)
        # References can be paired once variables are registers.
        first.add_sroa_pass()
        first.add_instruction_combine_pass()
        first.add_simplify_cfg_pass()
        first.add_refprune_pass()
        first.run(
            self._final_module, llvm.create_pass_builder(self._codegen._tm, options)
        )
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class _InnerLibrary(JITCodeLibrary):
    """The code of a function that kernels call, without the functions that it calls.

    Attributes:
        environments: What the code needs to raise errors with computed messages, by the
            name of the variable for it.
    """

    def __init__(self, *arguments: Any) -> None:
        """Make an empty library."""
        super().__init__(*arguments)
        self.environments: dict[str, Any] = {}

    @property
    def codegen(self) -> Any:
        """The code generator, which Numba asks to set an environment at the end."""
        return _Codegen(self._codegen, self.environments)

    def add_llvm_module(self, module: Any) -> None:
        """Add code, which is optimized in each kernel that contains it."""
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Make the functions droppable where they are linked."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if (
                not function.is_declaration
                and function.linkage == llvm.Linkage.external
            ):
                function.linkage = "linkonce_odr"
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, because there is no machine code."""
        self._ensure_finalized()
        return 0

    def _get_module_for_linking(self) -> Any:
        """Return the code with all functions that it calls, for Numba's own libraries."""
        self._ensure_finalized()
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            _link_callees(self, self._shared_module)
        return self._shared_module


class _Codegen:
    """Numba's code generator for functions without machine code."""

    def __init__(self, codegen: Any, environments: dict[str, Any]) -> None:
        self._codegen, self._environments = codegen, environments

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Store an environment for the kernels that contain the function."""
        self._environments[env_name] = env


def _link_callees(library: Any, module: Any) -> None:
    """Link all functions that the code of a library calls, each of them once."""
    for callee in _callees(library):
        if hasattr(callee, "_reload_init"):  # not in Numba 0.60
            library._reload_init.update(callee._reload_init)
        is_inner = isinstance(callee, _InnerLibrary)
        code = callee._final_module if is_inner else callee._get_module_for_linking()
        module.link_in(code, preserve=True)


def _callees(library: Any) -> list[Any]:
    """Return the libraries that a library needs, each after all that need it.

    In this order, because LLVM only links functions to which the module refers.
    """
    found: dict[Any, None] = {}

    def visit(one: Any) -> None:
        found[one] = None
        if one is library or isinstance(one, _InnerLibrary):
            for callee in one._linking_libraries:
                if callee not in found:
                    visit(callee)
        found[one] = found.pop(one)  # to the end

    visit(library)
    return [*found][-2::-1]


@contextlib.contextmanager
def _making(library_class: type[Any], codegen: Any) -> Iterator[None]:
    """Return a context manager in which Numba's own functions get such a library."""
    before = codegen._library_class
    codegen._library_class = library_class
    try:
        yield
    finally:
        codegen._library_class = before


@functools.cache
def _size(data: Any, kind: Any) -> int:
    """Return the number of bytes of a type, which llvmlite does not remember."""
    return int(kind.get_abi_size(data))


@functools.cache
def _alignment(data: Any, kind: Any) -> int:
    return int(kind.get_abi_alignment(data))


class KernelCompiler(Compiler):
    """Numba's compiler for kernels that Python calls."""

    _library_class: type[Any] = _KernelLibrary

    def __init__(self, *arguments: Any) -> None:
        """Store the arguments for Numba's own compiler, which may be needed."""
        self._arguments = arguments
        super().__init__(*arguments)

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, with Numba's own compiler if need be."""
        try:
            return self._compile(func)
        except Exception as error:  # A new version of Numba may raise anything.
            result = Compiler(*self._arguments).compile_extra(func)
            # Of an error in the function itself, the line above raises an error, too.
            FAILED.append((func.__qualname__, f"{type(error).__name__}: {error}"))
            return result

    def _compile(self, func: Any) -> Any:
        context = self.state.targetctx
        context.get_abi_sizeof = functools.partial(_size, context.target_data)
        context.get_abi_alignment = functools.partial(_alignment, context.target_data)
        codegen = context.codegen()
        if self.state.library is None:
            self.state.library = self._library_class(codegen, func.__qualname__)
            self.state.library.enable_object_caching()
        with _making(_InnerLibrary, codegen):
            return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """Return the passes that kernels need."""
        manager = PassManager("kernel")
        for each in _PASSES:
            manager.add_pass(each, each.__name__)
        manager.finalize()
        return [manager]


class InnerCompiler(KernelCompiler):
    """Numba's compiler for kernels that only other kernels call."""

    _library_class = _InnerLibrary
