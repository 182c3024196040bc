"""Advice on keyword arguments that have another name in spaCy."""

from __future__ import annotations

from functools import wraps

TYPE_CHECKING = False  # Without `typing`, the package is imported faster.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])


def with_advice(function: _Function) -> _Function:
    """Decorate a function so that it refuses spaCy's keyword arguments with advice."""
    code = function.__code__
    names = {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}

    @wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        for name in keywords.keys() - names:
            from senna_py.other_names import advice_on  # noqa: PLC0415 - only for errors

            if advice := advice_on("keyword", name):
                raise TypeError(
                    f"{function.__name__}() got an unexpected keyword argument {name!r}: {advice}"
                )
        return function(*args, **keywords)

    return checked  # type: ignore[return-value] # it takes the same arguments
