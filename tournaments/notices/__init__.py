"""Announcements, notices on every page, and notifications to players (`engine.notices`)."""
