"""Tables and places: tie-breaks, prizes, who goes on, who goes up and down, who left."""
