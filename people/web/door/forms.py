"""Forms of accounts that do a little more than those of django-allauth."""

from typing import Any

from allauth.account.forms import SignupForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


class EvenSignup(SignupForm):  # type: ignore[misc]
    """Takes as long for an address that has an account as for a new one, whose password is hashed."""

    def try_save(self, request: HttpRequest) -> Any:
        if self.account_already_exists:
            make_password(self.cleaned_data.get("password1"))
        return super().try_save(request)


class AddKey(AddWebAuthnForm):  # type: ignore[misc]
    """A passkey unless the box is cleared; then a key that is asked for beside the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the key")
        self.fields["name"].help_text = _("For you alone, to tell several apart: “phone”, “key ring”.")
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].label = _("Sign in with it alone (passkey)")
        self.fields["passwordless"].help_text = _(
            "It then asks for your finger, your face or a PIN. Without this it is asked for after your password."
        )
