"""Errors of a move, each with its remedy."""

from tenure.client.errors import ClientError


class MoveStopped(ClientError):
    """Error after which a user has to change something before the move can continue."""


class AnotherMove(MoveStopped):
    """This process was fenced, because another process has begun a move between the same two clusters."""
