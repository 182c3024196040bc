"""Functions whose error for a keyword of spaCy's says what to use here."""

from __future__ import annotations

from functools import wraps

TYPE_CHECKING = False  # importing the package stays light
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])


def with_advice(function: _Function) -> _Function:
    """The same function; TypeError for a keyword that it has not gives the advice of
    the table.
    """
    code = function.__code__
    names = {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}

    @wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        for name in given.keys() - names:
            from senna_py.other_names import advice_on  # noqa: PLC0415 - of an error only

            if advice := advice_on("keyword", name):
                called = (
                    f"{function.__name__}() got an unexpected keyword argument {name!r}"
                )
                raise TypeError(f"{called}: {advice}")
        return function(*args, **given)

    return checked  # type: ignore[return-value] # it takes the same
