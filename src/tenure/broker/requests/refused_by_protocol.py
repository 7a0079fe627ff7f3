"""Error of a request whose refusal the protocol cannot express in a response."""


class RefusedByProtocol(Exception):
    """A request is refused by closing its connection, because the protocol has no response for it (rule 1.3.2)."""
