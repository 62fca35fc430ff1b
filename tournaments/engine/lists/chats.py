"""What people send: lines of chats with time and sender, subjects of mails."""

import re
from typing import Final

from names.folding import folded
from tournaments.engine.lists import marks
from tournaments.engine.lists.free import read_free
from tournaments.engine.lists.personal import looks_given
from tournaments.engine.lists.values import Draft, Manner

_CLOCK: Final = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?\s?m\.?)?"
_DAY: Final = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# "[18:03, 12/05/2026] Ann: in", "[12.05.26, 18:03:11] Ann: in", "12/05/2026, 18:03 - Ann: in"
_STAMP: Final = re.compile(
    rf"^\s*(?:\[(?:{_CLOCK},?\s+{_DAY}|{_DAY},?\s+{_CLOCK})\]\s*|{_DAY},?\s+{_CLOCK}\s+[-–—]\s+)(.+)$",
    re.IGNORECASE,
)


def message_in(line: str) -> tuple[str, str] | None:
    """Who sent a line of a chat that was copied with its times, and what; None for a line without a time in front."""
    found = _STAMP.match(line)
    if found is None:
        return None
    sender, colon, message = found.group(1).partition(":")
    return (sender.strip(" ~"), message.strip()) if colon else ("", found.group(1))


def from_chat(sender: str, message: str, manner: Manner) -> list[Draft]:
    """The sender with what was said as a note; behind a telephone's number the person in the message. Nobody if a program spoke."""
    if not sender:
        return []
    draft = read_free(sender, manner)
    if not draft.name:  # the number of somebody who is not in the sender's book
        draft = read_free(f"{message}, {sender}", manner)
        return [draft] if looks_given(draft.name) else []
    message = marks.without_signs(marks.without_email(message, draft), draft)
    message = marks.without_phone(message, draft)
    for piece in re.split(r"\s*[,;]\s+|\s+[-–—]\s+", message):
        if not marks.take_whole(piece, draft, manner):
            draft.note(piece)
    return [draft] if folded(draft.name) else []
