"""Services that save all prizes of an event together, and undo the last change.

Prizes may be changed before the bracket draw, during play and after the end, because neither draws nor
ratings depend on them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from faults import Conflict, Fault, Missing, raise_faults
from people.actors import Actor
from people.currencies import currency_codes, currency_decimals
from people.models import AuditEntry
from people.rows import one_or_none
from people.text import clean_line
from people.transactions import durable
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.standings.prizes import Prize, PrizePlan, SectionPrizes, check_prizes
from tournaments.engine.trail.prizes import PrizesSet, PrizesUndone
from tournaments.models import Event, Stage
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.prizes import (
    is_plan_unchanged,
    last_prize_change,
    prize_plan,
    prize_sections,
    prizes_version,
)
from tournaments.store.lock import lock_for_director, record_action, refuse_if_changed


@durable
def set_prizes(*, actor: Actor, event_id: int, plan: PrizePlan, seen: str = "") -> AuditEntry | None:
    """Replace all prizes of the event by ``plan``; return the audit log entry, or None if nothing changed.

    ``seen``: the `prizes_version` that the user saw, or empty for any; raises ``Conflict`` if the prizes have
    changed since. Raises `Invalid` with all errors together.
    """
    event = lock_for_director(actor, event_id)
    stages = linked_stages(event)
    before = prize_plan(event, stages)
    refuse_if_changed(seen, prizes_version(before, stages), event.status, PrizesSet)
    plan = _normalize_plan(plan)
    raise_faults(plan_faults(plan, stages))
    _write_plan(event, stages, plan)
    after = prize_plan(event, stages)
    if after == before:
        return None
    action = PrizesSet(before=before, after=after, **_audit_names(stages))
    return record_action(event, actor=actor, action=action)


@durable
def undo_prizes_change(*, actor: Actor, event_id: int, audit_id: int) -> AuditEntry:
    """Restore the prizes from before the change in audit log entry ``audit_id``.

    Return the entry of the undo.

    Raises ``Conflict`` if this is not the last change or it was already undone, and ``Missing`` for other
    ids.
    """
    event = lock_for_director(actor, event_id)
    row = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, scope=audit_scope(event), action=PrizesSet.kind
        )
    )
    action = parse_row(row) if row is not None else None
    if row is None or not isinstance(action, PrizesSet):
        raise Missing("prizes.change_unknown")
    if row.undone_by_id is not None:
        raise Conflict("prizes.back_already")
    stages, last = linked_stages(event), last_prize_change(event)
    if last is None or last[0].pk != row.pk or not is_plan_unchanged(event, stages, action.after):
        raise Conflict("prizes.changed_since")
    _write_plan(event, stages, action.before)
    row.undone_by = record_action(event, actor=actor, action=PrizesUndone(of=row.pk))
    row.save(update_fields=["undone_by"])
    return row.undone_by


def plan_faults(plan: PrizePlan, stages: Sequence[Stage]) -> list[Fault]:
    """Return all errors in ``plan`` for an event with these stages.

    Raises ``Missing`` if the plan names another stage or division.
    """
    faults = []
    is_currency_known = plan.currency == "" or plan.currency in currency_codes()
    if not is_currency_known:
        faults.append(Fault("prizes.currency_unknown", "currency", {"value": plan.currency}))
    divisions: dict[int, list[int]] = {}
    for stage in stages:
        divisions.setdefault(stage.division_id, []).append(stage.pk)
    stage_by_id = {stage.pk: stage for stage in stages}
    if plan.stages.keys() - stage_by_id.keys() or {*plan.pools, *plan.withdrawn} - divisions.keys():
        raise Missing("stage.unknown")
    for pk, sections in plan.stages.items():
        codes = [section.section for section in sections]
        faults += [
            Fault("prizes.section_unknown", f"stages.{pk}.{code}", {"value": code})
            for code in codes
            if code not in prize_sections(stage_by_id[pk]) or codes.count(code) > 1
        ]
    digits = currency_decimals(plan.currency if is_currency_known else "")
    return [*faults, *check_prizes(plan, divisions, digits)]


def _normalize_plan(plan: PrizePlan) -> PrizePlan:
    """Return the plan with one-line texts, without empty places at the end and without empty sections."""
    stages = {pk: tuple(map(_normalize_section, sections)) for pk, sections in plan.stages.items()}
    stages = {
        pk: tuple(section for section in sections if not section.is_empty) for pk, sections in stages.items()
    }
    return replace(plan, currency=plan.currency.strip().upper(), stages=stages)


def _normalize_section(section: SectionPrizes) -> SectionPrizes:
    places = [Prize(prize.value, clean_line(prize.gift)) for prize in section.places]
    while places and not places[-1].value and not places[-1].gift:
        places.pop()
    return replace(section, places=tuple(places))


def _write_plan(event: Event, stages: Sequence[Stage], plan: PrizePlan) -> None:
    """Save the plan's pools and prizes; the caller saves the event, whose currency is set here."""
    event.currency = plan.currency
    divisions = {stage.division_id: stage.division for stage in stages}
    for pk, division in divisions.items():
        pool, withdrawn = plan.pools.get(pk), plan.withdrawn.get(pk, WithdrawnRights(division.withdrawn))
        if (division.prize_pool, division.withdrawn) != (pool, withdrawn):
            division.prize_pool, division.withdrawn = pool, withdrawn
            division.save(update_fields=["prize_pool", "withdrawn"])
    for stage in stages:
        prizes = plan.stages.get(stage.pk, ())
        if stage.settings.prizes != prizes:
            stage.settings = replace(stage.settings, prizes=prizes)
            stage.save(update_fields=["kept_settings"])


def _audit_names(stages: Sequence[Stage]) -> Mapping[str, Mapping[int, str]]:
    return {
        "stages": {stage.pk: stage.name for stage in stages},
        "divisions": {stage.division_id: stage.division.name for stage in stages},
    }
