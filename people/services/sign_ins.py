"""Record sign-ins (kept for ``SIGN_IN_LIFETIME``), and end all sessions of an account."""

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import F
from django.dispatch import Signal

from people.models import SignIn, User
from people.models.sign_in import PROGRAM_LENGTH
from people.transactions import durable

SIGN_IN_LIFETIME = timedelta(days=90)
# Sent in the transaction that ends sessions, with ``user_id`` and ``keep_device``: the name of the browser that stays signed in, or "".
sessions_ended = Signal()


def record_sign_in(*, user: User, outcome: str, way: str, address: str, program: str) -> None:
    """Record one attempt to sign in; ``program`` is the browser's User-Agent."""
    SignIn.objects.create(
        user=user,
        outcome=outcome,
        way=way,
        address=address or None,
        program=program.replace("\0", "")[:PROGRAM_LENGTH],
    )


@durable
def end_sessions(*, user: User, kept_session_key: str | None = None, keep_device: str = "") -> None:
    """End all sessions of this account, in every browser.

    ``kept_session_key``: the key of a session that stays in the list; its browser (``keep_device``, see ``door.devices``)
    has to be given the account's new session hash.
    """
    drop_sessions(user=user, kept_session_key=kept_session_key, keep_device=keep_device)


def drop_sessions(*, user: User, kept_session_key: str | None = None, keep_device: str = "") -> None:
    """End all sessions of this account in the caller's transaction; arguments as for ``end_sessions``."""
    sessions = UserSession.objects.filter(user=user).exclude(session_key=kept_session_key)
    Session.objects.filter(session_key__in=list(sessions.values_list("session_key", flat=True))).delete()
    sessions.delete()
    # Includes sessions that are in no list: their hash has another number.
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])
    sessions_ended.send(sender=User, user_id=user.pk, keep_device=keep_device)


def rename_session(*, user: User, former_key: str, key: str) -> None:
    """Store the new ``key`` of a listed session, which had the key ``former_key`` and continues."""
    UserSession.objects.filter(user=user, session_key=former_key).update(session_key=key)
