"""Settings: one module for every installation; what differs comes from the environment (`docs/running.md` has the table).

`CRAWFORD_ENV` is `development` (a club's own computer, no server needed) or `production` (open network: HTTPS only, and
`config.safety` refuses values that are unsafe there).
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import catalogues, environment, queues, safety
from config.release import VERSION, release_name

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(str(BASE_DIR / ".env"))


def env_text(name: str, default: str = "") -> str:
    """Return a variable's text; an empty one counts as not set, as compose passes on variables left empty."""
    return str(env.str(name, default="")).strip() or default


def env_list(name: str, default: list[str]) -> list[str]:
    return [word.strip() for word in env_text(name).split(",") if word.strip()] or default


def env_number(name: str, default: int) -> int:
    return environment.parse_number(name, env_text(name), default)


CRAWFORD_ENV = env_text("CRAWFORD_ENV", "development")
if CRAWFORD_ENV not in {"development", "production"}:
    message = f"CRAWFORD_ENV is {CRAWFORD_ENV!r}; it must be development or production."
    raise SystemExit(message)
PRODUCTION = CRAWFORD_ENV == "production"

# Everything the program writes for itself is under one folder: database, broker, beat's schedule, the key.
VAR = BASE_DIR / env_text("CRAWFORD_VAR", "var")
environment.ensure_writable(VAR)
# Who was erased, by ids: outside of the database, so that a restored backup is told of it.
ERASURES_FILE = BASE_DIR / env_text("ERASURES_FILE", str(VAR / "erasures.jsonl"))
RELEASE = release_name(BASE_DIR, env_text("RELEASE", VERSION))

# --- who we are and who may ask -------------------------------------------------------------------------------------
DEBUG = env.bool("DEBUG", default=False)
SITE_URL = env_text("SITE_URL", "" if PRODUCTION else "http://localhost:8000").rstrip("/")
SECRET_KEY = env_text("SECRET_KEY")
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS", [])
SIGNING_KEY, PUSH_KEY = env_text("SIGNING_KEY"), env_text("PUSH_KEY")  # empty: made of SECRET_KEY
_site_host = urlsplit(SITE_URL).hostname
_local_hosts = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env_list(
    "ALLOWED_HOSTS",
    [] if PRODUCTION and not _site_host else [str(_site_host)] if PRODUCTION else _local_hosts,
)
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS", [SITE_URL] if SITE_URL else [])
CSRF_FAILURE_VIEW = "config.forgery.csrf_refused"

_database_url = env_text("DATABASE_URL", "" if PRODUCTION else f"sqlite:///{VAR / 'crawford.sqlite3'}")
_broker_url = env_text("CELERY_BROKER_URL", "filesystem://")
_email_url = env_text("EMAIL_URL", "" if PRODUCTION else "consolemail://")
# `open`: whoever comes may make an account. `invited`: accounts come from whoever runs the site, and it may do without mail.
ACCOUNTS = env_text("ACCOUNTS", "open")
if ACCOUNTS not in {"open", "invited"}:
    raise SystemExit(f"ACCOUNTS is {ACCOUNTS!r}; it must be open or invited.")
# Who may ask for figures from elsewhere, and who is told of faults of the program (`config.watch`).
METRICS_TOKEN, SENTRY_DSN = env_text("METRICS_TOKEN"), env_text("SENTRY_DSN")

LANGUAGES, LOCALE_PATHS = [("en", _("English")), ("de", _("German"))], [BASE_DIR / "locale"]
if PRODUCTION:
    _faults = safety.setting_faults(
        safety.SettingValues(
            secret_key=SECRET_KEY,
            derived_keys={"SIGNING_KEY": SIGNING_KEY, "PUSH_KEY": PUSH_KEY},
            debug=DEBUG,
            allowed_hosts=tuple(ALLOWED_HOSTS),
            csrf_trusted_origins=tuple(CSRF_TRUSTED_ORIGINS),
            site_url=SITE_URL,
            database_url=_database_url,
            broker_url=_broker_url,
            email_url=_email_url,
            accounts=ACCOUNTS,
            metrics_token=METRICS_TOKEN,
            sentry_dsn=SENTRY_DSN,
            uncompiled=tuple(catalogues.uncompiled_languages(dict(LANGUAGES), LOCALE_PATHS[0])),
        ),
        example=BASE_DIR / ".env.example",
    )
    if _faults:
        # Not an exception with a traceback: whoever starts the site reads these lines and nothing else.
        raise SystemExit(safety.refusal_message(_faults))
elif not SECRET_KEY:
    SECRET_KEY = environment.local_secret(VAR / "secret_key")

# --- apps -----------------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "tournaments",
    "rating",
    "games",
    "people",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "config.start.SiteConfig",
]

MIDDLEWARE = [
    "config.health.answer_health_checks",
    "config.watch.route.RouteMiddleware",
    "config.gate.drop_nul_cookies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.headers.permissions_policy",  # behind the static files: browsers read it with documents alone
    "csp.middleware.CSPMiddleware",
    "config.shared.hint.session_hint",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.shared.languages.AddressLanguageMiddleware",
    "config.refusals.ReaderSlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.staff.StaffSecondFactorMiddleware",
    "config.audience.AudienceMiddleware",
    "config.snapshot.SnapshotMiddleware",
    "config.repeats.IdempotencyMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

# A list that is looked at before it is entered has a dozen fields for each person, and a draw has room for 1,024.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 15_000

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "people.web.door.context.sign_in_settings",
            ],
            "libraries": environment.TEMPLATE_TAGS,
        },
    },
]

# --- stores ---------------------------------------------------------------------------------------------------------
# Seconds that somebody who waits for a page waits for others; 0: workers and commands (`config.wsgi`).
_patience = env_number("CRAWFORD_PATIENCE", 0)
DATABASES: dict[str, dict[str, Any]] = {
    "default": environment.database_settings(
        dict(env.db_url_config(_database_url)),
        BASE_DIR,
        lock_timeout=_patience,
        pooled=env.bool("DATABASE_POOLED", default=False),
    ),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# A time of day as a default is meant: in the seconds around it Django takes it for the time at which somebody called now().
SILENCED_SYSTEM_CHECKS = ["fields.W161"]
# Memory of each web process for the pages that are the same for everybody, compressed (`config.shared`).
SHARED_PAGES_BYTES = env_number("SHARED_PAGES_MB", 32) * 1_000_000
_cache_url = env_text("CACHE_URL", "locmemcache://crawford")
CACHES = {"default": environment.cache_settings(dict(env.cache_url_config(_cache_url)))}

# --- people ---------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarity", {}),
        ("MinimumLength", {"min_length": 10}),
        ("CommonPassword", {}),
        ("NumericPassword", {}),
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/direct/"
LOGOUT_REDIRECT_URL = "/"

# A club's own computer prints its mail on the screen. Production without mail is of invited accounts, and says so to people.
MAIL_WORKS = bool(_email_url)
_sends_email = MAIL_WORKS and not _email_url.startswith("consolemail:")
ACCOUNT_ADAPTER = "people.web.door.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = (
    "mandatory" if PRODUCTION and _sends_email else "optional" if _sends_email else "none"
)
# Where an address has to be confirmed it belongs to nobody until then: a code is mailed, and typed into the page that waits.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = ACCOUNT_EMAIL_VERIFICATION == "mandatory"
ACCOUNT_CHANGE_EMAIL = True  # one account, one address
ACCOUNT_REAUTHENTICATION_REQUIRED = ACCOUNT_EMAIL_NOTIFICATIONS = ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_FORMS = {"signup": "people.web.door.forms.UniformSignupForm"}
ACCOUNT_RATE_LIMITS = {
    # Passwords are counted before they are looked at: `people.web.door.limits`. A key is an account and where the try comes from.
    "login": None,
    "login_failed": "5/5m/key",
    "login_failed_address": "10/m/ip",
    "login_failed_account": "50/h/key",
    "reset_password": "20/m/ip,5/h/key",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Crawford] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"
_passkeys = MFA_PASSKEY_LOGIN_ENABLED = bool(environment.passkey_host(SITE_URL))
MFA_ADAPTER = "people.web.door.factors.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", *(["webauthn"] if _passkeys else [])]
MFA_PASSKEY_SIGNUP_ENABLED = _passkeys and ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED
MFA_FORMS = {
    "add_webauthn": "people.web.door.forms.AddKeyForm",
    "authenticate_webauthn": "people.web.door.forms.SecondFactorKeyForm",
    "login_webauthn": "people.web.door.forms.LoginKeyForm",
    "reauthenticate_webauthn": "people.web.door.forms.ReauthenticateKeyForm",
    "signup_webauthn": "people.web.door.forms.SignupKeyForm",
}
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}  # there is nothing to guess, and a hall shares one address
# Where nothing confirms an address, an account whose own is not confirmed still gets its second factor.
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION != "mandatory"
MFA_TOTP_ISSUER = "Crawford"
MFA_TOTP_TOLERANCE = 1  # a code of half a minute ago, typed slowly or by a slow clock (RFC 6238, 5.2)

vars().update(env.email_url_config(_email_url or "dummymail://"))
# A server may be away: what goes there goes through a table and a worker, and no page waits for it.
EMAIL_TIMEOUT = 10
MAIL_BACKEND = vars().get("EMAIL_BACKEND", "")
if MAIL_BACKEND == "django.core.mail.backends.smtp.EmailBackend":
    EMAIL_BACKEND, MAIL_BACKEND = "people.services.outbox.Outbox", "people.services.smtp.EmailBackend"
DEFAULT_FROM_EMAIL = env_text("DEFAULT_FROM_EMAIL", f"Crawford <no-reply@{_site_host or 'localhost'}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# --- languages and time ---------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"

# --- static files ---------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# A club's own computer serves the files from where they lie; production serves compressed copies with a hash in their names.
STATIC_ROOT = BASE_DIR / env_text("CRAWFORD_STATIC_ROOT", "staticfiles") if PRODUCTION else None
WHITENOISE_USE_FINDERS = not PRODUCTION
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": BASE_DIR / env_text("FILES_FOLDER", str(VAR / "files"))},
    },
    "staticfiles": {
        "BACKEND": "config.static.HashedStaticStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
}

# --- safety ---------------------------------------------------------------------------------------------------------
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = PRODUCTION
SESSION_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = PRODUCTION and env.bool(
    "HSTS_SUBDOMAINS", default=False
)
# The address of a personal link is its key: it must not travel to other sites.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Whom to tell of a hole, for /.well-known/security.txt (RFC 9116): mailto:… or https://…
SECURITY_CONTACT = env_text("SECURITY_CONTACT")
# Whom to ask for more than a quota allows, or about something that is hidden, and in the imprint: an address of mail or of a page.
OPERATOR_CONTACT = env_text("OPERATOR_CONTACT", SECURITY_CONTACT.removeprefix("mailto:") or SITE_URL)
# Who runs the site, for its imprint and its privacy page; a folder of their own texts (`people.operator`).
OPERATOR_NAME, OPERATOR_ADDRESS = env_text("OPERATOR_NAME"), env_text("OPERATOR_ADDRESS")
OPERATOR_TEXTS = env_text("OPERATOR_TEXTS")
# How much one account, or one club, may have (`people.services.quotas`); an operator allows one of them more.
QUOTAS = {
    name: env_number(f"QUOTA_{name.upper()}", default) for name, default in environment.DEFAULT_QUOTAS.items()
}
NEW_CLUB_DAYS = env_number("NEW_CLUB_DAYS", 7)  # until its events are listed; 0: at once
PUSH_SERVICES = [*environment.PUSH_SERVICES, *env_list("PUSH_SERVICES", [])]
# Set when exactly one proxy of ours stands in front and rewrites these headers; otherwise anybody could forge them.
_behind_proxy = env.bool("BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _behind_proxy else None
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if _behind_proxy else 0

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        # QR codes are drawn by the server and carried in the page.
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    },
}

# --- tasks ----------------------------------------------------------------------------------------------------------
CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS = environment.broker_settings(
    _broker_url, VAR, patience=_patience
)
if CELERY_BROKER_URL.startswith("filesystem:"):
    CELERY_BROKER_TRANSPORT = "config.broker:Transport"
CACHES["waiting"] = environment.marker_cache_settings(CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS)
CELERY_TASK_QUEUES, CELERY_TASK_ROUTES = queues.TASK_QUEUES, queues.ROUTES
CELERY_TASK_DEFAULT_QUEUE = CELERY_TASK_DEFAULT_EXCHANGE = CELERY_TASK_DEFAULT_ROUTING_KEY = "live"
CELERY_WORKER_CONSUMER = "config.consumer:Consumer"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = CELERY_TASK_ACKS_LATE = CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = not CELERY_BROKER_URL.startswith("filesystem:")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Kilobytes after which a child of a worker is replaced when it has done what it is at (`--pool prefork`).
CELERY_WORKER_MAX_MEMORY_PER_CHILD = env_number("WORKER_MEMORY_MB", 400) * 1_000
CELERY_TASK_TIME_LIMIT = environment.TASK_TIME_LIMIT
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "config.beat:Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat-schedule")

ANALYSE_ALL = env.bool("ANALYSE_ALL", default=False)  # else what somebody asks for
DRAND_URL = env_text("DRAND_URL").rstrip("/")  # empty: public random numbers are typed
CELERY_BEAT_SCHEDULE = queues.beat_schedule(analyse_all=ANALYSE_ALL, drand=bool(DRAND_URL))
ANALYSE_BESIDE = CELERY_BROKER_URL.startswith("filesystem:")  # one worker for everything does not wait

# --- API ------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["people.api.answers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["people.api.parsers.BoundedJSONParser"],
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min", "user": "600/min"},
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "tournaments.shared.api.refusing.api_exception_handler",
    "NUM_PROXIES": 1 if _behind_proxy else 0,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Crawford",
    "DESCRIPTION": (
        "Events, draws, results and ratings of backgammon clubs. Every error is returned as a Problem (RFC 9457) with one of"
        " [these codes](/api/v1/problems/). This includes a method or format that is not described (405, 406), and a body"
        " that arrives too slowly (408) or does not declare its length (411). After a 503, try again in a few seconds."
    ),
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",  # its schemas are JSON Schema as it is
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "people.api.answers.describe_answers",
        "people.api.description.describe_refusals",
    ],
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "SERVERS": [{"url": "/", "description": "The site that serves this description."}],
    "TAGS": [
        {"name": name, "description": description}
        for name, description in {
            "clubs": "Clubs, their new events, players, link requests and invitations to roles.",
            "events": "Events with their draws, entries and tables, and the actions of directors.",
            "invitations": "Accepting and declining invitations to roles.",
            "link": "Your personal link, and the phones that may use it.",
            "matches": "Matches: reports by players with a personal link, rulings and corrections by directors.",
            "players": "Players with a public page; linking a player to your account.",
            "positions": "Positions of an event as questions, without names.",
            "ratings": "Rating lists, and the calculation of each change.",
            "records": "Game records, checked move by move.",
            "series": "Series of events: their dates, winners and tables.",
        }.items()
    ],
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "EventStatus": "tournaments.models.choices.EVENT_STATUS_CHOICES",
        "MatchStatus": "tournaments.models.choices.MATCH_STATUS_CHOICES",
        "StageStatus": "tournaments.models.choices.STAGE_STATUS_CHOICES",
        "Side": "tournaments.models.choices.SIDE_CHOICES",
        "ResultKind": "tournaments.models.choices.RESULT_KIND_CHOICES",
        "ReportPolicy": "tournaments.models.choices.REPORT_POLICY_CHOICES",
        "Repair": "tournaments.engine.brackets.correction.Repair",
    },
}

# --- log ------------------------------------------------------------------------------------------------------------
LOGGING = environment.logging_settings(env_text("LOG_LEVEL", "INFO"), env_text("LOG_FORMAT", "text"))
ACCESS_LOG = env.bool("ACCESS_LOG", default=False)

# --- who watches ----------------------------------------------------------------------------------------------------
# Where it is, a proxy sends this installation nothing more: it is about to end (`/livez`).
DRAINING_FILE = VAR / "draining"
METRICS_FOLDER = BASE_DIR / env_text(
    "METRICS_FOLDER", str(VAR / "metrics")
)  # of all processes of this computer
