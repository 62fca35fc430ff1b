"""Root URLs: the prefix under which each app's own URLs are found."""

from django.contrib import admin
from django.urls import include, path

from config.views import ApiPage, ProblemPage, SchemaView, security_txt
from rating.web import official
from tournaments.operators.web.reports import report

handler400 = "config.refusals.bad_request"
handler403 = "config.refusals.forbidden"
handler404 = "config.refusals.not_found"
handler500 = "config.refusals.server_error"

urlpatterns = [
    path("account/", include("people.web.door.urls")),
    path("account/", include("tournaments.site.urls.account")),
    path("account/", include("allauth.urls")),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path(".well-known/crawford-keys.json", official.public_key_set, name="signing-keys"),
    path(".well-known/crawford", official.public_key_set, name="site-keys"),
    path("signed/", official.verification_page, name="signed"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/v1/schema/", SchemaView.as_view(), name="schema"),
    path("api/v1/docs/", ApiPage.as_view(), name="api-docs"),
    path("api/v1/problems/", ProblemPage.as_view(), name="problems"),
    path("api/v1/ratings/", include("rating.api.urls")),
    path("api/v1/", include("tournaments.site.urls.api")),
    path("admin/", admin.site.urls),
    path("r/", include("rating.web.urls")),
    path("direct/ratings/", include("rating.web.director.urls")),
    path("records/", include("games.web.urls")),
    path("records/", include("tournaments.site.urls.records")),
    path("api/v1/records/", include("games.api.urls")),
    path("clubs/", include("people.web.urls")),
    path("direct/", include("tournaments.site.urls.director")),
    path("operators/", include("tournaments.operators.urls")),
    path("direct/", include("tournaments.bundles.urls")),
    path("report/", report, name="report-page"),
    path("", include("tournaments.site.urls.player")),
    path("", include("tournaments.site.urls.public")),
]
