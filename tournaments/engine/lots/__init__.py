"""Draws that anybody can check: what is promised before, what the lot falls among, and what follows from it."""
