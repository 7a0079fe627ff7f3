"""Handlers, one file per API key: each translates a request into a command, and the reply into a response."""
