"""URLs of those account pages that depend on events."""

from django.urls import path

from people.web import numbers
from tournaments.site.web import account

urlpatterns = [
    path("numbers/", numbers.own_numbers, name="account_numbers"),
    path("privacy/", account.privacy_settings, name="account_privacy"),
    path("privacy/about-me.zip", account.export_data, name="account_everything"),
    path("privacy/clubs/", account.set_page_consent, name="account_page_consent"),
    path("delete/", account.delete, name="account_delete"),
]
