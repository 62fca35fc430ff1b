#!/usr/bin/env bash
# A new release beside `docker compose up`, without a lost request: one web process is taken out of the proxy, replaced and taken in again, then
# the next one. First it says which events run, and asks. Only between releases whose notes do not forbid it (docs/running.md, "An update while people play").
#   deploy/rolling_update.sh [--yes]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
DRAIN=${DRAIN:-4}     # seconds: the proxy asks once a second
PATIENCE=${PATIENCE:-120}

running=0
docker compose exec -T web python manage.py running_events || running=$?
if [ "$running" -ne 0 ] && [ "${1:-}" != --yes ]; then
  read -r -p "Go on? [y/N] " answer
  [ "$answer" = y ] || exit 1
fi

docker compose build
docker compose run --rm migrate

for service in web web2; do
  docker compose exec -T "$service" touch var/draining
  sleep "$DRAIN"
  docker compose up --detach --no-deps "$service"
  for ((waited = 0; ; waited++)); do
    docker compose exec -T "$service" python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=5)" 2>/dev/null && break
    [ "$waited" -lt "$PATIENCE" ] || { echo "$service does not get ready; the other one goes on serving. Its log: docker compose logs $service"; exit 1; }
    sleep 1
  done
  sleep 2  # until the proxy has seen it
done
docker compose up --detach  # workers and beat: what they have in hand is done, or done again
