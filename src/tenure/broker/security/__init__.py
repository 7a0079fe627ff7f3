"""Authentication of clients: principals, SASL, TLS."""
