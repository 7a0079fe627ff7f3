"""The configuration keys that this broker acts on: Kafka's own where Kafka has one, `tenure.` where it has none.

Each key carries its type, so `settings[NUM_PARTITIONS]` is an `int` for the reader and for the type checker alike.
Defaults are Kafka's 4.3 unless a comment says why not. What Kafka knows and we do not act on stands in
`kafka_keys.tsv`, read only when somebody sets such a key.
"""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from tenure.coordinator.groups.configs import FENCING_POLICIES
from tenure.coordinator.groups.settings import MIGRATION_POLICIES
from tenure.limits import EXPECTED_TIMEOUT_MS_DEFAULT, EXPECTED_TIMEOUT_MS_MAX, REQUEST_BYTES_MAX

T = TypeVar("T")

INT32_MAX: Final = 2**31 - 1
INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)


class Key(Generic[T]):
    """One configuration key: its name, how its text is read, and the value it has when nobody says anything."""

    __slots__ = ("default", "help", "name", "read", "wants")

    def __init__(self, name: str, default: T, read: Callable[[str], T], wants: str, help_text: str) -> None:
        self.name = name
        self.default = default
        self.read = read
        """Turns the written value into the real one; a ValueError means it is not what `wants` says."""
        self.wants = wants
        self.help = help_text


KEYS: Final[dict[str, Key[object]]] = {}
"""All keys below by name, in the order in which they stand here."""


def _known(key: Key[T]) -> Key[T]:
    KEYS[key.name] = key  # type: ignore[assignment]  # a table of all types at once
    return key


def _integer(name: str, default: int, help_text: str, *, low: int = 0, high: int = INT32_MAX) -> Key[int]:
    def read(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError
        return value

    bounds = f"of at least {low:_}" if high >= INT32_MAX else f"from {low:_} to {high:_}"
    return _known(Key(name, default, read, f"a whole number {bounds}", help_text))


def _optional(name: str, help_text: str, *, low: int = 0) -> Key[int | None]:
    """A number that Kafka leaves null: another key speaks for it then."""

    def read(text: str) -> int | None:
        value = int(text)
        if value < low:
            raise ValueError
        return value

    return _known(Key[int | None](name, None, read, f"a whole number of at least {low}", help_text))


def _real(name: str, default: float, help_text: str, *, low: float, high: float) -> Key[float]:
    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise ValueError
        return value

    return _known(Key(name, default, read, f"a number from {low:g} to {high:g}", help_text))


def _flag(name: str, default: bool, help_text: str) -> Key[bool]:
    def read(text: str) -> bool:
        return {"true": True, "false": False}[text.lower()]

    return _known(Key(name, default, read, "true or false", help_text))


def _choice(name: str, default: str, choices: tuple[str, ...], help_text: str, *, any_case: bool = False) -> Key[str]:
    def read(text: str) -> str:
        text = text.lower() if any_case else text
        if text not in choices:
            raise ValueError
        return text

    return _known(Key(name, default, read, " or ".join(choices), help_text))


def _text(name: str, default: str, wants: str, help_text: str) -> Key[str]:
    def read(text: str) -> str:
        if not text.strip():
            raise ValueError
        return text.strip()

    return _known(Key(name, default, read, wants, help_text))


# --- who we are, where we listen ------------------------------------------------------------------------------------

NODE_ID: Final = _integer("node.id", 1, "The id of this broker in every answer.")  # Kafka has no default
LISTENERS: Final = _text(
    "listeners",
    "PLAINTEXT://127.0.0.1:9092",  # Kafka: all addresses; we bind no address but loopback unasked
    "PLAINTEXT://HOST:PORT",
    "Where the broker listens; port 0 picks a free one. `--listen` says the same.",
)
ADVERTISED_LISTENERS: Final = _text(
    "advertised.listeners", "", "PLAINTEXT://HOST:PORT", "The address that clients are told; default: where we listen."
)
LOG_DIRS: Final = _text("log.dirs", "tenure-data", "one directory", "The data directory. DATA_DIR says the same.")
SOCKET_LISTEN_BACKLOG_SIZE: Final = _integer(
    "socket.listen.backlog.size", 1024, "Connections the system queues before we accept them.", low=1
)  # Kafka: 50, too few for a thousand members that reconnect after one restart
SOCKET_REQUEST_MAX_BYTES: Final = _integer(
    "socket.request.max.bytes", REQUEST_BYTES_MAX, "A larger request closes its connection.", low=1
)
CONNECTIONS_MAX_IDLE_MS: Final = _integer(
    "connections.max.idle.ms", 600_000, "A connection that is silent this long is closed.", low=1, high=INT64_MAX
)

# --- topics and their logs ------------------------------------------------------------------------------------------

NUM_PARTITIONS: Final = _integer("num.partitions", 1, "Partitions of a topic whose creator does not say.", low=1)
AUTO_CREATE_TOPICS_ENABLE: Final = _flag(
    "auto.create.topics.enable", True, "Whether asking for an unknown topic creates it."
)
DELETE_TOPIC_ENABLE: Final = _flag("delete.topic.enable", True, "Whether topics can be deleted.")
MESSAGE_MAX_BYTES: Final = _integer("message.max.bytes", 1_048_588, "The largest record batch that is accepted.")
FETCH_MAX_BYTES: Final = _integer("fetch.max.bytes", 57_671_680, "The most that one fetch answers.", low=1024)
MAX_REQUEST_PARTITION_SIZE_LIMIT: Final = _integer(
    "max.request.partition.size.limit", 2_000, "The most partitions that one DescribeTopicPartitions answers.", low=1
)
MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS: Final = _integer(
    "max.incremental.fetch.session.cache.slots", 1_000, "The most incremental fetch sessions that are kept."
)
LOG_SEGMENT_BYTES: Final = _integer(
    "log.segment.bytes", 1_073_741_824, "A segment file that would grow beyond is followed by a new one.", low=1_048_576
)
LOG_ROLL_MS: Final = _optional("log.roll.ms", "The oldest record that a segment still written to may hold.", low=1)
LOG_ROLL_HOURS: Final = _integer("log.roll.hours", 168, "As log.roll.ms, which has the say where both stand.", low=1)
LOG_RETENTION_MS: Final = _optional("log.retention.ms", "How long records are kept; -1: for ever.", low=-1)
LOG_RETENTION_MINUTES: Final = _optional("log.retention.minutes", "As log.retention.ms, in minutes.", low=-1)
LOG_RETENTION_HOURS: Final = _integer("log.retention.hours", 168, "As log.retention.ms, in hours.", low=-1)
LOG_RETENTION_BYTES: Final = _integer(
    "log.retention.bytes", -1, "How much of a partition is kept; -1: all.", low=-1, high=INT64_MAX
)
LOG_RETENTION_CHECK_INTERVAL_MS: Final = _integer(
    "log.retention.check.interval.ms", 300_000, "How often old segments are looked for.", low=1, high=INT64_MAX
)
LOG_INDEX_INTERVAL_BYTES: Final = _integer(
    "log.index.interval.bytes", 4096, "Bytes of log between two entries of its offset index."
)
TIMESTAMP_TYPES: Final = ("CreateTime", "LogAppendTime")
LOG_MESSAGE_TIMESTAMP_TYPE: Final = _choice(
    "log.message.timestamp.type",
    "CreateTime",
    TIMESTAMP_TYPES,
    "Whose clock stamps a record: its producer's, or the broker's.",
)
LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS: Final = _integer(
    "log.message.timestamp.before.max.ms", INT64_MAX, "How far a record may lie behind our clock.", high=INT64_MAX
)
LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS: Final = _integer(
    "log.message.timestamp.after.max.ms", 3_600_000, "How far a record may lie ahead of our clock.", high=INT64_MAX
)
COMPRESSIONS: Final = ("producer", "uncompressed", "gzip", "snappy", "lz4", "zstd")
COMPRESSION_TYPE: Final = _choice(
    "compression.type", "producer", COMPRESSIONS, "What batches are packed by; producer: as they come."
)

LOG_CLEANER_ENABLE: Final = _flag("log.cleaner.enable", True, "Whether logs whose topics say so are compacted.")
LOG_CLEANER_BACKOFF_MS: Final = _integer(
    "log.cleaner.backoff.ms", 15_000, "How often the cleaner looks for logs that have become dirty.", high=INT64_MAX
)
LOG_CLEANER_DEDUPE_BUFFER_SIZE: Final = _integer(
    "log.cleaner.dedupe.buffer.size",
    134_217_728,
    "Memory for the keys of one compaction.",
    low=1_048_576,
    high=INT64_MAX,
)
LOG_CLEANER_MIN_CLEANABLE_RATIO: Final = _real(
    "log.cleaner.min.cleanable.ratio", 0.5, "How much of a log must be dirty before it is compacted.", low=0, high=1
)
LOG_CLEANER_DELETE_RETENTION_MS: Final = _integer(
    "log.cleaner.delete.retention.ms", 86_400_000, "How long a compacted log keeps tombstones.", high=INT64_MAX
)
LOG_CLEANER_MIN_COMPACTION_LAG_MS: Final = _integer(
    "log.cleaner.min.compaction.lag.ms", 0, "Younger records are not compacted.", high=INT64_MAX
)
LOG_CLEANER_MAX_COMPACTION_LAG_MS: Final = _integer(
    "log.cleaner.max.compaction.lag.ms", INT64_MAX, "Older records are, however little is dirty.", low=1, high=INT64_MAX
)

# --- groups ---------------------------------------------------------------------------------------------------------

GROUP_MIN_SESSION_TIMEOUT_MS: Final = _integer(
    "group.min.session.timeout.ms", 6_000, "The shortest session timeout that a classic member may ask for."
)
GROUP_MAX_SESSION_TIMEOUT_MS: Final = _integer(
    "group.max.session.timeout.ms", 1_800_000, "The longest session timeout that a classic member may ask for."
)
GROUP_INITIAL_REBALANCE_DELAY_MS: Final = _integer(
    "group.initial.rebalance.delay.ms", 3_000, "How long the first rebalance of an empty group waits for more members."
)
GROUP_MAX_SIZE: Final = _integer("group.max.size", INT32_MAX, "The most members of a classic group.", low=1)
GROUP_CONSUMER_MAX_SIZE: Final = _integer(
    "group.consumer.max.size", INT32_MAX, "The most members of a consumer group (KIP-848).", low=1
)
GROUP_CONSUMER_SESSION_TIMEOUT_MS: Final = _integer(
    "group.consumer.session.timeout.ms", 45_000, "How long a member of a consumer group may be silent.", low=1
)
GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.consumer.heartbeat.interval.ms", 5_000, "How often a member of a consumer group speaks.", low=1
)
GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.consumer.min.heartbeat.interval.ms",
    5_000,
    "How soon a member of a consumer group is told to speak again while the group rebalances, if that is sooner.",
    low=1,
)
GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS: Final = _integer(
    "group.consumer.assignment.interval.ms", 1_000, "The least time between two assignments of a consumer group."
)
GROUP_CONSUMER_ASSIGNORS: Final = _text(
    "group.consumer.assignors",
    "uniform,range",
    "names between commas",
    "Assignors of consumer groups, the default first: uniform, range, or package.module:Name of your own.",
)
GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS: Final = _integer(
    "group.consumer.regex.refresh.interval.ms",
    600_000,
    "How often regular expressions of consumer groups are resolved again, whatever has changed.",
    low=10_000,
)
GROUP_CONSUMER_MIGRATION_POLICY: Final = _choice(
    "group.consumer.migration.policy",
    "bidirectional",
    MIGRATION_POLICIES,
    "Which way a group goes over to the other protocol while it has members: classic to consumer (upgrade), or back.",
    any_case=True,
)
OFFSET_METADATA_MAX_BYTES: Final = _integer(
    "offset.metadata.max.bytes", 4096, "The longest metadata string of a committed offset, in characters."
)
GROUP_COMMIT_FENCING: Final = _choice(
    "group.commit.fencing",
    "assignment-epoch",
    FENCING_POLICIES,
    "Which commits are refused, where a group says nothing else; classic groups check the generation under each.",
)
GROUP_EXPECTED_TIMEOUT_MS: Final = _integer(
    "group.expected.timeout.ms",
    EXPECTED_TIMEOUT_MS_DEFAULT,
    "How long a first assignment waits for expected instances, where a group says nothing else.",
    high=EXPECTED_TIMEOUT_MS_MAX,
)
OFFSETS_TOPIC_NUM_PARTITIONS: Final = _integer(
    "offsets.topic.num.partitions", 50, "Partitions of __consumer_offsets, when it is created.", low=1
)
TRANSACTION_STATE_LOG_NUM_PARTITIONS: Final = _integer(
    "transaction.state.log.num.partitions", 50, "Partitions of __transaction_state, when it is created.", low=1
)
TRANSACTION_STATE_LOG_SEGMENT_BYTES: Final = _integer(
    "transaction.state.log.segment.bytes", 104_857_600, "Segment size of __transaction_state.", low=1
)
TRANSACTION_MAX_TIMEOUT_MS: Final = _integer(
    "transaction.max.timeout.ms", 900_000, "The longest time that a producer may give its transactions.", low=1
)
TRANSACTIONAL_ID_EXPIRATION_MS: Final = _integer(
    "transactional.id.expiration.ms", 604_800_000, "How long a transactional id is kept that nobody uses.", low=1
)
PRODUCER_ID_EXPIRATION_MS: Final = _integer(
    "producer.id.expiration.ms", 86_400_000, "How long a partition remembers a producer that writes no more.", low=1
)
PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS: Final = _integer(
    "producer.id.expiration.check.interval.ms", 600_000, "How often such producers are looked for.", low=1
)
TRANSACTION_PARTITION_VERIFICATION_ENABLE: Final = _flag(
    "transaction.partition.verification.enable",
    True,
    "Whether what clients of before KIP-890 write in a transaction must belong to one; without, transactions can hang.",
)
TRANSACTION_REMOVE_EXPIRED_TRANSACTION_CLEANUP_INTERVAL_MS: Final = _integer(
    "transaction.remove.expired.transaction.cleanup.interval.ms",
    3_600_000,
    "How often transactional ids are looked for that nobody uses.",
    low=1,
)
OFFSETS_TOPIC_SEGMENT_BYTES: Final = _integer(
    "offsets.topic.segment.bytes", 104_857_600, "Segment size of __consumer_offsets.", low=1
)
OFFSETS_RETENTION_MINUTES: Final = _integer(
    "offsets.retention.minutes", 10_080, "How long offsets are kept that no member of their group needs.", low=1
)
OFFSETS_RETENTION_CHECK_INTERVAL_MS: Final = _integer(
    "offsets.retention.check.interval.ms", 600_000, "How often such offsets are looked for.", low=1, high=INT64_MAX
)
# --- ours -----------------------------------------------------------------------------------------------------------

DURABILITIES: Final = ("memory", "os", "fsync")
DATA_DURABILITY: Final = _choice(
    "tenure.data.durability", "os", DURABILITIES, "When a record of a topic counts as written."
)
COORDINATOR_DURABILITY: Final = _choice(
    "tenure.coordinator.durability", "fsync", DURABILITIES, "When a record of the coordinators' own logs does."
)
JOURNAL_ENABLE: Final = _flag(
    "tenure.journal.enable", True, "Whether rebalances are told, with their causes, in the topic __tenure_journal."
)
JOURNAL_RETENTION_BYTES: Final = _integer(
    "tenure.journal.retention.bytes", 16_777_216, "How much of the journal is kept, about.", low=1, high=INT64_MAX
)
JOURNAL_RETENTION_MS: Final = _integer(
    "tenure.journal.retention.ms", 604_800_000, "How long its entries are kept.", low=1, high=INT64_MAX
)
METRICS_LISTENER: Final = _text(
    "tenure.metrics.listener", "", "HOST:PORT", "Where /metrics, /healthz, /readyz answer. `--metrics` says the same."
)
SYNC_THREADS: Final = _integer("tenure.sync.threads", 4, "Threads that sync logs to disk.", low=1, high=64)


class Settings:
    """The values in force, by key. `origins` says where each value that is no default came from."""

    __slots__ = ("_values", "origins")

    def __init__(self, values: dict[str, object] | None = None, origins: dict[str, str] | None = None) -> None:
        self._values = values or {}
        self.origins = origins or {}

    def __getitem__(self, key: Key[T]) -> T:
        return self._values.get(key.name, key.default)  # type: ignore[return-value]  # put there by key.read

    @property
    def retention_ms(self) -> int:
        """The finest unit that is set has the say, as in Kafka."""
        if (milliseconds := self[LOG_RETENTION_MS]) is not None:
            return milliseconds
        if (minutes := self[LOG_RETENTION_MINUTES]) is not None:
            return minutes * 60_000 if minutes >= 0 else -1
        hours = self[LOG_RETENTION_HOURS]
        return hours * 3_600_000 if hours >= 0 else -1

    @property
    def roll_ms(self) -> int:
        milliseconds = self[LOG_ROLL_MS]
        return milliseconds if milliseconds is not None else self[LOG_ROLL_HOURS] * 3_600_000
