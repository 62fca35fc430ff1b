"""Choice of the director's next step, which the event's overview displays."""

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.models import Event, Stage
from tournaments.selectors.events.counts import EventCounts
from tournaments.selectors.events.director import active_entry_count, first_stage, unfinished_stage_ids
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.next import has_round_to_come
from tournaments.selectors.standings.feeds import is_feed_resolved
from tournaments.selectors.standings.tables import is_swiss
from tournaments.shared.frames.director import has_season_page
from tournaments.shared.frames.divisions import division_page_url, stage_name


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: title and reason to display, address, and label of the button."""

    title: str
    text: str
    url: str
    button: str


def next_step(event: Event, stages: list[Stage], counts: EventCounts) -> Step:
    """Return the step that brings the event forward, such as entries, draw or publication."""
    stage = first_stage(stages)
    url_args = [event.public_id]
    if event.status == EventStatus.CANCELLED:
        return Step(
            _("This event is cancelled"),
            _("You can restore it with all of its data."),
            reverse("director:restore", args=url_args),
            _("Restore event"),
        )
    if event.status == EventStatus.FINISHED and has_season_page(event, stages):
        return Step(
            _("The season is over"),
            _("Check promotion and relegation, then create the next season."),
            reverse("director:season", args=url_args),
            _("Go to the season"),
        )
    if event.status == EventStatus.FINISHED:
        return Step(
            _("The event has finished"),
            _("All results are in. A wrong one can still be corrected."),
            reverse("public:event", args=url_args),
            _("View final places"),
        )
    if stage is not None and is_money(stage) and counts.entries >= MIN_ENTRIES:
        return _money_step(event, stage)
    if event.status == EventStatus.RUNNING:
        return _step_while_running(event, stages, counts)
    drawn_stage = next((s for s in stages if s.status == StageStatus.DRAWN), None)
    if drawn_stage is not None:
        return _publish_step(event, drawn_stage, stages)
    if counts.entries < MIN_ENTRIES <= counts.entries + counts.expected:
        return Step(
            _("Approve entries"),
            ngettext(
                "%(count)s entry is pending approval.",
                "%(count)s entries are pending approval.",
                counts.expected,
            )
            % {"count": counts.expected}
            + " "
            + _("Approved players take part. Checking a player in also approves the entry."),
            reverse("director:expected", args=url_args),
            _("Pending approval"),
        )
    if counts.entries < MIN_ENTRIES:
        return Step(
            _("Add entries"),
            _("Type names, paste a list, or share a link for players to enter themselves."),
            reverse("director:entries", args=url_args),
            _("Add entries"),
        )
    in_pairs = stage is not None and is_swiss(stage)
    return Step(
        _("Pair round %(number)s") % {"number": 1} if in_pairs else _("Make the draw"),
        ngettext("%(count)s entry so far.", "%(count)s entries so far.", counts.entries)
        % {"count": counts.entries}
        + " "
        + (
            _("Check-in shows who is here, and a draw warns you about players who are not.")
            if counts.has_check_in
            else _("Is everyone here? Then make the draw. You can review it and redraw before you publish.")
        ),
        reverse("director:draw", args=url_args),
        _("Go to rounds") if in_pairs else _("Go to draw"),
    )


def _money_step(event: Event, stage: Stage) -> Step:
    """Return the step of a points league, which has no draw: start it, then record sessions."""
    url = reverse("director:money", args=[event.public_id])
    if stage.status == StageStatus.SETUP:
        return Step(
            _("Start league"),
            _("Check what has been agreed. Players can still join later."),
            url,
            _("Review and start"),
        )
    return Step(
        _("Record a session"),
        _("Record what each player won and lost. The table updates automatically."),
        url,
        _("Go to points"),
    )


def _step_while_running(event: Event, stages: list[Stage], counts: EventCounts) -> Step:
    """Return the step of a running event: draw, pair or publish in any division, or follow the matches.

    While matches are in play, decisions that wait go first (`hall.web.attention`).
    """
    unfinished_ids = unfinished_stage_ids(event)
    drawn_stage = next((stage for stage in stages if stage.status == StageStatus.DRAWN), None)
    if drawn_stage is not None:
        return _publish_step(event, drawn_stage, stages)
    if not (counts.urgent and unfinished_ids):
        for step in filter(None, (_stage_step(event, stage, stages, unfinished_ids) for stage in stages)):
            return step
        if not unfinished_ids and any(
            stage.status == StageStatus.SETUP and not is_money(stage) for stage in stages
        ):
            return Step(
                _("Draw the next stage"),
                _(
                    "Everything drawn so far has been played, and one stage of the event has not been drawn yet."
                ),
                reverse("director:draw", args=[event.public_id]),
                _("Go to draw"),
            )
    return Step(
        _("Follow the matches"),
        _("Call matches to the tables, record results and send in the next players."),
        reverse("director:board", args=[event.public_id]),
        _("Go to matches"),
    )


def _stage_step(
    event: Event, stage: Stage, stages: list[Stage], unfinished_ids: Collection[int]
) -> Step | None:
    """Return the director's next step in a stage without unfinished matches; None if there is none."""
    if stage.pk in unfinished_ids or is_money(stage):
        return None
    if stage.status == StageStatus.SETUP:
        return _draw_step(event, stage, stages)
    if not has_round_to_come(stage):
        return None
    url = _draws_url(event, stage, stages)
    if is_swiss(stage) and stage.next_seed:
        return Step(
            _stage_step_title(_("Publish the next round"), stage, stages),
            _("The round is paired. Review it: once it is published, everyone can see it."),
            url,
            _("Review and publish"),
        )
    return Step(
        _stage_step_title(
            _("Pair the next round") if is_swiss(stage) else _("Publish the next round"), stage, stages
        ),
        _("All matches of this round are finished. Entries can still be added or withdrawn.")
        if is_swiss(stage)
        else _("All matches of this round are finished."),
        url,
        _("Go to rounds"),
    )


def _draw_step(event: Event, stage: Stage, stages: list[Stage]) -> Step | None:
    """Return the step to draw a stage; None if earlier stages are unfinished or it has too few entries."""
    if not is_feed_resolved(stage):
        return None
    if stage.fed_by_id is None and active_entry_count(stage.division) < MIN_ENTRIES:
        return None
    in_pairs = is_swiss(stage)
    return Step(
        _stage_step_title(
            _("Pair round %(number)s") % {"number": 1} if in_pairs else _("Make the draw"), stage, stages
        ),
        _("This has not been drawn yet. You can draw it while the others play."),
        _draws_url(event, stage, stages),
        _("Go to rounds") if in_pairs else _("Go to draw"),
    )


def _publish_step(event: Event, stage: Stage, stages: list[Stage]) -> Step:
    return Step(
        _stage_step_title(_("Publish the draw"), stage, stages),
        _("Review it first: once it is published, everyone can see it.")
        if stage.by_arrangement
        else _("Review it first: once it is published, everyone can see it and tables are assigned."),
        _draws_url(event, stage, stages),
        _("Review and publish"),
    )


def _stage_step_title(title: str, stage: Stage, stages: list[Stage]) -> str:
    """Return the title, with the stage's name if there are several: “Make the draw: Intermediate”."""
    name = stage_name(stage, stages) if len(stages) > 1 else ""
    return f"{title}: {name}" if name else title


def _draws_url(event: Event, stage: Stage, stages: list[Stage]) -> str:
    """Return the address of the page of draws, opened at the stage's division."""
    has_others = any(other.division_id != stage.division_id for other in stages)
    return division_page_url(event, "draw", stage.division_id if has_others else None)
