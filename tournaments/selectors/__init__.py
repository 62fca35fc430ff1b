"""Selectors: functions that read tournament data for pages and API, each in a bounded number of queries."""
