"""What was saved at once on the page of all people and divisions, and which columns an event has of its own, in words."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.trail.action import TrailAction
from tournaments.engine.trail.events import ColumnsSet
from tournaments.engine.trail.matrix import MatrixSaved, MatrixTakenBack
from tournaments.site.web.trail_match_words import Words


def _saved(action: MatrixSaved, _subject: str) -> str:
    words = ngettext(
        "Matrix: %(count)s change saved at once.", "Matrix: %(count)s changes saved at once.", action.cells
    )
    return words % {"count": action.cells}


def _back(action: MatrixTakenBack, _subject: str) -> str:
    words = ngettext(
        "Matrix: a save of %(count)s change taken back.",
        "Matrix: a save of %(count)s changes taken back.",
        action.cells,
    )
    return words % {"count": action.cells}


def _columns(action: ColumnsSet, _subject: str) -> str:
    if not action.after:
        return _("The event has no columns of its own any more.")
    return _("Columns of the event’s own: %(names)s.") % {"names": ", ".join(action.after)}


MATRIX_WORDS: Final[Mapping[type[TrailAction], Words]] = {
    MatrixSaved: _saved,
    MatrixTakenBack: _back,
    ColumnsSet: _columns,
}
