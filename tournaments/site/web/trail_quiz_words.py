"""Sentences for audit actions about the quiz positions of an event."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.quiz import PositionLeftOut, PositionsHidden, PositionsPublished


def _describe_left_out(action: PositionLeftOut, _subject: str) -> str:
    if action.back:
        return _("A position of the event can be asked in the quiz again.")
    return _("A position of the event was left out of the quiz.")


QUIZ_MESSAGES: Final[Mapping[type[AuditAction], Any]] = {
    PositionsPublished: gettext_lazy("Positions of the event made public: %(positions)s."),
    PositionsHidden: gettext_lazy("Positions of the event hidden."),
    PositionLeftOut: _describe_left_out,
}
