"""The settings of a test run: the site's own, with stores that belong to the run alone.

`CRAWFORD_TEST_DATABASE` says which database this process tests on: `sqlite` (always there) or `postgres` (the server of
`DATABASE_URL_POSTGRES`). A developer's `.env` and production variables have no say here.
"""

import os
import shutil
import tempfile
from pathlib import Path

DATABASE = os.environ.get("CRAWFORD_TEST_DATABASE", "sqlite")
# In memory where there is enough of it: a commit of a test need not wait for a disk.
MEMORY = Path("/dev/shm")
ROOMY = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**31
RUN_FOLDER = Path(tempfile.mkdtemp(prefix="crawford-test-", dir=MEMORY if ROOMY else None))

os.environ.update(
    CRAWFORD_ENV="development",
    CRAWFORD_VAR=str(RUN_FOLDER),
    CELERY_BROKER_URL="memory://",
    CACHE_URL="locmemcache://tests",
    DEBUG="false",
    EMAIL_URL="memorymail://",
    SECRET_KEY="a-key-that-only-tests-use-and-nothing-else-ever-sees-0123456789",
    SITE_URL="http://testserver",
    ALLOWED_HOSTS="localhost,127.0.0.1,testserver",
    CSRF_TRUSTED_ORIGINS="http://testserver",
    LOG_LEVEL="WARNING",
)
if DATABASE == "postgres":
    os.environ["DATABASE_URL"] = os.environ["DATABASE_URL_POSTGRES"]
else:
    os.environ["DATABASE_URL"] = f"sqlite:///{RUN_FOLDER / 'crawford.sqlite3'}"

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, REST_FRAMEWORK  # noqa: E402

# As on a site with HTTPS, whose name they are bound to: the tests' own has none.
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True

if DATABASE == "sqlite":
    # A file, as in real life: threads and worker processes meet real locks.
    DATABASES["default"]["TEST"] = {"NAME": str(RUN_FOLDER / "test.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = {"anon": None, "user": None}
# Most tests are of clubs that everybody knows.
NEW_CLUB_DAYS = 0
# Static files are found when they are asked for, not all of them again for every client of every test.
WHITENOISE_AUTOREFRESH = True
