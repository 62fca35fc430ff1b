"""Matches that commands of the command bar can refer to, with names; on request also finished matches."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import TextField
from django.db.models.functions import Cast

from tournaments.engine.desk.values import CommandEntry, CommandMatch, CommandTargets, SideReport
from tournaments.engine.matches.adjourning import Adjournment, minimum_score
from tournaments.engine.matches.rulings import ClockStart, ClockUse, awards_from_json
from tournaments.engine.statuses import (
    AWAITING_RESULT,
    DRAW_PUBLIC,
    STAGE_UNDER_WAY,
    UNSETTLED,
    EntryStatus,
    MatchStatus,
)
from tournaments.engine.types import MatchNo, ResultKind, Score, Side
from tournaments.models import Entry, Event, Match, MatchSlot, Report, Stage
from tournaments.selectors.matches.claims import claim_from_report

_SLOT_FIELDS: Final = (
    *("match_id", "side", "entry_id", "entry__name"),
    *(
        "match__public_id",
        "match__number",
        "match__version",
        "match__status",
        "match__length",
        "match__table",
    ),
    *("match__start_a", "match__start_b", "match__stage_id", "match__round_id"),
)
# As text: few matches have any of these, and parsing JSON for each takes as long as all else.
_JSON_AS_TEXT: Final = {
    "awards_text": Cast("match__awards", TextField()),
    "adjourned_text": Cast("match__adjourned", TextField()),
    "clock_text": Cast("match__clock", TextField()),
}


def load_command_targets(
    event: Event,
    stages: Iterable[Stage],
    *,
    with_entries: bool = False,
    with_reports: bool = False,
    public_ids: Collection[str] | None = None,
) -> CommandTargets:
    """Load the matches that commands can refer to; ``stages`` are all stages of the event.

    One query, and one more with ``with_entries`` (load the active entries) and with ``with_reports`` (load the
    unconfirmed reports). ``public_ids``: only matches with these public ids.
    """
    slots = MatchSlot.objects.filter(match__status__in=AWAITING_RESULT).order_by("match_id")
    if public_ids is not None:
        slots = slots.filter(match__public_id__in=public_ids)
    command_matches = _command_matches(
        {stage.pk: stage for stage in stages if stage.status in STAGE_UNDER_WAY}, slots
    )
    if with_reports:
        claims = _claims_by_match(command_matches)
        command_matches = [
            replace(match, open_reports=tuple(claims.get(match.pk, ()))) for match in command_matches
        ]
    return CommandTargets(
        matches=tuple(command_matches),
        tables=event.tables,
        closed=frozenset(event.closed_tables),
        entries=tuple(_command_entries(event)) if with_entries else (),
    )


def load_finished_targets(event: Event) -> CommandTargets:
    """Load finished matches, latest first, with status “playing”, as if they could still be reported.

    With them a rejected command can be explained.
    """
    stages = {
        stage.pk: stage for stage in Stage.objects.filter(division__event=event, status__in=DRAW_PUBLIC)
    }
    finished_slots = MatchSlot.objects.filter(match__status=MatchStatus.CONFIRMED).exclude(
        match__result_kind=ResultKind.BYE
    )
    command_matches = _command_matches(stages, finished_slots.order_by("-match__confirmed_at", "-match_id"))
    return CommandTargets(
        tuple(replace(match, status=MatchStatus.PLAYING) for match in command_matches), tables=event.tables
    )


def _claims_by_match(matches: Collection[CommandMatch]) -> dict[int, list[SideReport]]:
    """Return the unconfirmed reported results of unsettled matches, keyed by match id, first report first."""
    unsettled_ids = [match.pk for match in matches if match.status in UNSETTLED]
    claims_by_match: dict[int, list[SideReport]] = {}
    for report in Report.objects.filter(match__in=unsettled_ids, state=Report.State.OPEN).order_by("version"):
        side = Side(report.side) if report.side else None
        claims_by_match.setdefault(report.match_id, []).append(SideReport(side, claim_from_report(report)))
    return claims_by_match


def _command_entries(event: Event) -> list[CommandEntry]:
    rows = Entry.objects.filter(division__event=event, status=EntryStatus.ACTIVE).order_by("name", "pk")
    return [CommandEntry(public_id, name) for public_id, name in rows.values_list("public_id", "name")]


def _command_matches(stages: Mapping[int, Stage], slots: Any) -> list[CommandMatch]:
    conduct_by_stage = {pk: stage.settings.conduct for pk, stage in stages.items()}
    rows: dict[int, dict[str, tuple[Any, ...]]] = {}
    for row in (
        slots.filter(match__stage__in=stages)
        .annotate(**_JSON_AS_TEXT)
        .values_list(*_SLOT_FIELDS, *_JSON_AS_TEXT)
    ):
        rows.setdefault(row[0], {})[row[1]] = row
    command_matches = []
    for pk, sides in rows.items():
        if len(sides) == len(Side):
            a, b = sides[Side.A], sides[Side.B]
            public_id, number, version, status, length, table, start_a, start_b, stage, round_ = a[4:14]
            awards, adjourned, clock = a[14:]
            conduct = conduct_by_stage[stage]
            command_matches.append(
                CommandMatch(
                    pk=pk,
                    public_id=public_id,
                    number=MatchNo(number),
                    version=version,
                    status=MatchStatus(status),
                    length=length,
                    table=table,
                    names=(a[3] or "", b[3] or ""),
                    stage=stage,
                    round=round_,
                    minimum_score=minimum_score(Score(start_a, start_b), _parse_adjourned(adjourned)),
                    awards=awards_from_json(json.loads(awards)) if awards != "[]" else (),
                    lateness=conduct.lateness,
                    clock=ClockStart.of(json.loads(clock)) if clock != "{}" else None,
                    has_clock=conduct.clocks is not None and conduct.clock_use is ClockUse.REQUIRED,
                )
            )
    return command_matches


def _parse_adjourned(adjourned: str) -> Adjournment | None:
    return Adjournment.of(json.loads(adjourned)) if adjourned != "{}" else None


def table_holder(event: Event, table: int) -> tuple[int, str] | None:
    """Return number and status of the match that holds this table, or for which it is reserved, or None."""
    rows = Match.objects.filter(
        stage__division__event=event,
        stage__status__in=STAGE_UNDER_WAY,
        status__in=AWAITING_RESULT,
        table=table,
    )
    number_and_status: tuple[int, str] | None = rows.values_list("number", "status").first()
    return number_and_status
