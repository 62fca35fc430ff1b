from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    name = "people"
    verbose_name = _("People and clubs")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import people.web.door.receivers
        import people.web.operators  # noqa: F401 (registers the sentences of the operators' trail)
