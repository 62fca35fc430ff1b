"""The one door: everything that was changed on the page, in one transaction; and the last of it taken back."""
