"""The host names of the server, by which requests of other sites' pages are refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from senna_py.errors import UsageError, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

# The names of this machine in the header Host, and the port after a name.
_LOCAL = re.compile(r"(localhost|127(\.\d+){3}|\[::1\])\.?(:\d*)?")
_PORT = re.compile(r"\.?(:\d*)?$")
_PUBLIC = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_ADVICE = "if a proxy is in front of the server, start it with --public-host"


@dataclass(frozen=True)
class Names:
    """The host names that requests may name.

    Attributes:
        public: The names that browsers see, in lower case, such as the name of a proxy.
        is_local: Whether to refuse names that are neither public nor of this machine.
    """

    public: frozenset[str] = frozenset()
    is_local: bool = True

    @classmethod
    def of_options(cls, host: str, public: tuple[str, ...]) -> Names:
        """Return the names of a server.

        Args:
            host: The address to listen on.
            public: The names that browsers see.

        Raises:
            UsageError: If one of them is not a host name.
        """
        for name in public:
            if not _PUBLIC.fullmatch(name.lower()):
                raise UsageError(
                    f"--public-host {one_line(name, 60)}: give the name only, without "
                    "https:// and port, such as tagger.example.com"
                )
        is_local = bool(_LOCAL.fullmatch(f"[{host}]" if ":" in host else host))
        return cls(frozenset(map(str.lower, public)), is_local)

    def problem(self, headers: Mapping[str, str], is_post: bool) -> str | None:
        """Return why the headers of a request are refused, or None if they are not.

        Every browser sends the header Host. Programs that speak HTTP/1.0 may not.

        Args:
            headers: The headers.
            is_post: Whether the method is POST.
        """
        host = headers.get("host", "").lower()
        if "host" in headers and not self._knows(host):
            name = one_line(_PORT.sub("", host), 60)
            return f"unknown name of this server: {_ADVICE} {name}"
        if not is_post:
            return None
        origin = headers.get("origin", f"//{host}").lower().partition("//")[2]
        is_own = origin == host or _PORT.sub("", origin) in self.public
        if is_own and headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            return None
        return (
            "a page of another site sent this request, and only pages of this server may: "
            f"{_ADVICE} NAME, the name in the address of the page"
        )

    def _knows(self, host: str) -> bool:
        if not self.is_local or _LOCAL.fullmatch(host):
            return True
        return _PORT.sub("", host) in self.public
