from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from rating import outside
        from tournaments.shared.words import (  # noqa: F401 (they register the words)
            refusals,
            refusals_leagues,
            refusals_rulings,
        )
        from tournaments.site.for_ratings import TournamentEvents
        from tournaments.site.web import trail_words  # noqa: F401 (registers the sentences of the trail)

        outside.use(TournamentEvents())
