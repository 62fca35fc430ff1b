"""Parts shared by all of the API: error responses, request bodies, query parameters and pagination."""
