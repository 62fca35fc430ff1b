"""An event or a club as one signed file, for another site that takes it in with the same ids."""
