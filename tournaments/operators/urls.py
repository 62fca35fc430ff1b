"""URLs of the operators' pages."""

from django.urls import path

from tournaments.operators.web import pages, reports

app_name = "operators"

urlpatterns = [
    path("", pages.home, name="home"),
    path("trail/", pages.audit_log, name="trail"),
    path("merge/", pages.merge, name="merge"),
    path("merge/undo/", pages.undo_merge, name="undo-merge"),
    path("reports/", reports.report_list, name="reports"),
    path("reports/<slug:report>/", reports.answer_page_report, name="answer"),
    path("<slug:kind>/<slug:key>/", pages.subject_page, name="about"),
    path("<slug:kind>/<slug:key>/act/", pages.apply_action, name="act"),
    path("<slug:kind>/<slug:key>/quota/", pages.set_quota, name="quota"),
]
