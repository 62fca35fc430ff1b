"""The pure package of the tournaments: rules as functions of values, without storage.

Defines statuses and their transitions, reports and decisions, draws, brackets, places, tables. Never imports
Django, a database, a clock or global randomness (a draw's randomness comes from its stored seed).
"""
