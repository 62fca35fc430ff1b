"""What several rooms show alike: words, parts and frames of pages, values of the API. No room of its own."""
