"""Bounds of `tenure.broker`."""

from typing import Final

CONNECTION_READ_BYTES: Final = 262_144
"""Bytes read at once from a connection: as many as by asyncio's own transports. A few record batches fit."""

FREED_BYTES_KEPT: Final = 67_108_864
"""Freed memory that the process does not return: somewhat more than Kafka's default of `fetch.max.bytes`."""

LARGE_ANSWER_BYTES: Final = 33_554_432
"""Size from which an answer is allocated by the system and returned at once: the largest value that glibc accepts."""

MEMORY_ARENAS_MAX: Final = 2
"""Maximum number of glibc's malloc arenas (`M_ARENA_MAX`). Each reserves 64 MB of address space; the default is eight
per processor. With two, one thread can decompress a batch beside the event loop."""

DECODED_AT_ONCE_BYTES_MAX: Final = 65_536
"""Size from which a request without records is decoded on a thread: decoding takes about 1 ms per 30 kB."""

RESTART_RESERVE_BYTES: Final = 1_048_576
"""Memory freed before a broker that is out of memory restarts itself: the restart needs some kilobytes."""

RESTART_ATTEMPTS_MAX: Final = 50
RESTART_ATTEMPT_PAUSE_S: Final = 0.1
"""Pause between the attempts of a broker to restart itself. The system may lack memory for a moment."""

ACCEPT_AGAIN_S: Final = 1.0
"""Pause before the broker accepts again after the system ran out of descriptors: some will have closed by then."""

SCHEDULE_BUDGET_S: Final = 0.005
"""Time for requests before sockets are read again. A heartbeat waits no longer than this and one piece of work."""

PIECE_S: Final = 0.001
"""Time for one request before another connection has its turn: a hundred small items, such as partitions."""

ANSWERED_AT_ONCE_MAX: Final = 100
"""Entries of an answer that is encoded in one go, in some hundred microseconds; a larger one is encoded in steps."""

SHORT_REQUEST_BYTES_MAX: Final = 4_096
"""A heartbeat or commit up to this size is worked on as soon as it is read: at most a few hundred partitions."""

CONNECTION_QUEUED_FRAMES_MAX: Final = 64
"""Frames that wait after a connection's request before the broker stops reading: far more than clients have in flight.
"""

CONNECTION_QUEUED_BYTES_MAX: Final = 1_048_576
"""Bytes of such frames: slightly more than one read of small requests, or one large request."""

CONNECTION_WRITE_BYTES_MAX: Final = 1_048_576
"""Unsent bytes of a connection beyond which its next request waits, because the client reads too slowly."""

RESPONSES_JOINED_BYTES_MAX: Final = 65_536
"""Size of one write that combines the answers to pipelined requests."""

REQUEST_WITHOUT_RECORDS_BYTES_MAX: Final = 2_097_152
"""Size of any request but Produce: twice what Kafka lets a group write at once. Decoded small structs take thirty times
their bytes and a microsecond each, during which the broker serves no other client."""

CLIENT_MEMORY_BYTES: Final = 67_108_864
"""Default of `queued.max.request.bytes`: requests and answers in memory. One more request may exceed it, as in Kafka,
and the largest has 100 MB: together they stay below 256 MB."""

CLIENT_MEMORY_FREE_BYTES: Final = 65_536
"""Bytes that each connection may hold even when the memory for clients is used up."""

UNACCOUNTED_REQUEST_BYTES_MAX: Final = CLIENT_MEMORY_FREE_BYTES // 4
"""A single request up to this size is not counted: decoded, it stays below what each connection may hold."""

CLIENT_MEMORY_CHECK_S: Final = 1.0
"""Interval of checks for clients that hold memory without using it, while memory is short."""

CLIENT_MEMORY_STALLED_CHECKS_MAX: Final = 3
"""Checks in a row without a byte sent or read before a connection is closed, while memory is short."""

CLIENT_MEMORY_PROGRESS_BYTES: Final = 1_024
"""Bytes between two such checks that count as progress: even slow clients send more."""

DECODED_REQUEST_FACTOR: Final = 12
"""Memory of a decoded request without records and of its answer, as a multiple of its frame. Measured with Metadata,
whose topics have 30 bytes each in the frame: 10, and 17 where the topics are created."""

SUSPENSION_MIN_S: Final = 1.0
"""Pause of the event loop from which the process counts as suspended: ten times the longest wait of a heartbeat."""

SUSPENSION_CHECK_S: Final = 0.25
"""Interval of that check of the clock: an idle broker wakes up four times per second."""

OFFSETS_PER_ASK_MAX: Final = 1_000
"""Offsets of an OffsetFetch that a shard answers in one step, in some milliseconds."""

TOPICS_CREATED_AT_ONCE_MAX: Final = 50
"""Topics of a request that are created in one step: some hundred microseconds each."""

TOPICS_DELETED_AT_ONCE_MAX: Final = 50
"""Topics of a request that are deleted in one step: the files of each take some hundred microseconds, more with many
partitions."""

ASKS_PER_REQUEST_MAX: Final = 20_000
"""Groups that one request may name: names of one byte would occupy the broker for half a minute."""

RESOURCES_DESCRIBED_MAX: Final = 2_000
"""Resources whose configs one request may ask for: each takes 1 ms with synonyms and documentation, and 20 kB."""

FETCH_SESSION_PARTITIONS_MAX: Final = 200_000
"""Partitions of all incremental fetch sessions together, about 300 bytes each. Further clients get no session and name
all partitions in each request."""

FETCH_SESSION_EVICTION_MS: Final = 120_000
"""Kafka's `min.incremental.fetch.session.eviction.ms`: younger sessions that are in use are not evicted."""

RECORDS_LOST_MAX: Final = 2**31
"""Records that a crash can remove from a log. An offset committed further ahead than this was invented by its client.
"""

TOPIC_NAME_CHARACTERS_MAX: Final = 249
"""Kafka's limit: name, dash, partition and suffix fit into the 255 bytes of a file name."""

SHARD_LOAD_BYTES: Final = 4_194_304
"""Bytes of a coordinator's log that are read at once while it is loaded. The fixed cost per chunk is small then, and a
step that cannot be interrupted, on a thread beside the loop, takes some ten milliseconds."""

DAMAGED_KEYS_NAMED_MAX: Final = 20
"""Groups or transactional ids that one log line names when a coordinator's log was damaged."""

LOADS_IN_THE_TURN_BYTES_MAX: Final = 1_048_576
"""Size of a coordinator's log that is loaded on the loop, in some ten milliseconds; a larger one is loaded on a thread.
"""

THREAD_SWITCH_S: Final = 0.001
"""Longest time that a thread that loads a log may keep the loop waiting; a fifth of Python's default."""

READER_THREADS: Final = 4
"""Threads for reads that wait for the disk, which serves several at once better than one after the other."""

LOG_RESTORE_PAUSE_S: Final = 1.0
"""Pause between two attempts to recover a log whose disk has failed."""

LOG_ROOM_PAUSE_MS: Final = 1_000
"""Interval at which a coordinator without requests checks whether a full disk has space again."""

CLEANER_STRETCH_BYTES: Final = 65_536
"""Bytes of a log that its compaction processes at once, in one or two milliseconds of Python. Then the cleaner sleeps
as long as it worked, so that it takes at most half of the loop's time."""

GROUPS_REMEMBERED_MAX: Final = 65_536
"""Groups whose last log line is remembered."""

MEMBERS_NAMED_MAX: Final = 8
"""Members that a log line names before it only counts them."""

MARKER_RETRY_PAUSE_S: Final = 0.5
"""Pause between two attempts to end a transaction in a partition that cannot be written, for example while a disk is
full."""

ENDING_AWAITED_S: Final = 0.1
"""Time that a producer's next transaction waits for the markers of its last one before the producer has to retry:
Kafka's add.partitions.to.txn.retry.backoff.max.ms."""

LATE_TRANSACTION_BUFFER_MS: Final = 300_000
"""Time beyond the longest transaction timeout before a transaction counts as late: as in Kafka, whose coordinator may
take this long to notice."""

PRODUCERS_LOOKED_AT_MAX: Final = 10_000
"""Producers that one turn of the loop checks for expiry: a few milliseconds."""

EFFECT_THREADS: Final = 2
"""Threads for slow effects of group rules: a large assignment must not delay regular expressions."""

JOURNAL_ENTRIES_WAITING_MAX: Final = 10_000
"""Entries of the rebalance journal that wait for their topic to be created; the oldest are dropped first."""

METRICS_TOPICS_MAX: Final = 1_000
"""Largest topics whose size is a metric of its own; a collector keeps a time series for each of them, for weeks."""

LOOP_LAG_CHECK_S: Final = 1.0
LOOP_LAG_CHECKS_KEPT: Final = 60
"""Checks of one minute: collectors that read the metric twice a minute see each of them."""

DISK_PROBE_INTERVAL_S: Final = 2.0
"""Least time between two test writes to the data directory, and timeout of one: a healthy disk takes milliseconds."""

COORDINATOR_PROBE_TIMEOUT_S: Final = 5.0
"""Time for a shard to answer a probe: many times the longest turn of the event loop, and below any session timeout."""

LOG_PROBE_TIMEOUT_S: Final = 5.0
"""Time for an append to a log to become durable: many times the slowest sync of a healthy disk."""

FAILURES_NAMED_MAX: Final = 3
"""Shards or logs that a reason of `/readyz` names; it counts the others."""

JOURNAL_SEGMENTS: Final = 4
"""Segments of the journal's topic: retention deletes whole segments, so the topic exceeds
`tenure.journal.retention.bytes` by a quarter at most."""

SHUTDOWN_GRACE_S: Final = 5.0
"""Time that a clean stop waits for the disk before it gives up its clean marker."""

CLIENT_REASON_CHARACTERS_MAX: Final = 255
"""Length to which Java's client cuts its reasons (KIP-800); other clients may send a megabyte."""

CONFIGS_PER_REQUEST_MAX: Final = 20_000
"""Configs that one request may alter: each is a record in the metadata log."""

REAUTHENTICATION_INTERVAL_MIN_MS: Final = 1_000
"""Time between two re-authentications of a connection, as in Kafka: a login costs more than most requests."""

USERS_FILE_BYTES_MAX: Final = 1_048_576
"""Size of a users file: some ten thousand users. More belong into the metadata log, which needs no restart."""

LOGIN_THREADS: Final = 2
"""Threads for TLS handshakes and logins: they keep one core busy while the event loop uses another."""

TLS_CHUNK_BYTES: Final = 65_536
"""Encrypted at once: four TLS records. Small pieces of an answer share a record."""

TLS_AHEAD_BYTES: Final = 262_144
"""Encrypted bytes that wait for the socket of a connection: what a socket takes at once. The rest of an answer stays as
it is, in its file where it can."""

TLS_HANDSHAKE_BYTES_MAX: Final = 131_072
"""Bytes of a client during its TLS handshake: some ten times a long chain of certificates."""

TLS_RELOAD_CHECK_S: Final = 5.0
"""Interval of the check for changed certificates: renewals leave hours. A check is a few calls of `stat`."""

CERTIFICATE_EXPIRES_SOON_DAYS: Final = 14
"""Rest of a certificate's validity below which a start warns. Renewals are usual a month before: this one has failed.
"""

ACLS_PER_REQUEST_MAX: Final = 10_000
"""ACLs that one request may create or delete, as in Kafka: each is a record in the metadata log."""

ACL_FILTERS_PER_REQUEST_MAX: Final = 100
"""Filters of one DeleteAcls request: each is compared with all ACLs."""

AUTHORIZATIONS_CACHED_MAX: Final = 20_000
"""Decisions that are kept: those of 1,000 clients that use 20 resources each."""

AUTHORIZATION_NAME_CHARACTERS_MAX: Final = 256
"""Longest resource name whose decision is kept. Group ids may have 32 kB, and clients choose them."""

JWKS_BYTES_MAX: Final = 1_048_576
"""Size of the keys of an issuer: some thousand keys. Issuers have a few."""

JWKS_TIMEOUT_S: Final = 10.0
"""Time for the keys of an issuer to arrive: logins wait for them."""

JWKS_RETRY_S: Final = 10.0
"""Time between two reads of the keys because of tokens with unknown keys, which anyone can make up."""

QUOTA_CLIENTS_MAX: Final = 10_000
"""Users and client ids whose quotas and rates are in memory, some kilobytes each. Client ids are names that clients
choose; the rates of the oldest are forgotten."""

UNSUPPORTED_OBJECTS_NAMED_MAX: Final = 20
"""Objects of Apache Kafka's data that one error names: a screen of text."""

REFUSED_SOCKETS_MAX: Final = 1_000
"""Refused connections that stay open for their throttle time, so that clients do not connect again at once. Each is a
descriptor; beyond this number they are closed at once."""
