"""One file per API key: each translates a request into what the rest of the house understands, and the answer back."""
