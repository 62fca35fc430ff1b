"""Fixtures for all tests; what a test needs of servers and programs is in ``tests.support.servers``."""

pytest_plugins = ["tests.support.servers"]
