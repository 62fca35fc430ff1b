"""Public randomness for draws: choose a future public number for a stage, and fetch due drand rounds.

The choice is public and final: it cannot be undone, a later choice replaces it, and every one stays on the
page. So a director cannot choose numbers until one suits.
"""

import http.client
import logging
import urllib.error
import urllib.request
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from faults import Conflict, CrawfordError, Invalid
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.lots.committed import json_digest
from tournaments.engine.lots.randomness import (
    MAX_LABEL_LENGTH,
    MAX_LEAD_TIME,
    MAX_PASTED_LENGTH,
    MIN_LEAD_TIME,
    NETWORKS,
    RandomnessChoice,
    RandomnessKind,
    ValueOrigin,
    parse_drand_value,
)
from tournaments.engine.statuses import DRAW_HIDDEN, EVENT_CHANGEABLE
from tournaments.engine.trail.draws import RandomnessFetched, RandomnessNamed
from tournaments.models import PublicRandomness, Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.randomness import open_randomness, randomness_to_fetch
from tournaments.selectors.rounds.next import can_draw_round
from tournaments.selectors.seeding import draw_participants, next_draw_list
from tournaments.selectors.standings.tables import is_round_based
from tournaments.store.lock import get_stage, lock_event, lock_for_director, record_action
from tournaments.store.lots import require_entry_count, require_same_list
from tournaments.store.randomness import VALUE_FIELDS, set_value

log = logging.getLogger(__name__)
FETCH_TIMEOUT_SECONDS: Final = 5.0  # seconds without a response
FETCH_PERIOD: Final = timedelta(
    days=1
)  # after its publication; later a round is not fetched, and can be typed


@durable
def choose_randomness(
    *, actor: Actor, event_id: int, stage_id: int, naming: RandomnessChoice, seen: str = ""
) -> PublicRandomness:
    """Choose the public number for the next draw of a stage; this closes the list of its entries.

    ``seen``: hash of the list that the director saw; raises ``Conflict`` (409) if it has changed, and if the
    stage cannot be drawn now or starts automatically.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id, (*Stage.ELIMINATIONS, *Stage.IN_ROUNDS))
    if event.status not in EVENT_CHANGEABLE:
        raise Conflict("draw.event_closed", present=event)
    draw = load_draw(stage)
    can_draw = can_draw_round(stage, draw) if is_round_based(stage) else stage.status in DRAW_HIDDEN
    if not can_draw or stage.division.starts_when_full:
        raise Conflict("randomness.not_now", present=stage)
    entries = draw_participants(stage)
    require_entry_count(stage, entries)
    frozen_list = next_draw_list(stage, draw, entries)
    require_same_list(frozen_list, seen)
    randomness = _build_randomness(stage, naming, json_digest(frozen_list))
    randomness.commitment = randomness.compute_commitment()
    randomness.save(force_insert=True)
    record_action(
        event,
        actor=actor,
        action=RandomnessNamed(
            number=randomness.number, commitment=randomness.commitment, **_audit_fields(randomness)
        ),
        subject=stage,
    )
    return randomness


def _audit_fields(randomness: PublicRandomness) -> dict[str, Any]:
    return {name: value for name, value in randomness.named().items() if name != "stage"}


def _build_randomness(stage: Stage, choice: RandomnessChoice, list_hash: str) -> PublicRandomness:
    """Build the unsaved row, without its commitment.

    Raises ``Invalid`` for an unknown network, a time too soon or too late, and a lottery without a name.
    """
    now, due_at, label = timezone.now(), choice.due_at, " ".join(choice.label.split())
    network = NETWORKS.get(choice.network) if choice.kind is RandomnessKind.DRAND else None
    if choice.kind is RandomnessKind.DRAND:
        if network is None:
            raise Invalid("randomness.network_unknown", field="network")
        if due_at > now + MAX_LEAD_TIME:  # the round may be later than any datetime
            raise Invalid("randomness.time_odd", field="due_at")
        due_at, label = network.time_of(network.round_at(due_at)), ""
    elif not label or len(label) > MAX_LABEL_LENGTH:
        raise Invalid("randomness.label_missing", field="label", limit=MAX_LABEL_LENGTH)
    if not now + MIN_LEAD_TIME <= due_at <= now + MAX_LEAD_TIME:
        raise Invalid("randomness.time_odd", field="due_at")
    last_number = stage.randomness.order_by("-number").values_list("number", flat=True).first()
    return PublicRandomness(
        event_id=stage.division.event_id,
        stage=stage,
        of_stage=stage.pk,
        number=1 + (last_number or 0),
        kind=choice.kind,
        network=network.hash if network is not None else "",
        round=network.round_at(due_at) if network is not None else None,
        label=label,
        due_at=due_at,
        list_hash=list_hash,
        promise=stage.promise,
        promised_at=stage.promised_at,
        named_at=now,
    )


def fetch_due_rounds() -> int:
    """Fetch due drand rounds from ``DRAND_URL``, store their values and return how many were stored.

    Holds no lock while it waits for the network.
    """
    now = timezone.now()
    fetched = 0
    for randomness in randomness_to_fetch(since=now - FETCH_PERIOD, until=now) if settings.DRAND_URL else ():
        url = f"{settings.DRAND_URL}/{randomness.network}/public/{randomness.round}"
        try:
            with _OPENER.open(url, timeout=FETCH_TIMEOUT_SECONDS) as answer:
                text = answer.read(MAX_PASTED_LENGTH).decode()
            store_drand_value(randomness_id=randomness.pk, text=text, read_from=url)
            fetched += 1
        except (urllib.error.HTTPError, ValueError, CrawfordError) as error:
            log.warning("The drand round %s was not fetched: %s", randomness.round, error)
        except (OSError, http.client.HTTPException) as error:
            log.warning("The drand round %s was not fetched: %s", randomness.round, error)
            break  # the next request would wait as long
    return fetched


@durable
def store_drand_value(*, randomness_id: int, text: str, read_from: str) -> None:
    """Store the value that the drand network published for a chosen round.

    ``text``: the network's response; ``read_from``: its address. Does nothing if the value is known or the
    choice was replaced. Raises ``Invalid`` if the response is not this round.
    """
    event = lock_event(PublicRandomness.objects.values_list("event_id", flat=True).get(pk=randomness_id))
    randomness = PublicRandomness.objects.select_related("stage__division").get(pk=randomness_id)
    if randomness.value or randomness.stage is None or open_randomness(randomness.stage) != randomness:
        return
    set_value(randomness, parse_drand_value(text, randomness.round or 0), ValueOrigin.FETCHED, read_from)
    randomness.save(update_fields=VALUE_FIELDS)
    record_action(
        event,
        actor=Actor.program(),
        action=RandomnessFetched(number=randomness.number, value=randomness.value, read_from=read_from),
        subject=randomness.stage,
    )


def _build_opener() -> urllib.request.OpenerDirector:
    """Build a URL opener that follows no redirect, so that only the configured server is contacted."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


_OPENER: Final = _build_opener()
