"""Addresses of one's own account that need to know of events."""

from django.urls import path

from people.web import numbers
from tournaments.site.web import account

urlpatterns = [
    path("numbers/", numbers.own, name="account_numbers"),
    path("privacy/", account.privacy, name="account_privacy"),
    path("privacy/about-me.zip", account.everything, name="account_everything"),
    path("privacy/clubs/", account.page_consent, name="account_page_consent"),
    path("delete/", account.delete, name="account_delete"),
]
