"""Convert a request of Granian's RSGI to a WSGI environment (PEP 3333)."""

import sys
from typing import IO, Any, Protocol


class Headers(Protocol):
    """Request headers with lower-case names; a repeated name appears several times."""

    def __contains__(self, key: str) -> bool: ...

    def items(self) -> list[tuple[str, str]]: ...

    def get(self, key: str, default: Any = None) -> Any: ...


class Scope(Protocol):
    """A request of RSGI without its body."""

    http_version: str
    server: str
    client: str
    scheme: str
    method: str
    path: str
    query_string: str

    @property
    def headers(self) -> Headers: ...


_BODY_HEADERS = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
# Headers of a single connection, which no longer apply: the body is complete.
_HOP_BY_HOP_HEADERS = {"transfer-encoding", "expect", "connection", "keep-alive", "te", "trailer", "upgrade"}


def build_environ(scope: Scope, body: IO[bytes], size: int) -> dict[str, Any]:
    host, port = _host_and_port(scope.server)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": _as_latin1(scope.path),
        "QUERY_STRING": _as_latin1(scope.query_string),
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": _host_and_port(scope.client)[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        # `X_Forwarded_For` would be read as `X-Forwarded-For`, which our proxy sets.
        if "_" in name or name in _HOP_BY_HOP_HEADERS:
            continue
        key = _BODY_HEADERS.get(name) or f"HTTP_{name.upper().replace('-', '_')}"
        before = environ.get(key)
        separator = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = value if before is None else f"{before}{separator}{value}"
    environ["CONTENT_LENGTH"] = str(size) if size else environ.get("CONTENT_LENGTH", "")
    return environ


def _as_latin1(text: str) -> str:
    return text.encode().decode("latin-1")


def _host_and_port(address: str) -> tuple[str, str]:
    host, _, port = address.rpartition(":")
    return host.strip("[]"), port
