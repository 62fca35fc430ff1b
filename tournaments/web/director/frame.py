"""The frame of every page about an event: head, tabs with their counts, and the one thing to do next."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.errors import Conflict, CrawfordError
from people.web.access import refused
from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.lifecycle import EventStatus, StageStatus
from tournaments.models import Event, Match, Stage
from tournaments.models.choices import EVENT_STATUS, MATCH_STATUS, STAGE_STATUS
from tournaments.selectors.director import EventCounts, event_counts, stage_to_enter, stages_of
from tournaments.selectors.money import is_money
from tournaments.selectors.pairings import round_to_come
from tournaments.selectors.seasons import is_league
from tournaments.selectors.standings import is_swiss
from tournaments.web.labels import when_words

INVALID = 422
_STATUS_WORDS = {**dict(MATCH_STATUS), **dict(EVENT_STATUS), **dict(STAGE_STATUS)}


@dataclass(frozen=True, slots=True)
class Step:
    """The next thing to do: where it is, what the button says, why."""

    title: str
    text: str
    url: str
    button: str


def lengths_words(lengths: Sequence[int]) -> str:
    """“5, 5, 7, 9”, as the director gave them: the last one is the final's."""
    return ", ".join(str(length) for length in lengths)


def new_key() -> str:
    """A fresh submission key: the same form sent twice is one report."""
    return uuid.uuid4().hex


def show(
    request: HttpRequest,
    template: str,
    event: Event,
    tab: str,
    context: Mapping[str, Any] | None = None,
    *,
    stages: list[Stage] | None = None,
    counts: EventCounts | None = None,
    status: int = 200,
) -> HttpResponse:
    """``template`` inside the frame of ``event``."""
    stages = stages if stages is not None else stages_of(event)
    counts = counts if counts is not None else event_counts(event)
    frame = {
        "event": event,
        "club": event.club,
        "when": when_words(event),
        "tab": tab,
        "counts": counts,
        "stage": stage_to_enter(stages),
        "stages": stages,
        "has_points": any(is_money(one) for one in stages),
        "has_matches": not all(is_money(one) for one in stages),
        "is_league": _is_season(event, stages),
    }
    return render(request, template, {**frame, **(context or {})}, status=status)


def next_step(event: Event, stages: list[Stage], counts: EventCounts) -> Step:
    """What brings the event forward: entries, draw, publish, watch."""
    stage = stage_to_enter(stages)
    where = [event.public_id]
    if event.status == EventStatus.CANCELLED:
        return Step(
            _("This event is called off"),
            _("It can be restored with everything that was in it."),
            reverse("director:restore", args=where),
            _("Restore the event"),
        )
    if event.status == EventStatus.FINISHED and _is_season(event, stages):
        return Step(
            _("The season is over"),
            _("Look at who goes up and who goes down, then make the next season."),
            reverse("director:season", args=where),
            _("Go to the season"),
        )
    if event.status == EventStatus.FINISHED:
        return Step(
            _("The event is over"),
            _("All results are in. A wrong one can still be corrected."),
            reverse("public:event", args=where),
            _("See the final places"),
        )
    if stage is not None and is_money(stage) and counts.entries >= MIN_ENTRIES:
        return _money_step(event, stage)
    if any(one.status == StageStatus.DRAWN for one in stages):
        return Step(
            _("Publish the draw"),
            _("Look at it once more. When it is published everybody sees it and tables are given."),
            reverse("director:draw", args=where),
            _("Look and publish"),
        )
    if event.status == EventStatus.RUNNING:
        idle = stages if counts.to_play == 0 else []
        coming = next((one for one in idle if round_to_come(one)), None)
        if coming is not None and is_swiss(coming) and coming.next_round.get("seed"):
            return Step(
                _("Publish the next round"),
                _("It is paired. Look at it once more; when it is published everybody sees it."),
                reverse("director:draw", args=where),
                _("Look and publish"),
            )
        if coming is not None:
            return Step(
                _("Pair the next round") if is_swiss(coming) else _("Publish the next round"),
                _("Every match of this round is over. Entries may still come and go.")
                if is_swiss(coming)
                else _("Every match of this round is over."),
                reverse("director:draw", args=where),
                _("Go to the rounds"),
            )
        if any(one.status == StageStatus.SETUP and not is_money(one) for one in idle):
            return Step(
                _("Draw what comes next"),
                _("Everything that was drawn is played, and a stage of the event is not drawn yet."),
                reverse("director:draw", args=where),
                _("Go to the draw"),
            )
        return _step_while_running(event, counts)
    if counts.entries < MIN_ENTRIES:
        return Step(
            _("Add entries"),
            _("Type names, paste a list, or let players enter themselves by a link."),
            reverse("director:entries", args=where),
            _("Add entries"),
        )
    in_pairs = stage is not None and is_swiss(stage)
    return Step(
        _("Pair round %(number)s") % {"number": 1} if in_pairs else _("Make the draw"),
        ngettext("%(count)s entry so far.", "%(count)s entries so far.", counts.entries)
        % {"count": counts.entries}
        + " "
        + _("Everybody here? Then draw. You can look at it and draw again before you publish."),
        reverse("director:draw", args=where),
        _("Go to the rounds") if in_pairs else _("Go to the draw"),
    )


def _is_season(event: Event, stages: list[Stage]) -> bool:
    """A league has a page for its seasons; a round robin of a single day needs none."""
    return is_league(stages) and (event.starts_on < event.ends_on or event.follows_id is not None)


def _money_step(event: Event, stage: Stage) -> Step:
    """A points league has no draw: it is started, and then its sessions are recorded."""
    url = reverse("director:money", args=[event.public_id])
    if stage.status == StageStatus.SETUP:
        return Step(
            _("Start the league"),
            _("Look once more at what is agreed. Players may still join later."),
            url,
            _("Look and start"),
        )
    return Step(
        _("Record a session"),
        _("Write down what everybody won and lost; the table follows by itself."),
        url,
        _("Go to the points"),
    )


def _step_while_running(event: Event, counts: EventCounts) -> Step:
    url = reverse("director:board", args=[event.public_id])
    if counts.urgent:
        return Step(
            _("Decide what is disputed"),
            _("Players have said different things, or somebody objects to a result."),
            url,
            _("Go to the matches"),
        )
    if counts.reported:
        return Step(
            _("Results wait to be confirmed"),
            _("The other side has not answered yet. You can confirm for them."),
            url,
            _("Go to the matches"),
        )
    return Step(
        _("Watch the matches"),
        _("Call them to the tables, record results, send players on."),
        url,
        _("Go to the matches"),
    )


def not_done(
    request: HttpRequest, error: CrawfordError, *, back: str, match: Match | None = None
) -> HttpResponse:
    """A refused action on an event: the reason in words and the state as it is now."""
    present = dict(error.present) if isinstance(error, Conflict) else {}
    now = present.get("status", "")
    if match is not None:
        match.refresh_from_db()
        now = match.status
    return refused(
        request,
        error,
        back=back,
        template="director/refused.html",
        now=_STATUS_WORDS.get(str(now), ""),
        match=match,
    )


def absolute(request: HttpRequest, path: str) -> str:
    """``path`` as an address that works outside: on paper, in a mail, on another phone."""
    site: str = settings.SITE_URL
    return f"{site}{path}" if site else request.build_absolute_uri(path)
