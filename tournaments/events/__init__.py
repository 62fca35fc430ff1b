"""What is played: an event, its divisions and stages, their settings, and the templates that make them."""
