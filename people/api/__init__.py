"""Parts shared by all of the API: the form of errors, request bodies, queries and pages of lists."""
