"""API: the quiz of a finished event: positions as questions, without players' names.

Only available if a director has published the quiz. A list contains questions only; the value of each choice
is given for a single position on request.
"""

from typing import Annotated, Final

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from games.records.analysis import DecisionKind
from games.records.boards import mark_hits
from games.records.performance import ErrorClass, error_class
from games.records.questions import Choice
from games.records.replaying import format_steps
from games.rules.sides import Side
from games.rules.xgid import XgId
from games.web.analysed import engine_label
from people.api.answers import Answer, Url, field_description, one_of, response_schemas, versioned_answer
from people.api.filters import Query
from tournaments.selectors.matches.quiz import (
    QuizQuestion,
    answer_counts,
    event_with_open_quiz,
    get_quiz_position,
    get_quiz_question,
    quiz_questions,
    quiz_versions,
)
from tournaments.shared.api.values import page_url

CHOICE_CODES: Final = ("play", "no_double", "double", "take", "pass")


class ChoiceWorth(Answer, frozen=True):
    """The value of a choice for White, in equity: winning a single game with the cube unchanged is 1."""

    equity: float
    less: Annotated[float, field_description("Difference from the best choice.")]
    error: Annotated[
        ErrorClass, field_description("By the difference: from 0.020 an error, from 0.080 a blunder.")
    ]
    played: Annotated[bool, field_description("Whether this choice was made in the match.")]
    answers: Annotated[int, field_description("How often this answer was given; who gave it is not stored.")]


class AskedChoice(Answer, frozen=True):
    """One of the choices that a quiz position offers."""

    number: Annotated[int, field_description("From 1, as on the page.")]
    code: Annotated[str, one_of(CHOICE_CODES)]
    play: Annotated[
        str, field_description("For a checker play, in White's numbering; empty for a cube decision.")
    ]
    worth: Annotated[ChoiceWorth | None, field_description("Null unless the answer was requested.")]

    @classmethod
    def of(cls, number: int, choice: Choice, position: XgId, worth: ChoiceWorth | None) -> "AskedChoice":
        steps = tuple((step.source, step.target) for step in choice.steps)
        play = format_steps(mark_hits(position.position, steps)) if choice.code == "play" else ""
        return cls(number, choice.code, play, worth)


class AskedPosition(Answer, frozen=True):
    """A position of an event in which White has to decide. Who played the position is not included."""

    id: str
    url: Url
    picture: Annotated[Url, field_description("PNG, 1200 × 630, without the answer.")]
    number: Annotated[int, field_description("From 1, largest blunder first.")]
    total: int
    kind: DecisionKind
    xgid: Annotated[str, field_description("The position, from White's side.")]
    dice: Annotated[list[int] | None, field_description("For a checker play.")]
    length: Annotated[int | None, field_description("Length of the match; null for money play.")]
    score: Annotated[list[int] | None, field_description("White's points first; null for money play.")]
    crawford: bool
    cube: Annotated[int, field_description("Value before the offer.")]
    owner: Annotated[
        str, one_of(["", *Side]), field_description("Owner of the cube; empty if it is in the middle.")
    ]
    choices: list[AskedChoice]
    engine: Annotated[
        str, field_description("The engine whose evaluation is the answer, with version and level.")
    ]

    @classmethod
    def of(cls, quiz_question: QuizQuestion, counts: dict[int, int] | None = None) -> "AskedPosition":
        """Return the question, with the value of each choice only if ``counts`` is given.

        ``counts``: number of answers keyed by choice index.
        """
        position, public_id = quiz_question.question.position, quiz_question.row.public_id

        def worth(index: int, choice: Choice) -> ChoiceWorth | None:
            if counts is None:
                return None
            return ChoiceWorth(
                equity=round(choice.equity, 4),
                less=round(choice.less, 4),
                error=error_class(choice.less),
                played=choice.played,
                answers=counts.get(index, 0),
            )

        return cls(
            id=public_id,
            url=page_url("public:quiz-position", public_id),
            picture=page_url("public:quiz-card", public_id),
            number=quiz_question.number,
            total=quiz_question.total,
            kind=quiz_question.question.kind,
            xgid=position.id,
            dice=list(position.dice) if position.dice is not None else None,
            length=position.length or None,
            score=list(position.score) if position.length else None,
            crawford=position.crawford,
            cube=position.cube,
            owner=position.owner.value if position.owner is not None else "",
            choices=[
                AskedChoice.of(index + 1, choice, position, worth(index, choice))
                for index, choice in enumerate(quiz_question.question.choices)
            ],
            engine=engine_label(quiz_question.analysis),
        )


class PositionQuery(Query):
    answer = serializers.BooleanField(default=False, help_text="Whether to include the value of each choice.")


class EventPositions(APIView):
    """List the quiz positions of a finished event as questions, without answers."""

    @extend_schema(operation_id="events_positions", responses=response_schemas(list[AskedPosition]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = event_with_open_quiz(request.user, event)
        return versioned_answer(
            request,
            quiz_versions(visible),
            lambda: [AskedPosition.of(quiz_question) for quiz_question in quiz_questions(visible.event)],
            role=visible.role,
        )


class PositionView(APIView):
    """Get one quiz position as a question; the answer is included on request."""

    @extend_schema(
        operation_id="positions_read", parameters=[PositionQuery], responses=response_schemas(AskedPosition)
    )
    def get(self, request: Request, position: str) -> HttpResponse:
        with_answer = PositionQuery.read(request)["answer"]
        visible, row = get_quiz_position(request.user, position)
        counts = answer_counts(row) if with_answer else None
        return versioned_answer(
            request,
            [*quiz_versions(visible), row.pk, sorted(counts.items()) if counts is not None else ""],
            lambda: AskedPosition.of(get_quiz_question(visible.event, row), counts),
            role=visible.role,
        )
