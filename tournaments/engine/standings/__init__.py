"""Tables and places: tie-breaks, prizes, qualifying, promotion, withdrawals."""
