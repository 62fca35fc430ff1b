"""The address by which somebody ends mail with one tap: signed, for one account and one kind, good as long as the account is there."""

import re

from django.core.signing import BadSignature, Signer

from faults import Missing
from people.models import User
from people.rows import one_or_none

_SIGNER = Signer(salt="crawford.notices-off", sep=".")
_TOKEN_PATTERN = re.compile(r"([0-9]{1,18})-([a-z_]{1,32})", re.ASCII)


def unsubscribe_token(user_id: int, kind: str) -> str:
    """What the address holds."""
    return _SIGNER.sign(f"{user_id}-{kind}")


def parse_unsubscribe_token(token: str) -> tuple[User | None, str]:
    """Whose mail it ends, and of which kind it was; None where there is no such account any more. ``Missing`` for a forged one."""
    try:
        found = _TOKEN_PATTERN.fullmatch(_SIGNER.unsign(token))
    except BadSignature:
        found = None
    if found is None:
        raise Missing("link.broken")
    return one_or_none(User.objects.filter(pk=int(found[1]))), found[2]
