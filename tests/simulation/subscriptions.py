"""Subscriptions of members: topics by name or, if the protocol supports it, by a pattern."""

import re
from random import Random
from typing import Final

from tenure.protocol.special_values import CONSUMER

TOPICS: Final = ("flights", "weather")
NAMES: Final = (("flights",), ("flights",), ("flights", "weather"), ("weather",))
PATTERNS: Final = ("f.*", "w.*|flights", "nothing")


def drawn_subscription(random: Random, group_id: str) -> tuple[tuple[str, ...], str | None]:
    """Draw a subscription; only groups of consumer members use patterns."""
    if group_id == CONSUMER and random.random() < 0.25:
        return random.choice((("flights",), ())), random.choice(PATTERNS)
    return random.choice(NAMES), None


def wants(topics: tuple[str, ...], pattern: str | None, topic: str) -> bool:
    """Return whether the subscription includes the topic.

    Patterns have only syntax that RE2 and Python's expressions share.
    """
    return topic in topics or (bool(pattern) and re.fullmatch(pattern or "", topic) is not None)
