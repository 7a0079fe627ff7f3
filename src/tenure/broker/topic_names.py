"""Validity of topic names, and the names of the broker's own topics."""

import re
from typing import Final

from tenure.limits.broker import TOPIC_NAME_CHARACTERS_MAX
from tenure.protocol.types import TopicName

CONSUMER_OFFSETS: Final = TopicName("__consumer_offsets")
TRANSACTION_STATE: Final = TopicName("__transaction_state")
TENURE_JOURNAL: Final = TopicName("__tenure_journal")
INTERNAL_TOPICS: Final = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE, TENURE_JOURNAL})
"""Topics to which only the broker writes."""
COORDINATORS: Final = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE})
"""Topics that are the logs of coordinators."""

_LEGAL: Final = re.compile(r"[a-zA-Z0-9._-]+")


def is_valid_topic_name(name: str) -> bool:
    """Return whether a topic may have this name. Directories are named after topics, so a name must not be a path."""
    return len(name) <= TOPIC_NAME_CHARACTERS_MAX and name not in (".", "..") and _LEGAL.fullmatch(name) is not None
