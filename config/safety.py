"""Checks that refuse to start in production with unsafe settings.

All errors are reported at once, one line each, with what an operator has to do. Nothing here reads the
environment.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

MIN_SECRET_LENGTH = 50
MIN_TOKEN_LENGTH = 20
MIN_DISTINCT_LETTERS = 10


@dataclass(frozen=True, slots=True)
class SettingValues:
    """The values to check, as the settings will use them."""

    secret_key: str
    debug: bool
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    site_url: str
    database_url: str
    broker_url: str
    email_url: str
    accounts: str = "open"
    metrics_token: str = ""
    sentry_dsn: str = ""
    uncompiled: tuple[str, ...] = ()  # languages
    derived_keys: Mapping[str, str] = field(default_factory=dict)


def setting_faults(values: SettingValues, example: Path | None = None) -> list[str]:
    """Return a message for every unsafe setting; empty if these values are safe on the open network.

    ``example``: the example file of settings, whose secret key must not be used.
    """
    example_text = example.read_text() if example is not None and example.exists() else ""
    return [
        *_secret_key_faults(values.secret_key, example_text),
        *_derived_key_faults(values.derived_keys),
        *_host_faults(values),
        *_store_faults(values),
        *_mail_faults(values),
        *_monitoring_faults(values),
        *_translation_faults(values),
    ]


def refusal_message(faults: list[str]) -> str:
    lines = "\n".join(f"  - {fault}" for fault in faults)
    return f"Crawford did not start: with CRAWFORD_ENV=production, these settings are unsafe or incomplete.\n{lines}\nEvery setting is explained in docs/running.md."


def _secret_key_faults(key: str, example_text: str) -> Iterator[str]:
    if not key:
        yield "SECRET_KEY is not set. Create one: python3 -c 'import secrets; print(secrets.token_urlsafe(64))'"
    elif key in example_text:
        yield "SECRET_KEY is the one from the example file, which is public."
    elif len(key) < MIN_SECRET_LENGTH or len(set(key)) < MIN_DISTINCT_LETTERS:
        yield f"SECRET_KEY is too simple: it needs at least {MIN_SECRET_LENGTH} random characters."


def _derived_key_faults(keys: Mapping[str, str]) -> Iterator[str]:
    """Yield messages for keys that are too simple; they are optional, as ``SECRET_KEY`` can replace them."""
    for name, key in keys.items():
        if key and (len(key) < MIN_SECRET_LENGTH or len(set(key)) < MIN_DISTINCT_LETTERS):
            yield f"{name} is too simple: it needs at least {MIN_SECRET_LENGTH} random characters."


def _host_faults(values: SettingValues) -> Iterator[str]:
    site = urlsplit(values.site_url)
    if values.debug:
        yield "DEBUG is on. It shows code and settings to everyone. Remove it."
    if not values.site_url:
        yield "SITE_URL is not set. It is the address people type, for example https://club.example.org"
    elif site.scheme != "https" or not site.hostname:
        yield f"SITE_URL is {values.site_url!r}. It must begin with https:// and name a host."
    if "*" in values.allowed_hosts:
        yield "ALLOWED_HOSTS contains '*'. List the host names of this site."
    elif not values.allowed_hosts:
        yield "ALLOWED_HOSTS is empty. List the host names of this site."
    for origin in values.csrf_trusted_origins:
        if not origin.startswith("https://"):
            yield f"CSRF_TRUSTED_ORIGINS contains {origin!r}. Every origin must begin with https://"


def _store_faults(values: SettingValues) -> Iterator[str]:
    database, _, _ = values.database_url.partition(":")
    if not database:
        yield "DATABASE_URL is not set. For example postgres://crawford:PASSWORD@db:5432/crawford"
    elif database not in {"postgres", "postgresql", "sqlite"}:
        yield f"DATABASE_URL begins with {database!r}. Crawford keeps its data in postgres:// or sqlite:///"
    if values.broker_url.startswith("memory:"):
        yield "CELERY_BROKER_URL is memory://, which no worker can reach."
    elif values.broker_url.startswith("filesystem:") and database != "sqlite":
        yield "CELERY_BROKER_URL is not set to a server. With PostgreSQL use Redis, for example redis://redis:6379/0"


def _mail_faults(values: SettingValues) -> Iterator[str]:
    """Yield messages about mail.

    Without mail no address can be confirmed, so sign-up has to be by invitation.
    """
    advice = "Set a mail server (smtp+tls://…), or remove EMAIL_URL and set ACCOUNTS=invited: sign-up is then closed, and accounts are created with `manage.py invite`."
    if values.email_url.startswith(("dummymail:", "memorymail:")):
        yield f"EMAIL_URL discards e-mail. {advice}"
    elif values.email_url.startswith("consolemail:"):
        yield f"EMAIL_URL writes e-mail into the log, with links that replace passwords. {advice}"
    elif not values.email_url and values.accounts != "invited":
        yield f"EMAIL_URL is not set. {advice}"


def _translation_faults(values: SettingValues) -> Iterator[str]:
    if values.uncompiled:
        yield f"The translations are not compiled: {', '.join(values.uncompiled)}. Run .venv/bin/python tools/catalogues.py compile"


def _monitoring_faults(values: SettingValues) -> Iterator[str]:
    if values.metrics_token and len(values.metrics_token) < MIN_TOKEN_LENGTH:
        yield f"METRICS_TOKEN is too simple: it needs at least {MIN_TOKEN_LENGTH} random characters."
    if values.sentry_dsn and not urlsplit(values.sentry_dsn).username:
        yield "SENTRY_DSN is not a valid project address, such as https://KEY@errors.example.org/1"
