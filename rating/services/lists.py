"""Create and change rating lists. Changes that affect numbers mark the list for a rebuild."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from faults import Conflict, Fault, Invalid, Missing
from people import versions
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.rows import one_or_none
from people.services import audit
from people.services.clubs import store_effective_zone
from people.services.quotas import LISTS, require_quota
from people.services.versions import raise_versions
from people.text import clean_line, web_address_faults
from people.zones import FIRST_YEAR, LAST_YEAR
from rating.formulas import BadParameters, Discipline, UnknownSystem, system_named
from rating.formulas.base import MAX_EXPERIENCE
from rating.formulas.ranking import MAX_ACTIVE_MONTHS, Members, RankingRules
from rating.formulas.rateable import DEFAULT_MIN_LENGTH, MAX_MATCH_LENGTH
from rating.models import RatingList
from rating.services.locks import lock_list, mark_for_rebuild
from rating.services.queue import queue_apply

NAME_LIMIT = 120
MAX_REQUIRED_MATCHES = 10_000
VERSION_LENGTH = 16  # characters of a settings version


@dataclass(frozen=True, slots=True)
class ListSettings:
    """All settings of a list that a director sets."""

    name: str
    system: str = "fibs"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    start: float | None = None
    shortest: int = DEFAULT_MIN_LENGTH
    longest: int = MAX_MATCH_LENGTH
    disciplines: Sequence[str] = (Discipline.STANDARD,)
    events: Sequence[str] = ()
    counts_from: date | None = None
    counts_until: date | None = None
    minimum_matches: int = 1
    provisional_below: int = 100
    minimum_experience: int = 0
    active_months: int = 0
    members: str = ""
    provisional_apart: bool = False


# Changes of these affect no number.
_RANKING_FIELDS = tuple(one.name for one in fields(RankingRules))
_DISPLAY_FIELDS = {"name", *_RANKING_FIELDS}


def create_list(*, actor: Actor, club_id: int, settings: ListSettings) -> RatingList:
    """Create a further list of a club. Joins the caller's transaction."""
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("rating.list_unknown")
    require_director(actor, club)
    with transaction.atomic():
        lists = RatingList.objects.filter(club=club)
        require_quota(LISTS, actor=actor, owner=club, have=lists.count)
        _store_season_zone(club.pk, settings)
        made = RatingList.objects.create(club=club, **validate_settings(settings))
        audit.record_action(
            actor=actor, action="rating_list.create", subject=made, club=club, data=_settings_values(made)
        )
        raise_versions([versions.club_topic(club.pk)])
    queue_apply(made.pk)
    return made


def ensure_club_list(*, club_id: int) -> RatingList:
    """Return the club's own FIBS list, created if missing. Joins the caller's transaction."""
    found = one_or_none(RatingList.objects.filter(club_id=club_id, is_main=True))
    if found is not None:
        return found
    values = validate_settings(ListSettings(name=gettext("Club rating")))
    try:
        with transaction.atomic():
            found = RatingList.objects.create(club_id=club_id, is_main=True, **values)
    except IntegrityError:
        return RatingList.objects.get(club_id=club_id, is_main=True)
    queue_apply(found.pk)
    return found


def settings_version(found: RatingList) -> str:
    """Return a version of the present settings. Unlike the list's version it ignores results."""
    return hashlib.sha256(json.dumps(_settings_values(found), sort_keys=True).encode()).hexdigest()[
        :VERSION_LENGTH
    ]


@transaction.atomic
def update_list(*, actor: Actor, list_id: int, settings: ListSettings, seen: str = "") -> RatingList:
    """Change a list's settings, and mark it for a rebuild if they affect its numbers.

    ``seen``: the expected ``settings_version``; if others were saved since, raises ``Conflict``.
    """
    club_id = one_or_none(RatingList.objects.filter(pk=list_id).values_list("club_id", flat=True))
    if club_id is not None:
        _store_season_zone(club_id, settings)  # locks the club before the list, as everywhere
    found = lock_list(list_id)
    require_director(actor, found.club)
    before = _settings_values(found)
    if seen and seen != settings_version(found):
        raise Conflict("rating.settings_changed", present=before)
    for name, value in validate_settings(settings).items():
        setattr(found, name, value)
    after = _settings_values(found)
    changed = {name for name in after if after[name] != before[name]}
    if not changed:
        return found
    found.version += 1
    found.save()
    audit.record_action(
        actor=actor,
        action="rating_list.update",
        subject=found,
        club=found.club,
        data={"before": {k: before[k] for k in changed}, "after": {k: after[k] for k in changed}},
    )
    raise_versions([versions.rating_list_topic(found.pk), versions.club_topic(found.club_id)])
    if changed - _DISPLAY_FIELDS:
        mark_for_rebuild(list_ids=[found.pk])
    return found


@transaction.atomic
def archive_list(*, actor: Actor, list_id: int, archived: bool) -> RatingList:
    """Archive a list, or make it public again. The club's own list cannot be archived."""
    found = lock_list(list_id)
    require_director(actor, found.club)
    if found.is_main:
        raise Invalid("rating.main_list")
    if found.archived != archived:
        found.archived = archived
        found.version += 1
        found.save(update_fields=["archived", "version"])
        audit.record_action(
            actor=actor,
            action="rating_list.archive",
            subject=found,
            club=found.club,
            data={"archived": archived},
        )
        raise_versions([versions.rating_list_topic(found.pk), versions.club_topic(found.club_id)])
    return found


def _store_season_zone(club_id: int, settings: ListSettings) -> None:
    """Store the club's zone for the days of a season."""
    if settings.counts_from is not None or settings.counts_until is not None:
        store_effective_zone(club_id=club_id)


def validate_settings(settings: ListSettings) -> dict[str, Any]:
    """Return the field values of the list. Raises with all faults."""
    faults: list[Fault] = []
    name = clean_line(settings.name)
    if not name:
        faults.append(Fault("rating.name_missing", "name"))
    elif len(name) > NAME_LIMIT:
        faults.append(Fault("rating.name_long", "name", {"limit": NAME_LIMIT}))
    faults += web_address_faults(name)
    parameters: dict[str, Any] = {}
    start = settings.start
    try:
        system = system_named(settings.system)
    except UnknownSystem:
        faults.append(Fault("rating.system_unknown", "system", {"system": settings.system}))
    else:
        start = system.start if start is None else start
        try:
            parameters = system.read(settings.parameters)
        except BadParameters as error:
            faults += [fault.at(f"parameters.{fault.field}") for fault in error.faults]
    if start is not None and not 0.0 <= start <= 10_000.0:
        faults.append(Fault("rating.start", "start"))
    if not 1 <= settings.shortest <= settings.longest <= MAX_MATCH_LENGTH:
        faults.append(Fault("rating.lengths", "shortest"))
    faults.extend(
        Fault("rating.discipline_unknown", "disciplines", {"discipline": value})
        for value in settings.disciplines
        if value not in set(Discipline)
    )
    for day, where in ((settings.counts_from, "counts_from"), (settings.counts_until, "counts_until")):
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            faults.append(Fault("rating.year", where, {"first": FIRST_YEAR, "last": LAST_YEAR}))
    if settings.counts_from and settings.counts_until and settings.counts_until < settings.counts_from:
        faults.append(Fault("rating.dates", "counts_until"))
    faults += _ranking_faults(settings)
    if faults:
        raise Invalid(faults=faults)
    return {
        "name": name,
        "system": settings.system,
        "parameters": _parameters_json(parameters),
        "start": start,
        "shortest": settings.shortest,
        "longest": settings.longest,
        "disciplines": sorted(set(settings.disciplines)),
        "events": sorted(set(settings.events)),
        "counts_from": settings.counts_from,
        "counts_until": settings.counts_until,
        **{name: getattr(settings, name) for name in _RANKING_FIELDS},
    }


def _ranking_faults(settings: ListSettings) -> list[Fault]:
    limits = {
        "minimum_matches": MAX_REQUIRED_MATCHES,
        "minimum_experience": MAX_EXPERIENCE,
        "provisional_below": MAX_EXPERIENCE,
        "active_months": MAX_ACTIVE_MONTHS,
    }
    found = [
        Fault("rating.ranking_number", name, {"limit": most})
        for name, most in limits.items()
        if not 0 <= getattr(settings, name) <= most
    ]
    if settings.members not in set(Members):
        found.append(Fault("rating.members_unknown", "members", {"value": settings.members}))
    return found


def _parameters_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: [list(step) for step in value] if isinstance(value, tuple) else value
        for name, value in parameters.items()
    }


def _settings_values(found: RatingList) -> dict[str, Any]:
    names = (
        "name system parameters start shortest longest disciplines events counts_from counts_until"
    ).split()
    values = {name: getattr(found, name) for name in (*names, *_RANKING_FIELDS)}
    return {k: v.isoformat() if isinstance(v, date) else v for k, v in values.items()}
