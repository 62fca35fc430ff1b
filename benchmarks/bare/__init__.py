"""The yardstick of `shared_pages.py`: Django with nothing around one view."""
