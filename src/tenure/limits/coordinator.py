"""Bounds of `tenure.coordinator`."""

from typing import Final

OFFSETS_LOOKED_AT_MAX: Final = 2_000
"""Offsets in one step of the search for expired ones: 1 ms, and each shard may take one step per turn."""

HINTED_HEARTBEATS_PER_MS_MAX: Final = 5
"""Heartbeats per ms of those members of a group that are asked to send one early: a part of what a core can answer,
whatever the size of the group."""

OFFSETS_FORGOTTEN_MAX: Final = 2_000
"""Expired offsets whose tombstones are written in one step: some ten milliseconds."""

OFFSETS_FORGOTTEN_BYTES_MAX: Final = 1_048_576
"""Bytes of group names in one such step: a name may have 32 kB."""

NEW_MEMBER_JOIN_TIMEOUT_MS: Final = 300_000
"""Kafka's limit: a client that vanishes while its first join is parked is removed after this time (rule 2.5.1)."""

MEMBER_ID_PREFIX_CHARACTERS_MAX: Final = 8_000
"""Characters of a client or instance id at the start of a member id: with four bytes each and the UUID after them,
they stay below TEXT_BYTES_MAX."""

INSTANCE_ID_CHARACTERS_MAX: Final = 249
"""Kafka's limit for `group.instance.id`, as for topics."""

EXPECTED_TIMEOUT_MS_DEFAULT: Final = 60_000
"""Wait of a first assignment for expected instances: a rolled-out pod starts in this time, and an instance that was
registered by mistake costs a minute once."""

EXPECTED_TIMEOUT_MS_MAX: Final = 240_000
"""Longest such wait: less than NEW_MEMBER_JOIN_TIMEOUT_MS, after which waiting members would be removed."""

CONFIG_VALUE_BYTES_MAX: Final = 32_767
"""Kafka's limit for one config value: about 130 instance ids of the longest kind, or 2,000 usual ones."""

STOPPED_TIMERS_KEPT: Final = 1_024
"""Entries of the heap of deadlines, beyond twice the running timers, before stopped timers are removed from it."""

JOURNAL_DEPARTED_MAX: Final = 128
"""Departed members of a group that may come back: as many as a group of a usual size could lose at once."""

JOURNAL_GROUPS_REMEMBERED_MAX: Final = 1_024
"""Groups of a shard whose departed members the journal remembers."""

JOURNAL_MEMBERS_NAMED_MAX: Final = 50
"""Members of each kind that a journal entry names before it only counts them: some kilobytes per entry."""

JOURNAL_ASSIGNMENT_BYTES_MAX: Final = 262_144
"""Bytes of changed assignments that are decoded to count moved partitions: about 60,000 partitions, some ten
milliseconds."""

JOURNAL_PARTITIONS_MAX: Final = 131_072
"""Partitions of changed target assignments that are compared for the same purpose: before and after, as many as in
those bytes."""

TOPIC_PARTITIONS_MAX: Final = 10_000
"""Partitions of a topic, and of all topics in one request, as in Kafka: each one is a directory, a record, and a line
in every Metadata answer."""

ASSIGNED_AT_ONCE_MAX: Final = 5_000
"""Members and partitions of a consumer group that is assigned on the event loop, in some milliseconds; most of them
convert names to numbers and back. A larger group is assigned on a thread."""

TOPIC_REGEX_CHARACTERS_MAX: Final = 32_767
"""Length of a subscription's regular expression: a hundred of the longest topic names as alternatives."""

TOPIC_REGEX_BYTES_MAX: Final = 1_048_576
"""Memory of one compiled expression: the longest list of names fits, repetitions of repetitions do not."""

PRODUCER_ID_BLOCK: Final = 1_000
"""Kafka's block size: producer ids are reserved in blocks, so that a new producer costs no record in the log."""

TRANSACTIONAL_IDS_FORGOTTEN_MAX: Final = 1_000
"""Expired transactional ids per step of a transactions shard: some milliseconds, and far below the largest batch."""

OFFSETS_PER_COMMIT_MAX: Final = 20_000
"""A commit is one batch, and Kafka's coordinators take 1 MiB at most: some 15,000 offsets, and more in a transaction.
Encoding takes some hundred milliseconds, during which the broker serves no other client."""

TOPIC_HASHES_KEPT: Final = 4_096
"""Cached hashes of topics. A hash is over all partitions of its topic, and clients may create any number of topics."""

SCRAM_SALT_BYTES_MIN: Final = 12
"""Salt of a SCRAM credential: what the library that verifies passwords demands. Kafka's tools use 26 characters."""
