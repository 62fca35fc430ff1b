"""Names of people as text: fold and compare them. Pure; every layer may import it."""
