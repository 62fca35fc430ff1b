"""Hold a file beside a form: a browser cannot be given its file back when a form is shown again."""

from django.utils import timezone

from games.models import HELD_RECORD_LIFETIME, HeldRecord
from games.services.records import clean_filename
from people.transactions import durable

MAX_PER_PURPOSE = 20


@durable
def hold_record(*, content: bytes, filename: str, purpose: str) -> HeldRecord:
    """Keep the file for an hour under a key nobody can guess. Of one purpose only the newest few are kept."""
    held = HeldRecord.objects.create(content=content, filename=clean_filename(filename), purpose=purpose)
    newest = list(
        HeldRecord.objects.filter(purpose=purpose)
        .order_by("-pk")
        .values_list("pk", flat=True)[:MAX_PER_PURPOSE]
    )
    HeldRecord.objects.filter(purpose=purpose).exclude(pk__in=newest).delete()
    return held


@durable
def delete_held_record(*, key: str) -> None:
    """The form has been sent: what it needed of the file is stored with it."""
    HeldRecord.objects.filter(key=key).delete()


@durable
def delete_old_held_records() -> int:
    """Throw away what has waited for too long."""
    count, _ = HeldRecord.objects.filter(created_at__lt=timezone.now() - HELD_RECORD_LIFETIME).delete()
    return count
