"""Configuration keys of the broker: Kafka's keys, and keys that begin with `tenure.` where Kafka has none.

Each key has a type, so a type checker sees that `settings[NUM_PARTITIONS]` is an `int`. Defaults are those of Kafka 4.4
unless a comment gives a reason. Times and sizes have the unit that ends the key's name. All other keys of Kafka are in
`kafka_keys.tsv`, which is read only if the user sets one of them.
"""

from typing import Any, Final, TypeVar

from tenure.broker.config.key_values import (
    COMPRESSIONS,
    DURABILITIES,
    NO_ADDRESSES,
    STANDARD_AUTHORIZER,
    TIMESTAMP_TYPES,
    cleanup_policies,
    limits_by_address,
    principals,
)
from tenure.config_keys import (
    INT32_MAX,
    INT64_MAX,
    ConfigKey,
    ConfigKind,
    boolean,
    one_of,
    real,
    text_like,
    whole,
)
from tenure.coordinator.groups.configs import FENCING_POLICIES
from tenure.coordinator.groups.settings import MIGRATION_POLICIES
from tenure.limits.broker import CLIENT_MEMORY_BYTES
from tenure.limits.coordinator import EXPECTED_TIMEOUT_MS_DEFAULT, EXPECTED_TIMEOUT_MS_MAX
from tenure.limits.protocol import REQUEST_BYTES_MAX

T = TypeVar("T")

KEYS: Final[dict[str, ConfigKey[Any]]] = {}
"""All keys by name, in the order of this file."""


def _known(key: ConfigKey[T]) -> ConfigKey[T]:
    KEYS[key.name] = key
    return key


def _integer(name: str, default: int, help_text: str, *, low: int = 0, high: int = INT32_MAX) -> ConfigKey[int]:
    return _known(ConfigKey(name, whole(low, high), default, help_text, ConfigKind.INT))


def _optional(name: str, help_text: str, *, low: int = 0) -> ConfigKey[int | None]:
    """Return a key for a time; None, the default, applies the key for the same time in the next larger unit."""
    return _known(ConfigKey[int | None](name, whole(low, INT64_MAX), None, help_text, ConfigKind.INT))


def _real(name: str, default: float, help_text: str, *, low: float, high: float) -> ConfigKey[float]:
    return _known(ConfigKey(name, real(low, high), default, help_text, ConfigKind.DOUBLE))


def _flag(name: str, default: bool, help_text: str) -> ConfigKey[bool]:
    return _known(ConfigKey(name, boolean, default, help_text, ConfigKind.BOOLEAN))


def _choice(
    name: str, default: str, choices: tuple[str, ...], help_text: str, *, any_case: bool = False
) -> ConfigKey[str]:
    return _known(ConfigKey(name, one_of(*choices, any_case=any_case), default, help_text))


def _text(name: str, default: str, form: str, help_text: str) -> ConfigKey[str]:
    return _known(ConfigKey(name, text_like(form), default, help_text))


def _secret(name: str, help_text: str) -> ConfigKey[str]:
    return _known(ConfigKey(name, text_like("a text"), "", help_text, ConfigKind.PASSWORD))


def _principals(name: str, help_text: str) -> ConfigKey[str]:
    return _known(ConfigKey(name, principals, "", help_text))


# --- identity and addresses -------------------------------------------------------------------------------------------

NODE_ID: Final = _integer("node.id", 1, "Id of this broker.")  # Kafka has no default
LISTENERS: Final = _text(
    "listeners",
    "PLAINTEXT://127.0.0.1:9092",  # Kafka: all addresses; Tenure binds only loopback by default
    "comma-separated NAME://HOST:PORT",
    "Addresses to listen at; port 0 picks a free port. Same as `--listen`.",
)
ADVERTISED_LISTENERS: Final = _text(
    "advertised.listeners",
    "",
    "comma-separated NAME://HOST:PORT",
    "Address advertised to the clients of each listener (default: the address to listen at).",
)
LISTENER_SECURITY_PROTOCOL_MAP: Final = _text(
    "listener.security.protocol.map",
    "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL",
    "comma-separated NAME:PROTOCOL",
    "Security protocol of each listener name.",
)
LOG_DIRS: Final = _text("log.dirs", "tenure-data", "one directory", "Data directory. Same as DATA_DIR.")
SOCKET_LISTEN_BACKLOG_SIZE: Final = _integer(
    "socket.listen.backlog.size", 1024, "Maximum connections that wait to be accepted.", low=1
)  # Kafka: 50, too few for a thousand members that reconnect after one restart
SOCKET_REQUEST_MAX_BYTES: Final = _integer(
    "socket.request.max.bytes",
    REQUEST_BYTES_MAX,
    "Maximum size of a request, in bytes; a larger one closes its connection.",
    low=1,
)
QUEUED_MAX_REQUEST_BYTES: Final = _integer(
    "queued.max.request.bytes",
    CLIENT_MEMORY_BYTES,
    "Memory for requests and responses of all clients, in bytes. Above it, large requests wait.",
    low=1,
)  # Kafka has no limit by default, and counts only requests
CONNECTIONS_MAX_IDLE_MS: Final = _integer(
    "connections.max.idle.ms",
    600_000,
    "Time after which an idle connection is closed, in milliseconds.",
    low=1,
    high=INT64_MAX,
)

# --- security ---------------------------------------------------------------------------------------------------------

SASL_ENABLED_MECHANISMS: Final = _text(
    "sasl.enabled.mechanisms",
    "SCRAM-SHA-256,SCRAM-SHA-512",  # Kafka: GSSAPI
    "comma-separated names",
    "SASL mechanisms that clients may use: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER.",
)
SASL_SERVER_MAX_RECEIVE_SIZE: Final = _integer(
    "sasl.server.max.receive.size", 524_288, "Maximum size of a request before authentication, in bytes.", low=1
)
CONNECTIONS_MAX_REAUTH_MS: Final = _integer(
    "connections.max.reauth.ms",
    0,
    "Time after which a client has to authenticate again, in milliseconds; 0: never.",
    high=INT64_MAX,
)
CONNECTION_FAILED_AUTHENTICATION_DELAY_MS: Final = _integer(
    "connection.failed.authentication.delay.ms",
    100,
    "Time after which the broker answers a failed authentication, in milliseconds.",
)
CONNECTION_LOGIN_MAX_MS: Final = _integer(
    "tenure.connection.login.max.ms",
    30_000,
    "Time in which a client has to end its TLS handshake and its authentication, in milliseconds.",
    low=1,
)
SASL_OAUTHBEARER_JWKS_ENDPOINT_URL: Final = _text(
    "sasl.oauthbearer.jwks.endpoint.url", "", "a URL", "Keys of the issuer of OAUTHBEARER tokens: file:// or https://."
)
SASL_OAUTHBEARER_JWKS_ENDPOINT_REFRESH_MS: Final = _integer(
    "sasl.oauthbearer.jwks.endpoint.refresh.ms",
    3_600_000,
    "Time after which the keys of the issuer are read again, in milliseconds.",
    low=1,
    high=INT64_MAX,
)
SASL_OAUTHBEARER_EXPECTED_AUDIENCE: Final = _text(
    "sasl.oauthbearer.expected.audience", "", "comma-separated names", "Audiences, one of which a token must have."
)
SASL_OAUTHBEARER_EXPECTED_ISSUER: Final = _text(
    "sasl.oauthbearer.expected.issuer", "", "one name", "Issuer that a token must have."
)
SASL_OAUTHBEARER_CLOCK_SKEW_SECONDS: Final = _integer(
    "sasl.oauthbearer.clock.skew.seconds", 30, "Accepted difference from the issuer's clock, in seconds."
)
SASL_OAUTHBEARER_SUB_CLAIM_NAME: Final = _text(
    "sasl.oauthbearer.sub.claim.name", "sub", "one name", "Claim of a token that contains the user name."
)
SSL_KEYSTORE_TYPE: Final = _choice(
    "ssl.keystore.type", "PEM", ("PEM", "PKCS12"), "Format of the key store."
)  # Kafka: JKS
SSL_KEYSTORE_LOCATION: Final = _text(
    "ssl.keystore.location",
    "",
    "one file, or CERTIFICATE,KEY",
    "Key store: PEM file with certificate and key. Same as `--tls`.",
)
SSL_KEYSTORE_PASSWORD: Final = _secret("ssl.keystore.password", "Password of the key store.")
SSL_KEYSTORE_CERTIFICATE_CHAIN: Final = _secret(
    "ssl.keystore.certificate.chain", "Certificates as PEM text, instead of a file."
)
SSL_KEYSTORE_KEY: Final = _secret("ssl.keystore.key", "Private key as PEM text, instead of a file.")
SSL_KEY_PASSWORD: Final = _secret("ssl.key.password", "Password of the private key.")
SSL_TRUSTSTORE_TYPE: Final = _choice(
    "ssl.truststore.type", "PEM", ("PEM", "PKCS12"), "Format of the trust store."
)  # Kafka: JKS
SSL_TRUSTSTORE_LOCATION: Final = _text(
    "ssl.truststore.location", "", "one file", "Trust store: certificates of the authorities of clients."
)
SSL_TRUSTSTORE_PASSWORD: Final = _secret("ssl.truststore.password", "Password of the trust store.")
SSL_TRUSTSTORE_CERTIFICATES: Final = _secret(
    "ssl.truststore.certificates", "Certificates of authorities as PEM text, instead of a file."
)
SSL_CLIENT_AUTH: Final = _choice(
    "ssl.client.auth", "none", ("none", "requested", "required"), "Whether clients need a certificate.", any_case=True
)
SSL_ENABLED_PROTOCOLS: Final = _text(
    "ssl.enabled.protocols", "TLSv1.2,TLSv1.3", "comma-separated names", "Versions of TLS: TLSv1.2, TLSv1.3."
)
SSL_CIPHER_SUITES: Final = _text(
    "ssl.cipher.suites", "", "comma-separated names", "Cipher suites, with names of IANA (default: those of OpenSSL)."
)
SSL_PRINCIPAL_MAPPING_RULES: Final = _text(
    "ssl.principal.mapping.rules",
    "DEFAULT",
    "comma-separated rules",
    "Rules that convert the subject of a certificate to a user name.",
)
USERS_FILE: Final = _text(
    "tenure.users.file", "", "one file", "File with NAME=PASSWORD lines: users beside those of `tenure users`."
)
SASL_PLAIN_BACKEND: Final = _text(
    "tenure.sasl.plain.backend",
    "",
    "package.module:function",
    "Function (user, password) -> bool that checks passwords of the mechanism PLAIN, for example with LDAP.",
)

# --- connections ------------------------------------------------------------------------------------------------------

MAX_CONNECTIONS: Final = _integer(
    "max.connections", INT32_MAX, "Maximum open connections. Further ones wait until one is closed."
)
MAX_CONNECTIONS_PER_IP: Final = _integer(
    "max.connections.per.ip", INT32_MAX, "Maximum open connections of one address. Further ones are closed."
)
MAX_CONNECTIONS_PER_IP_OVERRIDES: Final = _known(
    ConfigKey(
        "max.connections.per.ip.overrides",
        limits_by_address,
        NO_ADDRESSES,
        "Maximum open connections of single addresses, comma-separated ADDRESS:NUMBER.",
    )
)
MAX_CONNECTION_CREATION_RATE: Final = _integer(
    "max.connection.creation.rate", INT32_MAX, "Maximum new connections per second. Further ones wait."
)
INTER_BROKER_LISTENER_NAME: Final = _text(
    "inter.broker.listener.name",
    "",
    "one listener",
    "Listener for operators: beyond max.connections it closes the least recently used connection of another listener.",
)

# --- quotas -----------------------------------------------------------------------------------------------------------

QUOTA_WINDOW_NUM: Final = _integer(
    "quota.window.num", 11, "Number of windows over which rates of clients are measured.", low=1
)
QUOTA_WINDOW_SIZE_SECONDS: Final = _integer(
    "quota.window.size.seconds", 1, "Length of a window over which rates of clients are measured, in seconds.", low=1
)
CONTROLLER_QUOTA_WINDOW_NUM: Final = _integer(
    "controller.quota.window.num",
    11,
    "Number of windows for which a client can save up its controller_mutation_rate.",
    low=1,
)
CONTROLLER_QUOTA_WINDOW_SIZE_SECONDS: Final = _integer(
    "controller.quota.window.size.seconds", 1, "Length of a window for controller_mutation_rate, in seconds.", low=1
)

# --- topics and their logs --------------------------------------------------------------------------------------------

NUM_PARTITIONS: Final = _integer("num.partitions", 1, "Default number of partitions of a new topic.", low=1)
DEFAULT_REPLICATION_FACTOR: Final = _integer(
    "default.replication.factor", 1, "Default replication factor of a new topic. One broker has one replica.", low=1
)
AUTO_CREATE_TOPICS_ENABLE: Final = _flag(
    "auto.create.topics.enable", True, "Whether a request for an unknown topic creates it."
)
DELETE_TOPIC_ENABLE: Final = _flag("delete.topic.enable", True, "Whether topics can be deleted.")
MESSAGE_MAX_BYTES: Final = _integer("message.max.bytes", 1_048_588, "Maximum size of a record batch, in bytes.")
FETCH_MAX_BYTES: Final = _integer(
    "fetch.max.bytes", 57_671_680, "Maximum size of the answer to a fetch, in bytes.", low=1024
)
MAX_REQUEST_PARTITION_SIZE_LIMIT: Final = _integer(
    "max.request.partition.size.limit", 2_000, "Maximum partitions in one answer to DescribeTopicPartitions.", low=1
)
MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS: Final = _integer(
    "max.incremental.fetch.session.cache.slots", 1_000, "Maximum number of incremental fetch sessions."
)
LOG_SEGMENT_BYTES: Final = _integer(
    "log.segment.bytes", 1_073_741_824, "Maximum size of a segment file, in bytes.", low=1_048_576
)
LOG_ROLL_MS: Final = _optional("log.roll.ms", "Time after which a new segment begins, in milliseconds.", low=1)
LOG_ROLL_HOURS: Final = _integer(
    "log.roll.hours", 168, "Same as log.roll.ms, in hours. Ignored if log.roll.ms is set.", low=1
)
LOG_RETENTION_MS: Final = _optional(
    "log.retention.ms", "Retention time of records, in milliseconds; -1: unlimited.", low=-1
)
LOG_RETENTION_MINUTES: Final = _optional(
    "log.retention.minutes", "Same as log.retention.ms, in minutes. Ignored if log.retention.ms is set.", low=-1
)
LOG_RETENTION_HOURS: Final = _integer(
    "log.retention.hours",
    168,
    "Same as log.retention.ms, in hours. Ignored if log.retention.ms or log.retention.minutes is set.",
    low=-1,
)
LOG_RETENTION_BYTES: Final = _integer(
    "log.retention.bytes", -1, "Retained size of a partition, in bytes; -1: unlimited.", low=-1, high=INT64_MAX
)
LOG_RETENTION_CHECK_INTERVAL_MS: Final = _integer(
    "log.retention.check.interval.ms",
    300_000,
    "Interval between two checks for expired segments, in milliseconds.",
    low=1,
    high=INT64_MAX,
)
LOG_INDEX_INTERVAL_BYTES: Final = _integer(
    "log.index.interval.bytes", 4096, "Bytes of a log between two entries of its offset index."
)
LOG_MESSAGE_TIMESTAMP_TYPE: Final = _choice(
    "log.message.timestamp.type",
    "CreateTime",
    TIMESTAMP_TYPES,
    "Origin of the timestamps of records: the producer or the broker.",
)
LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS: Final = _integer(
    "log.message.timestamp.before.max.ms",
    INT64_MAX,
    "Maximum time by which a record's timestamp may be behind the broker's clock, in milliseconds.",
    high=INT64_MAX,
)
LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS: Final = _integer(
    "log.message.timestamp.after.max.ms",
    3_600_000,
    "Maximum time by which a record's timestamp may be ahead of the broker's clock, in milliseconds.",
    high=INT64_MAX,
)
COMPRESSION_TYPE: Final = _choice(
    "compression.type", "producer", COMPRESSIONS, "Compression of stored batches; producer: unchanged."
)
LOG_CLEANUP_POLICY: Final = _known(
    ConfigKey(
        "log.cleanup.policy",
        cleanup_policies,
        "delete",
        "Treatment of old segments, for topics without cleanup.policy: delete, compact, both, or none (empty list).",
        ConfigKind.LIST,
    )
)
LOG_CLEANER_ENABLE: Final = _flag(
    "log.cleaner.enable", True, "Whether topics with cleanup.policy=compact are compacted."
)
LOG_CLEANER_BACKOFF_MS: Final = _integer(
    "log.cleaner.backoff.ms",
    15_000,
    "Interval between two searches for logs to compact, in milliseconds.",
    high=INT64_MAX,
)
LOG_CLEANER_DEDUPE_BUFFER_SIZE: Final = _integer(
    "log.cleaner.dedupe.buffer.size",
    134_217_728,
    "Maximum memory for the keys of one compaction, in bytes.",
    low=1_048_576,
    high=INT64_MAX,
)
LOG_CLEANER_MIN_CLEANABLE_RATIO: Final = _real(
    "log.cleaner.min.cleanable.ratio",
    0.5,
    "Share of uncompacted bytes in a log at which the log is compacted.",
    low=0,
    high=1,
)
LOG_CLEANER_DELETE_RETENTION_MS: Final = _integer(
    "log.cleaner.delete.retention.ms",
    86_400_000,
    "Retention time of tombstones in a compacted log, in milliseconds.",
    high=INT64_MAX,
)
LOG_CLEANER_MIN_COMPACTION_LAG_MS: Final = _integer(
    "log.cleaner.min.compaction.lag.ms",
    0,
    "Minimum age of records that are compacted, in milliseconds.",
    high=INT64_MAX,
)
LOG_CLEANER_MAX_COMPACTION_LAG_MS: Final = _integer(
    "log.cleaner.max.compaction.lag.ms",
    INT64_MAX,
    "Age of an uncompacted record at which its log is compacted in any case, in milliseconds.",
    low=1,
    high=INT64_MAX,
)

# --- groups -----------------------------------------------------------------------------------------------------------

GROUP_MIN_SESSION_TIMEOUT_MS: Final = _integer(
    "group.min.session.timeout.ms", 6_000, "Minimum session timeout of classic members, in milliseconds."
)
GROUP_MAX_SESSION_TIMEOUT_MS: Final = _integer(
    "group.max.session.timeout.ms", 1_800_000, "Maximum session timeout of classic members, in milliseconds."
)
GROUP_INITIAL_REBALANCE_DELAY_MS: Final = _integer(
    "group.initial.rebalance.delay.ms",
    3_000,
    "Time that the first rebalance of an empty group waits for more members, in milliseconds.",
)
GROUP_MAX_SIZE: Final = _integer("group.max.size", INT32_MAX, "Maximum members of a classic group.", low=1)
GROUP_CONSUMER_MAX_SIZE: Final = _integer(
    "group.consumer.max.size", INT32_MAX, "Maximum members of a consumer group (KIP-848).", low=1
)
GROUP_CONSUMER_SESSION_TIMEOUT_MS: Final = _integer(
    "group.consumer.session.timeout.ms",
    45_000,
    "Session timeout of members of consumer groups, in milliseconds.",
    low=1,
)
GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.consumer.heartbeat.interval.ms",
    5_000,
    "Heartbeat interval of members of consumer groups, in milliseconds.",
    low=1,
)
GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS: Final = _integer(
    "group.consumer.min.session.timeout.ms",
    45_000,
    "Minimum of the group config consumer.session.timeout.ms, in milliseconds.",
    low=1,
)
GROUP_CONSUMER_MAX_SESSION_TIMEOUT_MS: Final = _integer(
    "group.consumer.max.session.timeout.ms",
    60_000,
    "Maximum of the group config consumer.session.timeout.ms, in milliseconds.",
    low=1,
)
GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.consumer.min.heartbeat.interval.ms",
    5_000,
    "Minimum of the group config consumer.heartbeat.interval.ms, and of the interval in a rebalance, in milliseconds.",
    low=1,
)
GROUP_CONSUMER_MAX_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.consumer.max.heartbeat.interval.ms",
    15_000,
    "Maximum of the group config consumer.heartbeat.interval.ms, in milliseconds.",
    low=1,
)
GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS: Final = _integer(
    "group.consumer.assignment.interval.ms",
    1_000,
    "Minimum time between two assignments of a consumer group, in milliseconds.",
)
GROUP_CONSUMER_MIN_ASSIGNMENT_INTERVAL_MS: Final = _integer(
    "group.consumer.min.assignment.interval.ms",
    0,
    "Minimum of the group config consumer.assignment.interval.ms, in milliseconds.",
)
GROUP_CONSUMER_MAX_ASSIGNMENT_INTERVAL_MS: Final = _integer(
    "group.consumer.max.assignment.interval.ms",
    15_000,
    "Maximum of the group config consumer.assignment.interval.ms, in milliseconds.",
)
GROUP_CONSUMER_ASSIGNOR_OFFLOAD_ENABLE: Final = _flag(
    "group.consumer.assignor.offload.enable",
    True,
    "Whether large consumer groups are assigned on a thread of their own.",
)
GROUP_CONSUMER_ASSIGNORS: Final = _text(
    "group.consumer.assignors",
    "uniform,range",
    "comma-separated names",
    "Assignors of consumer groups, default first: uniform, range, or package.module:Name of your own.",
)
GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS: Final = _integer(
    "group.consumer.regex.refresh.interval.ms",
    600_000,
    "Interval at which the regular expressions of consumer groups are resolved again, in milliseconds.",
    low=10_000,
)
GROUP_CONSUMER_MIGRATION_POLICY: Final = _choice(
    "group.consumer.migration.policy",
    "bidirectional",
    MIGRATION_POLICIES,
    "Permitted migrations of groups with members: classic to consumer (upgrade), or back (downgrade).",
    any_case=True,
)
GROUP_STREAMS_MAX_SIZE: Final = _integer(
    "group.streams.max.size", INT32_MAX, "Maximum members of a streams group (KIP-1071).", low=1
)
GROUP_STREAMS_SESSION_TIMEOUT_MS: Final = _integer(
    "group.streams.session.timeout.ms",
    45_000,
    "Session timeout of members of streams groups, in milliseconds.",
    low=1,
)
GROUP_STREAMS_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.streams.heartbeat.interval.ms",
    5_000,
    "Heartbeat interval of members of streams groups, in milliseconds.",
    low=1,
)
GROUP_STREAMS_MIN_SESSION_TIMEOUT_MS: Final = _integer(
    "group.streams.min.session.timeout.ms",
    45_000,
    "Minimum of the group config streams.session.timeout.ms, in milliseconds.",
    low=1,
)
GROUP_STREAMS_MIN_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.streams.min.heartbeat.interval.ms",
    5_000,
    "Minimum of the group config streams.heartbeat.interval.ms, in milliseconds.",
    low=1,
)
GROUP_STREAMS_MAX_SESSION_TIMEOUT_MS: Final = _integer(
    "group.streams.max.session.timeout.ms",
    60_000,
    "Maximum of the group config streams.session.timeout.ms, in milliseconds.",
    low=1,
)
GROUP_STREAMS_MAX_HEARTBEAT_INTERVAL_MS: Final = _integer(
    "group.streams.max.heartbeat.interval.ms",
    15_000,
    "Maximum of the group config streams.heartbeat.interval.ms, in milliseconds.",
    low=1,
)
GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS: Final = _integer(
    "group.streams.assignment.interval.ms",
    1_000,
    "Minimum time between two assignments of a streams group, in milliseconds.",
)
GROUP_STREAMS_MIN_ASSIGNMENT_INTERVAL_MS: Final = _integer(
    "group.streams.min.assignment.interval.ms",
    0,
    "Minimum of the group config streams.assignment.interval.ms, in milliseconds.",
)
GROUP_STREAMS_MAX_ASSIGNMENT_INTERVAL_MS: Final = _integer(
    "group.streams.max.assignment.interval.ms",
    15_000,
    "Maximum of the group config streams.assignment.interval.ms, in milliseconds.",
)
GROUP_STREAMS_INITIAL_REBALANCE_DELAY_MS: Final = _integer(
    "group.streams.initial.rebalance.delay.ms",
    3_000,
    "Time that the first assignment of a streams group waits for more members, in milliseconds.",
)
GROUP_STREAMS_NUM_STANDBY_REPLICAS: Final = _integer(
    "group.streams.num.standby.replicas", 0, "Standby tasks for each task with a state."
)
GROUP_STREAMS_MAX_STANDBY_REPLICAS: Final = _integer(
    "group.streams.max.standby.replicas", 2, "Maximum of the group config streams.num.standby.replicas."
)
GROUP_STREAMS_NUM_WARMUP_REPLICAS: Final = _integer(
    "group.streams.num.warmup.replicas",
    2,
    "Maximum warm-up tasks of a streams group. The assignor 'sticky' assigns none.",
)
GROUP_STREAMS_MAX_WARMUP_REPLICAS: Final = _integer(
    "group.streams.max.warmup.replicas", 20, "Maximum of the group config streams.num.warmup.replicas."
)
GROUP_STREAMS_ASSIGNOR_OFFLOAD_ENABLE: Final = _flag(
    "group.streams.assignor.offload.enable",
    True,
    "Whether large streams groups are assigned on a thread of their own.",
)
GROUP_STREAMS_TASK_OFFSET_INTERVAL_MS: Final = _integer(
    "group.streams.task.offset.interval.ms",
    60_000,
    "Interval at which members of streams groups report the offsets of their copies of state, in milliseconds.",
    low=1,
)
GROUP_STREAMS_MIN_TASK_OFFSET_INTERVAL_MS: Final = _integer(
    "group.streams.min.task.offset.interval.ms",
    15_000,
    "Minimum of the group config streams.task.offset.interval.ms, in milliseconds.",
    low=1,
)
GROUP_STREAMS_ACCEPTABLE_RECOVERY_LAG: Final = _integer(
    "group.streams.acceptable.recovery.lag",
    10_000,
    "Lag below which a copy of a task's state counts as caught up, in records.",
    high=INT64_MAX,
)
GROUP_STREAMS_RACK_AWARE_ASSIGNMENT_TAGS: Final = _text(
    "group.streams.rack.aware.assignment.tags",
    "",
    "comma-separated names",
    "Client tags that every member of a streams group should have; without one, it gets MISSING_CLIENT_TAGS.",
)
OFFSET_METADATA_MAX_BYTES: Final = _integer(
    "offset.metadata.max.bytes", 4096, "Maximum length of the metadata of a committed offset, in characters."
)
GROUP_COMMIT_FENCING: Final = _choice(
    "group.commit.fencing",
    "assignment-epoch",
    FENCING_POLICIES,
    "Default fencing policy of commits. Classic groups always check the generation.",
)
GROUP_EXPECTED_TIMEOUT_MS: Final = _integer(
    "group.expected.timeout.ms",
    EXPECTED_TIMEOUT_MS_DEFAULT,
    "Default time that a first assignment waits for expected instances, in milliseconds.",
    high=EXPECTED_TIMEOUT_MS_MAX,
)
OFFSETS_TOPIC_NUM_PARTITIONS: Final = _integer(
    "offsets.topic.num.partitions", 50, "Partitions of __consumer_offsets at its creation.", low=1
)
TRANSACTION_STATE_LOG_NUM_PARTITIONS: Final = _integer(
    "transaction.state.log.num.partitions", 50, "Partitions of __transaction_state at its creation.", low=1
)
TRANSACTION_STATE_LOG_SEGMENT_BYTES: Final = _integer(
    "transaction.state.log.segment.bytes",
    104_857_600,
    "Maximum size of a segment file of __transaction_state, in bytes.",
    low=1,
)
TRANSACTION_MAX_TIMEOUT_MS: Final = _integer(
    "transaction.max.timeout.ms", 900_000, "Maximum transaction timeout of producers, in milliseconds.", low=1
)
TRANSACTIONAL_ID_EXPIRATION_MS: Final = _integer(
    "transactional.id.expiration.ms", 604_800_000, "Retention time of unused transactional ids, in milliseconds.", low=1
)
PRODUCER_ID_EXPIRATION_MS: Final = _integer(
    "producer.id.expiration.ms",
    86_400_000,
    "Retention time of the state of idle producers in a partition, in milliseconds.",
    low=1,
)
PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS: Final = _integer(
    "producer.id.expiration.check.interval.ms",
    600_000,
    "Interval between two searches for idle producers, in milliseconds.",
    low=1,
)
TRANSACTION_PARTITION_VERIFICATION_ENABLE: Final = _flag(
    "transaction.partition.verification.enable",
    True,
    "Whether the transaction of an older client (before KIP-890) must contain the partition that it writes to.",
)
TRANSACTION_REMOVE_EXPIRED_TRANSACTION_CLEANUP_INTERVAL_MS: Final = _integer(
    "transaction.remove.expired.transaction.cleanup.interval.ms",
    3_600_000,
    "Interval between two searches for unused transactional ids, in milliseconds.",
    low=1,
)
OFFSETS_TOPIC_SEGMENT_BYTES: Final = _integer(
    "offsets.topic.segment.bytes", 104_857_600, "Maximum size of a segment file of __consumer_offsets, in bytes.", low=1
)
OFFSETS_RETENTION_MINUTES: Final = _integer(
    "offsets.retention.minutes", 10_080, "Retention time of the offsets of inactive groups, in minutes.", low=1
)
OFFSETS_RETENTION_CHECK_INTERVAL_MS: Final = _integer(
    "offsets.retention.check.interval.ms",
    600_000,
    "Interval between two searches for expired offsets, in milliseconds.",
    low=1,
    high=INT64_MAX,
)
# --- authorization ----------------------------------------------------------------------------------------------------

AUTHORIZER_CLASS_NAME: Final = _choice(
    "authorizer.class.name",
    "",
    ("", STANDARD_AUTHORIZER),
    f"Authorizer that checks every request against ACLs: {STANDARD_AUTHORIZER}, or none.",
)
SUPER_USERS: Final = _principals("super.users", "Principals that may do everything, separated by semicolons.")
ALLOW_EVERYONE_IF_NO_ACL_FOUND: Final = _flag(
    "allow.everyone.if.no.acl.found", False, "Whether everyone may use a resource that has no ACLs."
)

# --- Tenure -----------------------------------------------------------------------------------------------------------

DATA_DURABILITY: Final = _choice(
    "tenure.data.durability",
    "os",
    DURABILITIES,
    "Place in which a record of a topic counts as durable: memory, page cache (os) or disk (fsync).",
)
COORDINATOR_DURABILITY: Final = _choice(
    "tenure.coordinator.durability",
    "fsync",
    DURABILITIES,
    "Place in which a record of a coordinator's log counts as durable: memory, page cache (os) or disk (fsync).",
)
JOURNAL_ENABLE: Final = _flag(
    "tenure.journal.enable", True, "Whether rebalances and their causes are recorded in the topic __tenure_journal."
)
JOURNAL_RETENTION_BYTES: Final = _integer(
    "tenure.journal.retention.bytes", 16_777_216, "Approximate size of the journal, in bytes.", low=1, high=INT64_MAX
)
JOURNAL_RETENTION_MS: Final = _integer(
    "tenure.journal.retention.ms",
    604_800_000,
    "Retention time of the journal's entries, in milliseconds.",
    low=1,
    high=INT64_MAX,
)
METRICS_LISTENER: Final = _text(
    "tenure.metrics.listener", "", "HOST:PORT", "Address of /metrics, /healthz and /readyz. Same as `--metrics`."
)
METRICS_TLS: Final = _text(
    "tenure.metrics.tls", "", "CERTIFICATE,KEY", "PEM files for TLS of the metrics pages. Same as `--metrics-tls`."
)
METRICS_TOKEN_FILE: Final = _text(
    "tenure.metrics.token.file",
    "",
    "one file",
    "File with the bearer token that /metrics requires. Same as `--metrics-token-file`.",
)
SYNC_THREADS: Final = _integer("tenure.sync.threads", 4, "Number of threads that sync logs to disk.", low=1, high=64)
