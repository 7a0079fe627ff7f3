"""Error of requests that no response exists for."""


class RefusedByProtocol(Exception):
    """Request for which no response exists: its connection closes (rule 1.3.2)."""
