"""Values that the settings read from the environment, with defaults for a small club's own computer.

Nothing here depends on Django's settings; `config.settings` uses the values and `config.safety` checks them.
"""

import ipaddress
import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from environ import Env

SECRET_LENGTH = 64
TASK_TIME_LIMIT = 600
# Template tag libraries by the names that templates load.
TEMPLATE_TAGS = {
    "badges": "tournaments.shared.fragments.badges",
    "shut": "people.web.shut",
    "languages": "people.web.languages",
}
# Push services of browsers: Chrome and most others, Firefox, Safari, Edge. These hosts and their subdomains are allowed.
PUSH_SERVICES = (
    "fcm.googleapis.com",
    "jmt17.google.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
)
# Enough for a large club, and far from filling a front page or a disk.
DEFAULT_QUOTAS = {
    "clubs": 5,
    "checks": 2_000,
    "members": 100,
    "invitations": 100,
    "players": 5_000,
    "entries": 2_048,
    "lists": 20,
    "archives": 20,
}


def local_secret(path: Path) -> str:
    """Return the secret key of an installation without ``SECRET_KEY``, stored in the file ``path``.

    Created once beside the database, readable only by its owner.
    """
    if not path.exists():
        ensure_writable(path.parent)
        # Filled before it gets its name, so that processes that start together share one key.
        handle, temporary_path = tempfile.mkstemp(dir=path.parent, prefix="secret-")
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(SECRET_LENGTH))
        with suppress(FileExistsError):
            os.link(temporary_path, path)
        Path(temporary_path).unlink()
    return path.read_text()


def parse_number(name: str, text: str, default: int) -> int:
    """Return ``text`` as a number, ``default`` if empty; ``name``: the variable, for the error message.

    Exits if it is not a whole number.
    """
    if not text:
        return default
    if not (text.isascii() and text.isdecimal()):
        message = f"{name} is {text!r}; it must be a whole number, 0 or more."
        raise SystemExit(message)
    return int(text)


def page_lock_timeout(base: Path) -> str:
    """Return how many seconds a web process may wait for a lock, as text: `CRAWFORD_PATIENCE`, or "2".

    Read before the settings are.
    """
    Env.read_env(str(base / ".env"))
    return os.environ.get("CRAWFORD_PATIENCE", "").strip() or "2"


def database_settings(
    parsed: dict[str, Any], base: Path, *, lock_timeout: int = 0, pooled: bool = False
) -> dict[str, Any]:
    """Return Django's settings of the database; ``parsed``: what its address says.

    ``lock_timeout``: seconds that a process waits for a lock; 0: workers and commands, which wait long.
    ``pooled``: a pooler in front of PostgreSQL gives each transaction another connection of the server.
    """
    if not parsed.get("ENGINE"):
        message = "DATABASE_URL names no database. For example postgres://crawford:PASSWORD@db:5432/crawford"
        raise SystemExit(message)
    if parsed["ENGINE"] == "django.db.backends.sqlite3":
        name = str(parsed["NAME"])
        if name != ":memory:":
            database_path = base / name
            ensure_writable(database_path.parent)
            name = str(database_path)
            _restrict_to_owner(database_path)
        # SQLite has one writer at a time. IMMEDIATE takes the write lock when a transaction begins, so none fails
        # half way after reading first. `synchronous` stays FULL: a confirmed result survives a power cut.
        # 64 MiB of page cache: a rebuild of a large list takes a quarter less time.
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA cache_size=-65536"
        options = {"timeout": lock_timeout or 20, "transaction_mode": "IMMEDIATE", "init_command": pragmas}
        # Connections stay open, so that SQLite's `-wal` and `-shm` exist when a disk is full, and reading still works.
        # A web process holds one from its start (`config.sqlite`).
        return {**parsed, "NAME": name, "OPTIONS": options, "CONN_MAX_AGE": None}
    # Granian serves with a fixed number of threads, so at most as many connections stay open.
    # A dead connection is closed after a quarter of a minute instead of hours.
    connection_options = {
        "connect_timeout": 3,
        "keepalives_idle": 5,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    }
    options = {**connection_options, **parsed.get("OPTIONS", {})}
    engine = parsed["ENGINE"]
    if lock_timeout:
        if engine == "django.db.backends.postgresql":
            engine = "config.postgres"
        if pooled:
            # A session setting would reach another client, so each transaction sets it itself (`config.postgres`).
            return {
                **_with_connection_options(parsed, engine, options),
                **_POOLED_OPTIONS,
                "PATIENCE": lock_timeout,
            }
        # A transaction idle for a minute has lost its process or hangs; the server ends it.
        timeout_options = f"-c lock_timeout={lock_timeout}s -c idle_in_transaction_session_timeout=60s"
        options["options"] = f"{timeout_options} {options.get('options', '')}".strip()
    return {**_with_connection_options(parsed, engine, options), **(_POOLED_OPTIONS if pooled else {})}


# A server-side cursor lives as long as its connection, which a pooler may have given to another client.
_POOLED_OPTIONS = {"DISABLE_SERVER_SIDE_CURSORS": True}


def _with_connection_options(parsed: dict[str, Any], engine: str, options: dict[str, Any]) -> dict[str, Any]:
    return {**parsed, "ENGINE": engine, "OPTIONS": options, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}


def ensure_writable(folder: Path) -> Path:
    """Return the folder; create it if it is missing. Exits with a message if it cannot be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"Crawford did not start: it cannot create its folder {folder}: {error.strerror}."
        raise SystemExit(message) from None
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        message = f"Crawford did not start: it cannot write to its folder {folder}: {error.strerror}. Give write access to the user it runs as, or set CRAWFORD_VAR or DATABASE_URL."
        raise SystemExit(message) from None
    return folder


def _restrict_to_owner(file: Path) -> None:
    """Make the database file readable by its owner only.

    SQLite's files beside it get the same permissions.
    """
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        if file.stat().st_mode & 0o077 and file.stat().st_uid == os.geteuid():
            file.chmod(0o600)
    except OSError as error:
        message = f"Crawford did not start: it cannot write its database {file}: {error.strerror}."
        raise SystemExit(message) from None


def cache_settings(config: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a cache; a Redis cache becomes `config.caches.FallbackRedisCache`."""
    if not config["BACKEND"].endswith("redis.RedisCache"):
        return config
    return {**config, "BACKEND": "config.caches.FallbackRedisCache"}


def logging_settings(level: str, log_format: str) -> dict[str, Any]:
    """Return Django's settings for logging. ``log_format``: ``text`` or ``json``; exits for another one."""
    classes_by_format = {
        "text": ("config.log.KeylessFormatter", "config.log.RequesterFilter"),
        "json": ("config.log.JsonFormatterWithoutKeys", "config.log.RequestFieldsFilter"),
    }
    if log_format not in classes_by_format:
        message = f"LOG_FORMAT is {log_format!r}; it must be text or json."
        raise SystemExit(message)
    formatter_class, filter_class = classes_by_format[log_format]
    line_options = (
        {"format": "{asctime} {levelname:<7} {name}: {message}", "style": "{"} if log_format == "text" else {}
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter_class, **line_options}},
        "filters": {"asker": {"()": filter_class}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["asker"]}
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Django's own handlers would print twice, or only while DEBUG is on.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "INFO", "propagate": True},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
        },
    }


def passkey_host(site_url: str) -> str:
    """Return the host to which passkeys of the site are bound.

    "" where browsers allow none: at an IP address, and without HTTPS except on localhost.
    """
    parts = urlsplit(site_url)
    host = parts.hostname or ""
    if parts.scheme != "https" and host != "localhost":
        return ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host
    return ""


def marker_cache_settings(broker_url: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the cache for markers of waiting messages (`people.services.hints`).

    It is stored where the broker stores the messages.
    """
    if broker_url.startswith("filesystem:"):
        folder = Path(options["control_folder"]).with_name("waiting")
        return {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": str(folder),
            "OPTIONS": {"MAX_ENTRIES": 10_000},
        }
    if broker_url.startswith(("redis:", "rediss:")):
        return {"BACKEND": "config.caches.MarkerCache", "LOCATION": broker_url, "KEY_PREFIX": "waiting"}
    if broker_url.startswith("memory:"):
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "waiting"}
    return {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}


def broker_settings(url: str, var: Path, *, patience: int = 0) -> tuple[str, dict[str, Any]]:
    """Return a broker's address and transport options; with `filesystem://` messages are files in a folder.

    ``var``: folder for data; ``patience``: as in `database_settings`; if it is not 0, a page waits, so the
    attempt to reach a silent broker is short.
    """
    parts = urlsplit(url)
    if parts.scheme == "filesystem":
        folder = Path(parts.path) if parts.path.strip("/") else var / "broker"
        queue, control = folder / "queue", folder / "control"
        for subfolder in (queue, control):
            ensure_writable(subfolder)
        options = {
            "data_folder_in": str(queue),
            "data_folder_out": str(queue),
            "control_folder": str(control),
        }
        return "filesystem://localhost", {**options, "polling_interval": 0.25}
    if parts.scheme in {"redis", "rediss"}:
        # A message of a worker that died is given back after this long: the longest time of a task, so that none is given
        # out twice while it runs. The periodic tasks find lost work much sooner.
        # A report of a result must not wait for an absent broker: one retry at once, then the periodic task does it.
        retry_options = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
        return url, {
            "visibility_timeout": TASK_TIME_LIMIT,
            "socket_keepalive": True,
            "socket_connect_timeout": 0.3 if patience else 1,
            # A worker waits a second for its next message.
            "socket_timeout": 0.5 if patience else 5,
            **retry_options,
        }
    return url, {}
