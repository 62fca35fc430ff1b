"""Cube rules of matches."""

from dataclasses import replace

from games.rules.formats import MatchFormat, get_preset
from tournaments.models import Stage


def match_format(stage: Stage, length: int | None) -> MatchFormat:
    """The cube rules of a match of ``stage`` to ``length`` points, with the Holland rule if set (F3)."""
    form = get_preset(stage.format_preset).format(length)
    wanted = stage.settings.conduct.holland and form.crawford and not form.is_money
    return replace(form, holland=True) if wanted else form
