"""The addresses of a site that confirms addresses by mail, where an account can begin with a passkey."""

from allauth.account.views import signup_by_passkey
from allauth.mfa.webauthn.views import signup_webauthn
from django.urls import path

from config import urls

handler400, handler403, handler404, handler500 = (
    urls.handler400,
    urls.handler403,
    urls.handler404,
    urls.handler500,
)
urlpatterns = [
    path("account/signup/passkey/", signup_by_passkey, name="account_signup_by_passkey"),
    path("account/2fa/webauthn/signup/", signup_webauthn, name="mfa_signup_webauthn"),
    *urls.urlpatterns,
]
