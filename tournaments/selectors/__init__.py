"""Readers of tournament state for pages and API; each returns values in a bounded number of queries."""
