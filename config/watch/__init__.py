"""How the site is: what it is asked by those who keep it running, and what it writes down for them."""
