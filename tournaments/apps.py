from importlib import import_module
from pathlib import Path

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from people import zones
        from rating import outside
        from tournaments.notices.web import receivers  # noqa: F401 (what ends a sign-in ends its notifications)
        from tournaments.site.for_ratings import TournamentEvents, newest_event_timezone
        from tournaments.site.web import trail_words  # noqa: F401 (registers the sentences of the trail)

        outside.set_event_source(TournamentEvents())
        zones.set_zone_lookup(newest_event_timezone)
        for name in ("flights", "refusals", "refusals_desk"):
            import_module(f"tournaments.shared.words.{name}")
        for room in Path(__file__).parent.glob("*/words.py"):  # the messages of each package
            import_module(f"tournaments.{room.parent.name}.words")
