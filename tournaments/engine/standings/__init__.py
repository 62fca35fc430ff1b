"""Tables and places: tie-breaks, prizes, qualifying, promotion, and entries that withdraw."""
