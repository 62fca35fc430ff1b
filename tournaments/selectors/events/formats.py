"""By which cube rules a match is played."""

from games.rules.formats import MatchFormat, preset
from tournaments.models import Stage


def match_format(stage: Stage, length: int) -> MatchFormat:
    """The cube rules a match of ``stage`` to ``length`` points is played by."""
    return preset(stage.format_preset).format(length)
