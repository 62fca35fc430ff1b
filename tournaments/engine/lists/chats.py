"""What people send: lines of chats with time and sender, subjects of mails."""

import re
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists import marks
from tournaments.engine.lists.free import parse_free_text
from tournaments.engine.lists.personal import can_be_given_name
from tournaments.engine.lists.values import ListStyle, PersonDraft

_CLOCK: Final = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?\s?m\.?)?"
_DAY: Final = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# "[18:03, 12/05/2026] Ann: in", "[12.05.26, 18:03:11] Ann: in", "12/05/2026, 18:03 - Ann: in"
_STAMP: Final = re.compile(
    rf"^\s*(?:\[(?:{_CLOCK},?\s+{_DAY}|{_DAY},?\s+{_CLOCK})\]\s*|{_DAY},?\s+{_CLOCK}\s+[-–—]\s+)(.+)$",
    re.IGNORECASE,
)


def parse_chat_line(line: str) -> tuple[str, str] | None:
    """Who sent a line of a chat that was copied with its times, and what; None for a line without a time in front."""
    found = _STAMP.match(line)
    if found is None:
        return None
    sender, colon, message = found.group(1).partition(":")
    return (sender.strip(" ~"), message.strip()) if colon else ("", found.group(1))


def drafts_from_chat(sender: str, message: str, manner: ListStyle) -> list[PersonDraft]:
    """The sender with what was said as a note; behind a telephone's number the person in the message. Nobody if a program spoke."""
    if not sender:
        return []
    draft = parse_free_text(sender, manner)
    if not draft.name:  # the number of somebody who is not in the sender's book
        draft = parse_free_text(f"{message}, {sender}", manner)
        return [draft] if can_be_given_name(draft.name) else []
    message = marks.strip_signs(marks.strip_email(message, draft), draft)
    message = marks.strip_phone(message, draft)
    for piece in re.split(r"\s*[,;]\s+|\s+[-–—]\s+", message):
        if not marks.take_piece(piece, draft, manner):
            draft.note(piece)
    return [draft] if fold_text(draft.name) else []
