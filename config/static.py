"""How static files are named and packed in production."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A hash in every name, also in the names that our ES modules import, so that all of them may be cached for ever."""

    support_js_module_import_aggregation = True
