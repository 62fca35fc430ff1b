"""Evenings that come again: an event once more, the club's own templates, series of dates with a page and a table."""
