"""Bounds of the system, each with its unit and its reason.

The unit is the last part of a name. There is one section per package.
"""

from typing import Final

# --- protocol ---------------------------------------------------------------------------------------------------------

REQUEST_BYTES_MAX: Final = 104_857_600
"""Kafka's `socket.request.max.bytes`: a larger frame closes its connection (rule 1.1.1)."""

LARGE_FRAME_BYTES: Final = 524_288
"""Size from which a frame is received into one buffer and not copied again; smaller ones are joined faster from pieces.
"""

ANSWER_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""Size of an answer without records. Clients accept what a broker accepts; a larger answer is a mistake or an attack.
"""

REQUEST_ELEMENTS_MAX: Final = 100_000
"""Elements of all arrays of one request, nested ones included: the partitions of ten topics of the largest kind.
Decoding them takes about 50 ms, during which the broker serves no other client. 2 MiB of the smallest elements would
take ten times as long."""

TEXT_BYTES_MAX: Final = 32_767
"""Size of a string of a request, as in Kafka: the classic encoding has 16 bits for the length."""

BATCH_UNPACKED_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""Size of a compressed batch after decompression. An uncompressed batch of this size fits into one request; a larger
one is a decompression bomb."""

BATCH_RECORDS_MAX: Final = 1_000_000
"""Largest `batch.num.messages` of librdkafka: no client makes a larger batch."""

BATCH_HEADERS_MAX: Final = 1_000_000
"""Headers of all records of a batch: ten for each of 100,000 records. Reading them takes 0.2 s."""

RECORD_HEADERS_MAX: Final = 10_000
"""Headers of one record, read without a pause: a few milliseconds, and far more than clients write."""

ARROW_BUFFER_BYTES_MAX: Final = 2_147_483_647
"""Largest buffer that Arrow's views can point into: their offsets have 32 bits."""

UNCOPIED_BYTES_MIN: Final = 65_536
"""Size from which the records of an answer go to the socket without a copy; smaller ones are copied faster."""

NAMES_REMEMBERED_MAX: Final = 65_536
"""Cached pairs of group and topic while a log is read, each shared by all its partitions; about 15 MB."""

OFFSET_KEYS_REMEMBERED_MAX: Final = 16_384
"""Cached encoded keys of offset records: each is written again at the next commit, every few seconds."""

# --- assignors --------------------------------------------------------------------------------------------------------

ASSIGNOR_LEVEL_SWEEPS_MAX: Final = 16
"""Sweeps over all kinds of partitions before the assignor looks for single exchanges; a few nearly always suffice."""

ASSIGNOR_EXCHANGE_CELLS_MAX: Final = 500_000_000
"""Kinds times members over all sweeps of the search for better shares: some seconds, well below a session timeout."""

# --- coordinator ------------------------------------------------------------------------------------------------------

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
"""Characters of a client or instance id at the start of a member id: with four bytes each and the UUID behind them,
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

# --- runtime ----------------------------------------------------------------------------------------------------------

COORDINATOR_BATCH_BYTES: Final = 1_048_576
"""Size of a batch at which a turn takes no further commands: one sync of this size does not occupy a disk for long."""

COORDINATOR_STEP_BYTES_MAX: Final = 67_108_864
"""Bytes that one command may write: its records are written together or not at all, and must fit into a segment."""

LOAD_SIFTED_FROM_BYTES: Final = 2_097_152
"""Size of a chunk of a log from which columnar filtering saves more time than the import of numpy costs."""

LOAD_HELD_BYTES_MAX: Final = 268_435_456
"""Bytes of a log in memory while it is loaded. Beyond it, the newest records so far are copied and the rest is freed.
"""

# --- storage ----------------------------------------------------------------------------------------------------------

BATCH_CHECKED_AT_ONCE_BYTES: Final = 32_768
"""A batch without compression up to this size is checked in one go, in some milliseconds; larger ones in steps."""

UNPACKED_AT_ONCE_BYTES: Final = 1_048_576
"""Uncompressed size from which a batch is decompressed on a thread: more takes milliseconds."""

RECORD_ERRORS_TOLD_MAX: Final = 1_000
"""Records of one batch whose errors an answer lists: a client gives up the whole batch after the first."""

READ_AHEAD_BYTES: Final = 131_072
"""Distance between the bytes of a file that are checked to learn whether it is in memory: Linux reads and evicts so
much at once."""

PRODUCER_IDS_SKIPPED: Final = 1 << 40
"""Producer ids that are skipped after a loss in the log of topics, because the lost part may have reserved some: far
more than a broker ever uses, and far fewer than there are."""

INVENTORY_APPENDED_BYTES_MAX: Final = 1_048_576
"""Lines appended to the inventory before it is written anew, unless it is larger itself. A start reads 15,000 lines in
about 20 ms."""

# --- broker -----------------------------------------------------------------------------------------------------------

CONNECTION_READ_BYTES: Final = 262_144
"""Read at once from a connection: what asyncio's own transports take, and a few record batches."""

FREED_BYTES_KEPT: Final = 67_108_864
"""Freed memory that the process keeps instead of returning it: an answer of Kafka's `fetch.max.bytes`, and some."""

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

SCRAM_SALT_BYTES_MIN: Final = 12
"""Salt of a SCRAM credential: what the library that verifies passwords demands. Kafka's tools use 26 characters."""

REAUTHENTICATION_INTERVAL_MIN_MS: Final = 1_000
"""Time between two re-authentications of a connection, as in Kafka: a login costs more than most requests."""

USERS_FILE_BYTES_MAX: Final = 1_048_576
"""Size of a users file: some ten thousand users. More belong into the metadata log, which needs no restart."""

LOGIN_THREADS: Final = 2
"""Threads for TLS handshakes, and as many for passwords and tokens, so that a slow directory delays no handshake."""

JWKS_BYTES_MAX: Final = 1_048_576
"""Size of the keys of an issuer: some thousand keys. Issuers have a few."""

JWKS_TIMEOUT_S: Final = 10.0
"""Time for the keys of an issuer to arrive: logins wait for them."""

JWKS_RETRY_S: Final = 10.0
"""Time between two reads of the keys because of tokens with unknown keys, which anyone can make up."""

TLS_CHUNK_BYTES: Final = 65_536
"""Encrypted at once: four TLS records. Small pieces of an answer share a record."""

TLS_AHEAD_BYTES: Final = 262_144
"""Encrypted bytes that wait for the socket of a connection: what a socket takes at once. The rest of an answer stays as
it is, in its file where it can."""

TLS_HANDSHAKE_BYTES_MAX: Final = 131_072
"""Bytes of a client during its TLS handshake: some ten times a long chain of certificates."""

TLS_RELOAD_CHECK_S: Final = 5.0
"""Interval of the check for changed certificates: renewals leave hours. A check is a few calls of `stat`."""

CONNECTION_QUEUED_FRAMES_MAX: Final = 64
"""Frames that wait behind a connection's request before the broker stops reading: far more than clients have in flight.
"""

CONNECTION_QUEUED_BYTES_MAX: Final = 1_048_576
"""Bytes of such frames: one read of small requests and a bit, or one large one."""

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

OFFSETS_PER_COMMIT_MAX: Final = 20_000
"""A commit is one batch, and Kafka's coordinators take 1 MiB at most: some 15,000 offsets, and more in a transaction.
Encoding takes some hundred milliseconds, during which the broker serves no other client."""

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

DAMAGED_KEYS_BYTES_MAX: Final = 1_048_576
"""Damaged bytes that are searched for such names, on the loop: a batch of a coordinator is smaller, and the search
takes some ten milliseconds."""

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

PLACES_REMEMBERED_MAX: Final = 16_384
"""Cached partitions of groups and transactional ids: hashing a name takes about 2 us, and an entry about 300 bytes."""

PLACE_CHARACTERS_MAX: Final = 256
"""Length of a name whose partition is cached: a name may have 32 kB, and a client that sends many such names must not
fill the memory."""

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

# --- logging ----------------------------------------------------------------------------------------------------------

LOG_LINE_CHARACTERS_MAX: Final = 4_000
"""Longest log line. Names of clients are part of lines, and a name may have 32 kB."""

LOG_CHARACTERS_PER_KIND: Final = 262_144
"""Characters that lines of one kind may write at once: some 2,000 lines, enough when 1,000 groups rebalance."""

LOG_CHARACTERS_PER_KIND_AND_S: Final = 1_000
"""Characters per second that lines of one kind may write in the long run: some 8 lines, and 86 MB in a day."""

LOG_KINDS_MAX: Final = 1_000
"""Kinds of lines with a budget of their own: more than there are messages in the source."""

LOG_SUPPRESSED_REPORT_S: Final = 10.0
"""Interval between two reports of suppressed lines: soon enough for a person who watches the log."""

# --- monitoring -------------------------------------------------------------------------------------------------------

MONITORING_CONNECTIONS_MAX: Final = 32
"""Connections of collectors and probes at once: a handful is usual."""

MONITORING_HEAD_S: Final = 2.0
"""Time for the head of a request to arrive: collectors and probes send it at once."""

MONITORING_CONNECTION_S: Final = 10.0
"""Time for an answer, and as long again for the client to read it: Kubernetes and Prometheus give up by then."""

MONITORING_HEAD_BYTES_MAX: Final = 8_192
"""Largest head of a request: the default of most web servers."""

MONITORING_DISCARDED_BYTES_MAX: Final = 1_048_576
"""Bytes behind the head that are read and ignored: a body, or further requests, of a client that does not wait."""

# --- client -----------------------------------------------------------------------------------------------------------

CONNECTION_BUFFER_BYTES: Final = 65_536
"""Receive buffer per connection: it holds nearly every answer but those of Fetch, which get a buffer of their own."""

LARGE_FRAME_KEPT_BYTES: Final = 67_108_864
"""Size of a receive buffer that a connection keeps for the next large answer: Kafka's `fetch.max.bytes`, and some."""

LARGE_FRAMES_KEPT: Final = 2
"""Such buffers of a connection: the records of one answer are decoded while the next one is received."""

RESPONSE_BYTES_MAX: Final = 1_073_741_824
"""Size of a response that a client accepts. A fetch may exceed the requested size by one batch of any size; a peer that
sends more than a gigabyte is no Kafka broker."""

FETCH_BYTES: Final = 16_777_216
"""Bytes requested in one Fetch: large enough that the fixed cost of a columnar decode vanishes."""

FETCH_LEAST_BYTES: Final = 65_536
"""Bytes requested for a few records: one or two batches of most producers."""

FETCH_RECORD_BYTES: Final = 1_024
"""Assumed size of a record before any was seen: a fetch of a short range of a long log then does not transfer 16 MB."""

FETCH_RECORD_BYTES_MARGIN: Final = 1.1
"""Factor over the mean record size so far: the last piece of a range seldom needs a further request."""

PREFETCH_BYTES: Final = 67_108_864
"""Bytes that a consumer fetches ahead of its user: one second at full speed, as in librdkafka's queue."""

PRODUCER_BUFFER_BYTES: Final = 33_554_432
"""Kafka's `buffer.memory`: a caller that is faster than the broker waits here."""

RECORD_OVERHEAD_BYTES: Final = 16
"""Approximate size of a record in a batch besides its key and value."""

SEND_ARROW_BYTES: Final = 8_388_608
"""Bytes of a table that are encoded at once: many batches, so that numpy's fixed cost vanishes, and a part of
`buffer.memory`."""

PRODUCER_FAILURES_KEPT: Final = 10
"""Undelivered batches that an error names; the others are counted."""

PRODUCER_BATCH_BYTES: Final = 131_072
"""Size at which a record batch is sent; several times Java's 16 kB, because batches cost more in Python."""

CONNECT_TIMEOUT_MS: Final = 10_000
"""Kafka's `socket.connection.setup.timeout.ms`."""

RETRY_BACKOFF_MS: Final = 50
RETRY_BACKOFF_MAX_MS: Final = 1_000
"""Pauses between attempts double from the first constant to the second, Kafka's `retry.backoff.max.ms`: a client finds
a restarted broker within a second."""

TRANSACTION_BACKOFF_MS: Final = 2
TRANSACTION_BACKOFF_MAX_MS: Final = 20
"""Pauses while the markers of the previous transaction are written: this takes milliseconds, so Kafka retries every 20
ms."""

PATIENCE_MS: Final = 60_000
"""Time for which a client retries before it reports an error: enough for a broker to restart and to read its log."""

STARTUP_PATIENCE_MS: Final = 5_000
"""The same before the first success: a wrong address is reported in less than a minute."""

GOODBYE_TIMEOUT_MS: Final = 5_000
"""Time for requests that are optional: leaving a group, or asking which process has fenced this one."""

REQUEST_TIMEOUT_MS: Final = 30_000
"""Kafka's `request.timeout.ms`."""

FETCH_WAIT_MS: Final = 500
"""Kafka's `fetch.max.wait.ms`."""

FETCH_EMPTY_ANSWERS_MAX: Final = 10
"""Empty answers in a row below an end that the broker itself has reported. After these five seconds, the records are
missing."""

MEMBERSHIP_RETRY_BACKOFF_MS: Final = 100
"""Kafka's `retry.backoff.ms`: pause between two attempts of a member at the same request."""

TOPIC_NAMES_BACKOFF_MS: Final = 1_000
"""Pause before a member asks again for the name of an assigned topic that metadata lack, because the topic is new."""

DRAWN_MEMBER_IDS: Final = 8
"""Earlier member ids by which a member recognises itself if an old join arrives late."""

METADATA_AGE_MS: Final = 300_000
"""Kafka's `metadata.max.age.ms`: time until a leader notices that a topic has more partitions."""

PARTITIONER_KEYS_CACHED: Final = 65_536
"""Keys whose partition is cached: hashing one takes a microsecond or more, and keys repeat. A few MB when full."""

CLAIM_DOUBTS_MAX: Final = 20
"""Sentences about ignored claims in the log of one rebalance: enough to find the cause."""

# --- admin and command line -------------------------------------------------------------------------------------------

ADMIN_PATIENCE_MS: Final = 2_000
"""Time for which commands retry: a leader is elected or a coordinator appears in this time, and a user at a terminal
does not wait long for the report of a wrong address."""

CONSUME_POLL_RECORDS: Final = 5_000
"""Records of `tenure consume` between two commits: at most this many are printed again after a crash."""

CONSUME_FETCH_BYTES: Final = 1_048_576
"""Bytes per fetch of one partition by the command line: it decodes rows one by one, and the user waits for the first.
"""

LINE_BYTES_MAX: Final = 16_777_216
"""Size of a line that `tenure produce` reads: sixteen times the default limit of brokers."""

PARTITION_RANGE_MAX: Final = 100_000
"""Last partition that a range on a command line may name: ten times the partitions of a new topic."""

# --- pipeline ---------------------------------------------------------------------------------------------------------

STATE_DELTAS_MAX: Final = 16
"""Deltas over a base before a run writes a new base: a host that opens the lane for the first time reads all of them.
"""

STATE_BATCH_BYTES: Final = 8_388_608
"""Approximate bytes of a state file in memory while it is written or decompressed: some ten milliseconds each."""

STATE_PIECES_AHEAD: Final = 8
"""Pieces of a state file that are read ahead: two batches, each of which Arrow reads in four pieces."""

STATE_IN_ORDER_ROWS_MIN: Final = 500_000
"""Keys from which a base is sorted: sorting takes 1 us per key, once, and lets a run find few keys among many without a
scan. A scan of a smaller base takes some milliseconds."""

STATE_SNAPSHOT_SHARE: Final = 0.25
"""Share of a state's keys in deltas at which a snapshot begins: each key is rewritten a few times at most, and further
changes fit until the snapshot is complete."""

STATE_CACHE_LOOK_SHARE: Final = 1 / 64
"""Share of STATE_CACHE_BYTES_MAX that a process adds before it looks for files to remove: the cache may exceed its
limit by so much."""

STATE_CACHE_BYTES_MAX: Final = 4 * 1024**3
"""Size of the unused copies of state files on a host, for example of partitions that have moved away."""

STATE_CACHE_IN_USE_S: Final = 3600.0
"""Time for which an opened copy counts as in use. Copies in use stay, whatever their size: each batch needs them."""

CHECKED_COPIES_MAX: Final = 65_536
"""Copies that a process remembers as checked, about 200 bytes each. Beyond that it forgets all and checks again."""

STATE_CACHE_FREE_SHARE: Final = 0.1
"""Share of the disk that copies leave free for other programs, whether they are in use or not."""

STORE_BLOCK_BYTES: Final = 8_388_608
"""Bytes per request to an object store: more than the minimum part of an upload (S3: 5 MiB), and latency does not
matter."""

BAD_RECORDS_PER_RUN_MAX: Final = 1_000
"""Bad records that one run of a lane may skip or set aside: if all records are bad, the function is wrong."""

GROWING_FILES_MAX: Final = 64
"""Small files of a lane that later runs may extend: each is a line in every manifest. If a sink has more partitions,
the latest files grow."""

OUTPUT_PARTITIONS_PER_RUN_MAX: Final = 1_000
"""Directories of a partitioned sink that one run of a lane writes to: each is a file, two syncs, and a line in the
manifest."""

RUN_RECORDS: Final = 1_000_000
"""Records in the running batches of a member: some hundred MB in its tasks, and some seconds before it acknowledges a
revocation."""

RUN_BYTES: Final = 536_870_912
"""Bytes of those records, uncompressed, which are in memory once; the results of the function come on top. With records
of a kilobyte a bundle has half a million of them, and the fixed cost of a bundle is a few percent."""

TARGET_BATCH_TIME_S: Final = 10.0
"""Seconds that a bundle should take: a small part of the time that a revocation waits, a quarter of
`max.poll.interval.ms`, and long enough that the fixed cost of a task does not matter."""

WORKER_PIECE_BYTES_MAX: Final = 33_554_432
"""Size of freed memory that a Python worker keeps: more than an answer to a Fetch, and the maximum of glibc."""

WORKER_KEEPS_BYTES: Final = 67_108_864
"""Total of such memory: two answers, each as received and as its records."""

WORKER_KEEPS_MS: Final = 10_000
"""Time for which Arrow keeps the memory that a run has freed: under load the worker's next run starts in this time."""

BUNDLES_UNDER_WAY: Final = 2
"""Bundles that a member runs at the same time: a slow lane leaves one task to the others."""

PUBLICATIONS_AT_ONCE: Final = 4
"""Publications of a member at the same time: they wait for a disk or a database, and more would mostly wait for each
other."""

BUNDLE_SHARE_MIN: Final = 0.01
"""Smallest share of a member's running records in a bundle: below it, the task costs more than it saves."""

FIRST_RECORD_BYTES: Final = 1_024.0
FIRST_RECORD_S: Final = 0.000_1
"""Assumed size and time of a record before a lane has run: its first bundle is small, and its figures replace these."""

RUN_POLL_S: Final = 0.02
"""Interval at which the engine checks running batches and the group: well below the duration of a batch."""

IDLE_POLL_S: Final = 0.2
"""Interval at which the ends of logs without new records are checked."""

REASON_CHARACTERS_MAX: Final = 500
"""Characters of an exception's message that are quoted: enough to recognise it."""

TRANSACTIONS_SETTLED_AT_ONCE: Final = 16
"""Transactions of newly assigned lanes that a member ends at the same time; each waits for its coordinator."""

POINTER_RECOMMIT_S: Final = 86_400.0
"""An idle lane's pointer is committed again daily: with the group's offsets it would expire after 7 days (rule 6.4)."""

SETBACKS_MAX: Final = 8
"""Refused commits and failed lanes in a row before a pipeline stops: with the pauses between them about half a minute,
longer than a broker's restart."""

SETBACK_PAUSE_S: Final = 0.1
"""Pause after the first failure; each further one doubles it, up to SETBACK_PAUSE_MAX_S."""

SETBACK_PAUSE_MAX_S: Final = 10.0
"""Longest pause between attempts: a failing pipeline retries soon after a repair, and does not overload a restarted
broker."""

STANDSTILL_SHARE: Final = 0.25
"""Share of `max.poll.interval.ms`: if a member did not check its running batches for longer, the time in between does
not count as theirs. It usually checks within a second, so a batch that really hangs is found this much later at most.
"""

STOP_GRACE_S: Final = 10.0
"""Time in which a running bundle may end when the pipeline is asked to stop; then it is dropped. Kubernetes gives 30 s.
"""

MAP_WITH_STATE_RECORDS: Final = 10_000
"""Records in memory as dictionaries at once: some ten megabytes, whatever the size of the batch."""

WINDOWS_PER_ROW_MAX: Final = 1_000
"""Sliding windows that contain one row: the memory of a batch grows by this factor."""

TTL_TICKS: Final = 16
"""Steps of the expiry clock in a time to live: each step begins a new slice of rows."""

# --- spark ------------------------------------------------------------------------------------------------------------

DELTA_ATTEMPTS_MAX: Final = 10
"""Attempts at one commit to a Delta table: other lanes and other writers may commit in between each time."""

SQL_ROWS_PER_STATEMENT: Final = 10_000
"""Rows in memory as dictionaries at once while they are written to a database: some ten megabytes."""

SCHEMA_REGISTRY_TIMEOUT_S: Final = 10.0
"""Time for the answer to a query of one schema, sent once by each worker. Without an answer, the batch is retried."""

LANE_TRANSACTION_TIMEOUT_MS: Final = 300_000
"""Time from a task's first row for a topic to its commit: as long as a run may take; brokers allow 15 minutes. The next
owner of the lane ends a dead owner's transaction long before."""

CAUGHT_UP_LOOK_S: Final = 0.1
"""Interval of the check whether everything is read: a run until the end stops at most this much later."""

SOURCE_TASK_RECORDS: Final = 50_000
"""Records up to which small ranges share a task of `format("tenure")`: so many records cost about as much as a Python
task."""

CONTROL_ANSWER_S: Final = 5.0
"""Time in which a running application reports its status, which it has in memory: after it, the application is stopped
or hangs."""

CONTROL_CONNECTIONS_MAX: Final = 32
"""Connections of standbys that wait for an application to end, and of users who look at it."""

CONTROL_LINE_BYTES_MAX: Final = 4_096
"""Size of a request to the control socket: it is one word."""

RESTART_PAUSE_S: Final = 1.0
"""Pause before a crashed application is started again; each further crash doubles it, up to RESTART_PAUSE_MAX_S."""

RESTART_PAUSE_MAX_S: Final = 60.0
"""Longest such pause: an application that fails for hours starts Spark once a minute, and runs within a minute of a
repair."""

RESTART_FORGIVEN_S: Final = 600.0
"""Run time after which a crash is not attributed to the start: the pauses begin again with the shortest."""

STANDBY_LOOK_S: Final = 1.0
"""Interval at which a standby checks the group, whose sessions end after several seconds at least."""

STANDBY_SPREAD_S: Final = 2.0
"""Period over which the standbys of several hosts spread their attempts to take the same free seats."""
