"""The account of a person, identified by e-mail address, never shown in public."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

# Django's own value: sessions from before this counter stay valid.
_SESSION_SALT = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"


class UserManager(BaseUserManager["User"]):
    """Create users with a normalised address and a hashed (or unusable) password."""

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> "User":
        if not email:
            raise ValueError("a user needs an e-mail address")
        user = self.model(email=self.normalize_email(email).lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra_fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra_fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """The account of a person. Directors have one; players may have one, but need none to report a result."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    language = models.CharField(_("language"), max_length=12, blank=True)
    timezone = models.CharField(_("time zone"), max_length=64, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("can access the admin"), default=False)
    date_joined = models.DateTimeField(_("joined"), default=now)
    # Created by an invitation without an address: assists where invited, and cannot create clubs.
    is_guest = models.BooleanField(_("guest"), default=False, editable=False)
    # How often all sessions were ended: part of each session's hash.
    sessions_ended = models.PositiveIntegerField(default=0)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [models.UniqueConstraint(Lower("email"), name="people_user_email_ci")]

    def __str__(self) -> str:
        return self.name or self.email

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        """Return a hash of the password and of ``sessions_ended``; sessions with another hash are invalid."""
        signed_value = f"{self.password}{self.sessions_ended or ''}"
        return salted_hmac(_SESSION_SALT, signed_value, secret=secret, algorithm="sha256").hexdigest()

    def get_full_name(self) -> str:
        return self.name or self.email

    def get_short_name(self) -> str:
        return self.name.split(" ", 1)[0] if self.name else self.email
