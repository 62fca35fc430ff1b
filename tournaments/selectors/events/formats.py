"""By which cube rules a match is played."""

from dataclasses import replace

from games.rules.formats import MatchFormat, get_preset
from tournaments.models import Stage


def match_format(stage: Stage, length: int | None) -> MatchFormat:
    """The cube rules a match of ``stage`` to ``length`` points is played by, with the Holland rule where its director wants it (F3)."""
    form = get_preset(stage.format_preset).format(length)
    wanted = stage.settings.conduct.holland and form.crawford and not form.is_money
    return replace(form, holland=True) if wanted else form
