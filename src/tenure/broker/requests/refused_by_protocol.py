"""Error of requests that no response exists for."""


class RefusedByProtocol(Exception):
    """The client asked for something that no answer exists for: its connection closes (rule 1.3.2)."""
