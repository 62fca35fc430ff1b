"""Export of an event or club as one signed file, and its import on another site with the same ids."""
