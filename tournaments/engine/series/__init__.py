"""Evenings that come again: on which days, and what all of them together come to."""
