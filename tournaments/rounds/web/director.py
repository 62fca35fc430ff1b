"""Template context of the draw page of a Swiss or round robin.

It has the preview of the next round, requests, deadlines, play-offs, tables and the check of the pairings.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import Invalid
from people.messages import describe_all
from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.pairing.checker import BrokenCriterion, Criterion
from tournaments.engine.stages.feeding import FeedPart
from tournaments.engine.stages.swiss import REST_POINTS, AvoidancePolicy
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import EVENT_UPCOMING, OVER, EventStatus, MatchStatus, StageStatus
from tournaments.engine.types import EntryId, ResultKind
from tournaments.models import Event, Stage
from tournaments.selectors.arranged import (
    drawn_groups,
    pairs_apart,
    planned_deadlines,
    play_off_points,
    requested_rests,
)
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow, entries_by_division
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.prizes import Prizes
from tournaments.selectors.rounds.deadlines import overdue_matches
from tournaments.selectors.rounds.next import (
    NextRound,
    broken_pairing_criteria,
    can_draw_round,
    can_pair_round,
    entries_with_lives,
    is_drawn_at_random,
    next_round,
    open_match_count,
    planned_rounds,
    rounds_left,
)
from tournaments.selectors.rounds.play_offs import playable_ties
from tournaments.selectors.standings.sources import sources_taken, stages_fed_by
from tournaments.selectors.standings.tables import is_swiss, rounds_settings, standings_tables, unbroken_ties
from tournaments.shared.fragments.cards import Context, url_builder
from tournaments.shared.fragments.options import render_options
from tournaments.shared.fragments.rounds import (
    crosstable_contexts,
    group_contexts,
    planned_round_contexts,
    play_off_context,
    round_contexts,
)
from tournaments.shared.fragments.standings import condition_rows, standings_contexts, value_label
from tournaments.shared.words.names import (
    date_label,
    half_points_label,
    round_name_from_code,
    separation_label,
)
from tournaments.shared.words.prizes import prize_rows

_CRITERION_LABELS = {
    Criterion.ENTRY_TWICE: gettext_lazy("A player is in the round twice"),
    Criterion.FORBIDDEN: gettext_lazy("Players who must not meet were paired"),
    Criterion.REMATCH: gettext_lazy("Avoidable rematch"),
    Criterion.BYE_AGAIN: gettext_lazy("Avoidable second bye"),
    Criterion.BYE_POINTS: gettext_lazy("The bye went to a player with too many points"),
    Criterion.SCORE_GAP: gettext_lazy("Scores could have been closer"),
    Criterion.FLOATS: gettext_lazy("The same players were paired with unequal scores again"),
    Criterion.PREFERENCES: gettext_lazy(
        "Players who should be kept apart were paired, although it was avoidable"
    ),
}
# Longer tables are cut beside the rounds; the public page and the printout have all places.
MAX_PLACES_AT_ONCE = 128
FIRST_PLACES = 100
MAX_TIED_ENTRIES = 16  # larger groups cannot start a play-off


def rounds_context(event: Event, stage: Stage, draw: Draw, prizes: Prizes, *, check_pairing: bool) -> Context:
    """Return the context of ``draws/_rounds.html`` for ``stage``.

    ``prizes``: those of the division; ``check_pairing``: True also lists what the published pairings violate.
    """
    entries = tuple(entries_by_division([stage.division_id])[stage.division_id])
    names = {entry.pk: entry.name for entry in entries}
    settings = rounds_settings(stage)
    open_count = open_match_count(draw)
    is_running = event.status == EventStatus.RUNNING
    is_final = stage.status == StageStatus.FINISHED
    can_start = event.status in EVENT_UPCOMING and not draw.rounds
    has_rounds_left = rounds_left(stage, draw) > 0
    is_pending = has_rounds_left and not is_final and (is_running or can_start)
    preview, faults = _preview_and_faults(stage, draw, entries) if is_pending else (None, [])
    today = event_today(event)
    return {
        "next_number": len(draw.rounds) + 1,
        "published": len(draw.rounds),
        "all_rounds": planned_rounds(stage, sum(not entry.withdrawn for entry in entries)),
        "lives": settings.lives,
        "alive": len(entries_with_lives(stage, draw)) if settings.lives and draw.rounds else len(entries),
        "at_once": settings.all_at_once,
        "conditions": [*condition_rows(stage), *prize_rows(prizes, stage)],
        "left": open_count,
        "is_swiss": is_swiss(stage),
        "can_pair": is_pending and can_draw_round(stage, draw),
        "can_discard": is_pending and bool(stage.next_seed) and is_drawn_at_random(stage, draw),
        "groups": group_contexts(stage, entries),
        "schedule": planned_round_contexts(stage, draw, entries),
        "can_take_back": is_running and _can_unpublish(stage, draw),
        "can_end": is_running and bool(draw.rounds) and not open_count and has_rounds_left and not is_final,
        "preview": preview,
        "trouble": faults,
        "warnings": [] if is_final else _warnings(stage, entries),
        "to_come": is_pending,
        "overdue": _overdue_matches(draw, event) if is_running else [],
        "deadlines": [] if is_swiss(stage) or is_final else _deadline_fields(stage, draw),
        **(_requests_context(stage, entries) if is_pending and is_swiss(stage) else {}),
        "play_off": play_off_context(draw),
        **_play_offs_context(draw, names, is_final=is_final, is_running=is_running),
        "tables": standings_contexts(
            draw,
            entries,
            final=is_final,
            feeds=stages_fed_by(stage),
            prizes=prizes,
            max_rows=FIRST_PLACES if len(entries) > MAX_PLACES_AT_ONCE else None,
        )
        if draw.rounds
        else [],
        "crosses": crosstable_contexts(draw, entries),
        "rounds": round_contexts(draw, entries, today),
        "checked": _broken_criterion_contexts(broken_pairing_criteria(stage, draw), names)
        if check_pairing and draw.rounds
        else None,
    }


def _can_unpublish(stage: Stage, draw: Draw) -> bool:
    """Return whether the rounds published last can be unpublished: none of their matches has begun."""
    last_rounds = draw.rounds if rounds_settings(stage).all_at_once else draw.rounds[-1:]
    return bool(last_rounds) and all(
        match.status is MatchStatus.READY or match.result_kind == ResultKind.BYE
        for round_ in last_rounds
        for match in round_.matches
    )


def _preview_and_faults(
    stage: Stage, draw: Draw, entries: tuple[EntryRow, ...]
) -> tuple[Context | None, list[str]]:
    """Return the preview of the next round and an empty list, or else None and the reasons why not.

    While no round is to be paired, both are empty.
    """
    if not can_pair_round(stage, draw):
        return None, []
    try:
        upcoming = next_round(stage, draw)
    except Invalid as error:
        return None, describe_all(error)
    return (_preview_context(upcoming, entries) if upcoming is not None else None), []


def _warnings(stage: Stage, entries: tuple[EntryRow, ...]) -> list[str]:
    """Return messages about later stages that take all entries of the table, or more than the table has."""
    active = {entry.pk for entry in entries if not entry.withdrawn}
    count = rounds_settings(stage).group_count
    # Sizes of groups that are not drawn yet differ by at most one.
    sizes = [sum(pk in active for pk in group) for group in drawn_groups(stage)] or [len(active) // count]
    smallest = min(sizes)
    messages = []
    feeds = [
        (later_stage, source)
        for later_stage in stages_fed_by(stage)
        for source in sources_taken(later_stage, stage)
        if source.taken is FeedPart.PLACES and source.first == 1
    ]
    for feed, source in feeds if smallest >= MIN_ENTRIES else ():
        params = {"stage": str(feed), "takes": source.last, "size": smallest}
        if source.last > smallest and count > 1:
            message = _(
                "%(stage)s needs %(takes)s from each group, but the smallest group has only %(size)s."
            )
        elif source.last > smallest:
            message = _("%(stage)s needs the first %(takes)s, but there are only %(size)s.")
        elif source.last == smallest and count > 1:
            message = _("The smallest group has %(size)s entries, and all of them advance: %(stage)s.")
        elif source.last == smallest:
            message = _("There are %(size)s entries, and all of them advance: %(stage)s.")
        else:
            continue
        messages.append(message % params)
    return messages


def _preview_context(upcoming: NextRound, entries: tuple[EntryRow, ...]) -> Context:
    names = {entry.pk: entry.name for entry in entries}
    seated_ids = {entry for pair in upcoming.pairs for entry in pair} | {upcoming.bye}

    def player(entry: EntryId) -> Context:
        points = upcoming.points.get(entry) if upcoming.number > 1 else None
        return {"name": names[entry], "points": None if points is None else value_label("points", points)}

    return {
        "number": upcoming.number,
        "length": upcoming.length,
        "seed": upcoming.seed,
        "version": upcoming.version,
        "pairs": [
            {"a": player(a), "b": player(b), "met": (a, b) in upcoming.rematches} for a, b in upcoming.pairs
        ],
        "bye": player(upcoming.bye) if upcoming.bye is not None else None,
        "rests": [
            f"{names[entry]} ({half_points_label(points)})" for entry, points in upcoming.rests.items()
        ],
        "rematches": len(upcoming.rematches),
        "seats": _two_entry_choices([entry for entry in entries if entry.pk in seated_ids]),
        "swaps": [f"{names[a]} ↔ {names[b]}" for a, b in upcoming.swaps],
        "broken": _broken_criterion_contexts(upcoming.broken, names),
    }


def _two_entry_choices(entries: Sequence[EntryRow]) -> Context:
    """Return the options of two select fields with the same entries, for choosing a pair."""
    rows = [(entry.public_id, entry.name) for entry in entries]
    return {"count": len(rows), "first": render_options(rows), "second": render_options(rows, chosen=1)}


def _requests_context(stage: Stage, entries: tuple[EntryRow, ...]) -> Context:
    """Return the template context of the entries that sit out the next round, and of the pairs to avoid."""
    rests = requested_rests(stage)
    entry_by_id = {entry.pk: entry for entry in entries}
    active = [entry for entry in entries if not entry.withdrawn]
    return {
        "sitting_out": [
            {
                "public_id": entry.public_id,
                "name": entry.name,
                "words": half_points_label(rests[EntryId(entry.pk)]),
            }
            for entry in active
            if entry.pk in rests
        ],
        "may_sit_out": render_options(
            (entry.public_id, entry.name) for entry in active if entry.pk not in rests
        ),
        "rest_choices": [(points, half_points_label(points)) for points in reversed(REST_POINTS)],
        "active": _two_entry_choices(active),
        "apart": [
            {
                "names": f"{entry_by_id[a].name} – {entry_by_id[b].name}",
                "words": separation_label(strictness),
                "first": entry_by_id[a].public_id,
                "second": entry_by_id[b].public_id,
            }
            for (a, b), strictness in pairs_apart(stage).items()
            if a in entry_by_id and b in entry_by_id
        ],
        "strictness_choices": [
            (strictness.value, separation_label(strictness))
            for strictness in (AvoidancePolicy.AVOID, AvoidancePolicy.NEVER)
        ],
    }


def _overdue_matches(draw: Draw, event: Event) -> list[Context]:
    match_url = url_builder("public:match")
    return [
        {
            "public_id": overdue.match.public_id,
            "url": match_url(overdue.match.public_id),
            "a": overdue.match.sides[0].name,
            "b": overdue.match.sides[1].name,
            "round": round_name_from_code(overdue.match.round_code),
            "deadline": date_label(overdue.deadline),
        }
        for overdue in overdue_matches(draw, event_today(event))
    ]


def _deadline_fields(stage: Stage, draw: Draw) -> list[Context]:
    """Return a deadline field for every round.

    Empty before the draw, while the number of rounds is unknown.
    """
    if not draw.rounds and not drawn_groups(stage):
        return []
    rounds = rounds_settings(stage).rounds
    planned = planned_deadlines(stage) if len(draw.rounds) < rounds else {}
    deadline_by_round: dict[int, Any] = {
        **planned,
        **{round_.number: round_.deadline for round_ in draw.rounds},
    }
    return [
        {
            "number": number,
            "name": round_name_from_code(f"round_{number}"),
            "value": deadline_by_round[number].isoformat() if deadline_by_round.get(number) else "",
        }
        for number in range(1, rounds + 1)
    ]


def _play_offs_context(draw: Draw, names: dict[int, str], *, is_final: bool, is_running: bool) -> Context:
    """Return the template context of play-offs.

    After the stage: tied groups that can play, and those whose order can be recorded. Before: whether the
    running play-off can be cancelled.
    """
    if not is_final:
        begun_matches = [
            m
            for round_ in draw.play_offs
            for m in round_.matches
            if m.status not in {*OVER, MatchStatus.READY}
        ]
        can_cancel = is_running and bool(draw.play_offs) and not begun_matches
        return {"can_take_back_play_off": can_cancel}
    recorded_points = play_off_points(draw.stage)
    places = {
        row.entry: Place(row.first, row.last, settled=True) for t in standings_tables(draw) for row in t.rows
    }
    to_play = [
        {"entries": tied, "place": str(places[tied[0]]), "names": ", ".join(names[entry] for entry in tied)}
        for tied in playable_ties(draw)
    ]
    groups = [
        {
            "number": number,
            "seats": sorted(tied, key=lambda entry: -recorded_points.get(entry, 0)),
            "choices": [(entry, names[entry]) for entry in tied],
        }
        for number, tied in enumerate(unbroken_ties(draw), start=1)
        if len(tied) <= MAX_TIED_ENTRIES
    ]
    return {"play_offs": groups, "to_play_off": to_play, "play_off_recorded": bool(recorded_points)}


def _broken_criterion_contexts(broken: tuple[BrokenCriterion, ...], names: dict[int, str]) -> list[Context]:
    return [
        {
            "round": finding.round,
            "words": str(_CRITERION_LABELS[finding.criterion]),
            "names": ", ".join(names[EntryId(entry)] for entry in finding.entries),
        }
        for finding in broken
    ]
