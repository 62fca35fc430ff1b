"""Events with their divisions, stages and settings, and the templates that create them."""
