"""Names of people as text: normalise and compare them. Pure; every layer may import it."""
