"""Notifications to single people (``engine.alerts``), their deliveries, push subscriptions and settings."""

import hashlib
from typing import Final

from cattrs import BaseValidationError
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models import OutgoingMail
from tournaments.engine.alerts import ALERT_KINDS, QUIET_HOURS_END, QUIET_HOURS_START, Alert, Channel
from tournaments.models.choices import choices
from tournaments.models.codec import strict_codec
from tournaments.models.draw import Match
from tournaments.models.entry import Entry
from tournaments.models.event import Event

_CODEC: Final = strict_codec(forbid_extra_keys=False)
CHANNEL_CHOICES: Final = choices(Channel, {"push": _("On this phone"), "mail": _("By e-mail")})
REASON_LENGTH: Final = 200


class Notification(models.Model):
    """A notification: stored in the transaction of what happened, sent by a worker.

    ``facts`` are the fields of its kind, only ids and codes. ``entries``: ids of the recipients, if its kind
    does not determine them (``engine.alerts.Recipients``). ``until``: when it expires. ``spread_at``: when
    its recipients and channels were computed, one ``Delivery`` each.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="notifications")
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=32)
    facts = models.JSONField(default=dict)
    entries = models.JSONField(default=list)
    made_at = models.DateTimeField()
    until = models.DateTimeField()
    spread_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["id"]
        indexes = [
            models.Index(fields=["id"], condition=Q(spread_at=None), name="notification_to_spread"),
            models.Index(fields=["made_at"], name="notification_made"),
        ]

    def __str__(self) -> str:
        return f"{self.event} · {self.kind}"

    @property
    def alert(self) -> Alert | None:
        """The content of the notification.

        None if this release does not know the kind or cannot read the fields.
        """
        kind = ALERT_KINDS.get(self.kind)
        try:
            return None if kind is None else _CODEC.structure(self.facts, kind)
        except BaseValidationError:
            return None

    @alert.setter
    def alert(self, value: Alert) -> None:
        self.kind, self.facts = value.kind, _CODEC.unstructure(value)


class Subscription(models.Model):
    """A push subscription of a browser: the address from its push service, and the keys for encryption.

    ``digest``: SHA-256 of the address, for look-up. ``site_key``: the public key of the site at subscription;
    the push service rejects any other. ``language``: that of the page on which it was made.
    """

    endpoint = models.TextField(editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    p256dh = models.CharField(max_length=88, editable=False)
    auth = models.CharField(max_length=24, editable=False)
    site_key = models.CharField(max_length=88, editable=False)
    language = models.CharField(max_length=12, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("phone with notifications")
        verbose_name_plural = _("phones with notifications")

    def __str__(self) -> str:
        return str(self.pk)

    @staticmethod
    def hash_endpoint(endpoint: str) -> str:
        return hashlib.sha256(endpoint.encode()).hexdigest()


class SubscribedFor(models.Model):
    """For which entry or account a browser's push subscription is used.

    For an entry, by its personal link, only as long as the link has this ``link_version``. A browser is
    subscribed for one account at most. ``device``: SHA-256 of the name that the browser has with the account
    (``people.web.door.devices``), to find the subscription when the account signs out there; empty where
    unknown.
    """

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="wanted_for")
    entry = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="subscriptions")
    link_version = models.PositiveIntegerField(default=0)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="subscriptions"
    )
    device = models.CharField(max_length=64, blank=True, default="", editable=False)
    since = models.DateTimeField()

    class Meta:
        verbose_name = _("notification subscription of a phone")
        verbose_name_plural = _("notification subscriptions of phones")
        constraints = [
            models.UniqueConstraint(fields=["subscription", "entry"], name="subscribed_entry_once"),
            models.UniqueConstraint(
                fields=["subscription"], condition=Q(user__isnull=False), name="subscribed_one_account"
            ),
            models.CheckConstraint(
                condition=Q(entry__isnull=False, user__isnull=True)
                | Q(entry__isnull=True, user__isnull=False),
                name="subscribed_for_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subscription_id} · {self.entry_id or self.user_id}"


class Delivery(models.Model):
    """One notification to one entry by one channel: to one browser, or by mail to one account.

    ``public_id`` is sent back by the page that the notification opens, to record that it was seen. ``mail``:
    the mail while it is queued or failed; None once a mail server has accepted it. ``rank``: priority, lower
    first.
    """

    class State(models.TextChoices):
        """``TAKEN``: a worker is sending it. ``SENT``: the push service or the mail queue has it.

        ``DROPPED``: it no longer applied or was no longer wanted.
        """

        WAITING = "waiting", _("waiting")
        TAKEN = "taken", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("given up")
        DROPPED = "dropped", _("no longer needed")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="deliveries")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="deliveries")
    way = models.CharField(max_length=8, choices=CHANNEL_CHOICES)
    subscription = models.ForeignKey(
        Subscription, null=True, on_delete=models.SET_NULL, related_name="deliveries"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="deliveries"
    )
    mail = models.OneToOneField(OutgoingMail, null=True, on_delete=models.SET_NULL, related_name="delivery")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    rank = models.PositiveSmallIntegerField(default=1)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)

    class Meta:
        verbose_name = _("delivery of a notification")
        verbose_name_plural = _("deliveries of notifications")
        constraints = [
            models.UniqueConstraint(
                fields=["notification", "entry", "subscription"], name="delivery_phone_once"
            ),
            models.UniqueConstraint(
                fields=["notification", "entry", "user"], condition=Q(way="mail"), name="delivery_mail_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["rank", "next_at"],
                condition=Q(state__in=["waiting", "taken"]),
                name="delivery_that_waits",
            )
        ]

    def __str__(self) -> str:
        return f"{self.notification_id} · {self.way} {self.state}"


class NotificationChoice(models.Model):
    """Notification settings of an account, of an account for one event, or of the holder of an entry's link.

    ``ways``: chosen channels, keyed by kind; a missing kind uses the default. In quiet hours (in the person's
    time zone; none if both times are equal) what is not urgent is delayed. Only an account's general quiet
    hours count, also for its events.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="notification_choices"
    )
    event = models.ForeignKey(Event, null=True, on_delete=models.CASCADE, related_name="+")
    entry = models.OneToOneField(
        Entry, null=True, on_delete=models.CASCADE, related_name="notification_choice"
    )
    ways = models.JSONField(default=dict)
    quiet_from = models.TimeField(_("quiet hours from"), default=QUIET_HOURS_START)
    quiet_until = models.TimeField(_("quiet hours until"), default=QUIET_HOURS_END)

    class Meta:
        verbose_name = _("notification setting")
        verbose_name_plural = _("notification settings")
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(event=None), name="notification_choice_user_once"
            ),
            models.UniqueConstraint(fields=["user", "event"], name="notification_choice_event_once"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, entry__isnull=True)
                | Q(user__isnull=True, entry__isnull=False, event__isnull=True),
                name="notification_choice_of_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or self.entry_id} · {self.event_id or ''}"
