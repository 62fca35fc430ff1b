"""The match format (cube rules and length) of matches."""

from dataclasses import replace

from games.rules.formats import MatchFormat, get_preset
from tournaments.models import Stage


def match_format(stage: Stage, length: int | None) -> MatchFormat:
    """Return the match format of a match of ``stage`` to ``length`` points.

    With the Holland rule (rule F3) if the stage uses it and the format has a Crawford game.
    """
    match_rules = get_preset(stage.format_preset).format(length)
    has_holland_rule = stage.settings.conduct.holland and match_rules.crawford and not match_rules.is_money
    return replace(match_rules, holland=True) if has_holland_rule else match_rules
