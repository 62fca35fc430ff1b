"""Outgoing mail: stored in the transaction of the change that causes the mail, sent later by a worker."""

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

REASON_LENGTH = 200


class OutgoingMail(models.Model):
    """A mail to one address. The row is deleted once a mail server accepts the mail.

    The text of a mail that could not be sent is deleted at once, because links in it may still work; the rest
    stays for a time for the operators.
    """

    class State(models.TextChoices):
        """How far sending has come. ``TAKEN``: a worker has the mail. ``HANDED``: its text is being sent.

        After ``HANDED`` a retry might send the mail twice. ``UNSURE``: it is not known whether it was sent.
        """

        WAITING = "waiting", _("waiting")
        TAKEN = "taken", _("being sent")
        HANDED = "handed", _("being handed to the mail server")
        GIVEN_UP = "given_up", _("given up")
        UNSURE = "unsure", _("possibly sent")

    recipient = models.CharField(_("to"), max_length=320)
    sender = models.CharField(_("from"), max_length=320)
    subject = models.CharField(_("subject"), max_length=200)
    content = models.BinaryField()
    state = models.CharField(_("state"), max_length=16, choices=State.choices, default=State.WAITING)
    written_at = models.DateTimeField(_("written"), default=now)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), default=now)
    taken_at = models.DateTimeField(null=True)
    reason = models.CharField(_("mail server response"), max_length=REASON_LENGTH, blank=True)

    class Meta:
        verbose_name = _("outgoing mail")
        verbose_name_plural = _("outgoing mail")
        indexes = [models.Index(fields=["state", "next_at"], name="people_mail_that_waits")]

    def __str__(self) -> str:
        return f"{self.pk} {self.get_state_display()}"
