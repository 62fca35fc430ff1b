"""Services for the stages of a division: add, change, remove, and validate their settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from games.rules.errors import FormatError, RuleError, UnknownCode
from games.rules.formats import get_preset
from people.actors import Actor
from people.rows import one_or_none
from people.text import clean_line, web_address_faults
from people.transactions import durable
from tournaments.engine.matches.lengths import MAX_LENGTH, check_lengths
from tournaments.engine.matches.reporting import ReportPolicy
from tournaments.engine.matches.rulings import DEFAULT_MATCH_CONDITIONS, MatchConditions
from tournaments.engine.stages.elimination import BracketSettings, check_bracket_settings
from tournaments.engine.stages.feeding import DEFAULT_FEEDING, Feeding, FeedPart
from tournaments.engine.stages.plan import DivisionPlan, Feed, StagePlan, StageSystem, check_plan
from tournaments.engine.stages.settings import DEFAULT_BRACKET, DEFAULT_MONEY, StageSettings, SystemSettings
from tournaments.engine.stages.swiss import DEFAULT_SWISS, SwissSettings, check_swiss_settings
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.standings.prizes import SectionPrizes, check_first_prizes
from tournaments.engine.statuses import EVENT_CHANGEABLE, StageStatus
from tournaments.engine.trail.divisions import StageAdded, StageRemoved, StageUpdated
from tournaments.models import Division, Event, Stage
from tournaments.selectors.access.versions import settings_version
from tournaments.selectors.standings.sources import stages_fed_by
from tournaments.selectors.standings.tables import effective_settings
from tournaments.store.arranged import clear_stage_plan
from tournaments.store.event_state import finish_event_if_over
from tournaments.store.lock import get_stage, lock_for_director, record_action, refuse_if_changed

MAX_NAME_LENGTH: Final = 80
MAX_STAGES: Final = 6
MAX_ADVANCING: Final = 512
MONEY_FORMAT: Final = "money"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDetails:
    """Settings of a stage.

    ``options``: switches of the match format that differ from the preset. ``swiss``: for a Swiss and, for
    groups and tie-breaks, a round robin; ``bracket``: for an elimination; ``money``: for money play, which
    has neither lengths nor a match format. ``by_arrangement``: the sides of a match agree on time and place,
    no table is needed; None: only in a league (``is_league``).

    ``fed_by``: place in the division, from 1, of an earlier stage whose players play here; 0: all entries of
    the division. ``feed``: which of its players, by default the first of its table; ``takes``: the last place
    or round that counts. ``feed.also``: further stages, also by their places.

    ``conduct``: lateness, clocks and ratings; ``prizes``: of the stage's parts; both for new stages only,
    later set by ``events.services.stage_rules`` and ``prizes.services``.
    """

    lengths: Sequence[int] = ()
    name: str = ""
    system: str = "single_elimination"
    format_preset: str = "match"
    draw_method: str = "blind"
    report_policy: str = "opponent_confirms"
    clean_record_settles: bool = False
    swiss: SwissSettings = DEFAULT_SWISS
    bracket: BracketSettings = DEFAULT_BRACKET
    money: MoneySettings = DEFAULT_MONEY
    fed_by: int = 0
    takes: int = 0
    feed: Feeding = DEFAULT_FEEDING
    options: Mapping[str, Any] | None = None
    by_arrangement: bool | None = None
    conduct: MatchConditions = DEFAULT_MATCH_CONDITIONS
    prizes: tuple[SectionPrizes, ...] = ()

    @property
    def is_league(self) -> bool:
        """Whether the stage is a round robin of one group with all rounds published at once."""
        return self.system in Stage.ROUND_ROBINS and self.swiss.all_at_once and self.swiss.group_count == 1

    @property
    def is_arranged(self) -> bool:
        """Whether the sides of a match agree on time and place, explicitly or by default.

        Money play has sessions instead of matches, so never.
        """
        arranged = self.is_league if self.by_arrangement is None else self.by_arrangement
        return arranged and self.system != Stage.System.MONEY


@durable
def add_stage(*, actor: Actor, event_id: int, division_id: int, stage: StageDetails) -> Stage:
    """Add a stage at the end of a division and return it; usually players of an earlier stage play in it.

    Raises ``Invalid`` with all errors.
    """
    event = lock_for_director(actor, event_id)
    require_changeable_event(event)
    division = one_or_none(Division.objects.filter(pk=division_id, event=event))
    if division is None:
        raise Missing("division.unknown")
    stages = list(division.stages.all())
    if len(stages) >= MAX_STAGES:
        raise Invalid("stage.too_many", limit=MAX_STAGES)
    raise_faults(
        [*stage_faults(stage), *_feed_faults([*map(details_of_stage, stages), stage], len(stages) + 1)]
    )
    created_stage = create_stage(division, stage, stages)
    record_action(event, actor=actor, action=StageAdded(name=str(created_stage)), subject=created_stage)
    return created_stage


@durable
def update_stage(*, actor: Actor, event_id: int, stage_id: int, stage: StageDetails, seen: str = "") -> Stage:
    """Change the settings of a stage that is not drawn, and return it.

    ``seen``: `stage_settings_version` that the director saw. Raises ``Conflict`` if the settings have changed
    since or the stage is drawn, and ``Invalid`` with all errors.
    """
    event = lock_for_director(actor, event_id)
    stage_row = _undrawn_stage(event, stage_id)
    refuse_if_changed(seen, stage_settings_version(stage_row), stage_row.status, stage_row)
    stages = list(stage_row.division.stages.all())
    place = stages.index(stage_row) + 1
    all_details = [*map(details_of_stage, stages)]
    all_details[place - 1] = stage
    faults = stage_faults(stage)
    for number in range(place, len(stages) + 1):
        # Stages that this one feeds must still fit; their faults are reported at the changed field.
        feed_faults = _feed_faults(all_details, number)
        faults += (
            feed_faults
            if number == place
            else [Fault("stage.feeds_another", "system") for _ in feed_faults[:1]]
        )
    raise_faults(faults)
    current_settings = stage_row.settings
    write_stage(
        stage_row, replace(stage, conduct=current_settings.conduct, prizes=current_settings.prizes), stages
    )
    stage_row.save()
    record_action(
        event, actor=actor, action=StageUpdated(lengths=tuple(stage_row.lengths)), subject=stage_row
    )
    return stage_row


@durable
def remove_stage(*, actor: Actor, event_id: int, stage_id: int) -> Division:
    """Remove a stage and return its division.

    Raises ``Conflict`` if the stage is drawn, if its players play on in another stage, or if it is the only
    one.
    """
    event = lock_for_director(actor, event_id)
    stage = _undrawn_stage(event, stage_id)
    division = stage.division
    if division.stages.count() == 1:
        raise Conflict("stage.the_only_one", present=stage)
    if stages_fed_by(stage):
        raise Conflict("stage.feeds_another", present=stage)
    name = str(stage)
    stage.delete()
    finish_event_if_over(event)
    record_action(event, actor=actor, action=StageRemoved(name=name), subject=division)
    return division


def details_of_stage(stage: Stage) -> StageDetails:
    """Return the settings of an existing stage as details, from which another stage could be created."""
    return StageDetails(
        lengths=stage.lengths,
        name=stage.name,
        system=stage.system,
        format_preset=stage.format_preset,
        draw_method=stage.draw_method,
        report_policy=stage.report_policy,
        clean_record_settles=stage.clean_record_settles,
        swiss=effective_settings(stage),
        bracket=stage.settings.bracket,
        money=stage.settings.money,
        fed_by=place_of_source(stage),
        takes=stage.takes,
        feed=feed_by_place(stage),
        by_arrangement=stage.by_arrangement,
        conduct=stage.settings.conduct,
        prizes=stage.settings.prizes,
    )


def feed_by_place(stage: Stage, places: Mapping[int, int] | None = None) -> Feeding:
    """Return which players of earlier stages play in this stage.

    ``also`` of the result gives further stages as places in the division, from 1. ``places``: place, keyed by
    the position of the stage; None: loaded with one query.
    """
    feed = stage.settings.feed
    if not any(source.stage for source in feed.also):
        return feed
    if places is None:
        positions = Stage.objects.filter(division=stage.division_id).values_list("position", flat=True)
        places = {position: place for place, position in enumerate(positions, start=1)}
    return _renumber_feed(feed, places.__getitem__)


def _renumber_feed(feed: Feeding, number: Callable[[int], int]) -> Feeding:
    """Return ``feed`` with ``number`` applied to each stage in ``also``; 0, which means ``fed_by``, stays."""
    also = (replace(source, stage=source.stage and number(source.stage)) for source in feed.also)
    return replace(feed, also=tuple(also))


def stage_settings_version(stage: Stage) -> str:
    """Return the version (a hash) of a stage's settings.

    Match conditions and prizes do not count, because they have their own versions.
    """
    return settings_version({**asdict(details_of_stage(stage)), "conduct": {}, "prizes": ()})


def place_of_source(stage: Stage) -> int:
    """Return the place in the division, from 1, of the stage whose players play in this one; 0 if none."""
    if stage.fed_by_id is None:
        return 0
    return (
        list(Stage.objects.filter(division=stage.division_id).values_list("pk", flat=True)).index(
            stage.fed_by_id
        )
        + 1
    )


def create_stage(division: Division, details: StageDetails, earlier: Sequence[Stage]) -> Stage:
    """Create a stage after the stages ``earlier`` of the division, from validated details.

    Joins the caller's transaction.
    """
    stage = Stage(
        division=division,
        position=earlier[-1].position + 1 if earlier else 1,
        status=StageStatus.SETUP,
    )
    write_stage(stage, details, earlier)
    stage.save()
    return stage


def write_stage(stage: Stage, details: StageDetails, stages: Sequence[Stage]) -> None:
    """Write ``details`` into ``stage`` without saving it. ``stages``: all stages of the division, in order.

    Deletes the planned rounds of a saved stage that is no longer a Swiss or round robin.
    """
    is_money = details.system == Stage.System.MONEY
    stage.name = clean_line(details.name)
    stage.system = details.system
    stage.format_preset = MONEY_FORMAT if is_money else details.format_preset
    stage.lengths = [] if is_money else list(details.lengths)
    stage.draw_method = details.draw_method
    stage.report_policy = details.report_policy
    stage.clean_record_settles = details.clean_record_settles
    stage.fed_by = stages[details.fed_by - 1] if details.fed_by else None
    stage.takes = details.takes if details.fed_by and details.feed.taken is not FeedPart.REST else 0
    stage.by_arrangement = details.is_arranged
    if stage.pk is not None and details.system not in Stage.IN_ROUNDS:
        clear_stage_plan(stage)
    feed = (
        _renumber_feed(details.feed, lambda place: stages[place - 1].position)
        if details.fed_by
        else DEFAULT_FEEDING
    )
    stage.settings = StageSettings(_own_settings(details), details.conduct, details.prizes, feed)


def _own_settings(details: StageDetails) -> SystemSettings:
    """Return those of the settings that belong to the stage's system."""
    if details.system in Stage.IN_ROUNDS:
        return _swiss_settings(details)
    return details.bracket if details.system in Stage.ELIMINATIONS else details.money


def _swiss_settings(details: StageDetails) -> SwissSettings:
    return details.swiss.adapted_to_format(round_robin=details.system in Stage.ROUND_ROBINS)


def plan_faults(stages: Sequence[StageDetails]) -> list[tuple[int, Fault]]:
    """Return all errors of the stages of a division, each with the place of its stage, from 1."""
    return [
        (place, fault)
        for place, stage in enumerate(stages, start=1)
        for fault in (*stage_faults(stage), *_feed_faults(stages, place))
    ]


def stage_faults(stage: StageDetails) -> list[Fault]:
    """Return all errors in the settings of a stage, without regard to other stages."""
    is_money = stage.system == Stage.System.MONEY
    faults = []
    if len(clean_line(stage.name)) > MAX_NAME_LENGTH:
        faults.append(Fault("stage.name_long", "name", {"limit": MAX_NAME_LENGTH}))
    faults += web_address_faults(stage.name)
    if not is_money:
        faults += check_lengths(tuple(stage.lengths), "lengths")
    if stage.system not in Stage.System.values:
        faults.append(Fault("stage.system_unknown", "system", {"value": stage.system}))
    if stage.draw_method not in Stage.DrawMethod.values:
        faults.append(Fault("stage.draw_unknown", "draw_method", {"value": stage.draw_method}))
    if stage.report_policy not in list(ReportPolicy):
        faults.append(Fault("stage.policy_unknown", "report_policy", {"value": stage.report_policy}))
    if stage.system in Stage.IN_ROUNDS:
        faults += check_swiss_settings(_swiss_settings(stage), round_robin=stage.system in Stage.ROUND_ROBINS)
    elif stage.system in Stage.ELIMINATIONS:
        faults += check_bracket_settings(stage.system, stage.bracket)
        if stage.fed_by and (stage.bracket.open_lines or stage.bracket.buy_back_within):
            name = "open_lines" if stage.bracket.open_lines else "buy_back_within"
            faults.append(Fault("open_lines.fed", name))
    faults += check_first_prizes(stage.prizes)
    faults += _advancing_faults(stage)
    return faults if is_money else [*faults, *_format_faults(stage)]


def _advancing_faults(stage: StageDetails) -> Iterator[Fault]:
    field_values = [("takes", stage.takes)] + [
        (f"feed.also.{index}.last", source.last) for index, source in enumerate(stage.feed.also)
    ]
    for field, number in field_values if stage.fed_by else ():
        if number > MAX_ADVANCING:
            yield Fault("stage.takes_too_many", field, {"limit": MAX_ADVANCING})


def is_event_changeable(event: Event) -> bool:
    """Return whether the event is neither finished nor cancelled."""
    return event.status in EVENT_CHANGEABLE


def require_changeable_event(event: Event) -> None:
    """Raise ``Conflict`` if the event is finished or cancelled."""
    if not is_event_changeable(event):
        raise Conflict("division.event_over", present=event)


def _undrawn_stage(event: Event, stage_id: int) -> Stage:
    stage = get_stage(event, stage_id)
    if stage.status != StageStatus.SETUP:
        raise Conflict("stage.already_drawn", present=stage)
    return stage


def _feed_faults(stages: Sequence[StageDetails], place: int) -> list[Fault]:
    """Return the errors in how earlier stages feed a stage, at the fields of the form.

    ``stages``: the settings of all stages of the division; ``place``: place of the stage, from 1.
    """
    plan = DivisionPlan(
        tuple(
            _stage_plan(number, stage)
            for number, stage in enumerate(stages, start=1)
            if stage.system in _SYSTEMS
        )
    )
    stage = stages[place - 1]
    if stage.fed_by and stage.system not in _SYSTEMS:
        return [Fault("plan.feed_does_not_fit", "fed_by")]
    return [
        fault
        for fault in check_plan(plan)
        if fault.place == str(place) and fault.code.startswith(_FEED_FAULT_PREFIXES)
    ]


_FEED_FAULT_PREFIXES: Final = ("plan.feed", "plan.source", "plan.rest", "plan.losers")
_SYSTEMS: Final = {
    Stage.System.SINGLE_ELIMINATION: StageSystem.SINGLE_ELIMINATION,
    Stage.System.DOUBLE_ELIMINATION: StageSystem.DOUBLE_ELIMINATION,
    Stage.System.SWISS: StageSystem.SWISS,
    Stage.System.ROUND_ROBIN: StageSystem.ROUND_ROBIN,
    Stage.System.DOUBLE_ROUND_ROBIN: StageSystem.ROUND_ROBIN,
}


def _stage_plan(place: int, stage: StageDetails) -> StagePlan:
    feeds = [
        Feed(str(source.stage or stage.fed_by), source.taken, source.last, source.first, source.section)
        for source in (stage.feed.sources(stage.takes) if stage.fed_by else ())
    ]
    flights = tuple(flight.kind.section for flight in stage.bracket.flights)
    system = _SYSTEMS[Stage.System(stage.system)]
    return StagePlan(
        str(place),
        system,
        tuple(stage.lengths),
        feed=next(iter(feeds), None),
        flights=flights,
        also=tuple(feeds[1:]),
    )


def _format_faults(stage: StageDetails) -> list[Fault]:
    """Return errors of the match format (rules R40, R41, F2, F5, F14).

    A match to N points has Crawford, no Jacoby and no beavers; the format itself rejects other combinations.
    """
    length = next((n for n in stage.lengths if 0 < n <= MAX_LENGTH), 1)
    options = dict(stage.options or {})
    unknown_fault = Fault("stage.option_unknown", "format_preset", {"options": ", ".join(sorted(options))})
    try:
        default_format = get_preset(stage.format_preset).format(length)
        match_format = replace(default_format, **options)
    except UnknownCode:
        return [Fault("stage.format_unknown", "format_preset", {"value": stage.format_preset})]
    except FormatError as error:
        return [fault.at("format_preset") for fault in error.faults]
    except RuleError:
        return [Fault("stage.format_without_length", "format_preset", {"value": stage.format_preset})]
    except TypeError:
        return [unknown_fault]
    if not match_format.crawford:
        return [Fault("stage.without_crawford", "format_preset", rule="F2")]
    return [unknown_fault] if match_format != default_format else []
