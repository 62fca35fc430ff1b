"""The director's pages: thin views over the services, for owners and directors of an event's club alone."""
