"""Announcements, which every page of an event shows, and notifications to players (`engine.notices`)."""
