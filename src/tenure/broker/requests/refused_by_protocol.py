"""Error of requests that close the connection, because the protocol has no response for them."""


class RefusedByProtocol(Exception):
    """Request for which no response exists: its connection closes (rule 1.3.2)."""
