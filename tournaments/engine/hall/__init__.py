"""Calls to tables, the order of matches on the board, and forecasts."""
