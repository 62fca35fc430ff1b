"""Recurring events: duplicates, templates of clubs, and series with dates, a page and a table."""
