"""Every bound of the system, with its reason.

A number never stands alone: it has a name, a unit (last in the name), and a reason. One section per room.
"""

from typing import Final

# --- protocol ---------------------------------------------------------------------------------------------------------

REQUEST_BYTES_MAX: Final = 104_857_600
"""Kafka's `socket.request.max.bytes`: a larger frame closes its connection (rule 1.1.1)."""

LARGE_FRAME_BYTES: Final = 524_288
"""From here on a frame is received into one buffer and not copied again; smaller ones are joined faster from pieces."""

ANSWER_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""An answer without records. Kafka's clients take what a broker takes; a larger answer is a mistake or an attack."""

REQUEST_ELEMENTS_MAX: Final = 100_000
"""Elements of all arrays of one request, nested ones included: the partitions of ten topics of the largest kind. They
are decoded in about 50 ms, during which no other client is served; 2 MiB of the smallest ones would take ten times
that."""

TEXT_BYTES_MAX: Final = 32_767
"""A string of a request, as in Kafka: the classic encoding has 16 bits for its length."""

BATCH_UNPACKED_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""A compressed batch may unpack into what would have fitted into one request uncompressed; more is a bomb."""

BATCH_RECORDS_MAX: Final = 1_000_000
"""librdkafka's largest `batch.num.messages`: no client makes a larger batch."""

BATCH_HEADERS_MAX: Final = 1_000_000
"""Headers of all records of a batch: ten for each of 100,000 records. Walking them takes a fifth of a second."""

RECORD_HEADERS_MAX: Final = 10_000
"""Headers of one record, which are walked in one go: a few milliseconds, and far more than any client writes."""

ARROW_BUFFER_BYTES_MAX: Final = 2_147_483_647
"""Arrow's views point into a buffer with 32-bit offsets."""

UNCOPIED_BYTES_MIN: Final = 65_536
"""From here on the records of an answer go to the socket as they were read; smaller ones are copied faster."""

NAMES_REMEMBERED_MAX: Final = 65_536
"""Pairs of a group and a topic whose names are kept while a log is read: one of each for all partitions. Some 15 MB."""

OFFSET_KEYS_REMEMBERED_MAX: Final = 16_384
"""Keys of offset records that are kept as bytes: each is written again at the next commit, every few seconds."""

# --- assignors --------------------------------------------------------------------------------------------------------

ASSIGNOR_LEVEL_SWEEPS_MAX: Final = 16
"""Over all kinds of partitions, before exchanges are looked for one by one: a few nearly always do."""

ASSIGNOR_EXCHANGE_CELLS_MAX: Final = 500_000_000
"""Kinds times members, over all sweeps of the search for better shares: some seconds, well below a session timeout."""

# --- coordinator ------------------------------------------------------------------------------------------------------

OFFSETS_LOOKED_AT_MAX: Final = 2_000
"""In one step of the search for expired offsets: a millisecond, of which every shard may take one in the same turn."""

HINTED_HEARTBEATS_PER_MS_MAX: Final = 5
"""Of one group's members that are told to come sooner than usual: a part of what a core answers, whatever its size."""

OFFSETS_FORGOTTEN_MAX: Final = 2_000
"""Whose tombstones are written in one step: some ten milliseconds."""

OFFSETS_FORGOTTEN_BYTES_MAX: Final = 1_048_576
"""Of the names of groups in one such step: a name may have 32 kB."""

NEW_MEMBER_JOIN_TIMEOUT_MS: Final = 300_000
"""Kafka's: a client that vanishes while its first join is parked is dropped after this long (rule 2.5.1)."""

MEMBER_ID_PREFIX_CHARACTERS_MAX: Final = 8_000
"""Of a client or instance id at the start of a member id: with four bytes each and the UUID behind them, they stay
below TEXT_BYTES_MAX."""

INSTANCE_ID_CHARACTERS_MAX: Final = 249
"""Kafka's limit for `group.instance.id`, as for topics."""

EXPECTED_TIMEOUT_MS_DEFAULT: Final = 60_000
"""How long a first assignment waits for seats that are known to come: a rolled-out pod starts in this time, and a seat
that was registered by mistake costs a minute once."""

EXPECTED_TIMEOUT_MS_MAX: Final = 240_000
"""Less than NEW_MEMBER_JOIN_TIMEOUT_MS, after which those who wait would be dropped."""

CONFIG_VALUE_BYTES_MAX: Final = 32_767
"""Kafka's limit for one config value; some 130 instance ids of the longest kind, some 2,000 of the usual."""

STOPPED_TIMERS_KEPT: Final = 1_024
"""Entries that the heap of deadlines may hold beyond twice the timers that run, before it is swept."""

JOURNAL_DEPARTED_MAX: Final = 128
"""Members of a group that have gone and may come back: as many as a group of a usual size could lose at once."""

JOURNAL_GROUPS_REMEMBERED_MAX: Final = 1_024
"""Groups of a shard whose departed members the journal remembers."""

JOURNAL_MEMBERS_NAMED_MAX: Final = 50
"""Members that an entry of the journal names, of each kind; beyond, it counts: some kilobytes an entry."""

JOURNAL_ASSIGNMENT_BYTES_MAX: Final = 262_144
"""Of assignments that changed and are decoded to count what moved: some 60,000 partitions, some ten milliseconds."""

JOURNAL_PARTITIONS_MAX: Final = 131_072
"""Of targets that changed and are compared for the same: before and after, as many as in those bytes."""

TOPIC_PARTITIONS_MAX: Final = 10_000
"""Of a topic, and of all topics in one request, as in Kafka: each one is a directory, a record, and a line in every
Metadata answer."""

ASSIGNED_AT_ONCE_MAX: Final = 5_000
"""Members and partitions of a consumer group together: up to here an assignment takes some milliseconds, most of them
to put names into numbers and back. Beyond, it is computed on a thread."""

TOPIC_REGEX_CHARACTERS_MAX: Final = 32_767
"""Of a subscription's regular expression: a hundred of the longest topic names, one beside the other."""

TOPIC_REGEX_BYTES_MAX: Final = 1_048_576
"""What one may take when compiled: the longest list of names fits, repetitions of repetitions do not."""

PRODUCER_ID_BLOCK: Final = 1_000
"""Kafka's: producer ids are drawn in blocks, so that a new producer costs no record in the log."""

TRANSACTIONAL_IDS_FORGOTTEN_MAX: Final = 1_000
"""In one step of a transactions shard: milliseconds, and far below what a batch may have."""

# --- runtime ----------------------------------------------------------------------------------------------------------

COORDINATOR_BATCH_BYTES: Final = 1_048_576
"""A turn stops taking commands once its batch has grown to this: what one sync serves stays within a disk's reach."""

COORDINATOR_STEP_BYTES_MAX: Final = 67_108_864
"""One command may not write more at once: its records stand or fall together, and have to fit into a segment."""

LOAD_SIFTED_FROM_BYTES: Final = 2_097_152
"""A chunk of a log from which on sifting by the column saves more than the import of numpy costs."""

LOAD_HELD_BYTES_MAX: Final = 268_435_456
"""Of a log in memory while it is loaded; then what counts so far is copied out and the rest let go."""

# --- storage ----------------------------------------------------------------------------------------------------------

BATCH_CHECKED_AT_ONCE_BYTES: Final = 32_768
"""A batch without compression up to this size is checked in one go, in some milliseconds; larger ones in steps."""

UNPACKED_AT_ONCE_BYTES: Final = 1_048_576
"""A batch that unpacks into more is unpacked on a thread: more takes milliseconds."""

RECORD_ERRORS_TOLD_MAX: Final = 1_000
"""Of one batch, by their number: a client gives the whole batch up after the first."""

READ_AHEAD_BYTES: Final = 131_072
"""Between two bytes of a file that are asked for to learn whether it is in memory: Linux reads ahead so much at once,
and lets it go together."""

PRODUCER_IDS_SKIPPED: Final = 1 << 40
"""When a part of the log of topics is lost, which may have allotted some: far more than a broker hands out in its life,
and far less than there are."""

INVENTORY_APPENDED_BYTES_MAX: Final = 1_048_576
"""Lines appended to the inventory before it is written anew, unless it is larger itself. A start reads 15,000 lines in
about 20 ms."""

# --- broker -----------------------------------------------------------------------------------------------------------

CONNECTION_READ_BYTES: Final = 262_144
"""Read at once from a connection: what asyncio's own transports take, and a few record batches."""

FREED_BYTES_KEPT: Final = 67_108_864
"""Of memory that was freed, by the process instead of the system: an answer of Kafka's `fetch.max.bytes`, and some."""

LARGE_ANSWER_BYTES: Final = 33_554_432
"""What is larger has its memory from the system, and gives it back at once: the most that glibc can be told."""

MEMORY_ARENAS_MAX: Final = 2
"""Areas from which glibc's threads take memory. Each reserves 64 MB of addresses, eight per processor by default; two
let one thread unpack a batch beside the event loop."""

DECODED_AT_ONCE_BYTES_MAX: Final = 65_536
"""A larger request without records is decoded on a thread: it takes a millisecond per 30 kB or so."""

RESTART_RESERVE_BYTES: Final = 1_048_576
"""Freed before a broker that is out of memory starts itself again: it needs some kilobytes for that."""

RESTART_ATTEMPTS_MAX: Final = 50
RESTART_ATTEMPT_PAUSE_S: Final = 0.1
"""Attempts of a broker to start itself again. The system may be short of memory for a moment."""

ACCEPT_AGAIN_S: Final = 1.0
"""When the system has no descriptor left for a connection: some will have closed by then."""

SCHEDULE_BUDGET_S: Final = 0.005
"""Work on requests before sockets are read again. A heartbeat waits no longer than that and one piece of work."""

PIECE_S: Final = 0.001
"""Work on one request in a row, before another connection has its turn: a hundred small items, such as partitions."""

ANSWERED_AT_ONCE_MAX: Final = 100
"""Entries of an answer that is encoded in one go, in some hundred microseconds; a larger one is encoded in steps."""

SHORT_REQUEST_BYTES_MAX: Final = 4_096
"""A heartbeat or commit up to this size is worked on as soon as it is read: at most a few hundred partitions."""

CONNECTION_QUEUED_FRAMES_MAX: Final = 64
"""Frames that wait behind a connection's request before it is no longer read: far above what clients have in flight."""

CONNECTION_QUEUED_BYTES_MAX: Final = 1_048_576
"""Bytes of such frames: one read of small requests and a bit, or one large one."""

CONNECTION_WRITE_BYTES_MAX: Final = 1_048_576
"""Unsent bytes of a connection beyond which its next request waits: it reads too slowly."""

RESPONSES_JOINED_BYTES_MAX: Final = 65_536
"""Answers to pipelined requests leave in one write, but no later than at this size."""

REQUEST_WITHOUT_RECORDS_BYTES_MAX: Final = 2_097_152
"""Of anything but Produce: twice what Kafka lets a group write at once. Decoded, small structs take thirty times
their bytes and a microsecond each, while nobody else is served."""

CLIENT_MEMORY_BYTES: Final = 67_108_864
"""Default of `queued.max.request.bytes`: requests and answers in memory. One request more may exceed it, as in Kafka,
and the largest has 100 MB: together they stay below 256 MB."""

CLIENT_MEMORY_FREE_BYTES: Final = 65_536
"""Per connection: below this a connection goes on although the memory for clients is used up."""

UNACCOUNTED_REQUEST_BYTES_MAX: Final = CLIENT_MEMORY_FREE_BYTES // 4
"""A single request up to this size is not counted: decoded, it stays below what each connection may hold."""

CLIENT_MEMORY_CHECK_S: Final = 1.0
"""Between two looks for clients that hold memory without using it, while memory is short."""

CLIENT_MEMORY_STALLED_CHECKS_MAX: Final = 3
"""Looks in a row at which a connection has neither sent nor read a byte. Then it is closed, while memory is short."""

CLIENT_MEMORY_PROGRESS_BYTES: Final = 1_024
"""Between two such looks, less than this is no progress: the slowest of honest clients sends more."""

DECODED_REQUEST_FACTOR: Final = 12
"""Memory of a request without records and of its answer, by that of its frame. Measured with Metadata, whose topics
have 30 bytes each in the frame: ten times as much, and 17 times where the topics are created."""

SUSPENSION_MIN_S: Final = 1.0
"""A pause of the event loop from which on the process counts as suspended: ten times what a heartbeat may wait."""

SUSPENSION_CHECK_S: Final = 0.25
"""Between two looks at the clock for that: four wake-ups per second of an idle broker."""

OFFSETS_PER_COMMIT_MAX: Final = 20_000
"""A commit is one batch, and Kafka's coordinators take 1 MiB at most: some 15,000 offsets, and more in a transaction.
Nobody else is served while it is made: some hundred milliseconds."""

OFFSETS_PER_ASK_MAX: Final = 1_000
"""Of an OffsetFetch that a shard answers at once, in some milliseconds."""

TOPICS_CREATED_AT_ONCE_MAX: Final = 50
"""Of a request that creates topics: each takes some hundred microseconds, while nobody else is served."""

TOPICS_DELETED_AT_ONCE_MAX: Final = 50
"""Of a request that deletes topics: the files of each take some hundred microseconds, more with many partitions."""

ASKS_PER_REQUEST_MAX: Final = 20_000
"""Groups that one request may ask for: names of one byte would keep everybody else waiting for half a minute."""

RESOURCES_DESCRIBED_MAX: Final = 2_000
"""Whose configs one request may ask for: each takes a millisecond with synonyms and documentation, while nobody else is
served, and 20 KB."""

FETCH_SESSION_PARTITIONS_MAX: Final = 200_000
"""In all incremental fetch sessions together, some 300 bytes each: whoever comes later names everything each time."""

FETCH_SESSION_EVICTION_MS: Final = 120_000
"""Kafka's `min.incremental.fetch.session.eviction.ms`: a session that is younger, and used, keeps its place."""

RECORDS_LOST_MAX: Final = 2**31
"""No crash takes more records from a log: a group that has committed further ahead has made its offset up."""

TOPIC_NAME_CHARACTERS_MAX: Final = 249
"""Kafka's limit: name, dash, partition and suffix still fit into the 255 bytes of a file name."""

SHARD_LOAD_BYTES: Final = 4_194_304
"""Of a coordinator's log read at once while it is loaded: what is done once per chunk then costs little, and what
cannot be interrupted, on a thread beside the loop, takes some ten milliseconds."""

DAMAGED_KEYS_NAMED_MAX: Final = 20
"""Groups or transactional ids that one log line names when a coordinator's log was damaged."""

DAMAGED_KEYS_BYTES_MAX: Final = 1_048_576
"""Of damaged bytes searched for such names, on the loop: a batch of a coordinator is smaller, and a search of so much
takes some ten milliseconds."""

LOADS_IN_THE_TURN_BYTES_MAX: Final = 1_048_576
"""A coordinator's log up to this size is loaded at once, in some ten milliseconds; a larger one on a thread."""

THREAD_SWITCH_S: Final = 0.001
"""How long a thread that loads a log may keep the loop waiting; Python's own default is five times that."""

READER_THREADS: Final = 4
"""For reads that have to wait for the disk: it serves several at once better than one after the other."""

LOG_RESTORE_PAUSE_S: Final = 1.0
"""Between two attempts to bring a log back whose disk has failed."""

LOG_ROOM_PAUSE_MS: Final = 1_000
"""Between two looks whether a full disk has room again for a coordinator that nobody asks meanwhile."""

CLEANER_STRETCH_BYTES: Final = 65_536
"""Of a log in one go of its compaction, one or two milliseconds of Python; then the cleaner sleeps as long as it has
worked, so that it never has more than half of what the loop could use."""

PLACES_REMEMBERED_MAX: Final = 16_384
"""Names of groups and transactional ids whose partition is remembered: Python takes some 2 us to hash one, and to
remember it, though it has expired, some 300 bytes.
"""

PLACE_CHARACTERS_MAX: Final = 256
"""Of a name whose partition is remembered: a name on the wire may have 32 kB, and who sends many such must not fill the
memory."""

GROUPS_REMEMBERED_MAX: Final = 65_536
"""Groups of which is remembered what the log was told of them last."""

MEMBERS_NAMED_MAX: Final = 8
"""Members that a log line names before it says how many more there are: what fits on a line."""

MARKER_RETRY_PAUSE_S: Final = 0.5
"""Between two attempts to end a transaction in a partition that cannot be written to, as while a disk is full."""

ENDING_AWAITED_S: Final = 0.1
"""How long a producer's next transaction waits for the markers of its last one before it is told to come again: Kafka's
add.partitions.to.txn.retry.backoff.max.ms."""

LATE_TRANSACTION_BUFFER_MS: Final = 300_000
"""Beyond the longest time that a transaction may take, before it counts as late: as in Kafka, which gives its
coordinator this long to notice."""

PRODUCERS_LOOKED_AT_MAX: Final = 10_000
"""In one turn of the loop, for those that write no more: a few milliseconds."""

EFFECT_THREADS: Final = 2
"""For what rules of groups may not wait for: a large assignment must not keep regular expressions waiting."""

JOURNAL_ENTRIES_WAITING_MAX: Final = 10_000
"""Entries of the rebalance journal that wait for their topic to be created; the oldest are let go first."""

METRICS_TOPICS_MAX: Final = 1_000
"""Topics whose size is told by name, the largest; a collector keeps a series for each of them, for weeks."""

LOOP_LAG_CHECK_S: Final = 1.0
LOOP_LAG_CHECKS_KEPT: Final = 60
"""A minute: what collectors that come twice a minute cannot miss."""

DISK_PROBE_INTERVAL_S: Final = 2.0
"""Least time between two test writes to the data directory, and timeout of one: a healthy disk takes milliseconds."""

COORDINATOR_PROBE_TIMEOUT_S: Final = 5.0
"""Time for a shard to answer a probe: many times the longest turn of the event loop, and below any session timeout."""

LOG_PROBE_TIMEOUT_S: Final = 5.0
"""Time for what is appended to a log to become durable: many times the slowest sync of a healthy disk."""

FAILURES_NAMED_MAX: Final = 3
"""Shards or logs that a reason of `/readyz` names; it counts the others."""

JOURNAL_SEGMENTS: Final = 4
"""Of the journal's topic: old ones go whole, so it holds a quarter more than `tenure.journal.retention.bytes` at most.
"""

SHUTDOWN_GRACE_S: Final = 5.0
"""A clean stop waits this long for the disk before it gives up its clean marker."""

CLIENT_REASON_CHARACTERS_MAX: Final = 255
"""What Java's client cuts its reasons to (KIP-800); other clients may send a megabyte."""

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
"""Per connection: holds nearly every answer but those of Fetch, which get a buffer of their own."""

LARGE_FRAME_KEPT_BYTES: Final = 67_108_864
"""A connection keeps the buffer of a large answer for the next one, up to Kafka's `fetch.max.bytes`, and some."""

LARGE_FRAMES_KEPT: Final = 2
"""Such buffers of a connection: of one answer the records are decoded while the next one is received."""

RESPONSE_BYTES_MAX: Final = 1_073_741_824
"""A fetch may exceed what was asked by one batch, whatever its size; beyond a gigabyte it is no Kafka broker."""

FETCH_BYTES: Final = 16_777_216
"""Asked of a broker in one Fetch: large enough that the fixed cost of a columnar decode vanishes."""

FETCH_LEAST_BYTES: Final = 65_536
"""Asked of a broker for a few records: one or two batches of most producers."""

FETCH_RECORD_BYTES: Final = 1_024
"""Taken for the size of a record before any was seen: a short range out of a long log then brings no 16 MB."""

FETCH_RECORD_BYTES_MARGIN: Final = 1.1
"""Over what records took so far: the last piece of a range seldom needs a further request."""

PREFETCH_BYTES: Final = 67_108_864
"""What a consumer reads ahead of its user: a second's worth at full speed, as librdkafka's queue holds."""

PRODUCER_BUFFER_BYTES: Final = 33_554_432
"""Kafka's `buffer.memory`: a sender that is faster than the broker waits here."""

RECORD_OVERHEAD_BYTES: Final = 16
"""What a record costs in a batch besides its key and value, about."""

SEND_ARROW_BYTES: Final = 8_388_608
"""Of a table, encoded at once: many batches, so that numpy's fixed cost vanishes, and a part of `buffer.memory`."""

PRODUCER_FAILURES_KEPT: Final = 10
"""Of the batches that could not be delivered, this many are told of by name."""

PRODUCER_BATCH_BYTES: Final = 131_072
"""A record batch is sent when it has grown to this; several times Java's 16 kB, because batches cost more here."""

CONNECT_TIMEOUT_MS: Final = 10_000
"""Kafka's `socket.connection.setup.timeout.ms`."""

RETRY_BACKOFF_MS: Final = 50
RETRY_BACKOFF_MAX_MS: Final = 1_000
"""Pauses between attempts double from the one to the other, Kafka's `retry.backoff.max.ms`: a broker that restarts is
found within a second of its being ready."""

TRANSACTION_BACKOFF_MS: Final = 2
TRANSACTION_BACKOFF_MAX_MS: Final = 20
"""The same while the markers of the transaction before are written: milliseconds, so Kafka asks every 20."""

PATIENCE_MS: Final = 60_000
"""How long a client goes on asking before it tells its caller: a broker's restart, with its log read again, fits in."""

STARTUP_PATIENCE_MS: Final = 5_000
"""The same before anything has worked: a wrong address should not take a minute to find out."""

GOODBYE_TIMEOUT_MS: Final = 5_000
"""For what is polite but not needed: leaving a group, asking who has fenced us."""

REQUEST_TIMEOUT_MS: Final = 30_000
"""Kafka's `request.timeout.ms`."""

FETCH_WAIT_MS: Final = 500
"""Kafka's `fetch.max.wait.ms`."""

FETCH_EMPTY_ANSWERS_MAX: Final = 10
"""In a row, below an end that the broker itself has named: five seconds, then the records are not coming."""

MEMBERSHIP_RETRY_BACKOFF_MS: Final = 100
"""Kafka's `retry.backoff.ms`: between two attempts of a member at the same thing."""

TOPIC_NAMES_BACKOFF_MS: Final = 1_000
"""A member asks again for the name of a topic that it was assigned and the metadata do not have: it was just made."""

DRAWN_MEMBER_IDS: Final = 8
"""By so many of its earlier ids a member recognises itself, should a join of long ago arrive after all."""

METADATA_AGE_MS: Final = 300_000
"""Kafka's `metadata.max.age.ms`: how long a leader may overlook that a topic has grown."""

PARTITIONER_KEYS_CACHED: Final = 65_536
"""Keys whose partition is remembered: hashing one costs a microsecond or more, and keys repeat. A few MB when full."""

CLAIM_DOUBTS_MAX: Final = 20
"""Sentences about claims that are not believed, of one rebalance: whoever looks into it has seen enough by then."""

# --- admin and command line -------------------------------------------------------------------------------------------

ADMIN_PATIENCE_MS: Final = 2_000
"""Somebody sits before the terminal: an elected leader or a coordinator appears in this time, a wrong address never."""

CONSUME_POLL_RECORDS: Final = 5_000
"""Records of `tenure consume` between two commits, at most: that many may be printed again after a crash."""

CONSUME_FETCH_BYTES: Final = 1_048_576
"""Of one partition, for the command line: rows are decoded one by one there, and a person waits for the first."""

LINE_BYTES_MAX: Final = 16_777_216
"""Of `tenure produce`; sixteen times what a broker takes by default."""

PARTITION_RANGE_MAX: Final = 100_000
"""The last partition that a range on a command line may name: ten times what a topic may be created with."""

# --- pipeline ---------------------------------------------------------------------------------------------------------

STATE_DELTAS_MAX: Final = 16
"""Deltas over a base before a run writes a new base: a lane that moves to a cold host reads so many files more."""

STATE_BATCH_BYTES: Final = 8_388_608
"""Of a state file, about, that is in memory at once while it is written, or unpacked: some ten milliseconds each."""

STATE_PIECES_AHEAD: Final = 8
"""Of a state file that are read and not digested yet: two batches, each of which Arrow reads in four pieces."""

STATE_IN_ORDER_ROWS_MIN: Final = 500_000
"""Keys of a base that is written in their order: sorting takes a microsecond a key, once, and lets a run find few keys
among many without going through them all. Smaller ones are gone through in some milliseconds."""

STATE_SNAPSHOT_SHARE: Final = 0.25
"""Of a state's keys that are in deltas when a snapshot is begun: each key is written again a few times at most, and
there is room for what changes until the snapshot is there."""

STATE_CACHE_LOOK_SHARE: Final = 1 / 64
"""Of STATE_CACHE_BYTES_MAX, that a process puts in before it looks for what may go: by so much may there be more."""

STATE_CACHE_BYTES_MAX: Final = 4 * 1024**3
"""Of copies of state files that a host keeps and nobody uses: of partitions that have moved away, say."""

STATE_CACHE_IN_USE_S: Final = 3600.0
"""A copy that was opened in this time is in use. However large all of them are, each is needed for every batch."""

CHECKED_COPIES_MAX: Final = 65_536
"""Copies that a process remembers as checked, about 200 bytes each. Beyond that it forgets all and checks again."""

STATE_CACHE_FREE_SHARE: Final = 0.1
"""Of its disk that copies leave free, in use or not: others live on that disk, too."""

STORE_BLOCK_BYTES: Final = 8_388_608
"""Sent to a store, or asked of it, at once: more than the least part of an upload (S3: 5 MiB), and latency vanishes."""

BAD_RECORDS_PER_RUN_MAX: Final = 1_000
"""Bad records that one run of a lane may skip or put aside: where all records are bad, the function is."""

GROWING_FILES_MAX: Final = 64
"""Small files of a lane that later runs may add to: each is a line in every manifest. Of a sink that is partitioned
more finely than that, the latest grow."""

OUTPUT_PARTITIONS_PER_RUN_MAX: Final = 1_000
"""Directories of a partitioned sink that one run of a lane writes to: each is a file, two syncs, and a line in the
manifest."""

RUN_RECORDS: Final = 1_000_000
"""Of a member that are under way: some hundred MB in its tasks, some seconds before a revocation is acknowledged."""

RUN_BYTES: Final = 536_870_912
"""Of those records, uncompressed, which are in memory once; what the function makes of them comes on top. With records
of a kilobyte half a million to a bundle: what a bundle costs by itself is a few percent then."""

TARGET_BATCH_TIME_S: Final = 10.0
"""How long a bundle should take: a small part of what a revocation waits for, a quarter of `max.poll.interval.ms`, and
long enough that what a task costs by itself does not matter."""

WORKER_PIECE_BYTES_MAX: Final = 33_554_432
"""Of memory that a Python worker has freed and keeps: more than an answer to a Fetch, and the most for glibc."""

WORKER_KEEPS_BYTES: Final = 67_108_864
"""All such pieces: two answers, each as received and as its records."""

WORKER_KEEPS_MS: Final = 10_000
"""How long Arrow keeps what a run has freed: under load the worker's next run comes in this time."""

BUNDLES_UNDER_WAY: Final = 2
"""Of one member: a lane that takes long leaves a task to the others."""

PUBLICATIONS_AT_ONCE: Final = 4
"""Of one member: they wait for a disk or a database, and more of them would mostly wait for each other."""

BUNDLE_SHARE_MIN: Final = 0.01
"""Of what a member may have under way: with less in a bundle its task costs more than it saves."""

FIRST_RECORD_BYTES: Final = 1_024.0
FIRST_RECORD_S: Final = 0.000_1
"""What a record is believed to cost before a lane has run: its first bundle is small, and tells better."""

RUN_POLL_S: Final = 0.02
"""Between two looks at a run under way and at the group: well below what a batch costs."""

IDLE_POLL_S: Final = 0.2
"""Between two looks at the end of logs that bring nothing new."""

REASON_CHARACTERS_MAX: Final = 500
"""Of an exception's own words in a message: enough to recognise it."""

TRANSACTIONS_SETTLED_AT_ONCE: Final = 16
"""Of one member that has come to have lanes: they wait for their coordinators beside each other."""

POINTER_RECOMMIT_S: Final = 86_400.0
"""An idle lane's pointer is committed again daily: with the group's offsets it would expire after 7 days (rule 6.4)."""

SETBACKS_MAX: Final = 8
"""Refused commits and failed lanes in a row before a pipeline gives up; with the pauses between them about half a
minute, longer than a broker's restart."""

SETBACK_PAUSE_S: Final = 0.1
"""After the first setback; each further one doubles it, up to SETBACK_PAUSE_MAX_S."""

SETBACK_PAUSE_MAX_S: Final = 10.0
"""Somebody looks at a stuck pipeline by then, and a broker that comes back is not overrun."""

STANDSTILL_SHARE: Final = 0.25
"""Of `max.poll.interval.ms`: a member that has not looked at what it has under way for longer does not count that time
against it. It has usually looked within a second, and what truly hangs is found out that much later at most."""

STOP_GRACE_S: Final = 10.0
"""What a running bundle has to end in when the pipeline is asked to stop; then it is dropped. Kubernetes gives 30."""

MAP_WITH_STATE_RECORDS: Final = 10_000
"""Records that stand in memory as dictionaries at once: some ten megabytes, however long the batch."""

WINDOWS_PER_ROW_MAX: Final = 1_000
"""Sliding windows that one row may be in: a batch takes so many times its memory."""

TTL_TICKS: Final = 16
"""The clock by which keys are forgotten makes so many steps in a time to live: each step begins a new slice of rows."""

# --- spark ------------------------------------------------------------------------------------------------------------

DELTA_ATTEMPTS_MAX: Final = 10
"""At one commit to a Delta table: other lanes, and other writers of the table, may come in between each time."""

SQL_ROWS_PER_STATEMENT: Final = 10_000
"""Rows that stand in memory as dictionaries at once, on their way to a database: some ten megabytes."""

SCHEMA_REGISTRY_TIMEOUT_S: Final = 10.0
"""For one schema, asked once by each worker: whoever does not answer by then is away, and the batch is tried again."""

LANE_TRANSACTION_TIMEOUT_MS: Final = 300_000
"""From a task's first row for a topic to its commit: as long as a run may take; brokers allow 15 minutes. Whoever has
the lane next ends a dead owner's transaction long before."""

CAUGHT_UP_LOOK_S: Final = 0.1
"""Between two looks whether everything is read: what the end of a run until then may come later."""

SOURCE_TASK_RECORDS: Final = 50_000
"""Small ranges share a task of `format("tenure")` up to here: a Python task costs about what so many records cost."""

CONTROL_ANSWER_S: Final = 5.0
"""What a running application says of itself stands in its memory: whoever takes longer is stopped, or hangs."""

CONTROL_CONNECTIONS_MAX: Final = 32
"""Standbys that wait for an application to end, and people who look at it."""

CONTROL_LINE_BYTES_MAX: Final = 4_096
"""Of a request: it is one word."""

RESTART_PAUSE_S: Final = 1.0
"""Before a crashed application is started again; each further crash doubles it, up to RESTART_PAUSE_MAX_S."""

RESTART_PAUSE_MAX_S: Final = 60.0
"""What is broken for hours costs a Spark session a minute, and what was mended is noticed within one."""

RESTART_FORGIVEN_S: Final = 600.0
"""An application that ran for so long has not crashed because of how it was started: pauses begin anew."""

STANDBY_LOOK_S: Final = 1.0
"""Between two looks of a standby at the group, whose sessions end after several seconds at least."""

STANDBY_SPREAD_S: Final = 2.0
"""Standbys of several hosts that see the same free seats go for them at different moments within it."""
