"""Reading of names from lines of a chat that were copied with time and sender."""

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
    """Return the sender and the message of a line copied from a chat; None if it does not begin with a time.

    The sender is empty if the line has none.
    """
    match = _STAMP.match(line)
    if match is None:
        return None
    sender, colon, message = match.group(1).partition(":")
    return (sender.strip(" ~"), message.strip()) if colon else ("", match.group(1))


def drafts_from_chat(sender: str, message: str, style: ListStyle) -> list[PersonDraft]:
    """Return the person who sent a chat message, in a list, with the message as details and notes.

    If the sender is only a phone number, the person named in the message; empty for lines without a sender.
    """
    if not sender:
        return []
    draft = parse_free_text(sender, style)
    if not draft.name:  # the phone number of a sender who is no contact
        draft = parse_free_text(f"{message}, {sender}", style)
        return [draft] if can_be_given_name(draft.name) else []
    message = marks.strip_signs(marks.strip_email(message, draft), draft)
    message = marks.strip_phone(message, draft)
    for piece in re.split(r"\s*[,;]\s+|\s+[-–—]\s+", message):
        if not marks.take_piece(piece, draft, style):
            draft.note(piece)
    return [draft] if fold_text(draft.name) else []
