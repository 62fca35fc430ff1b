"""What every answer of the API has in common: refusals in one shape, and how a body is read."""
