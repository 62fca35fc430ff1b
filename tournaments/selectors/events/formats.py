"""Cube rules of matches."""

from dataclasses import replace

from games.rules.formats import MatchFormat, get_preset
from tournaments.models import Stage


def match_format(stage: Stage, length: int | None) -> MatchFormat:
    """The cube rules of a match of ``stage`` to ``length`` points, with the Holland rule if set (F3)."""
    match_rules = get_preset(stage.format_preset).format(length)
    has_holland_rule = stage.settings.conduct.holland and match_rules.crawford and not match_rules.is_money
    return replace(match_rules, holland=True) if has_holland_rule else match_rules
