"""The draw page of a Swiss or round robin: the next round before it is published, who sits it out, the table, the check."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.errors import Invalid, Missing
from people.messages import describe_all
from people.web.access import actor_of
from tournaments.engine.lifecycle import EventStatus, MatchStatus, StageStatus
from tournaments.engine.pairing.checker import Broken, Criterion
from tournaments.engine.pairing.settings import REST_POINTS
from tournaments.engine.types import EntryId, ResultKind
from tournaments.models import Entry, Event, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow, entries_of
from tournaments.selectors.pairings import (
    asked_rests,
    check_of,
    may_pair,
    next_round,
    open_matches,
    rounds_left,
)
from tournaments.selectors.standings import is_swiss, settings_of
from tournaments.services.common import engine_refusals
from tournaments.services.rounds import (
    discard_pairing,
    end_stage,
    publish_round,
    sit_out,
    take_back_round,
)
from tournaments.web.cards import Shape
from tournaments.web.labels import rest_words
from tournaments.web.standings import (
    conditions,
    crosstable_shape,
    rounds_shape,
    schedule_shape,
    standings_shape,
)

_CRITERIA = {
    Criterion.ENTRY_TWICE: gettext_lazy("Somebody stands in the round twice"),
    Criterion.FORBIDDEN: gettext_lazy("Players met who must not meet"),
    Criterion.REMATCH: gettext_lazy("Players met again though it could be helped"),
    Criterion.BYE_AGAIN: gettext_lazy("A second bye though it could be helped"),
    Criterion.BYE_POINTS: gettext_lazy("The bye went to somebody with too many points"),
    Criterion.SCORE_GAP: gettext_lazy("Scores could have been more equal"),
    Criterion.FLOATS: gettext_lazy("The same players met unequal scores again"),
    Criterion.PREFERENCES: gettext_lazy("Players of one club met though it could be helped"),
}


def rounds_part(event: Event, stage: Stage, draw: Draw, *, check: bool) -> Shape:
    """Everything that ``director/_rounds.html`` shows of ``stage``."""
    entries = tuple(entries_of([stage.division_id])[stage.division_id])
    names = {entry.pk: entry.name for entry in entries}
    settings = settings_of(stage)
    left = open_matches(draw)
    running = event.status == EventStatus.RUNNING
    begun = any(
        match.status is not MatchStatus.READY and match.result_kind != ResultKind.BYE
        for match in (draw.rounds[-1].matches if draw.rounds else ())
    )
    may_start = event.status in {EventStatus.DRAFT, EventStatus.OPEN} and not draw.rounds
    to_come = rounds_left(stage, draw) > 0 and stage.status != StageStatus.FINISHED and (running or may_start)
    preview, trouble = _preview(stage, draw, names) if to_come else (None, [])
    return {
        "next_number": len(draw.rounds) + 1,
        "published": len(draw.rounds),
        "all_rounds": settings.rounds,
        "conditions": conditions(stage),
        "left": left,
        "is_swiss": is_swiss(stage),
        "can_pair": to_come and may_pair(stage, draw) and (is_swiss(stage) or not draw.rounds),
        "can_discard": to_come and "seed" in stage.next_round and (is_swiss(stage) or not draw.rounds),
        "schedule": schedule_shape(stage, draw, entries),
        "cross": crosstable_shape(draw, entries),
        "can_take_back": running and bool(draw.rounds) and not begun,
        "can_end": running and bool(draw.rounds) and not left and rounds_left(stage, draw) > 0,
        "preview": preview,
        "trouble": trouble,
        "to_come": to_come,
        "sitting_out": _sitting_out(stage, entries),
        "may_sit_out": [
            entry for entry in entries if not entry.withdrawn and entry.pk not in asked_rests(stage)
        ],
        "rest_choices": [(points, rest_words(points)) for points in reversed(REST_POINTS)],
        "standings": standings_shape(draw, entries, final=stage.status == StageStatus.FINISHED)
        if draw.rounds
        else None,
        "rounds": rounds_shape(draw, entries),
        "checked": _findings(check_of(stage, draw), names) if check and draw.rounds else None,
    }


def _preview(stage: Stage, draw: Draw, names: dict[int, str]) -> tuple[Shape | None, list[str]]:
    """The next round by names, or why it cannot be paired as things are."""
    if not may_pair(stage, draw):
        return None, []
    try:
        with engine_refusals():
            found = next_round(stage, draw)
    except Invalid as refused:
        return None, describe_all(refused)
    if found is None:
        return None, []
    return {
        "number": found.number,
        "length": found.length,
        "seed": found.seed,
        "seen": found.seen,
        "pairs": [(names[a], names[b]) for a, b in found.pairs],
        "bye": names[found.bye] if found.bye is not None else "",
        "rematches": found.rematches,
    }, []


def _sitting_out(stage: Stage, entries: tuple[EntryRow, ...]) -> list[Shape]:
    asked = asked_rests(stage)
    return [
        {"public_id": entry.public_id, "name": entry.name, "words": rest_words(asked[entry.pk])}
        for entry in entries
        if entry.pk in asked and not entry.withdrawn
    ]


def _findings(broken: tuple[Broken, ...], names: dict[int, str]) -> list[Shape]:
    return [
        {
            "round": finding.round,
            "words": str(_CRITERIA[finding.criterion]),
            "names": ", ".join(names[EntryId(entry)] for entry in finding.entries),
        }
        for finding in broken
    ]


def publish(request: HttpRequest, event: Event, stage: Stage) -> str:
    made = publish_round(
        actor=actor_of(request), event_id=event.pk, stage_id=stage.pk, seen=request.POST.get("seen", "")
    )
    return _("Round %(number)s is published. Good luck to all!") % {"number": made.number}


def discard(request: HttpRequest, event: Event, stage: Stage) -> str:
    discard_pairing(actor=actor_of(request), event_id=event.pk, stage_id=stage.pk)
    return _("The pairing is thrown away.")


def take_back(request: HttpRequest, event: Event, stage: Stage) -> str:
    take_back_round(actor=actor_of(request), event_id=event.pk, stage_id=stage.pk)
    return _("The round is taken back. Nobody but you sees it now.")


def end(request: HttpRequest, event: Event, stage: Stage) -> str:
    end_stage(actor=actor_of(request), event_id=event.pk, stage_id=stage.pk)
    return _("That was the last round. The table is final.")


def sit(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Somebody sits out the next round, or plays it after all."""
    entry = Entry.objects.filter(
        division_id=stage.division_id, public_id=request.POST.get("entry", "").replace("\0", "")
    ).first()
    if entry is None:
        raise Missing("entry.unknown")
    said = request.POST.get("points", "")
    # Nonsense becomes points that no round is worth, so that the service says which ones there are.
    points = None if said == "plays" else int(said) if said in {str(p) for p in REST_POINTS} else -1
    sit_out(actor=actor_of(request), event_id=event.pk, stage_id=stage.pk, entry_id=entry.pk, points=points)
    if points is None:
        return _("%(name)s plays the next round.") % {"name": entry.name}
    return _("%(name)s sits out the next round.") % {"name": entry.name}


DEEDS: dict[str, Callable[[HttpRequest, Event, Stage], Any]] = {
    "publish": publish,
    "discard": discard,
    "take-back": take_back,
    "end": end,
    "sit-out": sit,
}
