"""Addresses of the rating pages for directors."""

from django.urls import path

from rating.web.director import imports, ledger, lists, official, table_job

app_name = "rating_director"

urlpatterns = [
    path("club/<slug:club>/", lists.home, name="home"),
    path("club/<slug:club>/new/", lists.new_list, name="new"),
    path("club/<slug:club>/results/", imports.results, name="import-results"),
    path("club/<slug:club>/imports/<slug:number>/", table_job.table_job, name="import"),
    path("<slug:list_id>/", lists.manage, name="list"),
    path("<slug:list_id>/settings/", lists.settings, name="settings"),
    path("<slug:list_id>/rebuild/", lists.rebuild, name="rebuild"),
    path("<slug:list_id>/stop/", lists.stop, name="stop"),
    path("<slug:list_id>/archive/", lists.archive, name="archive"),
    path("<slug:list_id>/check/", lists.check, name="check"),
    path("<slug:list_id>/formulas/", lists.formulas, name="formulas"),
    path("<slug:list_id>/official/", official.official, name="official"),
    path("<slug:list_id>/openings/", imports.openings, name="import-openings"),
    path("<slug:list_id>/ledger/", ledger.ledger, name="ledger"),
    path("<slug:list_id>/ledger.csv", ledger.ledger_csv, name="ledger-csv"),
    path("<slug:list_id>/ledger.json", ledger.ledger_json, name="ledger-json"),
    path("<slug:list_id>/ledger/<int:number>/", ledger.correct, name="correct"),
    path("<slug:list_id>/ledger/<int:number>/void/", ledger.void, name="void"),
]
