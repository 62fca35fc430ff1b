"""Save the changes of a stage: differing columns, reports and the ledger.

Nothing else writes matches whose status is kept by ``engine.changes`` (``matches`` changes a single match,
``drawing`` creates and deletes them, ``tables`` assigns tables).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db.models import Max

from people.actors import Actor
from rating.selectors import effective_source_keys
from rating.services import record_result, replace_result, void_result
from tournaments.engine.changes.state import MATCH_COLUMNS, MatchData, NewReport, StageState, StoredReport
from tournaments.engine.types import MatchNo, Side
from tournaments.models import Event, Match, MatchSlot, Report
from tournaments.selectors.matches.ledger import ledger_facts, ledger_key_for_version
from tournaments.store.load import LoadedStage
from tournaments.store.reports import supersede_reports
from tournaments.store.rows import update_rows

Differences = Mapping[MatchNo, tuple[MatchData, MatchData]]

_REPLACED_FIELDS: Final = (
    "winner_id",
    "loser_id",
    "length",
    "winner_score",
    "loser_score",
    "kind",
    "played_at",
)
_REPEATED_FIELDS: Final = (
    "score_a", "score_b", "kind", "winner_side", "note", "record_id", "record_left", "record_clean", "record_doubtful", "record_differs", "record_shown",
)  # fmt: skip


def save_stage(
    event: Event, loaded_stage: LoadedStage, state_after: StageState, *, actor: Actor | None
) -> Differences:
    """Save ``state_after`` in place of the loaded state; return each match that differs, before and after.

    The result is keyed by match number. ``actor``: the author of reports that the change makes; None for
    nobody.
    """
    differences = loaded_stage.state.changed(state_after)
    if not differences:
        return differences
    _write_matches(loaded_stage, differences)
    _write_slots(loaded_stage, differences)
    versions = _write_reports(loaded_stage, differences, actor)
    _enter_ledger(event, loaded_stage, differences, versions)
    loaded_stage.state = state_after
    return differences


def _write_matches(loaded_stage: LoadedStage, differences: Differences) -> None:
    rows: dict[MatchNo, list[str]] = {}
    for number, (was, now) in differences.items():
        names = [name for name in MATCH_COLUMNS if getattr(was.columns, name) != getattr(now.columns, name)]
        if names or (was.final, was.open) != (now.final, now.open) or _has_entry_left(was, now):
            rows[number] = [*names, "version"]
            row = loaded_stage.rows[number]
            row.version += 1
            for name in names:
                setattr(row, name, getattr(now.columns, name))
    columns = sorted({name for names in rows.values() for name in names})
    update_rows(Match, columns, [loaded_stage.rows[number] for number in rows])


def _has_entry_left(was: MatchData, now: MatchData) -> bool:
    """Return whether an entry was removed from the match, so that the match's version has to rise."""
    return any(was.slot(side).entry not in {None, now.slot(side).entry} for side in Side)


def _write_slots(loaded_stage: LoadedStage, differences: Differences) -> None:
    rows: list[MatchSlot] = []
    for number, (was, now) in differences.items():
        old_slots, new_slots = was.slots(), now.slots()
        for side in Side:
            if old_slots[side] != new_slots[side]:
                row = loaded_stage.slots[number, side]
                for name, value in new_slots[side].items():
                    setattr(row, name, value)
                rows.append(row)
    update_rows(MatchSlot, ["entry", "by_hand", "has_won", "former"], rows)


def _write_reports(
    loaded_stage: LoadedStage, differences: Differences, actor: Actor | None
) -> dict[MatchNo, int]:
    """Supersede reports that no longer count, reopen those that do, save new ones.

    Returns the version of each new report, keyed by match number.
    """
    supersede_reports(
        pk for was, now in differences.values() for pk in _live_report_ids(was) - _live_report_ids(now)
    )
    reopened_ids = [pk for was, now in differences.values() for pk in now.open if pk not in was.open]
    if reopened_ids:
        reopened_reports = Report.objects.filter(pk__in=reopened_ids).exclude(state=Report.State.OPEN)
        reopened_reports.update(state=Report.State.OPEN)
    new_reports = {
        number: now.final for number, (_was, now) in differences.items() if isinstance(now.final, NewReport)
    }
    if not new_reports:
        return {}
    last_versions = _last_report_versions(loaded_stage.rows[number] for number in new_reports)
    repeated_reports = Report.objects.in_bulk(
        [
            report.repeated_report_id
            for report in new_reports.values()
            if report.repeated_report_id is not None
        ]
    )
    built_reports = {
        number: _build_report(
            loaded_stage.rows[number],
            report,
            last_versions.get(loaded_stage.rows[number].pk, 0) + 1,
            actor,
            repeated_reports,
        )
        for number, report in new_reports.items()
    }
    Report.objects.bulk_create(built_reports.values())
    return {number: report.version for number, report in built_reports.items()}


def _live_report_ids(match: MatchData) -> set[int]:
    return {*match.open, *([match.final.pk] if isinstance(match.final, StoredReport) else [])}


def _last_report_versions(matches: Iterable[Match]) -> dict[int, int]:
    rows = Report.objects.filter(match__in=list(matches)).order_by().values_list("match")
    return dict(rows.annotate(last=Max("version")))


def _build_report(
    match: Match, report: NewReport, version: int, actor: Actor | None, repeated_reports: Mapping[int, Report]
) -> Report:
    """Return a director's report with the result that the change itself makes."""
    values: dict[str, Any] = {}
    if report.repeated_report_id is not None:
        values = {
            name: getattr(repeated_reports[report.repeated_report_id], name) for name in _REPEATED_FIELDS
        }
    elif report.claim is not None:
        claim = report.claim
        values = {"score_a": claim.score_a, "score_b": claim.score_b, "kind": claim.kind}
        values |= {"winner_side": claim.winner or "", "note": report.note}
    default_key = "absence" if report.absent else "repair"
    return Report(
        match=match,
        version=version,
        submission_key=report.key or f"{default_key}-{version}",
        reporter_kind=Report.Reporter.DIRECTOR,
        user=actor.user if actor is not None and not report.absent else None,
        state=Report.State.CONFIRMED,
        decision="confirmed",
        **values,
    )


def _enter_ledger(
    event: Event, loaded_stage: LoadedStage, differences: Differences, versions: Mapping[MatchNo, int]
) -> None:
    """Enter each changed result in the rating ledger: as new, as a replacement or as void.

    A task rates it.
    """
    keys: dict[MatchNo, tuple[str, str]] = {}
    for number, (was, now) in differences.items():
        if was.final != now.final:
            version = now.final.version if isinstance(now.final, StoredReport) else versions.get(number, 0)
            was_version = was.final.version if isinstance(was.final, StoredReport) else 0
            row = loaded_stage.rows[number]
            keys[number] = ledger_key_for_version(row, was_version), ledger_key_for_version(row, version)
    previous_keys = [previous_key for previous_key, _now in keys.values() if previous_key]
    rated_keys = effective_source_keys(previous_keys) if previous_keys else frozenset()
    for number, (previous_key, key) in keys.items():
        facts = (
            ledger_facts(event, loaded_stage.rows[number], loaded_stage.single_players_in(number))
            if key
            else None
        )
        if previous_key in rated_keys and facts is not None:
            # A replacement takes everything else (club, event, weights) from the fact that it replaces.
            values = {name: facts[name] for name in _REPLACED_FIELDS}
            replace_result(source_key=key, replaces=previous_key, **values)
        elif previous_key in rated_keys:
            void_result(source_key=previous_key)
        elif facts is not None:
            record_result(source_key=key, players_known=True, **facts)
