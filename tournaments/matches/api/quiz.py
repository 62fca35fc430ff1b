"""GET: positions of an event as questions, by the rules of their pages: when the event is over and a director shows them, without names.

A list asks; what each choice is worth is given for one position to whoever asks for its answer, as the page shows it after a tap.
"""

from typing import Annotated, Final

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from games.records.analysis import DecisionKind
from games.records.boards import with_hits
from games.records.performance import ErrorClass, error_class
from games.records.questions import Choice
from games.records.replaying import compact
from games.rules.sides import Side
from games.rules.xgid import XgId
from games.web.analysed import engine_words
from people.api.answers import Answer, Url, answer, answered, one_of, says
from people.api.filters import Query
from tournaments.selectors.matches.quiz import (
    Asked,
    asked_as,
    asked_in,
    counts_of,
    quiz_versions,
    shown_position,
    shown_quiz,
)
from tournaments.shared.api.values import page_url

CODES: Final = ("play", "no_double", "double", "take", "pass")


class ChoiceWorth(Answer, frozen=True):
    """The value of a choice for White. Winning a single game with the cube unchanged is 1."""

    equity: float
    less: Annotated[float, says("Difference from the best choice.")]
    error: Annotated[ErrorClass, says("By the difference: from 0.020 an error, from 0.080 a blunder.")]
    played: Annotated[bool, says("Whether this choice was made in the match.")]
    answers: Annotated[int, says("How often this answer was given; who gave it is not stored.")]


class AskedChoice(Answer, frozen=True):
    """One of the choices."""

    number: Annotated[int, says("From 1, as on the page.")]
    code: Annotated[str, one_of(CODES)]
    play: Annotated[str, says("For a checker play, in White's numbering; empty for a cube decision.")]
    worth: Annotated[ChoiceWorth | None, says("Null unless the answer was requested.")]

    @classmethod
    def of(cls, number: int, choice: Choice, position: XgId, worth: ChoiceWorth | None) -> "AskedChoice":
        steps = tuple((step.source, step.target) for step in choice.steps)
        play = compact(with_hits(position.position, steps)) if choice.code == "play" else ""
        return cls(number, choice.code, play, worth)


class AskedPosition(Answer, frozen=True):
    """A position of an event in which White has to decide. It does not say who played it."""

    id: str
    url: Url
    picture: Annotated[Url, says("PNG, 1200 × 630, without the answer.")]
    number: Annotated[int, says("From 1, largest blunder first.")]
    total: int
    kind: DecisionKind
    xgid: Annotated[str, says("The position, from White's side.")]
    dice: Annotated[list[int] | None, says("For a checker play.")]
    length: Annotated[int | None, says("Length of the match; null for money play.")]
    score: Annotated[list[int] | None, says("White's points first; null for money play.")]
    crawford: bool
    cube: Annotated[int, says("Value before the offer.")]
    owner: Annotated[str, one_of(["", *Side]), says("Owner of the cube; empty if it is in the middle.")]
    choices: list[AskedChoice]
    engine: Annotated[str, says("The engine whose evaluation is the answer, with version and level.")]

    @classmethod
    def of(cls, asked: Asked, counts: dict[int, int] | None = None) -> "AskedPosition":
        """``counts``: answers by choice, where what they are worth is shown."""
        position, public_id = asked.question.position, asked.row.public_id

        def worth(place: int, choice: Choice) -> ChoiceWorth | None:
            if counts is None:
                return None
            return ChoiceWorth(
                equity=round(choice.equity, 4),
                less=round(choice.less, 4),
                error=error_class(choice.less),
                played=choice.played,
                answers=counts.get(place, 0),
            )

        return cls(
            id=public_id,
            url=page_url("public:quiz-position", public_id),
            picture=page_url("public:quiz-card", public_id),
            number=asked.number,
            total=asked.total,
            kind=asked.question.kind,
            xgid=position.id,
            dice=list(position.dice) if position.dice is not None else None,
            length=position.length or None,
            score=list(position.score) if position.length else None,
            crawford=position.crawford,
            cube=position.cube,
            owner=position.owner.value if position.owner is not None else "",
            choices=[
                AskedChoice.of(place + 1, choice, position, worth(place, choice))
                for place, choice in enumerate(asked.question.choices)
            ],
            engine=engine_words(asked.analysis),
        )


class PositionQuery(Query):
    answer = serializers.BooleanField(default=False, help_text="Whether to include the value of each choice.")


class EventPositions(APIView):
    """List the positions of a finished event as questions."""

    @extend_schema(operation_id="events_positions", responses=answered(list[AskedPosition]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = shown_quiz(request.user, event)
        return answer(
            request,
            quiz_versions(visible),
            lambda: [AskedPosition.of(one) for one in asked_in(visible.event)],
            role=visible.role,
        )


class OnePosition(APIView):
    """Get a position as a question, with the answer on request."""

    @extend_schema(
        operation_id="positions_read", parameters=[PositionQuery], responses=answered(AskedPosition)
    )
    def get(self, request: Request, position: str) -> HttpResponse:
        shown = PositionQuery.read(request)["answer"]
        visible, row = shown_position(request.user, position)
        counts = counts_of(row) if shown else None
        return answer(
            request,
            [*quiz_versions(visible), row.pk, sorted(counts.items()) if counts is not None else ""],
            lambda: AskedPosition.of(asked_as(visible.event, row), counts),
            role=visible.role,
        )
