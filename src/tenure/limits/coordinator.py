"""Bounds of `tenure.coordinator`."""

from typing import Final

OFFSETS_CHECKED_PER_STEP_MAX: Final = 2_000
"""Maximum number of offsets that one step of the search for expired ones checks, in 1 ms. Each shard may run one step
per turn."""

HINTED_HEARTBEATS_PER_MS_MAX: Final = 5
"""Maximum number of heartbeats per ms of one consumer group while it rebalances. Its members then get a short heartbeat
interval. This interval grows with the number of members, so that a group of any size occupies only a part of a core."""

OFFSETS_REMOVED_PER_STEP_MAX: Final = 2_000
"""Maximum number of offsets whose tombstones are written in one step: about ten milliseconds."""

OFFSETS_REMOVED_PER_STEP_BYTES_MAX: Final = 1_048_576
"""Maximum size of the group names in the tombstones of one step; a name may have 32 kB."""

INITIAL_DELAY_MIN_MS: Final = 1
"""Minimum delay of the first rebalance of an empty group, even with `group.initial.rebalance.delay.ms=0`. Kafka's
timers have this resolution, so members that join within a millisecond get one generation (rule 2.7)."""

NEW_MEMBER_JOIN_TIMEOUT_MS: Final = 300_000
"""Kafka's limit: a client that disappears while its first join is parked is removed after this time (rule 2.5.1)."""

MEMBER_ID_PREFIX_CHARACTERS_MAX: Final = 8_000
"""Maximum number of characters of a client or instance id in a generated member id. Even if each character has four
bytes, the member id with its UUID is shorter than TEXT_BYTES_MAX."""

INSTANCE_ID_CHARACTERS_MAX: Final = 249
"""Kafka's limit on `group.instance.id`, the same as for topics."""

EXPECTED_TIMEOUT_MS_DEFAULT: Final = 60_000
"""Time for which a first assignment waits for expected instances. A new pod starts in this time, and an instance that
is listed by mistake costs one minute once."""

EXPECTED_TIMEOUT_MS_MAX: Final = 240_000
"""Greatest time for which a first assignment may wait for expected instances: less than NEW_MEMBER_JOIN_TIMEOUT_MS,
after which the waiting members would be removed."""

CONFIG_VALUE_BYTES_MAX: Final = 32_767
"""Kafka's limit on a config value: 130 instance ids of the greatest length, or 2,000 usual ones."""

STOPPED_TIMERS_KEPT: Final = 1_024
"""Maximum number of entries that the heap of timers may have beyond two per running timer. If there are more, the
entries of stopped timers are removed."""

JOURNAL_DEPARTED_MAX: Final = 128
"""Maximum number of departed members per group that the journal recognises when they return: as many as a usual group
loses at once."""

JOURNAL_GROUPS_REMEMBERED_MAX: Final = 1_024
"""Maximum number of groups per shard for which the journal stores departed members."""

JOURNAL_MEMBERS_NAMED_MAX: Final = 50
"""Maximum number of members in each list of a journal entry, such as the joined ones; the others are only counted. So
an entry has at most a few kilobytes."""

JOURNAL_ASSIGNMENT_BYTES_MAX: Final = 262_144
"""Maximum size of changed assignments that are decoded to count moved partitions: 60,000 partitions, in ten
milliseconds."""

JOURNAL_PARTITIONS_MAX: Final = 131_072
"""Maximum number of partitions in changed targets that are compared to count moved ones: about as many as fit into
JOURNAL_ASSIGNMENT_BYTES_MAX."""

TOPIC_PARTITIONS_MAX: Final = 10_000
"""Maximum number of partitions of a topic, and of all topics in one request, as in Kafka. Each is a directory, a
record, and an entry in every Metadata response."""

ASSIGNED_AT_ONCE_MAX: Final = 5_000
"""Number of members and partitions together up to which a consumer group is assigned on the event loop; for a streams
group, members and tasks. The assignment takes a few milliseconds, mostly for the conversion of names to numbers and
back. Larger groups are assigned on a thread."""

TOPIC_REGEX_CHARACTERS_MAX: Final = 32_767
"""Maximum length of a regular expression for a subscription: enough to list a hundred topic names of the greatest
length."""

TOPIC_REGEX_BYTES_MAX: Final = 1_048_576
"""Maximum memory of one compiled expression: sufficient for the longest list of names, but not for nested
repetitions."""

PRODUCER_ID_BLOCK: Final = 1_000
"""Kafka's size of a block of producer ids. One record reserves a whole block, so most new producers cause no record."""

TRANSACTIONAL_IDS_REMOVED_PER_STEP_MAX: Final = 1_000
"""Maximum number of expired transactional ids that one step removes: a few milliseconds, and far below the largest
batch."""

OFFSETS_PER_COMMIT_MAX: Final = 20_000
"""Maximum number of offsets in one commit. In Kafka, it is one batch of at most 1 MiB, with space for about 15,000
offsets, or more in a transaction. Encoding takes a few hundred milliseconds, during which no other client is served."""

TOPIC_HASHES_KEPT: Final = 4_096
"""Maximum number of cached hashes of topics. Computing one takes time for each partition; clients may create any number
of topics."""

SCRAM_SALT_BYTES_MIN: Final = 12
"""Minimum size of a SCRAM salt: the library that verifies passwords refuses shorter ones. Kafka's tools create salts of
26 characters."""
