"""Errors of a move, each with its remedy."""

from tenure.client.errors import ClientError


class MoveStopped(ClientError):
    """The move cannot go on until a user has changed something."""


class AnotherMove(MoveStopped):
    """Another process moves between the same two clusters."""
