"""The only readers of tournament state for pages and API: values in a bounded number of queries, whatever the size."""
