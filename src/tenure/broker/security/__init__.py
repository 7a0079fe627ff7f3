"""Identities of clients: principals, authentication, TLS."""
