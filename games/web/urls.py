"""Addresses under /records/ that do not depend on tournaments."""

from django.urls import path

from games.web import imports, pages, positions

app_name = "games"

urlpatterns = [
    path("", pages.check_page, name="check"),
    path("held/<str:key>/", pages.held_record_page, name="held"),
    path("position/", positions.position_page, name="positions"),
    path("position/<str:position_id>.svg", pages.position_image, name="position"),
    path("position/xgid/<str:xgid>.svg", pages.xgid_image, name="xgid"),
    path("import/", imports.imports, name="imports"),
    path("import/<slug:batch>/", imports.report, name="import"),
    path("import/<slug:batch>/<int:position>/", imports.viewer, name="import-file"),
]
