"""Checks of the whole program: demo data, random events, integrity checks, and replay of the audit log.

No other layer imports this package.
"""
