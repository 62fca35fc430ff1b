"""Checks of the whole: demo data, random events, integrity checks, and replay of the audit log.

No other layer imports it.
"""
