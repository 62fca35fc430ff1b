"""The refusal to start in production: every fault at once, in words, and no start at all."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from config.safety import Values, faults, refusal

ROOT = Path(__file__).resolve().parents[3]
GOOD = Values(
    secret_key="k3Vq-a-long-key-made-by-chance-0123456789-abcdefghijklmnop",
    debug=False,
    allowed_hosts=("club.example.org",),
    csrf_trusted_origins=("https://club.example.org",),
    site_url="https://club.example.org",
    database_url="postgres://crawford:secret@db:5432/crawford",
    broker_url="redis://redis:6379/0",
    email_url="smtp+tls://mail.example.org:587",
)
SAFE = {
    "PATH": os.environ["PATH"],
    "CRAWFORD_ENV": "production",
    "SECRET_KEY": GOOD.secret_key,
    "SITE_URL": GOOD.site_url,
    "DATABASE_URL": GOOD.database_url,
    "CELERY_BROKER_URL": GOOD.broker_url,
    "EMAIL_URL": GOOD.email_url,
}
SHOW = "from django.conf import settings; settings.DEBUG; print(({}))"


def start(expression: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """A process with these variables alone that reads the settings and prints an expression of them."""
    return subprocess.run(
        [sys.executable, "-c", SHOW.format(expression)],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "config.settings", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_values_when_safe_then_no_fault() -> None:
    assert faults(GOOD) == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"secret_key": ""}, "SECRET_KEY is not set"),
        ({"secret_key": "short"}, "SECRET_KEY is too simple"),
        ({"secret_key": "abc" * 30}, "SECRET_KEY is too simple"),
        ({"derived_keys": {"SIGNING_KEY": "short"}}, "SIGNING_KEY is too simple"),
        ({"derived_keys": {"PUSH_KEY": "short"}}, "PUSH_KEY is too simple"),
        ({"debug": True}, "DEBUG is on"),
        ({"site_url": ""}, "SITE_URL is not set"),
        ({"site_url": "http://club.example.org"}, "SITE_URL is 'http://club.example.org'"),
        ({"site_url": "https://"}, "SITE_URL is"),
        ({"allowed_hosts": ()}, "ALLOWED_HOSTS is empty"),
        ({"allowed_hosts": ("*",)}, "ALLOWED_HOSTS holds '*'"),
        ({"csrf_trusted_origins": ("http://club.example.org",)}, "CSRF_TRUSTED_ORIGINS"),
        ({"database_url": ""}, "DATABASE_URL is not set"),
        ({"database_url": "mysql://db/crawford"}, "DATABASE_URL begins with 'mysql'"),
        ({"broker_url": "memory://"}, "CELERY_BROKER_URL is memory://"),
        ({"broker_url": "filesystem://"}, "CELERY_BROKER_URL is not set to a server"),
        ({"email_url": "dummymail://"}, "EMAIL_URL throws e-mail away"),
        ({"email_url": ""}, "EMAIL_URL is not set"),
        ({"email_url": "consolemail://"}, "EMAIL_URL writes e-mail into the log"),
        ({"email_url": "consolemail://", "accounts": "invited"}, "EMAIL_URL writes e-mail into the log"),
    ],
)
def test_values_when_one_is_unsafe_then_that_fault_alone(change: dict[str, object], word: str) -> None:
    found = faults(replace(GOOD, **change))

    assert len(found) == 1
    assert found[0].startswith(word)


def test_values_when_key_stands_in_the_example_then_refused(tmp_path: Path) -> None:
    example = tmp_path / "example"
    example.write_text(f"SECRET_KEY={GOOD.secret_key}\n")

    assert faults(GOOD, example) == ["SECRET_KEY is the one from the example file, which everybody can read."]


def test_values_when_small_club_in_production_then_sqlite_and_files_are_fine() -> None:
    assert (
        faults(replace(GOOD, database_url="sqlite:////srv/crawford.sqlite3", broker_url="filesystem://"))
        == []
    )


def test_values_when_accounts_are_invited_then_mail_is_not_needed() -> None:
    assert faults(replace(GOOD, email_url="", accounts="invited")) == []


def test_refusal_names_every_fault_on_a_line_of_its_own() -> None:
    text = refusal(["one", "two"])

    assert [line for line in text.splitlines() if line.startswith("  - ")] == ["  - one", "  - two"]


def test_start_when_production_knows_nothing_then_all_faults_and_no_traceback() -> None:
    done = start("1", PATH=os.environ["PATH"], CRAWFORD_ENV="production")

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    for name in ("SECRET_KEY", "SITE_URL", "ALLOWED_HOSTS", "DATABASE_URL", "CELERY_BROKER_URL", "EMAIL_URL"):
        assert f"  - {name} " in done.stderr


def test_start_when_development_names_no_database_then_refused_in_one_sentence() -> None:
    done = start("1", PATH=os.environ["PATH"], DATABASE_URL="nonsense")

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "DATABASE_URL names no database." in done.stderr


def test_start_when_environment_is_unknown_then_refused() -> None:
    done = start("1", **{**SAFE, "CRAWFORD_ENV": "prod"})

    assert done.returncode == 1
    assert "must be development or production" in done.stderr


def test_start_when_production_is_safe_then_everything_is_strict() -> None:
    done = start(
        "settings.DEBUG, settings.SECURE_SSL_REDIRECT, settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, "
        "settings.SECURE_HSTS_SECONDS > 0, settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS, "
        "settings.SECURE_PROXY_SSL_HEADER, settings.ACCOUNT_EMAIL_VERIFICATION",
        **SAFE,
    )

    assert done.stdout.strip() == (
        "(False, True, True, True, True, ['club.example.org'], ['https://club.example.org'], None, 'mandatory')"
    ), done.stderr


def test_start_when_accounts_are_invited_then_no_mail_and_none_in_the_log() -> None:
    done = start(
        "settings.ACCOUNT_EMAIL_VERIFICATION, settings.MAIL_WORKS, settings.EMAIL_BACKEND",
        **{**SAFE, "EMAIL_URL": "", "ACCOUNTS": "invited"},
    )

    assert done.stdout.strip() == "('none', False, 'django.core.mail.backends.dummy.EmailBackend')", (
        done.stderr
    )


@pytest.mark.parametrize(
    ("site", "types"),
    [("https://club.example.org", "True"), ("https://192.0.2.7", "False")],
)
def test_start_when_the_site_has_a_name_then_it_has_passkeys(site: str, types: str) -> None:
    done = start("'webauthn' in settings.MFA_SUPPORTED_TYPES", **{**SAFE, "SITE_URL": site})

    assert done.stdout.strip() == types, done.stderr


def test_start_when_accounts_are_of_an_unknown_kind_then_refused() -> None:
    done = start("1", **{**SAFE, "ACCOUNTS": "closed"})

    assert done.returncode == 1
    assert "ACCOUNTS is 'closed'; it must be open or invited." in done.stderr


def test_start_when_variables_are_empty_then_they_count_as_unset() -> None:
    done = start(
        "settings.ALLOWED_HOSTS, settings.DEFAULT_FROM_EMAIL", **SAFE, ALLOWED_HOSTS="", DEFAULT_FROM_EMAIL=""
    )

    assert done.stdout.strip() == "(['club.example.org'], 'Crawford <no-reply@club.example.org>')", (
        done.stderr
    )


def test_start_when_proxy_is_ours_then_its_headers_count() -> None:
    done = start(
        "settings.SECURE_PROXY_SSL_HEADER, settings.REST_FRAMEWORK['NUM_PROXIES']",
        **SAFE,
        BEHIND_PROXY="true",
    )

    assert done.stdout.strip() == "(('HTTP_X_FORWARDED_PROTO', 'https'), 1)", done.stderr


def test_start_when_development_has_no_key_then_makes_one_and_keeps_it(tmp_path: Path) -> None:
    here = {"PATH": os.environ["PATH"], "CRAWFORD_VAR": str(tmp_path)}

    first, second = start("settings.SECRET_KEY", **here), start("settings.SECRET_KEY", **here)

    assert len(first.stdout.strip()) > 50, first.stderr
    assert first.stdout == second.stdout
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
