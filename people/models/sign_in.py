"""Successful and failed sign-ins."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

PROGRAM_LENGTH = 200


class SignIn(models.Model):
    """One attempt to sign in to an account, visible to its owner only and deleted after ``KEPT`` days.

    Attempts with an unknown address are in the log and not here.
    """

    class Outcome(models.TextChoices):
        """``WRONG_CODE``: the password was right, and the second factor was not."""

        IN = "in", _("Signed in")
        WRONG_PASSWORD = "wrong_password", _("Wrong password")
        WRONG_CODE = "wrong_code", _("Wrong code")

    class Way(models.TextChoices):
        """How the account signed in, with the second factor where one was used."""

        PASSWORD = "password", _("password")
        CODE = "totp", _("password and code")
        KEY = "webauthn", _("password and security key")
        RECOVERY = "recovery_codes", _("password and recovery code")
        PASSKEY = "passkey", _("passkey")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_ins")
    at = models.DateTimeField(_("time"), default=now, db_index=True)
    outcome = models.CharField(max_length=16, choices=Outcome.choices)
    way = models.CharField(max_length=16, choices=Way.choices, default=Way.PASSWORD)
    address = models.GenericIPAddressField(_("address"), null=True)
    program = models.CharField(_("program"), max_length=PROGRAM_LENGTH, blank=True)

    class Meta:
        verbose_name = _("sign-in")
        verbose_name_plural = _("sign-ins")
        indexes = [models.Index(fields=["user", "at"], name="people_signin_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.at:%Y-%m-%d %H:%M} {self.outcome}"
