"""Pure package of the tournaments: the rules as functions of values, without storage.

Defines statuses and their transitions, reports and decisions, draws, brackets, places, tables. Never imports
Django, a database, a clock or global randomness (a draw's randomness comes from its stored random seed).
"""
