"""Response schemas of an event: in lists, with its divisions, and with the format of each stage."""

from datetime import date, time
from typing import Annotated, Any

from msgspec.structs import asdict

from people.api.answers import Answer, Moment, Url, any_of, field_description, one_of
from tournaments import models
from tournaments.engine.consents import Consent
from tournaments.engine.matches.reporting import ReportPolicy
from tournaments.engine.matches.rulings import MatchConditions
from tournaments.engine.stages.feeding import Feeding
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.events.api.stage_settings import BracketWithPrizes, SwissWithPrizes, api_stage_settings
from tournaments.events.services.stages import feed_by_place
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.limits import source_name
from tournaments.shared.api.values import ClubRef, page_url
from tournaments.shared.words.names import format_labels


class Event(Answer, frozen=True):
    """An event as it appears in lists."""

    id: str
    name: str
    url: Url
    club: ClubRef
    status: EventStatus
    visibility: Annotated[str, one_of(models.Event.Visibility.values)]
    place: str
    starts_on: date
    ends_on: date
    timezone: str
    entries: Annotated[int, field_description("Number of entries.")]
    version: Annotated[
        int, field_description("Increases with every change; while it is unchanged, polling returns 304.")
    ]

    @classmethod
    def of(cls, event: models.Event, entries: int) -> "Event":
        return Event(
            id=event.public_id,
            name=event.name,
            url=page_url("public:event", event.public_id),
            club=ClubRef.to(event.club),
            status=EventStatus(event.status),
            visibility=event.visibility,
            place=event.place,
            starts_on=event.starts_on,
            ends_on=event.ends_on,
            timezone=event.timezone,
            entries=entries,
            version=event.version,
        )


class Stage(Answer, frozen=True):
    """A stage of a division: one competition, with its format and settings."""

    name: str
    system: Annotated[str, one_of(models.Stage.System.values)]
    status: StageStatus
    format: str
    rules: list[str]
    lengths: list[int]
    draw_method: Annotated[str, one_of(models.Stage.DrawMethod.values)]
    draw_seed: Annotated[str, field_description("Empty until the draw is public.")]
    report_policy: ReportPolicy
    takes: Annotated[
        int,
        field_description(
            "The last place (of each group) of the previous stage that advances, or the last round whose losers do; 0"
            " for the rest."
        ),
    ]
    by_arrangement: Annotated[
        bool,
        field_description(
            "Whether the two sides of a match agree on time and place; it is not queued for a table."
        ),
    ]
    settings: Annotated[
        Any,
        any_of(BracketWithPrizes, SwissWithPrizes, MoneySettings),
        field_description("The director's settings for its system, in the form used to create a stage."),
    ]
    conduct: Annotated[
        MatchConditions,
        field_description(
            "Rules for every match: penalties for lateness and slow play in minutes and points, clocks in seconds"
            " (null for none) and when they are used, slips (who points out an illegal play, until when a wrong start"
            " or score is corrected), the Holland rule (after the Crawford game, no double before each side has rolled"
            " twice), and whether results are rated. In the form used to create a stage."
        ),
    ]
    fed_by: Annotated[
        int,
        field_description(
            "Number, in the division, of the stage whose entries play here; 0 if all entries of the division play."
        ),
    ]
    feed: Annotated[
        Feeding,
        field_description(
            "Which of them: places, all others, or losers of rounds; `also` lists who else plays here: of which"
            " `stage` of the division (0 for the one in `fed_by`), and which part of it. A table has no sections. A"
            " stage that is fed accepts no late entries."
        ),
    ]

    @classmethod
    def of(cls, view: StageView, division: DivisionView) -> "Stage":
        stage = view.stage
        places = {other.stage.pk: number for number, other in enumerate(division.stages, start=1)}
        return cls(
            name=stage.name,
            system=stage.system,
            status=StageStatus(stage.status),
            format=stage.format_preset,
            rules=format_labels(stage),
            lengths=stage.lengths,
            draw_method=stage.draw_method,
            draw_seed=stage.draw_seed if view.draw is not None else "",
            report_policy=ReportPolicy(stage.report_policy),
            takes=stage.takes,
            by_arrangement=stage.by_arrangement,
            settings=api_stage_settings(stage),
            conduct=stage.settings.conduct,
            fed_by=places.get(stage.fed_by_id or 0, 0),
            feed=feed_by_place(
                stage, {other.stage.position: number for number, other in enumerate(division.stages, start=1)}
            ),
        )


class Limit(Answer, frozen=True):
    """Rating limits of a division, both inclusive."""

    source: Annotated[
        str,
        field_description(
            "Source of the ratings: the name of a list of the club, or of another rating body."
        ),
    ]
    rating_list: Annotated[str | None, field_description("ID of the list; null for another rating body.")]
    least: Annotated[float | None, field_description("The minimum rating; null if none.")]
    most: Annotated[float | None, field_description("The maximum rating; null if none.")]
    refuses: Annotated[
        bool,
        field_description(
            "If true, entries outside the limits are rejected; if false, they need a director's approval."
        ),
    ]

    @classmethod
    def of(cls, division: models.Division) -> "Limit | None":
        limit = division.limit
        if limit is None:
            return None
        name = source_name(limit.source)
        return cls(name, limit.own_list_id or None, limit.least, limit.most, limit.rejects_outsiders)


class Division(Answer, frozen=True):
    """A division of an event; `number` is its position in the event, from 1.

    An entry has `team_size` players.
    """

    number: int
    name: str
    entries: int
    team_size: int
    entries_until: Moment | None
    capacity: Annotated[
        int | None,
        field_description(
            "Number of entries with a place; others are on the waiting list. Null without a limit."
        ),
    ]
    starts_when_full: Annotated[
        bool,
        field_description(
            "Whether it is drawn and published automatically when its last place is taken, and the next such division"
            " opens."
        ),
    ]
    reentries: Annotated[int, field_description("How often a player may re-enter.")]
    limit: Annotated[Limit | None, field_description("Rating limits; null if there are none.")]
    stages: list[Stage]

    @classmethod
    def of(cls, number: int, view: DivisionView) -> "Division":
        division = view.division
        return cls(
            number=number,
            name=division.name,
            entries=len(view.active_entries),
            team_size=division.team_size,
            entries_until=division.entries_until,
            capacity=division.capacity,
            starts_when_full=division.starts_when_full,
            reentries=division.reentries,
            limit=Limit.of(division),
            stages=[Stage.of(stage, view) for stage in view.stages],
        )


class EventDetail(Event, frozen=True):
    """An event with its settings and divisions."""

    description: str
    tables: int
    weight: Annotated[float, field_description("Factor for the event's master points.")]
    requires: Annotated[
        list[Consent], field_description("Consents that a player must give to enter through the link.")
    ]
    opens_at: Annotated[
        str | None, field_description("Daily start of play in the event's time zone, such as `19:00`.")
    ]
    closes_at: Annotated[str | None, field_description("No match begins after this time.")]
    break_from: str | None
    break_until: str | None
    word_minutes: Annotated[
        int,
        field_description("Minutes before a match at which its players get an up-next notice; 0 for none."),
    ]
    series: Annotated[str | None, field_description("ID of the series that the event belongs to.")]
    divisions: list[Division]

    @classmethod
    def about(cls, event: models.Event, divisions: tuple[DivisionView, ...]) -> "EventDetail":
        return cls(
            **asdict(Event.of(event, sum(len(division.active_entries) for division in divisions))),
            description=event.description,
            tables=event.tables,
            weight=float(event.weight),
            requires=[Consent(kind) for kind in event.requires],
            opens_at=_format_time(event.opens_at),
            closes_at=_format_time(event.closes_at),
            break_from=_format_time(event.break_from),
            break_until=_format_time(event.break_until),
            word_minutes=event.word_minutes,
            series=event.series.public_id if event.series is not None else None,
            divisions=[Division.of(number, view) for number, view in enumerate(divisions, start=1)],
        )


def _format_time(at: time | None) -> str | None:
    return at.strftime("%H:%M") if at is not None else None
