"""Shared pages: rendered once for all visitors (docs/decisions/0057)."""
