"""Recurring events: duplicates, templates of clubs, and series of events with a page and a table."""
