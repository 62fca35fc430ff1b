"""Addresses of the operators' pages."""

from django.urls import path

from tournaments.operators.web import pages, reports

app_name = "operators"

urlpatterns = [
    path("", pages.home, name="home"),
    path("trail/", pages.trail, name="trail"),
    path("merge/", pages.merge, name="merge"),
    path("merge/undo/", pages.undo_merge, name="undo-merge"),
    path("reports/", reports.listing, name="reports"),
    path("reports/<slug:report>/", reports.answer, name="answer"),
    path("<slug:kind>/<slug:key>/", pages.about, name="about"),
    path("<slug:kind>/<slug:key>/act/", pages.act, name="act"),
    path("<slug:kind>/<slug:key>/quota/", pages.quota, name="quota"),
]
