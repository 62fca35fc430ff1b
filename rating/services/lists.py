"""Create and change rating lists. Changes that affect ratings mark the list for a rebuild."""

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
from rating.formulas import BadParameters, Discipline, UnknownSystem, get_system
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
    """All settings of a rating list that a director can choose."""

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
_RANKING_FIELDS = tuple(dataclass_field.name for dataclass_field in fields(RankingRules))
_DISPLAY_FIELDS = {"name", *_RANKING_FIELDS}


def create_list(*, actor: Actor, club_id: int, settings: ListSettings) -> RatingList:
    """Create a further rating list of a club. Joins the caller's transaction."""
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("rating.list_unknown")
    require_director(actor, club)
    with transaction.atomic():
        lists = RatingList.objects.filter(club=club)
        require_quota(LISTS, actor=actor, owner=club, get_count=lists.count)
        _store_season_zone(club.pk, settings)
        rating_list = RatingList.objects.create(club=club, **validate_settings(settings))
        audit.record_action(
            actor=actor,
            action="rating_list.create",
            subject=rating_list,
            club=club,
            data=_settings_values(rating_list),
        )
        raise_versions([versions.club_topic(club.pk)])
    queue_apply(rating_list.pk)
    return rating_list


def ensure_club_list(*, club_id: int) -> RatingList:
    """Return the club's main list, created with FIBS ratings if missing. Joins the caller's transaction."""
    rating_list = one_or_none(RatingList.objects.filter(club_id=club_id, is_main=True))
    if rating_list is not None:
        return rating_list
    values = validate_settings(ListSettings(name=gettext("Club rating")))
    try:
        with transaction.atomic():
            rating_list = RatingList.objects.create(club_id=club_id, is_main=True, **values)
    except IntegrityError:
        return RatingList.objects.get(club_id=club_id, is_main=True)
    queue_apply(rating_list.pk)
    return rating_list


def settings_version(rating_list: RatingList) -> str:
    """Return a hash of the present settings. Unlike the list's version it does not change with results."""
    return hashlib.sha256(json.dumps(_settings_values(rating_list), sort_keys=True).encode()).hexdigest()[
        :VERSION_LENGTH
    ]


@transaction.atomic
def update_list(
    *, actor: Actor, list_id: int, settings: ListSettings, expected_version: str = ""
) -> RatingList:
    """Change a list's settings, and mark it for a rebuild if they affect its ratings.

    ``expected_version``: the ``settings_version`` that the user saw; raises ``Conflict`` if the settings have
    changed.
    """
    club_id = one_or_none(RatingList.objects.filter(pk=list_id).values_list("club_id", flat=True))
    if club_id is not None:
        _store_season_zone(club_id, settings)  # locks the club before the list, as everywhere
    rating_list = lock_list(list_id)
    require_director(actor, rating_list.club)
    before = _settings_values(rating_list)
    if expected_version and expected_version != settings_version(rating_list):
        raise Conflict("rating.settings_changed", present=before)
    for name, value in validate_settings(settings).items():
        setattr(rating_list, name, value)
    after = _settings_values(rating_list)
    changed_names = {name for name in after if after[name] != before[name]}
    if not changed_names:
        return rating_list
    rating_list.version += 1
    rating_list.save()
    audit.record_action(
        actor=actor,
        action="rating_list.update",
        subject=rating_list,
        club=rating_list.club,
        data={"before": {k: before[k] for k in changed_names}, "after": {k: after[k] for k in changed_names}},
    )
    raise_versions([versions.rating_list_topic(rating_list.pk), versions.club_topic(rating_list.club_id)])
    if changed_names - _DISPLAY_FIELDS:
        mark_for_rebuild(list_ids=[rating_list.pk])
    return rating_list


@transaction.atomic
def archive_list(*, actor: Actor, list_id: int, archived: bool) -> RatingList:
    """Archive a list, or make it public again. The club's main list cannot be archived."""
    rating_list = lock_list(list_id)
    require_director(actor, rating_list.club)
    if rating_list.is_main:
        raise Invalid("rating.main_list")
    if rating_list.archived != archived:
        rating_list.archived = archived
        rating_list.version += 1
        rating_list.save(update_fields=["archived", "version"])
        audit.record_action(
            actor=actor,
            action="rating_list.archive",
            subject=rating_list,
            club=rating_list.club,
            data={"archived": archived},
        )
        raise_versions([versions.rating_list_topic(rating_list.pk), versions.club_topic(rating_list.club_id)])
    return rating_list


def _store_season_zone(club_id: int, settings: ListSettings) -> None:
    """Store the club's time zone if the settings have a season, whose dates begin in that zone."""
    if settings.counts_from is not None or settings.counts_until is not None:
        store_effective_zone(club_id=club_id)


def validate_settings(settings: ListSettings) -> dict[str, Any]:
    """Return the values for the fields of ``RatingList``. Raises ``Invalid`` with all errors."""
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
        system = get_system(settings.system)
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
    for day, field_name in ((settings.counts_from, "counts_from"), (settings.counts_until, "counts_until")):
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            faults.append(Fault("rating.year", field_name, {"first": FIRST_YEAR, "last": LAST_YEAR}))
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
    faults = [
        Fault("rating.ranking_number", name, {"limit": maximum})
        for name, maximum in limits.items()
        if not 0 <= getattr(settings, name) <= maximum
    ]
    if settings.members not in set(Members):
        faults.append(Fault("rating.members_unknown", "members", {"value": settings.members}))
    return faults


def _parameters_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: [list(step) for step in value] if isinstance(value, tuple) else value
        for name, value in parameters.items()
    }


def _settings_values(rating_list: RatingList) -> dict[str, Any]:
    names = (
        "name system parameters start shortest longest disciplines events counts_from counts_until"
    ).split()
    values = {name: getattr(rating_list, name) for name in (*names, *_RANKING_FIELDS)}
    return {k: v.isoformat() if isinstance(v, date) else v for k, v in values.items()}
