"""Storing of the bytes of a record, once for equal bytes."""

import hashlib
import unicodedata

from django.db import IntegrityError, transaction

from games.models import StoredRecord

NAME_LIMIT = 120


def store_record(*, content: bytes, filename: str, record_format: str) -> StoredRecord:
    """Store the bytes of a readable record once; return the stored record. Joins the caller's transaction."""
    sha256 = hashlib.sha256(content).hexdigest()
    record = StoredRecord.objects.filter(sha256=sha256).first()
    if record is not None:
        return record
    try:
        with transaction.atomic():
            return StoredRecord.objects.create(
                sha256=sha256,
                content=content,
                size=len(content),
                filename=clean_filename(filename),
                format=record_format,
            )
    except IntegrityError:  # another request stored the same bytes meanwhile
        return StoredRecord.objects.get(sha256=sha256)


def clean_filename(name: str) -> str:
    """Return the last part of a path, without control characters, cut to 120 characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    printable = "".join(c for c in last if not unicodedata.category(c).startswith("C")).strip()
    return printable[-NAME_LIMIT:]
