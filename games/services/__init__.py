"""The only writers of game records: keep the bytes, hold a file beside a form for a while, import an archive."""

from games.services.records import clean_filename, store_record

__all__ = ["clean_filename", "store_record"]
