"""Signed links that unsubscribe an account from one kind of mail; valid as long as the account exists."""

import re

from django.core.signing import BadSignature, Signer

from faults import Missing
from people.models import User
from people.rows import one_or_none

_SIGNER = Signer(salt="crawford.notices-off", sep=".")
_TOKEN_PATTERN = re.compile(r"([0-9]{1,18})-([a-z_]{1,32})", re.ASCII)


def unsubscribe_token(user_id: int, kind: str) -> str:
    """Return the token of an unsubscribe link, for an account and a kind of mail."""
    return _SIGNER.sign(f"{user_id}-{kind}")


def parse_unsubscribe_token(token: str) -> tuple[User | None, str]:
    """Return the account and the kind of mail of an unsubscribe token.

    The account is None if it was deleted. Raises ``Missing`` if the token is forged.
    """
    try:
        parts = _TOKEN_PATTERN.fullmatch(_SIGNER.unsign(token))
    except BadSignature:
        parts = None
    if parts is None:
        raise Missing("link.broken")
    return one_or_none(User.objects.filter(pk=int(parts[1]))), parts[2]
