"""Template contexts of a stage on public pages: its part of the overview, and its draw or rounds in full.

Every system of play is handled in ``stage_overview`` and ``stage_html``.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.standings.leaving import places_without
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.leagues.web.public import mark_zones
from tournaments.models import Stage
from tournaments.money_play.web.public import money_stage_context, render_sessions
from tournaments.selectors.access.visibility import VisibleEvent
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow, withdrawn_without_prize
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.selectors.leagues import SeasonMove
from tournaments.selectors.matches.moments import StageTimes
from tournaments.selectors.money import is_money
from tournaments.selectors.prizes import Prizes, event_prizes, prize_parts
from tournaments.selectors.standings.sources import feeds_among, sources_taken
from tournaments.selectors.standings.tables import is_round_based, rounds_settings
from tournaments.shared.fragments.bracket import bracket_context
from tournaments.shared.fragments.cards import (
    Context,
    place_rows,
    player_urls_by_entry,
    side_player_url,
)
from tournaments.shared.fragments.editions import edition_contexts
from tournaments.shared.fragments.rounds import (
    crosstable_contexts,
    planned_round_contexts,
    play_off_context,
    round_contexts,
)
from tournaments.shared.fragments.standings import (
    condition_rows,
    standings_contexts,
    tie_break_contexts,
)
from tournaments.shared.words.feeds import advancement_message, draw_method_label, participants_label
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.limits import limit_rows
from tournaments.shared.words.names import format_sentence, location_rows, round_name_from_code
from tournaments.shared.words.prizes import find_prize_part, prize_rows, shared_prize_notes, won_prizes_label
from tournaments.shared.words.rules import rules_in_force
from tournaments.shared.words.rulings import clock_use_rows
from tournaments.shared.words.sections import bracket_rows
from tournaments.site.web.now import now_context, remaining_groups
from tournaments.site.web.stage_facts import (
    expected_entries,
    predates_commitments,
    replay_steps,
    round_lengths,
)


class DrawsQuery(NamedTuple):
    """Query of the page of draws: the number of a drawn stage and of one of its rounds; 0 if not given."""

    stage: int = 0
    round: int = 0


def stage_overview(
    visible: VisibleEvent, division: DivisionView, view: StageView, limit: int, times: StageTimes
) -> Context:
    """Return the context of a stage on the overview: current matches, entries still in, places, format."""
    stage = view.stage
    if is_money(stage):
        extra_context = _money_overview(division, view)
        return {"template": "site/_money.html", **_base_context(division, view), **extra_context}
    extra_context = (
        _rounds_overview(division, view)
        if is_round_based(stage)
        else _elimination_overview(visible, division, view)
    )
    return {
        "template": "site/_stage.html",
        **_base_context(division, view),
        **_format_context(division, view),
        **now_context(visible, division, view, limit, times),
        **extra_context,
    }


def _money_overview(division: DivisionView, view: StageView) -> Context:
    """Return the template context of a points league with its prizes."""
    prizes, stage = _division_prizes(division), view.stage
    context = money_stage_context(stage, view.league, division.entries)
    context["agreed"] = [*context["agreed"], *prize_rows(prizes, stage)]
    if view.league is not None:
        paid_parts = prize_parts(prizes, stage, view.league)[0]
        prize_by_entry = {
            entry.public_id: won_prizes_label(prizes, paid_parts, entry.pk) for entry in division.entries
        }
        rows = [{**row, "prize": prize_by_entry.get(row["key"], "")} for row in context["points"]["rows"]]
        notes = shared_prize_notes(prizes, paid_parts)
        context["points"] |= {"rows": rows, "prizes": any(prize_by_entry.values()), "prize_notes": notes}
    return context


def stage_html(
    division: DivisionView, view: StageView, today: date, zones: Mapping[str, SeasonMove], query: DrawsQuery
) -> str:
    """Return the HTML of the bracket, or rounds and tables; ``zones``: promotions and relegations."""
    if view.draw is None:
        return ""
    if view.league is not None:
        return render_sessions(view.league, division.entries, division.division)
    if is_round_based(view.stage):
        rounds = _rounds_context(division, view, view.draw, today, query)
        mark_zones(rounds["tables"], zones)
        return _render("site/_rounds.html", rounds)
    pages = player_urls_by_entry(division.entries)
    bracket = bracket_context(view.draw, stage_title(division, view), player_urls=pages)
    return _render("shared/_bracket.html", {"bracket": bracket})


def editions_context(division: DivisionView, view: StageView) -> Context | None:
    """Return the tables of a stage under each edition of the tie-break rules; None if it has no tables."""
    if view.draw is None or not view.draw.rounds or not is_round_based(view.stage):
        return None
    return {
        "key": view.stage.pk,
        "title": stage_title(division, view),
        "tables": edition_contexts(view.draw, division.entries),
    }


def rules_context(division: DivisionView, view: StageView) -> Context:
    """Return the template context of the rules of a stage as text."""
    stage = view.stage
    is_money_play = is_money(stage)
    return {
        "key": stage.pk,
        "title": _name_in_division(division, view),
        "system": str(stage.get_system_display()),
        "lengths": [] if is_money_play else round_lengths(view, expected_entries(division, view)),
        "lines": rules_in_force(stage),
        "conditions": [
            *_rating_limit_rows(division, view),
            *_source_rows(division, view),
            *_condition_rows(stage),
        ],
    }


def _rating_limit_rows(division: DivisionView, view: StageView) -> list[tuple[str, str]]:
    """Return the division's rating limit as rows; empty for a stage fed by another stage."""
    return [] if view.stage.fed_by_id is not None else limit_rows(division.division)


def _condition_rows(stage: Stage) -> list[tuple[str, str]]:
    if is_money(stage):
        return []
    return (
        condition_rows(stage) if is_round_based(stage) else bracket_rows(stage.system, stage.settings.bracket)
    )


def _source_rows(division: DivisionView, view: StageView) -> list[tuple[str, str]]:
    """Return where the stage's entries come from as label and text; empty for a stage that players enter."""
    parts = feeds_among(view.stage, [other.stage for other in division.stages])
    return [(_("Participants"), participants_label(parts))] if parts else []


def stage_title(division: DivisionView, view: StageView) -> str:
    """Return the title of the stage, such as “Open · Groups”; parts that distinguish nothing are left out."""
    own_name = view.stage.name or _name_in_division(division, view)
    return " · ".join(part for part in (division.division.name, own_name) if part)


def stage_title_from_head(summary: DivisionSummary, stage: Stage) -> str:
    """Return the title of a stage whose draw is not loaded, as `stage_title` does."""
    own_name = stage.name or (str(stage) if len(summary.stages) > 1 else "")
    return " · ".join(part for part in (summary.division.name, own_name) if part)


def _name_in_division(division: DivisionView, view: StageView) -> str:
    """Return the name of the stage within its division; empty if the division has only this one."""
    return str(view.stage) if len(division.stages) > 1 else ""


def _render(template: str, context: Context) -> SafeString:
    return mark_safe(render_to_string(template, context))  # noqa: S308 (our own templates escape)


def _base_context(division: DivisionView, view: StageView) -> Context:
    """Return the context that all stages share. A finished stage that others follow is collapsed."""
    stage = view.stage
    later_stages = [
        other for other in division.stages if other.stage.position > stage.position and other.draw
    ]
    return {
        "key": stage.pk,
        "title": _name_in_division(division, view),
        "folded": stage.status == StageStatus.FINISHED and bool(later_stages),
        "drawn": view.draw is not None,
    }


def _format_context(division: DivisionView, view: StageView) -> Context:
    stage = view.stage
    return {
        "system": str(stage.get_system_display()),
        "format": format_sentence(stage),
        "lengths": round_lengths(view, expected_entries(division, view)),
        "draw_method": draw_method_label(stage),
        "policy": str(stage.get_report_policy_display()),
        "where": [*location_rows(stage), *clock_use_rows(stage)],
    }


def _rounds_overview(division: DivisionView, view: StageView) -> Context:
    """Return the overview of a stage with rounds: tables and winners. Seeds are on the page of each round."""
    pages = player_urls_by_entry(division.entries)
    winner_ids = _table_winners(view, division.entries)
    return {
        "conditions": [
            *_source_rows(division, view),
            *condition_rows(view.stage),
            *prize_rows(_division_prizes(division), view.stage),
        ],
        "tie_breaks": tie_break_contexts(view.stage),
        "tables": _standings_contexts(division, view, view.draw) if view.draw is not None else [],
        "champions": [
            {"section": "", "name": e.name, "url": pages.get(e.pk, "")}
            for e in division.entries
            if e.pk in winner_ids
        ],
    }


def _rounds_context(
    division: DivisionView, view: StageView, draw: Draw, today: date, query: DrawsQuery
) -> Context:
    """Return the context of the requested round or the last one; of all rounds if published at once."""
    rounds = round_contexts(draw, division.entries, today)
    at_once, numbers = rounds_settings(view.stage).all_at_once, [round_.number for round_ in draw.rounds]
    round_number = query.round if query.round in numbers else numbers[-1] if numbers else 0
    return {
        "choices": [] if at_once or len(numbers) < 2 else _round_choices(draw, query, round_number),
        "title": "",
        "key": view.stage.pk,
        "stage": view.stage,
        "tables": _standings_contexts(division, view, draw),
        "rounds": rounds
        if at_once
        else [round_context for round_context in rounds if round_context["number"] == round_number],
        "in_order": rounds_settings(view.stage).all_at_once,
        "play_off": play_off_context(draw),
        "crosses": crosstable_contexts(draw, division.entries),
        "schedule": planned_round_contexts(view.stage, draw, division.entries),
    }


def _round_choices(draw: Draw, query: DrawsQuery, round_number: int) -> list[Context]:
    """Return a link to each round, in order."""
    stage_query = {"stage": query.stage} if query.stage else {}
    return [
        {
            "number": round_.number,
            "name": round_name_from_code(round_.code),
            "query": urlencode({**stage_query, "round": round_.number}),
            "current": round_.number == round_number,
        }
        for round_ in draw.rounds
    ]


def _standings_contexts(division: DivisionView, view: StageView, draw: Draw) -> list[Context]:
    final = view.stage.status == StageStatus.FINISHED
    feeds, prizes = _fed_stages(division, view), _division_prizes(division)
    return standings_contexts(draw, division.entries, final=final, feeds=feeds, prizes=prizes)


def _division_prizes(division: DivisionView) -> Prizes:
    return event_prizes(division.division.event, [view.stage for view in division.stages])


def _fed_stages(division: DivisionView, view: StageView) -> Sequence[Stage]:
    """Return the stages whose entries come from this one."""
    return [other.stage for other in division.stages if sources_taken(other.stage, view.stage)]


def _table_winners(view: StageView, entries: Sequence[EntryRow]) -> Collection[int]:
    """Return ids of entries that won a table alone; withdrawn ones are left out where they get no prize."""
    settled = {entry: (place.first, place.last) for entry, place in view.places.items() if place.settled}
    ranges = places_without(settled, withdrawn_without_prize(view.stage, entries))
    return {entry for entry, (_first, last) in ranges.items() if last == 1}


def _elimination_overview(visible: VisibleEvent, division: DivisionView, view: StageView) -> Context:
    """Return the context of each section of the draw: entries still in, places and winner."""
    stage, draw = view.stage, view.draw
    settings = stage.settings.bracket
    prizes = _division_prizes(division)
    conditions = [
        *_source_rows(division, view),
        *bracket_rows(stage.system, settings),
        *prize_rows(prizes, stage),
    ]
    if draw is None:
        return {"conditions": conditions, "ladders": [], "champions": []}
    is_running = visible.event.status == EventStatus.RUNNING
    pages = player_urls_by_entry(division.entries)
    ladders: list[Context] = []
    champions, paid_parts = [], prize_parts(prizes, stage, draw)
    for section in draw.sections_sharing_places():
        places = view.places if section == MAIN else draw.places(section)
        rows = place_rows(division.entries, places)
        section_part = find_prize_part(paid_parts, section)
        prize_by_entry = (
            {e.public_id: won_prizes_label(prizes, section_part, e.pk) for e in division.entries}
            if section_part
            else {}
        )
        name = section_name(section) if len(draw.sections_sharing_places()) > 1 else ""
        ladders.append(
            {
                "code": section,
                "go_on": _advancing_texts(division, view, section, len(places)),
                "name": name,
                "still_in": remaining_groups(visible.event, draw, section, division.entries, places)
                if is_running
                else [],
                "places": [{**row, "prize": prize_by_entry.get(row["key"], "")} for row in rows],
                "prizes": any(prize_by_entry.values()),
                "prize_notes": shared_prize_notes(prizes, section_part) if section_part else [],
            }
        )
        champion = draw.champion if section == MAIN else draw.champion_of(section)
        if champion is not None:
            champions.append(
                {"section": name, "name": champion.name, "url": side_player_url(pages, champion)}
            )
    remaining_keys = {
        row["key"] for ladder in ladders for group in ladder["still_in"] for row in group["entries"]
    }
    return {
        "conditions": conditions,
        "still_in": len(remaining_keys),
        "seed": stage.draw_seed,
        "replay": replay_steps(stage, division.active_entries)
        if predates_commitments(stage) and not settings.apart
        else [],
        "ladders": ladders,
        "champions": champions,
    }


def _advancing_texts(division: DivisionView, view: StageView, section: str, count: int) -> list[str]:
    """Return which entries of a section advance to other stages, as sentences; ``count``: places in it."""
    return [
        advancement_message(stage, source, everybody=source.last >= count)
        for stage in _fed_stages(division, view)
        for source in sources_taken(stage, view.stage)
        if SECTIONS[source.section].first_ranked_section == section
    ]
