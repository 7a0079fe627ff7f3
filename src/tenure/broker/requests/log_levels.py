"""Log levels of this process, which clients read and change as configs of the resource BROKER_LOGGER (KIP-412).

A changed level applies until the broker stops. A logger without a level of its own has the level of its parent.
"""

import logging
from collections.abc import Sequence
from typing import Final

from tenure.coordinator.metadata.alter import refused_changes
from tenure.coordinator.metadata.answers import AlteredResource
from tenure.coordinator.metadata.commands import ConfigChange, Operation, ResourceChanges
from tenure.protocol.errors import ErrorCode

BROKER_LOGGER: Final = 8
"""Kafka's number of the resource type BROKER_LOGGER. The name of such a resource is the id of a broker."""
ROOT: Final = "root"
LEVELS: Final = {
    "FATAL": logging.CRITICAL,
    "ERROR": logging.ERROR,
    "WARN": logging.WARNING,
    "INFO": logging.INFO,
    "DEBUG": logging.DEBUG,
    "TRACE": 5,
}
"""Python's levels by Kafka's names, the highest first."""

Refusal = tuple[ErrorCode, str]


def levels() -> dict[str, str]:
    """Return the effective level of each logger, by name."""
    existing = logging.root.manager.loggerDict
    names = sorted(name for name, logger in existing.items() if isinstance(logger, logging.Logger))
    return {ROOT: _name_of(logging.root)} | {name: _name_of(logging.getLogger(name)) for name in names}


def _name_of(logger: logging.Logger) -> str:
    level = logger.getEffectiveLevel()
    return next((name for name, least in LEVELS.items() if level >= least), "TRACE")


def why_no_logger_of(node_id: int, name: str) -> str | None:
    """Return an error unless the resource name `name` is the id of this broker, which is `node_id`."""
    return None if name == str(node_id) else f"Unexpected broker id {name!r}: this is broker {node_id}."


def alter_levels(node_id: int, requested: ResourceChanges, *, validate_only: bool) -> AlteredResource:
    """Change the levels of loggers as requested, and return the result. If one change is refused, none is made.

    With `validate_only`, the changes are only checked.
    """
    resource = requested.resource_type, requested.resource_name
    refusal: Refusal | None = None
    if why := why_no_logger_of(node_id, requested.resource_name):
        refusal = ErrorCode.INVALID_REQUEST, why
    refusal = refusal or refused_changes(requested) or _why_refused(requested.changes)
    if refusal is not None:
        return AlteredResource(*resource, *refusal)
    for change in () if validate_only else requested.changes:
        logger = logging.root if change.name == ROOT else logging.getLogger(change.name)
        logger.setLevel(LEVELS[change.value or ""] if change.operation == Operation.SET else logging.NOTSET)
    return AlteredResource(*resource)


def _why_refused(changes: Sequence[ConfigChange]) -> Refusal | None:
    existing = levels()
    for change in changes:
        if change.operation not in (Operation.SET, Operation.DELETE):
            return ErrorCode.INVALID_REQUEST, "The level of a logger can be set or deleted; it is no list."
        if change.name not in existing:
            return ErrorCode.INVALID_CONFIG, f"Unknown logger '{change.name}'. Describe the resource to list all."
        if change.operation == Operation.DELETE and change.name == ROOT:
            return ErrorCode.INVALID_REQUEST, "The level of the logger 'root' cannot be deleted: set another one."
        if change.operation == Operation.SET and change.value not in LEVELS:
            return ErrorCode.INVALID_CONFIG, f"Unknown level {change.value!r}: it is one of {', '.join(LEVELS)}."
    return None
