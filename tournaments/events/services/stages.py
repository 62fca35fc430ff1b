"""The stages of a division: how each is played, what of that is wrong, and which may still change."""

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
from tournaments.engine.matches.rulings import DEFAULT_CONDUCT, Conduct
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
    """How a stage is played. ``options`` are switches of the match format that differ from the preset.

    ``swiss`` counts where the system is a Swiss or, for groups and tie-breaks, a round robin; ``bracket`` where it is
    an elimination; ``money`` where it is money play, which has neither lengths nor a format of matches. ``by_arrangement``:
    the two of a match agree on time and place, nobody waits for a table; None: as usual, that is for a league
    (``is_league``). With ``fed_by``, the place of an earlier stage in its division (1, 2…), those of that stage play here whom
    ``feed`` names, through place or round ``takes``: usually the first ones of its table; 0: all who entered the division do. Further
    stages stand in ``feed.also``, named by their places, too. ``conduct``: lateness, clocks and ratings; ``prizes``: of its
    parts. Only a new stage takes these two, for one that is there they are set by ``events.services.stage_rules`` and ``prizes.services``.
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
    conduct: Conduct = DEFAULT_CONDUCT
    prizes: tuple[SectionPrizes, ...] = ()

    @property
    def is_league(self) -> bool:
        """A round robin of one group whose rounds are all published at once: everybody plays when they find the time."""
        return self.system in Stage.ROUND_ROBINS and self.swiss.all_at_once and self.swiss.group_count == 1

    @property
    def is_arranged(self) -> bool:
        """Whether it is played by arrangement, as said or as usual; sessions of money play have no matches."""
        given = self.is_league if self.by_arrangement is None else self.by_arrangement
        return given and self.system != Stage.System.MONEY


@durable
def add_stage(*, actor: Actor, event_id: int, division_id: int, stage: StageDetails) -> Stage:
    """One more stage at the end of a division, usually fed by an earlier one."""
    event = lock_for_director(actor, event_id)
    refuse_if_over(event)
    division = one_or_none(Division.objects.filter(pk=division_id, event=event))
    if division is None:
        raise Missing("division.unknown")
    there = list(division.stages.all())
    if len(there) >= MAX_STAGES:
        raise Invalid("stage.too_many", limit=MAX_STAGES)
    raise_faults(
        [*stage_faults(stage), *_feed_faults([*map(details_of_stage, there), stage], len(there) + 1)]
    )
    made = create_stage(division, stage, there)
    record_action(event, actor=actor, action=StageAdded(name=str(made)), subject=made)
    return made


@durable
def update_stage(*, actor: Actor, event_id: int, stage_id: int, stage: StageDetails, seen: str = "") -> Stage:
    """Change how a stage is played; possible until it is drawn (a wrong length after that is a correction).

    ``seen`` is the `stage_settings_version` that the director had before them: if others were saved since, it is a conflict.
    """
    event = lock_for_director(actor, event_id)
    found = _undrawn_stage(event, stage_id)
    refuse_if_changed(seen, stage_settings_version(found), found.status, found)
    there = list(found.division.stages.all())
    place = there.index(found) + 1
    all_details = [*map(details_of_stage, there)]
    all_details[place - 1] = stage
    faults = stage_faults(stage)
    for number in range(place, len(there) + 1):
        # What this stage feeds must still fit; told at the field that was changed.
        wrong = _feed_faults(all_details, number)
        faults += wrong if number == place else [Fault("stage.feeds_another", "system") for _ in wrong[:1]]
    raise_faults(faults)
    now = found.settings
    write_stage(found, replace(stage, conduct=now.conduct, prizes=now.prizes), there)
    found.save()
    record_action(event, actor=actor, action=StageUpdated(lengths=tuple(found.lengths)), subject=found)
    return found


@durable
def remove_stage(*, actor: Actor, event_id: int, stage_id: int) -> Division:
    """Take a stage away that is not drawn, feeds no other, and is not the only one."""
    event = lock_for_director(actor, event_id)
    found = _undrawn_stage(event, stage_id)
    division = found.division
    if division.stages.count() == 1:
        raise Conflict("stage.the_only_one", present=found)
    if stages_fed_by(found):
        raise Conflict("stage.feeds_another", present=found)
    name = str(found)
    found.delete()
    finish_event_if_over(event)
    record_action(event, actor=actor, action=StageRemoved(name=name), subject=division)
    return division


def details_of_stage(stage: Stage) -> StageDetails:
    """The settings of a stage that is there, as they would be given for a new one."""
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
    """Who comes in, each further stage named by its place in the division as `StageDetails` does.

    ``places``: by position of each stage, where the caller knows them.
    """
    feed = stage.settings.feed
    if not any(source.stage for source in feed.also):
        return feed
    if places is None:
        found = Stage.objects.filter(division=stage.division_id).values_list("position", flat=True)
        places = {position: place for place, position in enumerate(found, start=1)}
    return _renumber_feed(feed, places.__getitem__)


def _renumber_feed(feed: Feeding, number: Callable[[int], int]) -> Feeding:
    """The same with another ``number`` for each further stage; 0 stays what it is: the one that comes first."""
    also = (replace(source, stage=source.stage and number(source.stage)) for source in feed.also)
    return replace(feed, also=tuple(also))


def stage_settings_version(stage: Stage) -> str:
    """Names the settings of a stage as they are now; rules of conduct and prizes are settings of their own."""
    return settings_version({**asdict(details_of_stage(stage)), "conduct": {}, "prizes": ()})


def place_of_source(stage: Stage) -> int:
    """The place in its division, from 1, of the stage that feeds this one; 0 if none does."""
    if stage.fed_by_id is None:
        return 0
    return (
        list(Stage.objects.filter(division=stage.division_id).values_list("pk", flat=True)).index(
            stage.fed_by_id
        )
        + 1
    )


def create_stage(division: Division, details: StageDetails, earlier: Sequence[Stage]) -> Stage:
    """Write a new stage behind the ``earlier`` ones. Joins the caller's transaction; the details are checked."""
    stage = Stage(
        division=division,
        position=earlier[-1].position + 1 if earlier else 1,
        status=StageStatus.SETUP,
    )
    write_stage(stage, details, earlier)
    stage.save()
    return stage


def write_stage(stage: Stage, details: StageDetails, stages: Sequence[Stage]) -> None:
    """``details`` into ``stage``; ``stages`` are those of its division, in order."""
    money = details.system == Stage.System.MONEY
    stage.name = clean_line(details.name)
    stage.system = details.system
    stage.format_preset = MONEY_FORMAT if money else details.format_preset
    stage.lengths = [] if money else list(details.lengths)
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
    """The settings of the system that the stage is played as."""
    if details.system in Stage.IN_ROUNDS:
        return _swiss_settings(details)
    return details.bracket if details.system in Stage.ELIMINATIONS else details.money


def _swiss_settings(details: StageDetails) -> SwissSettings:
    return details.swiss.adapted_to_format(round_robin=details.system in Stage.ROUND_ROBINS)


def plan_faults(stages: Sequence[StageDetails]) -> list[tuple[int, Fault]]:
    """Everything that is wrong with the stages of a division, each with the place of its stage, from 1."""
    return [
        (place, fault)
        for place, stage in enumerate(stages, start=1)
        for fault in (*stage_faults(stage), *_feed_faults(stages, place))
    ]


def stage_faults(stage: StageDetails) -> list[Fault]:
    """Everything that is wrong with a stage by itself."""
    money = stage.system == Stage.System.MONEY
    faults = []
    if len(clean_line(stage.name)) > MAX_NAME_LENGTH:
        faults.append(Fault("stage.name_long", "name", {"limit": MAX_NAME_LENGTH}))
    faults += web_address_faults(stage.name)
    if not money:
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
    return faults if money else [*faults, *_format_faults(stage)]


def _advancing_faults(stage: StageDetails) -> Iterator[Fault]:
    last = [("takes", stage.takes)] + [
        (f"feed.also.{at}.last", source.last) for at, source in enumerate(stage.feed.also)
    ]
    for field, number in last if stage.fed_by else ():
        if number > MAX_ADVANCING:
            yield Fault("stage.takes_too_many", field, {"limit": MAX_ADVANCING})


def can_change_divisions(event: Event) -> bool:
    """Whether the event is neither over nor called off."""
    return event.status in EVENT_CHANGEABLE


def refuse_if_over(event: Event) -> None:
    """What an event consists of can change until it is over or called off."""
    if not can_change_divisions(event):
        raise Conflict("division.event_over", present=event)


def _undrawn_stage(event: Event, stage_id: int) -> Stage:
    found = get_stage(event, stage_id)
    if found.status != StageStatus.SETUP:
        raise Conflict("stage.already_drawn", present=found)
    return found


def _feed_faults(stages: Sequence[StageDetails], place: int) -> list[Fault]:
    """What the engine says of how the stage at ``place`` is fed, at the fields of the form."""
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
    """R40 R41 F2 F5 F14: a match to N points has Crawford, no Jacoby and no beavers; the format itself refuses others."""
    length = next((n for n in stage.lengths if 0 < n <= MAX_LENGTH), 1)
    asked = dict(stage.options or {})
    unknown = Fault("stage.option_unknown", "format_preset", {"options": ", ".join(sorted(asked))})
    try:
        usual = get_preset(stage.format_preset).format(length)
        form = replace(usual, **asked)
    except UnknownCode:
        return [Fault("stage.format_unknown", "format_preset", {"value": stage.format_preset})]
    except FormatError as error:
        return [fault.at("format_preset") for fault in error.faults]
    except RuleError:
        return [Fault("stage.format_without_length", "format_preset", {"value": stage.format_preset})]
    except TypeError:
        return [unknown]
    if not form.crawford:
        return [Fault("stage.without_crawford", "format_preset", rule="F2")]
    return [unknown] if form != usual else []
