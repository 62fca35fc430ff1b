"""Names of people as text: normalise and compare them, and choose who may read them. Pure; every layer may import it."""
