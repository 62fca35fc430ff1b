"""Labels for how a device got access to a personal link."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import LinkPhone

PHONE_ACCESS_LABELS: Final[Mapping[str, str | Promise]] = {
    **dict(LinkPhone.Way.choices),
    "": _("requests access"),
}
