"""Up-next notices for a match, and the answers of its players."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.matches.answers import MAX_REASON_LENGTH, CallReply, ReplyChoice
from tournaments.models.draw import Match
from tournaments.models.entry import Entry


class CallWord(models.Model):
    """The up-next notice of ``match`` to ``entry``: last sent at ``at``, ``times`` times in all.

    ``begins_at`` and ``table`` are what the notice stated. It is no change of the event: no new version, no
    entry in the audit log.
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
    """The latest answer of ``entry`` to the up-next notice of a match: coming, later, or unable to play.

    ``engine.matches.answers`` decides whether it still counts. ``reason`` is for staff only and not part of
    the audit log.
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
