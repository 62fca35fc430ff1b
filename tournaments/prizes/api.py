"""API of an event's prizes: settings, amounts and winners; directors set them and undo the last change.

Amounts are decimal texts ("12.50"), never floating-point numbers. Prizes belong to a section, such as the
main bracket or the consolation, named by the ``number`` of its division, that of its stage in the division,
and its ``section``. 200: done. 403: not permitted. 404: not found. 409: changed since ``seen``, or the event
is cancelled. 422: every error at its field.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Fault, Invalid
from people.actors import Actor
from people.api.answers import Answer, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from people.selectors import refresh_row
from tournaments import models
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.standings.payout import from_coins
from tournaments.engine.standings.prizes import (
    MAX_GIFT_LENGTH,
    MAX_PRIZES,
    WHOLE_UNIT,
    Prize,
    PrizePlan,
    PrizeUnit,
    SectionPrizes,
)
from tournaments.models.choices import WITHDRAWAL_CHOICES
from tournaments.prizes.services.setting import set_prizes, undo_prizes_change
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import DivisionView, StageView, division_views
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.payouts import PayoutPart, event_payouts
from tournaments.selectors.prizes import (
    Prizes,
    event_prizes,
    prize_group_count,
    prize_plan,
    prize_sections,
    prizes_version,
)
from tournaments.shared.api.asking import director_actor
from tournaments.shared.api.event_view import EventView

MAX_STAGES, MAX_SECTIONS, MAX_DIVISIONS = 99, 9, 99


class PlaceInput(serializers.Serializer[object]):
    """Prize for a place: an amount, or a percentage of the pool, and other prizes."""

    value = serializers.DecimalField(max_digits=16, decimal_places=6, default=Decimal(0))
    gift = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_GIFT_LENGTH * 2)


class SectionInput(serializers.Serializer[object]):
    """Prizes of a section of a stage, first place first.

    ``pool``: its own pool, an amount; or ``part``: a percentage of the division's pool. ``way``: whether the
    values of the places are amounts or percentages.
    """

    section = serializers.CharField(max_length=40)
    way = serializers.ChoiceField(
        choices=[(way.value, way.value) for way in PrizeUnit], default=PrizeUnit.AMOUNTS.value
    )
    places = serializers.ListField(child=PlaceInput(), max_length=MAX_PRIZES, default=[])
    pool = serializers.DecimalField(
        max_digits=16, decimal_places=6, required=False, allow_null=True, default=None
    )
    part = serializers.DecimalField(
        max_digits=16, decimal_places=6, required=False, allow_null=True, default=None
    )
    unit = serializers.DecimalField(
        max_digits=16,
        decimal_places=6,
        default=WHOLE_UNIT,
        help_text="Unit to which percentage prizes are rounded down; the first place gets the remainder.",
    )


class StagePrizesInput(serializers.Serializer[object]):
    """Prizes of the sections of a stage. ``number``: that of the stage in its division, from 1."""

    number = serializers.IntegerField(min_value=1, max_value=MAX_STAGES)
    sections = serializers.ListField(child=SectionInput(), max_length=MAX_SECTIONS, default=[])


class DivisionPrizesInput(serializers.Serializer[object]):
    """Prizes of a division. ``number``: that of the division in the event, from 1.

    ``pool``: its prize pool.
    """

    number = serializers.IntegerField(min_value=1, max_value=MAX_DIVISIONS)
    pool = serializers.DecimalField(
        max_digits=16, decimal_places=6, required=False, allow_null=True, default=None
    )
    withdrawn = serializers.ChoiceField(
        choices=WITHDRAWAL_CHOICES,
        required=False,
        allow_null=True,
        default=None,
        help_text="What players who withdrew from a Swiss or round robin keep. If left out, unchanged.",
    )
    stages = serializers.ListField(child=StagePrizesInput(), max_length=MAX_STAGES, default=[])


class PrizesInput(serializers.Serializer[object]):
    """All prizes of an event, replacing the previous ones.

    Whatever is left out has no prizes. ``seen``: the value that you read before; 409 if the prizes have
    changed since.
    """

    currency = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=3,
        help_text="ISO 4217 code, such as EUR. Empty for none.",
    )
    divisions = serializers.ListField(child=DivisionPrizesInput(), max_length=MAX_DIVISIONS, default=[])
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class TakePrizesBackInput(serializers.Serializer[object]):
    """``undo``: the value that the response to the change contained."""

    undo = serializers.IntegerField(min_value=1, max_value=2**62)


class PlacePrize(Answer, frozen=True):
    """Prize for one place. `amount`: the prize in money; null for a percentage without a pool."""

    value: Annotated[str, field_description("An amount or percentage, according to `way`.")]
    gift: Annotated[str, field_description("Another prize, such as a trophy.")]
    amount: str | None


class WonPrize(Answer, frozen=True):
    """The prize of an entry, for the places `first` to `last`.

    Prizes of shared places are added up and divided exactly.
    """

    entry: Annotated[str, field_description("ID of the entry.")]
    name: str
    group: Annotated[int, field_description("Group of a stage in groups, from 1; otherwise 0.")]
    first: int
    last: int
    amount: str
    gifts: list[str]
    withdrawn: Annotated[bool, field_description("Whether the entry withdrew but keeps its prize.")]


class SectionOfPrizes(Answer, frozen=True):
    """Prizes of a section of a stage. `part`: percentage of the division's pool."""

    section: str
    way: PrizeUnit
    pool: str | None
    part: str | None
    unit: str
    places: list[PlacePrize]
    total: Annotated[str, field_description("For all places, of each group.")]
    left_over: Annotated[
        str | None,
        field_description("Left in the pool; negative if the prizes exceed it. Null without a pool."),
    ]
    groups: Annotated[int, field_description("How often these prizes are awarded.")]
    settled: Annotated[bool, field_description("Whether all places are final; `won` then lists the winners.")]
    won: list[WonPrize]


class StageOfPrizes(Answer, frozen=True):
    """Prizes of a stage, by its number in the division."""

    number: int
    name: str
    sections: list[SectionOfPrizes]


class DivisionOfPrizes(Answer, frozen=True):
    """Prizes of a division, with its prize pool."""

    number: int
    name: str
    pool: str | None
    withdrawn: Annotated[
        WithdrawnRights,
        field_description(
            "What players who withdrew from a Swiss or round robin keep: place and prize, the place only (the prize"
            " goes to the next player), or neither."
        ),
    ]
    stages: list[StageOfPrizes]


class EventPrizes(Answer, frozen=True):
    """All prizes of an event. `seen`: send it when you set prizes; 409 if they have changed since."""

    currency: str
    seen: str
    divisions: list[DivisionOfPrizes]

    @classmethod
    def of(cls, event: models.Event, divisions: tuple[DivisionView, ...]) -> "EventPrizes":
        stages = [view.stage for division in divisions for view in division.stages]
        prizes, payouts = event_prizes(event, stages), event_payouts(event, divisions)
        return cls(
            currency=event.currency,
            seen=prizes_version(prize_plan(event, stages), stages),
            divisions=[
                DivisionOfPrizes(
                    number=number,
                    name=division.division.name,
                    pool=_amount_text(division.division.prize_pool),
                    withdrawn=WithdrawnRights(division.division.withdrawn),
                    stages=[
                        StageOfPrizes(
                            place,
                            view.stage.name,
                            [
                                _section_answer(prizes, view, section, payouts.parts)
                                for section in prize_sections(view.stage)
                            ],
                        )
                        for place, view in enumerate(division.stages, start=1)
                    ],
                )
                for number, division in enumerate(divisions, start=1)
            ],
        )


class PrizesChanged(EventPrizes, frozen=True):
    """The prizes after the change. `undo`: send it to undo the change; null if nothing changed."""

    undo: int | None


class EventPrizesView(EventView):
    """Get the prizes of an event: settings, amount for each place, and winners once places are final."""

    @extend_schema(operation_id="events_prizes", responses=response_schemas(EventPrizes))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        return versioned_answer(
            request,
            self.versions(visible),
            lambda: EventPrizes.of(visible.event, division_views(visible.event)),
            role=visible.role,
        )

    @extend_schema(
        operation_id="events_set_prizes",
        request=PrizesInput,
        responses=response_schemas(PrizesChanged),
    )
    def put(self, request: Request, event: str) -> Response:
        """Replace all prizes of an event, at any time, also after its end. Nothing else changes."""
        found_event, actor = _event_for_director(request, event)
        body = parse_body(request, PrizesInput, EventPrizes)
        prizes_request = _PrizesRequest(body, linked_stages(found_event))
        try:
            row = set_prizes(
                actor=actor, event_id=found_event.pk, plan=prizes_request.plan(), seen=body["seen"]
            )
        except Invalid as invalid:
            raise Invalid(
                faults=[prizes_request.locate_fault(fault) for fault in invalid.faults]
            ) from invalid
        return Response(_changed_answer(found_event, row.pk if row is not None else None))


class UndoPrizes(APIView):
    """Undo the last change of the prizes; 409 for an earlier change."""

    @extend_schema(
        operation_id="events_take_prizes_back",
        request=TakePrizesBackInput,
        responses=response_schemas(PrizesChanged),
    )
    def post(self, request: Request, event: str) -> Response:
        found_event, actor = _event_for_director(request, event)
        undo_prizes_change(
            actor=actor, event_id=found_event.pk, audit_id=parse_body(request, TakePrizesBackInput)["undo"]
        )
        return Response(_changed_answer(found_event, None))


class _PrizesRequest:
    """The submitted prizes as a plan with database ids; maps errors in the plan to submitted fields."""

    def __init__(self, body: Mapping[str, Any], stages: Sequence[models.Stage]) -> None:
        self.body = body
        self.stages: dict[tuple[int, int], models.Stage] = {}
        self.divisions: dict[int, int] = {}
        numbers: dict[int, int] = {}
        for stage in stages:
            number = numbers.setdefault(stage.division_id, len(numbers) + 1)
            self.divisions[number] = stage.division_id
            place = sum(1 for first, _place in self.stages if first == number) + 1
            self.stages[number, place] = stage
        self.paths: dict[str, str] = {"currency": "currency"}

    def plan(self) -> PrizePlan:
        """Return the plan. Raises `Invalid` for a division or stage that does not exist or is sent twice."""
        pools: dict[int, Decimal] = {}
        plans: dict[int, tuple[SectionPrizes, ...]] = {}
        withdrawn: dict[int, WithdrawnRights] = {}
        faults = []
        for index, division in enumerate(self.body["divisions"]):
            path = f"divisions.{index}"
            pk = self.divisions.get(division["number"])
            if pk is None or f"pools.{pk}" in self.paths:
                faults.append(Fault("division.unknown", f"{path}.number"))
                continue
            self.paths[f"pools.{pk}"] = f"{path}.pool"
            if division["pool"] is not None:
                pools[pk] = division["pool"]
            if division["withdrawn"] is not None:
                withdrawn[pk] = WithdrawnRights(division["withdrawn"])
            for stage_index, stage_body in enumerate(division["stages"]):
                stage = self.stages.get((division["number"], stage_body["number"]))
                if stage is None or stage.pk in plans:
                    faults.append(Fault("stage.unknown", f"{path}.stages.{stage_index}.number"))
                    continue
                plans[stage.pk] = tuple(map(_section_from_body, stage_body["sections"]))
                for section_index, section in enumerate(stage_body["sections"]):
                    name = f"stages.{stage.pk}.{section['section']}"
                    self.paths[name] = f"{path}.stages.{stage_index}.sections.{section_index}"
        if faults:
            raise Invalid(faults=faults)
        return PrizePlan(currency=self.body["currency"], pools=pools, stages=plans, withdrawn=withdrawn)

    def locate_fault(self, fault: Fault) -> Fault:
        """Return the fault with the name of the submitted field instead of that in the plan."""
        name = fault.field or ""
        if name in self.paths:
            return fault.at(self.paths[name])
        head = re.match(r"stages\.[0-9]+\.[^.]*", name)
        if head is None or head[0] not in self.paths:
            return fault
        return fault.at(f"{self.paths[head[0]]}{name.removeprefix(head[0])}")


def _section_from_body(body: Mapping[str, Any]) -> SectionPrizes:
    return SectionPrizes(
        body["section"],
        PrizeUnit(body["way"]),
        tuple(Prize(prize["value"], prize["gift"]) for prize in body["places"]),
        body["pool"],
        body["part"],
        body["unit"],
    )


def _section_answer(
    prizes: Prizes, view: StageView, section: str, parts: tuple[PayoutPart, ...]
) -> SectionOfPrizes:
    prize_list = prizes.of(view.stage, section)
    own_parts = [part for part in parts if part.view is view and part.paid.section == section]
    amounts = prize_list.money or (None,) * len(prize_list.prizes.places)

    def money(coins: int | None) -> str | None:
        return None if coins is None else f"{from_coins(coins, prizes.digits):f}"

    return SectionOfPrizes(
        section=section,
        way=prize_list.prizes.way,
        pool=_amount_text(prize_list.prizes.pool),
        part=_amount_text(prize_list.prizes.part),
        unit=f"{prize_list.prizes.unit:f}",
        places=[
            PlacePrize(f"{prize.value:f}", prize.gift, money(coins))
            for prize, coins in zip(prize_list.prizes.places, amounts, strict=True)
        ],
        total=money(prize_list.total) or "",
        left_over=money(prize_list.left_over),
        groups=prize_group_count(view.stage),
        settled=bool(own_parts) and all(part.settled for part in own_parts),
        won=[
            WonPrize(
                won.entry.public_id,
                won.entry.name,
                part.paid.group,
                won.place.first,
                won.place.last,
                money(won.coins) or "",
                list(won.gifts),
                won.entry.withdrawn,
            )
            for part in own_parts
            for won in part.won
        ],
    )


def _event_for_director(request: Request, public_id: str) -> tuple[models.Event, Actor]:
    visible = visible_event(request.user, public_id)
    return visible.event, director_actor(request, visible.event.club)


def _changed_answer(event: models.Event, audit_id: int | None) -> PrizesChanged:
    current_event = refresh_row(event)
    answer = EventPrizes.of(current_event, division_views(current_event))
    return PrizesChanged(answer.currency, answer.seen, answer.divisions, audit_id)


def _amount_text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount.normalize():f}"
