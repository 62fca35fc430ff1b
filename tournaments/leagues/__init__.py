"""League seasons: rulings on unplayed matches, promotion and relegation, creation of the next season."""
