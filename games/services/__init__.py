"""The only writers of game records: store files, hold a file beside a form, import an archive."""

from games.services.records import clean_filename, store_record

__all__ = ["clean_filename", "store_record"]
