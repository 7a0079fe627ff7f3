"""Bounds of `tenure.broker`."""

from typing import Final

CONNECTION_READ_BYTES: Final = 262_144
"""Bytes read from a connection at once, as in asyncio's transports. A few record batches fit."""

SOCKETS_PER_TURN: Final = 128
"""Sockets that are read before their short requests are answered. All that these requests need stays in the processor's
cache, and clients work on the first answers while the next sockets are read."""

FREED_BYTES_KEPT: Final = 67_108_864
"""Freed memory that stays in the process: somewhat more than Kafka's default of `fetch.max.bytes`."""

LARGE_ANSWER_BYTES: Final = 33_554_432
"""Size from which glibc requests the memory of a response from the system, and returns it as soon as it is freed.
This is the greatest value that glibc accepts."""

MEMORY_ARENAS_MAX: Final = 2
"""Maximum number of glibc's malloc arenas (`M_ARENA_MAX`). Each reserves 64 MB of address space; the default is eight
per processor. With two, one thread can decompress a batch while the event loop runs."""

DECODED_AT_ONCE_BYTES_MAX: Final = 65_536
"""Size from which a request without records is decoded on a thread: decoding takes about 1 ms per 30 kB."""

RESTART_RESERVE_BYTES: Final = 1_048_576
"""Memory freed before a broker that is out of memory restarts itself: the restart needs some kilobytes."""

RESTART_ATTEMPTS_MAX: Final = 50
RESTART_ATTEMPT_PAUSE_S: Final = 0.1
"""Pause between the attempts of a broker to restart itself. The system may lack memory for a moment."""

ACCEPT_AGAIN_S: Final = 1.0
"""Pause before connections are accepted again after the process had no file descriptor left. By then, the process has
probably closed some."""

SCHEDULE_BUDGET_S: Final = 0.005
"""Time for which the event loop handles requests before it reads sockets again. A heartbeat waits at most for this time
and for one piece of work (PIECE_S)."""

PIECE_S: Final = 0.001
"""Time for one request before another connection has its turn: about a hundred small items, such as partitions."""

ANSWERED_AT_ONCE_MAX: Final = 100
"""Number of entries up to which a response is built in one step, which takes a few hundred microseconds. With more, the
requests of other connections are processed in between."""

SHORT_REQUEST_BYTES_MAX: Final = 4_096
"""Size up to which a heartbeat or commit is processed as soon as it is read: a few hundred partitions at most."""

CONNECTION_QUEUED_FRAMES_MAX: Final = 64
"""Maximum number of frames of a connection that may wait before the broker stops reading: far more than clients have in
flight."""

CONNECTION_QUEUED_BYTES_MAX: Final = 1_048_576
"""Size of a connection's waiting frames above which the broker stops reading: a few reads of small requests, or one
large request."""

CONNECTION_WRITE_BYTES_MAX: Final = 1_048_576
"""Unsent bytes of a connection beyond which its next request waits, because its client reads too slowly."""

RESPONSES_JOINED_BYTES_MAX: Final = 65_536
"""Maximum size of one write that joins the responses to several requests of a connection."""

REQUEST_WITHOUT_RECORDS_BYTES_MAX: Final = 2_097_152
"""Maximum size of any request except Produce: twice the size that Kafka lets a group write at once. A request with
small structs needs thirty times as much memory when it is decoded. Decoding takes a microsecond per struct, and
meanwhile no other client is served."""

CLIENT_MEMORY_BYTES: Final = 67_108_864
"""Default of `queued.max.request.bytes`: memory of the requests and responses of all clients. As in Kafka, the limit is
checked before a request is received, so one more request, of at most 100 MB, may exceed the limit."""

CLIENT_MEMORY_FREE_BYTES: Final = 65_536
"""Memory that each connection may use even if the limit of all clients is reached."""

UNACCOUNTED_REQUEST_BYTES_MAX: Final = CLIENT_MEMORY_FREE_BYTES // 4
"""Size up to which a request is not counted. When decoded, it is smaller than CLIENT_MEMORY_FREE_BYTES."""

CLIENT_MEMORY_CHECK_S: Final = 1.0
"""Interval between checks for idle clients that occupy memory, while the limit is exceeded."""

CLIENT_MEMORY_STALLED_CHECKS_MAX: Final = 3
"""Number of consecutive checks without progress after which the connection of a client that occupies memory is
closed."""

CLIENT_MEMORY_PROGRESS_BYTES: Final = 1_024
"""Bytes sent or received between two checks that count as progress; even slow clients send more."""

DECODED_REQUEST_FACTOR: Final = 12
"""Memory of a decoded request without records and of its response, as a multiple of the size of its frame. The factor
measured for Metadata with topic names of 30 bytes is 10, or 17 if the request creates the topics."""

SUSPENSION_MIN_S: Final = 1.0
"""Length of a pause of the event loop from which on the process counts as suspended: ten times the longest time for
which a heartbeat usually waits."""

SUSPENSION_CHECK_S: Final = 0.25
"""Interval between checks of the clock for a suspension: an idle broker wakes up four times per second."""

OFFSETS_PER_ASK_MAX: Final = 1_000
"""Maximum number of offsets that a shard returns in one step of an OffsetFetch; a step takes a few milliseconds."""

TOPICS_CREATED_AT_ONCE_MAX: Final = 50
"""Maximum number of topics of one request that are created in one step: each takes a few hundred microseconds."""

TOPICS_DELETED_AT_ONCE_MAX: Final = 50
"""Maximum number of topics of a request that are deleted in one step: a few hundred microseconds each, more with many
partitions."""

ASKS_PER_REQUEST_MAX: Final = 20_000
"""Maximum number of groups that one request may name. A larger request, even with short names, could occupy the broker
for half a minute."""

RESOURCES_DESCRIBED_MAX: Final = 2_000
"""Maximum number of resources in one DescribeConfigs request: each takes 1 ms with synonyms and documentation, and 20
kB."""

FETCH_SESSION_PARTITIONS_MAX: Final = 200_000
"""Maximum number of partitions of all incremental fetch sessions together, about 300 bytes each. Beyond that, clients
get no session, and name all partitions in each request."""

FETCH_SESSION_EVICTION_MS: Final = 120_000
"""Kafka's `min.incremental.fetch.session.eviction.ms`. A session may be evicted this long after its last use. A session
in use may be evicted this long after its creation, for a larger one."""

RECORDS_LOST_MAX: Final = 2**31
"""Maximum number of records that a crash can have removed from a log. If a committed offset is further beyond the end
of the log, the records never existed, and a client has invented the offset."""

TOPIC_NAME_CHARACTERS_MAX: Final = 249
"""Kafka's limit on topic names: a directory is named after topic and partition, and has at most 255 bytes."""

SHARD_LOAD_BYTES: Final = 4_194_304
"""Bytes of a coordinator's log that are read together while it is loaded. The fixed cost per part is then small, and a
step on the loader's thread, which cannot be interrupted, takes about ten milliseconds."""

DAMAGED_KEYS_NAMED_MAX: Final = 20
"""Maximum number of groups or transactional ids that one log line names when a coordinator's log was damaged."""

LOADS_IN_THE_TURN_BYTES_MAX: Final = 1_048_576
"""Size up to which a coordinator's log is loaded on the event loop, in ten milliseconds; larger ones on a thread."""

THREAD_SWITCH_S: Final = 0.001
"""Time after which a thread must let the event loop run (`sys.setswitchinterval`): a fifth of Python's default."""

READER_THREADS: Final = 4
"""Threads for reads that wait for the disk. A disk handles several reads at the same time faster than one by one."""

RECOVERY_THREADS: Final = 16
"""Threads that sync logs at the end of a recovery. A file system writes the logs of several threads together. More
threads than a disk takes requests at once would not be faster."""

LOG_RESTORE_PAUSE_S: Final = 1.0
"""Pause between two attempts to recover a log whose disk has failed."""

LOG_ROOM_PAUSE_MS: Final = 1_000
"""Interval at which a coordinator without requests checks whether a full disk has space again."""

CLEANER_STRETCH_BYTES: Final = 65_536
"""Bytes of a log that a compaction processes, in one or two milliseconds, before it pauses. The pause is as long as the
processing, so a compaction takes at most half of the event loop's time."""

GROUPS_REMEMBERED_MAX: Final = 65_536
"""Maximum number of groups for which the generation of the last log line is stored."""

MEMBERS_NAMED_MAX: Final = 8
"""Maximum number of members that a log line names; the others are counted."""

MARKER_RETRY_PAUSE_S: Final = 0.5
"""Pause between two attempts to write a transaction marker into a partition, for example while a disk is full."""

ENDING_AWAITED_S: Final = 0.1
"""Longest time that a producer's next transaction waits for the markers of its last one; then the producer has to
retry. The same as in Kafka (`add.partitions.to.txn.retry.backoff.max.ms`)."""

LATE_TRANSACTION_BUFFER_MS: Final = 300_000
"""An open transaction counts as late when it is older than `transaction.max.timeout.ms` plus this time, as in Kafka. A
coordinator may take that long to abort a transaction."""

PRODUCERS_CHECKED_PER_TURN_MAX: Final = 10_000
"""Maximum number of producers that are checked for expiry in one turn of the event loop: a few milliseconds."""

EFFECT_THREADS: Final = 2
"""Threads for slow effects of group rules. With two, a large assignment does not delay the matching of regular
expressions."""

JOURNAL_ENTRIES_WAITING_MAX: Final = 10_000
"""Maximum number of entries of the rebalance journal that wait for their topic to be created; the oldest are dropped
first."""

METRICS_TOPICS_MAX: Final = 1_000
"""Maximum number of topics whose size is a metric: the largest ones. Collectors keep each time series for weeks."""

LOOP_LAG_CHECK_S: Final = 1.0
LOOP_LAG_CHECKS_KEPT: Final = 60
"""Number of the latest checks of the event loop's lag that are kept: one minute. The metric is the greatest lag of
these checks. A collector that reads the metric twice a minute misses none."""

DISK_PROBE_INTERVAL_S: Final = 2.0
"""Least time between two test writes to the data directory, and the timeout of a test write: a healthy disk takes
milliseconds."""

COORDINATOR_PROBE_TIMEOUT_S: Final = 5.0
"""Timeout of a probe of a shard: many times the longest turn of the event loop, and less than any session timeout."""

LOG_PROBE_TIMEOUT_S: Final = 5.0
"""Time in which an append must become durable: many times the slowest sync of a healthy disk."""

FAILURES_NAMED_MAX: Final = 3
"""Maximum number of shards or logs that a reason of `/readyz` names; the others are counted."""

JOURNAL_SEGMENTS: Final = 4
"""Number of segments into which `tenure.journal.retention.bytes` is divided. Retention deletes whole segments, so the
journal's topic exceeds this size by one segment at most, a quarter."""

SHUTDOWN_GRACE_S: Final = 5.0
"""Time for which a stop waits for the disk. If the disk takes longer, the stop does not count as a clean stop."""

CLIENT_REASON_CHARACTERS_MAX: Final = 255
"""Maximum length of a client's reason to join or leave (KIP-800). Java's client cuts longer ones; others may send 1
MB."""

CONFIGS_PER_REQUEST_MAX: Final = 20_000
"""Maximum number of configs that one request may alter: each is a record in the metadata log."""

REAUTHENTICATION_INTERVAL_MIN_MS: Final = 1_000
"""Shortest time between two re-authentications of a connection, as in Kafka: a login costs more than most requests."""

USERS_FILE_BYTES_MAX: Final = 1_048_576
"""Maximum size of a users file: about ten thousand users. The metadata log is better for more, because it needs no
restart."""

LOGIN_THREADS: Final = 2
"""Threads for TLS handshakes and logins: they keep one core busy while the event loop uses another."""

TLS_CHUNK_BYTES: Final = 65_536
"""Bytes that are encrypted together: four TLS records. Small pieces of a response then share a record."""

TLS_AHEAD_BYTES: Final = 262_144
"""Encrypted bytes of a connection that wait for its socket: as many as a socket accepts at once. The rest of a response
is encrypted later; until then, records stay in their file."""

TLS_HANDSHAKE_BYTES_MAX: Final = 131_072
"""Maximum number of bytes that a client may send during its TLS handshake: ten times a long chain of certificates."""

TLS_FILE_BYTES_MAX: Final = 1_048_576
"""Maximum size of a file with certificates that clients may set at run time: five times the size of a file with all
authorities that browsers trust."""

TLS_RELOAD_CHECK_S: Final = 5.0
"""Interval between checks for changed certificates, which cost a few calls of `stat`. Renewals have hours of time."""

CERTIFICATE_EXPIRES_SOON_DAYS: Final = 14
"""Remaining validity below which a start logs a warning. Most certificates are renewed a month before they expire, so a
renewal has probably failed."""

ACLS_PER_REQUEST_MAX: Final = 10_000
"""Maximum number of ACLs that one request may create or delete, as in Kafka: each is a record in the metadata log."""

ACL_FILTERS_PER_REQUEST_MAX: Final = 100
"""Maximum number of filters of one DeleteAcls request: each is compared with all ACLs."""

AUTHORIZATIONS_CACHED_MAX: Final = 20_000
"""Maximum number of cached decisions of the authorizer: enough for 1,000 clients that use 20 resources each."""

AUTHORIZATION_NAME_CHARACTERS_MAX: Final = 256
"""Longest resource name whose decision is cached. Clients choose group ids, which may have 32 kB."""

JWKS_BYTES_MAX: Final = 1_048_576
"""Maximum size of an issuer's key set: a few thousand keys. Issuers have a few."""

JWKS_TIMEOUT_S: Final = 10.0
"""Timeout of the request for an issuer's keys. Logins wait for it."""

JWKS_RETRY_S: Final = 10.0
"""Shortest time between two reads of an issuer's keys that tokens with unknown keys cause: anyone can send such
tokens."""

QUOTA_CLIENTS_MAX: Final = 10_000
"""Maximum number of users and client ids whose quotas and rates are in memory, a few kilobytes each. Clients choose
client ids; at the limit, the oldest entry is removed."""

UNSUPPORTED_OBJECTS_NAMED_MAX: Final = 20
"""Maximum number of objects of Apache Kafka that one error message names: a screen of text."""

REFUSED_SOCKETS_MAX: Final = 1_000
"""Maximum number of refused connections that stay open for their throttle time, so that clients do not reconnect at
once. Each needs a file descriptor; beyond this number, refused connections are closed at once."""

LOG_LINE_CHARACTERS_MAX: Final = 4_000
"""Maximum length of a log line. Lines contain names chosen by clients, which may have 32 kB."""

LOG_CHARACTERS_PER_KIND: Final = 262_144
"""Characters that lines of one kind may write in a burst: about 2,000 lines, enough when 1,000 groups rebalance."""

LOG_CHARACTERS_PER_KIND_AND_S: Final = 1_000
"""Characters per second that lines of one kind may write in the long run: about 8 lines, or 86 MB a day."""

LOG_KINDS_MAX: Final = 1_000
"""Maximum number of kinds of lines that have a budget: more than there are messages in the source."""

LOG_SUPPRESSED_REPORT_S: Final = 10.0
"""Interval between two reports of suppressed lines: short enough for a person who watches the log."""
