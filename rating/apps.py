from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingConfig(AppConfig):
    name = "rating"
    verbose_name = _("Ratings")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from rating import words  # noqa: F401 - registers the words of our error codes
        from rating.web import trail  # noqa: F401 - registers the sentences of our audit actions
