# One image for web, workers, beat and the migration step; docker-compose.yml says which command each runs.
FROM python:3.11-slim-bookworm AS libraries
COPY requirements/base.txt /tmp/base.txt
RUN python -m venv /opt/crawford \
 && /opt/crawford/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --only-binary :all: -r /tmp/base.txt

FROM python:3.11-slim-bookworm
# GNU Backgammon, which looks at matches: Debian's program, under the GPL, beside us and no part of us. A worker calls it and exchanges files
# with it; none of its code is linked or imported, and it runs without its window.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gnubg \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --create-home --home-dir /home/crawford crawford \
 && install -d -o crawford -g crawford /app /app/var /app/erasures /app/files /app/metrics
COPY --from=libraries /opt/crawford /opt/crawford
WORKDIR /app
# The program belongs to root: whoever gets to run code as its user cannot change it, also where the file system is not read-only.
COPY . /app
ENV PATH=/opt/crawford/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    CRAWFORD_ENV=production
# Catalogues and static files belong to the image. The values here only satisfy the settings: no server is reached, and none of
# them stays in the image's environment.
RUN python tools/catalogues.py compile \
 && CRAWFORD_VAR=/tmp/build SECRET_KEY=used-while-building-the-image-alone-0123456789-abcdefghijk SITE_URL=https://build.invalid \
    DATABASE_URL=postgres://build.invalid/build CELERY_BROKER_URL=redis://build.invalid:6379/0 ACCOUNTS=invited \
    python manage.py collectstatic --no-input --verbosity 0
USER crawford
EXPOSE 8000
CMD ["granian", "--interface", "rsgi", "--http", "1", "--no-ws", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--backlog", "8192", "--http1-header-read-timeout", "60000", "--respawn-failed-workers", "--respawn-interval", "10", "--workers-kill-timeout", "20", "--log-level", "warning", "config.rsgi:application"]
