"""Pages of accounts that are not quite as django-allauth has them."""

from typing import Any

from allauth.account.views import PasswordResetView
from django.conf import settings
from django.http import HttpRequest, HttpResponse


class ForgottenPassword(PasswordResetView):  # type: ignore[misc]
    """Where no mail is sent the page says whom to ask, and takes nothing."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer: HttpResponse = (
            super().post(request, *args, **kwargs) if settings.MAIL_WORKS else self.get(request)
        )
        return answer


forgotten_password = ForgottenPassword.as_view()
