"""What everybody in the hall is told: announcements, and whatever else the house tells (`engine.notices`)."""
