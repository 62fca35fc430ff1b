"""Bundles: an event or club is exported as one signed file and imported on another site with the same ids."""
