"""Names of the topics to which no client may write, and checks of topic names."""

import re
from typing import Final

from tenure.limits.broker import TOPIC_NAME_CHARACTERS_MAX
from tenure.protocol.types import TopicName

CLUSTER_METADATA: Final = TopicName("__cluster_metadata")
CONSUMER_OFFSETS: Final = TopicName("__consumer_offsets")
TRANSACTION_STATE: Final = TopicName("__transaction_state")
SHARE_GROUP_STATE: Final = TopicName("__share_group_state")
"""Topic of share groups, which Tenure does not have. Its name is reserved, as in Kafka."""
TENURE_JOURNAL: Final = TopicName("__tenure_journal")
COORDINATOR_TOPICS: Final = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE})
"""Topics that are the logs of coordinators.

Their numbers of partitions never change, because they determine to which partition a group or transaction belongs.
"""
INTERNAL_TOPICS: Final = COORDINATOR_TOPICS | {SHARE_GROUP_STATE, TENURE_JOURNAL}
"""Topics to which no client may write."""

_LEGAL: Final = re.compile(r"[a-zA-Z0-9._-]+")


def why_illegal(name: str) -> str | None:
    """Return why a topic name is invalid, and what to do; None if it is valid."""
    if not name:
        return "A topic name must not be empty; give it one."
    if name in (".", ".."):
        return f"A topic cannot be called {name!r}, which names a directory; choose another name."
    if len(name) > TOPIC_NAME_CHARACTERS_MAX:
        return (
            f"The topic name has {len(name)} characters; "
            f"at most {TOPIC_NAME_CHARACTERS_MAX} are allowed, because it is part of a file name."
        )
    if not _LEGAL.fullmatch(name):
        return f"The topic name {name!r} may contain only ASCII letters, digits, '.', '_' and '-'."
    return None


def collision_key(name: str) -> str:
    """Return the topic name with '_' for '.', as in names of metrics. Names with equal results collide."""
    return name.replace(".", "_")
