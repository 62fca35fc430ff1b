"""Remove a person's name from a stored record."""

from collections.abc import Collection
from dataclasses import replace

from games.models import StoredRecord
from games.records.canonical import canonical
from games.records.registry import WRITABLE, write_record
from games.records.validation import normalize_name
from games.services.checking import check_with_limits


def remove_names(stored: StoredRecord, names: Collection[str], instead: str) -> bool:
    """Rewrite ``stored`` (without saving) without ``names`` and header lines; return whether it had one.

    ``sha256`` stays that of the uploaded file, so that the same file is recognised again.
    """
    content = bytes(stored.content)
    if not any(word in content.lower() for name in names for word in _spellings(name)):
        return False
    found = check_with_limits(content, stored.filename).record
    gone = {normalize_name(name) for name in names}
    if found is None:
        stored.content = b""
    else:
        left, right = (instead if normalize_name(name) in gone else name for name in found.players)
        neutral = canonical(replace(found, players=(left, right), tags=()))
        code = stored.format if stored.format in WRITABLE else next(iter(WRITABLE))
        stored.content, stored.format = write_record(neutral, code).data, code
    stored.size, stored.filename = len(stored.content), ""
    return True


def _spellings(name: str) -> set[bytes]:
    texts = {name.lower(), name.lower().replace(" ", "_")}
    return {text.encode(code, "ignore") for text in texts for code in ("utf-8", "latin-1", "utf-16-le")}
