"""The quiz of an event: positions with its largest blunders, as anonymous questions.

These rows select the decisions; their content is read from the analyses.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import AnalysedDecision
from people.ids import new_public_id
from tournaments.models.draw import Match
from tournaments.models.event import Event


class Quiz(models.Model):
    """The quiz of an event; a director publishes it when the event is over."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="quiz")
    is_open = models.BooleanField(_("shown"), default=False)

    class Meta:
        verbose_name = _("positions of an event")
        verbose_name_plural = _("positions of events")

    def __str__(self) -> str:
        return str(self.event)


class QuizPosition(models.Model):
    """A question of the quiz: a decision in a position.

    ``public_id`` is all that an address contains; ``xgid``: the position with the player who decides as
    White. ``left_out``: a director excluded it. ``match`` is used to check whether its players allow the
    publication, and is never shown.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    quiz = models.ForeignKey(Quiz, on_delete=models.CASCADE, related_name="positions")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    decision = models.ForeignKey(AnalysedDecision, on_delete=models.CASCADE, related_name="+")
    xgid = models.CharField(max_length=120)
    left_out = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("position of an event")
        verbose_name_plural = _("positions of an event")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["quiz", "decision"], name="quiz_position_once")]

    def __str__(self) -> str:
        return self.public_id


class QuizAnswer(models.Model):
    """How often an option of a question was given as the answer, without who gave it."""

    position = models.ForeignKey(QuizPosition, on_delete=models.CASCADE, related_name="answers")
    choice = models.PositiveSmallIntegerField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("answers to a position")
        verbose_name_plural = _("answers to positions")
        ordering = ["choice"]
        constraints = [models.UniqueConstraint(fields=["position", "choice"], name="quiz_answer_once")]

    def __str__(self) -> str:
        return f"{self.position} · {self.choice}: {self.count}"
