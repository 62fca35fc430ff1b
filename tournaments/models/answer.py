"""Before a match: what the site said of it to its players, and what they answered."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.matches.answers import MAX_REASON_LENGTH, CallReply, ReplyChoice
from tournaments.models.draw import Match
from tournaments.models.entry import Entry


class CallWord(models.Model):
    """The word before the call: ``entry`` was told that the match is near, last at ``at``, and so ``times``.

    ``begins_at`` and ``table``: what was told. It is no change of the event: no version of it, no row in its trail.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="call_words")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="call_words")
    at = models.DateTimeField()
    begins_at = models.DateTimeField()
    table = models.PositiveSmallIntegerField(null=True)
    times = models.PositiveSmallIntegerField(default=1)

    class Meta:
        verbose_name = _("up-next notice")
        verbose_name_plural = _("up-next notices")
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["match", "entry"], name="callword_once")]

    def __str__(self) -> str:
        return f"{self.match} · {self.entry}"


class CallAnswer(models.Model):
    """What ``entry`` answers before the match; the last word stands alone. Whether it still counts says `engine.matches.answers`.

    ``reason`` is for the desk alone, and is no part of the trail.
    """

    class Kind(models.TextChoices):
        COMING = ReplyChoice.COMING.value, _("coming")
        LATER = ReplyChoice.LATER.value, _("5 minutes")
        CANNOT = ReplyChoice.CANNOT.value, _("cannot play")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="call_answers")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="call_answers")
    coming = models.CharField(max_length=8, choices=Kind.choices)
    reason = models.CharField(max_length=MAX_REASON_LENGTH, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("answer before a match")
        verbose_name_plural = _("answers before matches")
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["match", "entry"], name="callanswer_once")]

    def __str__(self) -> str:
        return f"{self.match} · {self.entry}"

    @property
    def reply(self) -> CallReply:
        return CallReply(ReplyChoice(self.coming), self.at, self.reason)
