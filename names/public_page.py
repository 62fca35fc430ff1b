"""From when a new player has a public page: the choice of who enters the name."""

from enum import StrEnum


class PublicPage(StrEnum):
    """When a player who is created by another person gets a public page."""

    WITH_DRAW = "with_draw"  # a published draw shows the name in any case
    NOW = "now"  # the player has agreed
    NONE = "none"
