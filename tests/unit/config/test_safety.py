"""The refusal to start in production: every fault at once, in words, and no start at all."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from config.safety import SettingValues, refusal_message, setting_faults

ROOT = Path(__file__).resolve().parents[3]
GOOD = SettingValues(
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
# Before each process: libraries alone, which take most of its time and nothing from its variables. Of ours nothing is there.
FORKS = """
import json, os, sys
import celery, celery.schedules, celery.signals, csp.constants, django.conf, django.utils.translation, environ, kombu
celery.Celery, django.conf.settings
for line in sys.stdin:
    asked = json.loads(line)
    assert not any(name.partition(".")[0] in {"config", "people"} for name in sys.modules)
    if (child := os.fork()) == 0:
        for place in (1, 2):
            os.dup2(os.open(asked["files"][place - 1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), place)
        os.environ.clear()
        os.environ.update(asked["environment"])
        from django.conf import settings
        settings.DEBUG
        print(eval(asked["expression"], {"settings": settings}))
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
Start = Callable[..., SimpleNamespace]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """A process with these variables alone that reads the settings and prints an expression of them."""
    files = [tmp_path_factory.mktemp("started") / name for name in ("stdout", "stderr")]
    with subprocess.Popen(
        [sys.executable, "-c", FORKS],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as forks:
        assert forks.stdin is not None
        assert forks.stdout is not None

        def started(expression: str, **environment: str) -> SimpleNamespace:
            variables = {"DJANGO_SETTINGS_MODULE": "config.settings", **environment}
            asked = {"expression": expression, "environment": variables, "files": [*map(str, files)]}
            print(json.dumps(asked), file=forks.stdin, flush=True)
            code = int(forks.stdout.readline())
            stdout, stderr = (file.read_text() for file in files)
            return SimpleNamespace(returncode=code, stdout=stdout, stderr=stderr)

        yield started
        forks.stdin.close()
        assert forks.wait(20) == 0


def test_values_when_safe_then_no_fault() -> None:
    assert setting_faults(GOOD) == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"secret_key": ""}, "SECRET_KEY is not set"),
        ({"secret_key": "short"}, "SECRET_KEY is too simple"),
        ({"secret_key": "abc" * 30}, "SECRET_KEY is too simple"),
        ({"derived_keys": {"SIGNING_KEY": "short"}}, "SIGNING_KEY is too simple"),
        ({"derived_keys": {"PUSH_KEY": "short"}}, "PUSH_KEY is too simple"),
        ({"uncompiled": ("de",)}, "The translations are not compiled: de. Run .venv/bin/python"),
        ({"debug": True}, "DEBUG is on"),
        ({"site_url": ""}, "SITE_URL is not set"),
        ({"site_url": "http://club.example.org"}, "SITE_URL is 'http://club.example.org'"),
        ({"site_url": "https://"}, "SITE_URL is"),
        ({"allowed_hosts": ()}, "ALLOWED_HOSTS is empty"),
        ({"allowed_hosts": ("*",)}, "ALLOWED_HOSTS contains '*'"),
        ({"csrf_trusted_origins": ("http://club.example.org",)}, "CSRF_TRUSTED_ORIGINS"),
        ({"database_url": ""}, "DATABASE_URL is not set"),
        ({"database_url": "mysql://db/crawford"}, "DATABASE_URL begins with 'mysql'"),
        ({"broker_url": "memory://"}, "CELERY_BROKER_URL is memory://"),
        ({"broker_url": "filesystem://"}, "CELERY_BROKER_URL is not set to a server"),
        ({"email_url": "dummymail://"}, "EMAIL_URL discards e-mail"),
        ({"email_url": ""}, "EMAIL_URL is not set"),
        ({"email_url": "consolemail://"}, "EMAIL_URL writes e-mail into the log"),
        ({"email_url": "consolemail://", "accounts": "invited"}, "EMAIL_URL writes e-mail into the log"),
    ],
)
def test_values_when_one_is_unsafe_then_that_fault_alone(change: dict[str, object], word: str) -> None:
    found = setting_faults(replace(GOOD, **change))

    assert len(found) == 1
    assert found[0].startswith(word)


def test_values_when_key_stands_in_the_example_then_refused(tmp_path: Path) -> None:
    example = tmp_path / "example"
    example.write_text(f"SECRET_KEY={GOOD.secret_key}\n")

    assert setting_faults(GOOD, example) == ["SECRET_KEY is the one from the example file, which is public."]


def test_values_when_small_club_in_production_then_sqlite_and_files_are_fine() -> None:
    assert (
        setting_faults(
            replace(GOOD, database_url="sqlite:////srv/crawford.sqlite3", broker_url="filesystem://")
        )
        == []
    )


def test_values_when_accounts_are_invited_then_mail_is_not_needed() -> None:
    assert setting_faults(replace(GOOD, email_url="", accounts="invited")) == []


def test_refusal_names_every_fault_on_a_line_of_its_own() -> None:
    text = refusal_message(["one", "two"])

    assert [line for line in text.splitlines() if line.startswith("  - ")] == ["  - one", "  - two"]


def test_start_when_production_knows_nothing_then_all_faults_and_no_traceback(start: Start) -> None:
    done = start("1", PATH=os.environ["PATH"], CRAWFORD_ENV="production")

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    for name in ("SECRET_KEY", "SITE_URL", "ALLOWED_HOSTS", "DATABASE_URL", "CELERY_BROKER_URL", "EMAIL_URL"):
        assert f"  - {name} " in done.stderr


def test_start_when_development_names_no_database_then_refused_in_one_sentence(start: Start) -> None:
    done = start("1", PATH=os.environ["PATH"], DATABASE_URL="nonsense")

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "DATABASE_URL names no database." in done.stderr


def test_start_when_environment_is_unknown_then_refused(start: Start) -> None:
    done = start("1", **{**SAFE, "CRAWFORD_ENV": "prod"})

    assert done.returncode == 1
    assert "must be development or production" in done.stderr


def test_start_when_production_is_safe_then_everything_is_strict(start: Start) -> None:
    done = start(
        "settings.DEBUG, settings.SECURE_SSL_REDIRECT, settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, "
        "settings.SECURE_HSTS_SECONDS > 0, settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS, "
        "settings.SECURE_PROXY_SSL_HEADER, settings.ACCOUNT_EMAIL_VERIFICATION",
        **SAFE,
    )

    assert done.stdout.strip() == (
        "(False, True, True, True, True, ['club.example.org'], ['https://club.example.org'], None, 'mandatory')"
    ), done.stderr


def test_start_when_accounts_are_invited_then_no_mail_and_none_in_the_log(start: Start) -> None:
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
def test_start_when_the_site_has_a_name_then_it_has_passkeys(start: Start, site: str, types: str) -> None:
    done = start("'webauthn' in settings.MFA_SUPPORTED_TYPES", **{**SAFE, "SITE_URL": site})

    assert done.stdout.strip() == types, done.stderr


def test_start_when_accounts_are_of_an_unknown_kind_then_refused(start: Start) -> None:
    done = start("1", **{**SAFE, "ACCOUNTS": "closed"})

    assert done.returncode == 1
    assert "ACCOUNTS is 'closed'; it must be open or invited." in done.stderr


def test_start_when_variables_are_empty_then_they_count_as_unset(start: Start) -> None:
    done = start(
        "settings.ALLOWED_HOSTS, settings.DEFAULT_FROM_EMAIL", **SAFE, ALLOWED_HOSTS="", DEFAULT_FROM_EMAIL=""
    )

    assert done.stdout.strip() == "(['club.example.org'], 'Crawford <no-reply@club.example.org>')", (
        done.stderr
    )


def test_start_when_numbers_are_empty_or_none_then_the_usual_ones_or_a_line(start: Start) -> None:
    asked = (
        "settings.SHARED_PAGES_BYTES, settings.CELERY_WORKER_MAX_MEMORY_PER_CHILD, settings.QUOTAS['clubs']"
    )
    empty = {"SHARED_PAGES_MB": "", "WORKER_MEMORY_MB": " ", "CRAWFORD_PATIENCE": "", "QUOTA_CLUBS": ""}
    done = start(asked, **SAFE, **empty)

    assert done.stdout.strip() == "(32000000, 400000, 5)", done.stderr
    odd = start("1", **SAFE, SHARED_PAGES_MB="64 MB")
    assert odd.returncode == 1
    assert "Traceback" not in odd.stderr
    assert "SHARED_PAGES_MB is '64 MB'; it must be a whole number, 0 or more." in odd.stderr


def test_start_when_proxy_is_ours_then_its_headers_count(start: Start) -> None:
    done = start(
        "settings.SECURE_PROXY_SSL_HEADER, settings.REST_FRAMEWORK['NUM_PROXIES']",
        **SAFE,
        BEHIND_PROXY="true",
    )

    assert done.stdout.strip() == "(('HTTP_X_FORWARDED_PROTO', 'https'), 1)", done.stderr


def test_start_when_development_has_no_key_then_makes_one_and_keeps_it(start: Start, tmp_path: Path) -> None:
    here = {"PATH": os.environ["PATH"], "CRAWFORD_VAR": str(tmp_path)}

    first, second = start("settings.SECRET_KEY", **here), start("settings.SECRET_KEY", **here)

    assert len(first.stdout.strip()) > 50, first.stderr
    assert first.stdout == second.stdout
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
