"""Recurring events: their dates, and the table of a series of events."""
