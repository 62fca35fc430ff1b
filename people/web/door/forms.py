"""Forms of accounts that extend those of django-allauth."""

import logging
import struct
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
    SignupWebAuthnForm,
)
from django import forms
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from people.messages import describe
from people.text import clean_line, web_address_faults

logger = logging.getLogger(__name__)

NAME_LIMIT = 120  # characters, as in `User.name`

# Errors of the key parsers for data that no browser sends.
_UNREADABLE_ERRORS = (AttributeError, LookupError, TypeError, ValueError, struct.error)


class UniformSignupForm(SignupForm):  # type: ignore[misc]
    """Sign-up with a name, which directors see; it takes as long for addresses with an account as for others.

    For an address that has an account, a password is hashed as for a new one.
    """

    field_order = ("name", "email", "password1", "password2")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = forms.CharField(
            label=_("Your name"),
            max_length=NAME_LIMIT,
            widget=forms.TextInput(attrs={"autocomplete": "name"}),
            help_text=_("Directors and the members of your clubs see it."),
        )
        self.order_fields(self.field_order)

    def clean_name(self) -> str:
        """Return the name on one line. Raises ``ValidationError`` for an empty one or a web address."""
        name = clean_line(self.cleaned_data["name"])
        faults = web_address_faults(name)
        if not name:
            raise forms.ValidationError(self.fields["name"].error_messages["required"])
        if faults:
            raise forms.ValidationError([describe(fault) for fault in faults])
        return name

    def try_save(self, request: HttpRequest) -> Any:
        if self.account_already_exists:
            make_password(self.cleaned_data.get("password1"))
        return super().try_save(request)


class UnreadableKeyMixin:
    """A form with a security key: a key that cannot be parsed counts as a wrong key."""

    cleaned_data: dict[str, Any]

    def full_clean(self) -> None:
        try:
            super().full_clean()  # type: ignore[misc]
        except _UNREADABLE_ERRORS as error:
            logger.warning("a key that cannot be read: %s", type(error).__name__)
            self.cleaned_data = {}
            self.add_error("credential", get_adapter().validation_error("incorrect_code"))  # type: ignore[attr-defined]


class LoginKeyForm(UnreadableKeyMixin, LoginWebAuthnForm):  # type: ignore[misc]
    """Form to sign in with a passkey instead of address and password."""


class SecondFactorKeyForm(UnreadableKeyMixin, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """Form to use a security key as second factor after the password."""


class ReauthenticateKeyForm(UnreadableKeyMixin, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """Form to prove one's identity with a security key before a sensitive change."""


class SignupKeyForm(UnreadableKeyMixin, SignupWebAuthnForm):  # type: ignore[misc]
    """Form to sign up with a passkey and no password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the passkey")
        self.fields["name"].help_text = _(
            "Helps you tell your keys apart, for example “phone”. Only you see it."
        )


class AddKeyForm(UnreadableKeyMixin, AddWebAuthnForm):  # type: ignore[misc]
    """Form to add a passkey; with the box cleared, a security key that is used after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the security key")
        self.fields["name"].help_text = _(
            "Helps you tell your keys apart, for example “phone” or “key ring”. Only you see it."
        )
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].label = _("Sign in with this key alone (passkey)")
        self.fields["passwordless"].help_text = _(
            "You then confirm with your fingerprint, your face or a PIN. Otherwise you use the key after "
            "your password."
        )
