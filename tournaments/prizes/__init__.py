"""Prizes of an event for each section of each stage, changed at any time; payouts, CSV file and API."""
