"""Prizes of an event: set and changed at any time, for every part of every stage; who gets what; the file and the API."""
