from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from rating import outside
        from tournaments import messages, messages_leagues, messages_rulings  # noqa: F401 (register the words)
        from tournaments.for_ratings import TournamentEvents

        outside.use(TournamentEvents())
