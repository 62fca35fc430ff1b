"""The one thing to do next with an event, as its overview names it; of several divisions, the one that waits."""

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.models import Event, Stage
from tournaments.selectors.events.counts import EventCounts
from tournaments.selectors.events.director import entered_in, stage_to_enter, stages_playing
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.next import round_to_come
from tournaments.selectors.standings.feeds import feed_is_ready
from tournaments.selectors.standings.tables import is_swiss
from tournaments.shared.frames.director import is_season
from tournaments.shared.frames.divisions import page_of_division, stage_name


@dataclass(frozen=True, slots=True)
class Step:
    """The next thing to do: where it is, what the button says, why."""

    title: str
    text: str
    url: str
    button: str


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
    if event.status == EventStatus.FINISHED and is_season(event, stages):
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
    if event.status == EventStatus.RUNNING:
        return _step_while_running(event, stages, counts)
    drawn = next((one for one in stages if one.status == StageStatus.DRAWN), None)
    if drawn is not None:
        return _publish(event, drawn, stages)
    if counts.entries < MIN_ENTRIES <= counts.entries + counts.expected:
        return Step(
            _("Approve who is there"),
            ngettext("%(count)s is expected.", "%(count)s are expected.", counts.expected)
            % {"count": counts.expected}
            + " "
            + _("Whoever you approve takes part; a check-in approves by marking them as here."),
            reverse("director:expected", args=where),
            _("Who is expected"),
        )
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
        + (
            _("Check-in says who is here, and a draw warns you of everybody who is not.")
            if counts.checks_in
            else _("Everybody here? Then draw. You can look at it and draw again before you publish.")
        ),
        reverse("director:draw", args=where),
        _("Go to the rounds") if in_pairs else _("Go to the draw"),
    )


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


def _step_while_running(event: Event, stages: list[Stage], counts: EventCounts) -> Step:
    """What can be drawn, paired or published, of any division; while others play, what is disputed goes first."""
    playing = stages_playing(event)
    urgent = counts.urgent or counts.reported
    drawn = next((one for one in stages if one.status == StageStatus.DRAWN), None)
    if drawn is not None:
        return _publish(event, drawn, stages)
    if not (urgent and playing):
        for step in filter(None, (_brings_forward(event, one, stages, playing) for one in stages)):
            return step
        if not playing and any(one.status == StageStatus.SETUP and not is_money(one) for one in stages):
            return Step(
                _("Draw what comes next"),
                _("Everything that was drawn is played, and a stage of the event is not drawn yet."),
                reverse("director:draw", args=[event.public_id]),
                _("Go to the draw"),
            )
    return _at_the_board(event, counts)


def _brings_forward(event: Event, stage: Stage, stages: list[Stage], playing: Collection[int]) -> Step | None:
    """What the director does next with a stage of which nothing is being played."""
    if stage.pk in playing or is_money(stage):
        return None
    if stage.status == StageStatus.SETUP:
        return _draw(event, stage, stages)
    if not round_to_come(stage):
        return None
    url = _draws_of(event, stage, stages)
    if is_swiss(stage) and stage.next_seed:
        return Step(
            _named(_("Publish the next round"), stage, stages),
            _("It is paired. Look at it once more; when it is published everybody sees it."),
            url,
            _("Look and publish"),
        )
    return Step(
        _named(_("Pair the next round") if is_swiss(stage) else _("Publish the next round"), stage, stages),
        _("Every match of this round is over. Entries may still come and go.")
        if is_swiss(stage)
        else _("Every match of this round is over."),
        url,
        _("Go to the rounds"),
    )


def _draw(event: Event, stage: Stage, stages: list[Stage]) -> Step | None:
    """A stage that can be drawn by now: what feeds it is over, or enough are entered."""
    if not feed_is_ready(stage):
        return None
    if stage.fed_by_id is None and entered_in(stage.division) < MIN_ENTRIES:
        return None
    in_pairs = is_swiss(stage)
    return Step(
        _named(_("Pair round %(number)s") % {"number": 1} if in_pairs else _("Make the draw"), stage, stages),
        _("It is not drawn yet, and can be drawn while the others play."),
        _draws_of(event, stage, stages),
        _("Go to the rounds") if in_pairs else _("Go to the draw"),
    )


def _publish(event: Event, stage: Stage, stages: list[Stage]) -> Step:
    return Step(
        _named(_("Publish the draw"), stage, stages),
        _("Look at it once more. When it is published everybody sees it.")
        if stage.by_arrangement
        else _("Look at it once more. When it is published everybody sees it and tables are given."),
        _draws_of(event, stage, stages),
        _("Look and publish"),
    )


def _named(title: str, stage: Stage, stages: list[Stage]) -> str:
    """“Make the draw: Intermediate”, where there is more than one stage."""
    name = stage_name(stage, stages) if len(stages) > 1 else ""
    return f"{title}: {name}" if name else title


def _draws_of(event: Event, stage: Stage, stages: list[Stage]) -> str:
    """The page of draws, open at the stage's division."""
    several = any(one.division_id != stage.division_id for one in stages)
    return page_of_division(event, "draw", stage.division_id if several else None)


def _at_the_board(event: Event, counts: EventCounts) -> Step:
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
