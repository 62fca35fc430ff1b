"""Accounts: made by whoever runs the site, and all that is signed in with one ended at once."""

from dataclasses import dataclass

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from people.models import User


@dataclass(frozen=True, slots=True)
class Invitation:
    """``address`` is the key: whoever opens it chooses the password."""

    is_new: bool
    address: str


@transaction.atomic(durable=True)
def invite(*, email: str, name: str = "") -> Invitation:
    """The account of this address, made if there is none, and a link that works once for choosing its password.

    An account that is there keeps its name, its password until another is chosen, and its second factor.
    """
    user = User.objects.filter(email__iexact=email.strip()).first()
    is_new = user is None
    if user is None:
        user = User.objects.create_user(email.strip(), name=name.strip())
    key = default_token_generator.make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return Invitation(is_new, settings.SITE_URL + path)
