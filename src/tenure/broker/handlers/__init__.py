"""Handlers, one file per API key: they translate requests into commands, and answers into responses.

The docstring of a handler lists what each version of its API has changed: "v3 flexible encoding" means that the
flexible encoding of KIP-482 begins with version 3.
"""
