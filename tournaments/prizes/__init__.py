"""Prizes of an event: set and changed at any time, for every part of every stage; payouts, file and API."""
