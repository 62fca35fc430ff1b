"""Removal of a person's name from a stored record."""

from collections.abc import Collection
from dataclasses import replace

from games.models import StoredRecord
from games.records.canonical import canonical
from games.records.registry import WRITABLE, write_record
from games.records.validation import normalize_name
from games.services.checking import check_with_limits


def remove_names(stored_record: StoredRecord, names: Collection[str], replacement: str) -> bool:
    """Rewrite ``stored_record`` (without saving) without ``names`` and header.

    Returns whether it had one of the names. ``sha256`` stays that of the uploaded file, so that the same file
    is recognised again. An unreadable record loses its content.
    """
    content = bytes(stored_record.content)
    if not any(spelling in content.lower() for name in names for spelling in _spellings(name)):
        return False
    record = check_with_limits(content, stored_record.filename).record
    removed_names = {normalize_name(name) for name in names}
    if record is None:
        stored_record.content = b""
    else:
        left, right = (
            replacement if normalize_name(name) in removed_names else name for name in record.players
        )
        neutral_record = canonical(replace(record, players=(left, right), tags=()))
        code = stored_record.format if stored_record.format in WRITABLE else next(iter(WRITABLE))
        stored_record.content, stored_record.format = write_record(neutral_record, code).data, code
    stored_record.size, stored_record.filename = len(stored_record.content), ""
    return True


def _spellings(name: str) -> set[bytes]:
    texts = {name.lower(), name.lower().replace(" ", "_")}
    return {text.encode(code, "ignore") for text in texts for code in ("utf-8", "latin-1", "utf-16-le")}
