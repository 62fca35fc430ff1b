"""Hold a file while a form is filled in: a browser cannot send it again when a form is shown again."""

from django.utils import timezone

from games.models import HELD_RECORD_LIFETIME, HeldRecord
from games.services.records import clean_filename
from people.transactions import durable

MAX_PER_PURPOSE = 20


@durable
def hold_record(*, content: bytes, filename: str, purpose: str) -> HeldRecord:
    """Store the file for an hour under a secret key. For each purpose only the newest few are kept."""
    held = HeldRecord.objects.create(content=content, filename=clean_filename(filename), purpose=purpose)
    newest_ids = list(
        HeldRecord.objects.filter(purpose=purpose)
        .order_by("-pk")
        .values_list("pk", flat=True)[:MAX_PER_PURPOSE]
    )
    HeldRecord.objects.filter(purpose=purpose).exclude(pk__in=newest_ids).delete()
    return held


@durable
def delete_held_record(*, key: str) -> None:
    """Delete the file of a form that was submitted."""
    HeldRecord.objects.filter(key=key).delete()


@durable
def delete_old_held_records() -> int:
    """Delete files that were held for too long; return their number."""
    count, _ = HeldRecord.objects.filter(created_at__lt=timezone.now() - HELD_RECORD_LIFETIME).delete()
    return count
