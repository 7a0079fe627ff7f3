"""Kafka 4.4's error codes: name, number, whether the error is retriable, and a message.

KIP-345 has number 78 for FENCED_INSTANCE_ID; Kafka uses 82.
"""

from enum import IntEnum
from typing import Final


class ErrorCode(IntEnum):
    UNKNOWN_SERVER_ERROR = -1
    NONE = 0
    OFFSET_OUT_OF_RANGE = 1
    CORRUPT_MESSAGE = 2
    UNKNOWN_TOPIC_OR_PARTITION = 3
    INVALID_FETCH_SIZE = 4
    LEADER_NOT_AVAILABLE = 5
    NOT_LEADER_OR_FOLLOWER = 6
    REQUEST_TIMED_OUT = 7
    BROKER_NOT_AVAILABLE = 8
    REPLICA_NOT_AVAILABLE = 9
    MESSAGE_TOO_LARGE = 10
    STALE_CONTROLLER_EPOCH = 11
    OFFSET_METADATA_TOO_LARGE = 12
    NETWORK_EXCEPTION = 13
    COORDINATOR_LOAD_IN_PROGRESS = 14
    COORDINATOR_NOT_AVAILABLE = 15
    NOT_COORDINATOR = 16
    INVALID_TOPIC_EXCEPTION = 17
    RECORD_LIST_TOO_LARGE = 18
    NOT_ENOUGH_REPLICAS = 19
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20
    INVALID_REQUIRED_ACKS = 21
    ILLEGAL_GENERATION = 22
    INCONSISTENT_GROUP_PROTOCOL = 23
    INVALID_GROUP_ID = 24
    UNKNOWN_MEMBER_ID = 25
    INVALID_SESSION_TIMEOUT = 26
    REBALANCE_IN_PROGRESS = 27
    INVALID_COMMIT_OFFSET_SIZE = 28
    TOPIC_AUTHORIZATION_FAILED = 29
    GROUP_AUTHORIZATION_FAILED = 30
    CLUSTER_AUTHORIZATION_FAILED = 31
    INVALID_TIMESTAMP = 32
    UNSUPPORTED_SASL_MECHANISM = 33
    ILLEGAL_SASL_STATE = 34
    UNSUPPORTED_VERSION = 35
    TOPIC_ALREADY_EXISTS = 36
    INVALID_PARTITIONS = 37
    INVALID_REPLICATION_FACTOR = 38
    INVALID_REPLICA_ASSIGNMENT = 39
    INVALID_CONFIG = 40
    NOT_CONTROLLER = 41
    INVALID_REQUEST = 42
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43
    POLICY_VIOLATION = 44
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45
    DUPLICATE_SEQUENCE_NUMBER = 46
    INVALID_PRODUCER_EPOCH = 47
    INVALID_TXN_STATE = 48
    INVALID_PRODUCER_ID_MAPPING = 49
    INVALID_TRANSACTION_TIMEOUT = 50
    CONCURRENT_TRANSACTIONS = 51
    TRANSACTION_COORDINATOR_FENCED = 52
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53
    SECURITY_DISABLED = 54
    OPERATION_NOT_ATTEMPTED = 55
    KAFKA_STORAGE_ERROR = 56
    LOG_DIR_NOT_FOUND = 57
    SASL_AUTHENTICATION_FAILED = 58
    UNKNOWN_PRODUCER_ID = 59
    REASSIGNMENT_IN_PROGRESS = 60
    DELEGATION_TOKEN_AUTH_DISABLED = 61
    DELEGATION_TOKEN_NOT_FOUND = 62
    DELEGATION_TOKEN_OWNER_MISMATCH = 63
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = 64
    DELEGATION_TOKEN_AUTHORIZATION_FAILED = 65
    DELEGATION_TOKEN_EXPIRED = 66
    INVALID_PRINCIPAL_TYPE = 67
    NON_EMPTY_GROUP = 68
    GROUP_ID_NOT_FOUND = 69
    FETCH_SESSION_ID_NOT_FOUND = 70
    INVALID_FETCH_SESSION_EPOCH = 71
    LISTENER_NOT_FOUND = 72
    TOPIC_DELETION_DISABLED = 73
    FENCED_LEADER_EPOCH = 74
    UNKNOWN_LEADER_EPOCH = 75
    UNSUPPORTED_COMPRESSION_TYPE = 76
    STALE_BROKER_EPOCH = 77
    OFFSET_NOT_AVAILABLE = 78
    MEMBER_ID_REQUIRED = 79
    PREFERRED_LEADER_NOT_AVAILABLE = 80
    GROUP_MAX_SIZE_REACHED = 81
    FENCED_INSTANCE_ID = 82
    ELIGIBLE_LEADERS_NOT_AVAILABLE = 83
    ELECTION_NOT_NEEDED = 84
    NO_REASSIGNMENT_IN_PROGRESS = 85
    GROUP_SUBSCRIBED_TO_TOPIC = 86
    INVALID_RECORD = 87
    UNSTABLE_OFFSET_COMMIT = 88
    THROTTLING_QUOTA_EXCEEDED = 89
    PRODUCER_FENCED = 90
    RESOURCE_NOT_FOUND = 91
    DUPLICATE_RESOURCE = 92
    UNACCEPTABLE_CREDENTIAL = 93
    INCONSISTENT_VOTER_SET = 94
    INVALID_UPDATE_VERSION = 95
    FEATURE_UPDATE_FAILED = 96
    PRINCIPAL_DESERIALIZATION_FAILURE = 97
    SNAPSHOT_NOT_FOUND = 98
    POSITION_OUT_OF_RANGE = 99
    UNKNOWN_TOPIC_ID = 100
    DUPLICATE_BROKER_REGISTRATION = 101
    BROKER_ID_NOT_REGISTERED = 102
    INCONSISTENT_TOPIC_ID = 103
    INCONSISTENT_CLUSTER_ID = 104
    TRANSACTIONAL_ID_NOT_FOUND = 105
    FETCH_SESSION_TOPIC_ID_ERROR = 106
    INELIGIBLE_REPLICA = 107
    NEW_LEADER_ELECTED = 108
    OFFSET_MOVED_TO_TIERED_STORAGE = 109
    FENCED_MEMBER_EPOCH = 110
    UNRELEASED_INSTANCE_ID = 111
    UNSUPPORTED_ASSIGNOR = 112
    STALE_MEMBER_EPOCH = 113
    MISMATCHED_ENDPOINT_TYPE = 114
    UNSUPPORTED_ENDPOINT_TYPE = 115
    UNKNOWN_CONTROLLER_ID = 116
    UNKNOWN_SUBSCRIPTION_ID = 117
    TELEMETRY_TOO_LARGE = 118
    INVALID_REGISTRATION = 119
    TRANSACTION_ABORTABLE = 120
    INVALID_RECORD_STATE = 121
    SHARE_SESSION_NOT_FOUND = 122
    INVALID_SHARE_SESSION_EPOCH = 123
    FENCED_STATE_EPOCH = 124
    INVALID_VOTER_KEY = 125
    DUPLICATE_VOTER = 126
    VOTER_NOT_FOUND = 127
    INVALID_REGULAR_EXPRESSION = 128
    REBOOTSTRAP_REQUIRED = 129
    STREAMS_INVALID_TOPOLOGY = 130
    STREAMS_INVALID_TOPOLOGY_EPOCH = 131
    STREAMS_TOPOLOGY_FENCED = 132
    SHARE_SESSION_LIMIT_REACHED = 133
    GROUP_DELETION_FAILED = 134
    STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED = 135
    CONTROLLER_ID_NOT_REGISTERED = 136

    @property
    def retriable(self) -> bool:
        """True if the same request may succeed later, so that clients retry it instead of reporting the error."""
        return self in RETRIABLE

    @property
    def message(self) -> str:
        return MESSAGES[self]

    @classmethod
    def _missing_(cls, value: object) -> "ErrorCode":
        """Return UNKNOWN_SERVER_ERROR for an unknown number, as Kafka's clients do."""
        if isinstance(value, int):
            return cls.UNKNOWN_SERVER_ERROR
        raise ValueError(f"{value!r} is not an error code")


RETRIABLE: Final = frozenset(
    {
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.NOT_CONTROLLER,
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.LISTENER_NOT_FOUND,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.OFFSET_NOT_AVAILABLE,
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        ErrorCode.ELECTION_NOT_NEEDED,
        ErrorCode.UNSTABLE_OFFSET_COMMIT,
        ErrorCode.THROTTLING_QUOTA_EXCEEDED,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
        ErrorCode.SHARE_SESSION_NOT_FOUND,
        ErrorCode.INVALID_SHARE_SESSION_EPOCH,
        ErrorCode.SHARE_SESSION_LIMIT_REACHED,
    }
)

MESSAGES: Final[dict[int, str]] = {
    -1: "an unexpected error occurred in the broker",
    0: "no error",
    1: "the offset lies outside of the partition's log",
    2: "a record batch is damaged or breaks a rule of its topic",
    3: "the broker has no such topic or partition",
    4: "the fetch size is invalid",
    5: "the partition has no leader yet",
    6: "the broker does not lead this partition",
    7: "the request timed out",
    8: "the broker is not available",
    9: "the partition has no replica on this broker",
    10: "a record batch exceeds the maximum size of the topic",
    11: "the controller has moved",
    12: "the metadata of a committed offset is too large",
    13: "the connection was closed before the answer arrived",
    14: "the coordinator is still reading its log",
    15: "the coordinator is not available",
    16: "the broker does not coordinate this group or transaction",
    17: "the topic's name is invalid, or the operation is not allowed for this topic",
    18: "the records do not fit into one segment",
    19: "too few replicas are in sync to accept the records",
    20: "the records were written, but to too few replicas",
    21: "acks must be 0, 1 or -1",
    22: "the generation is outdated or unknown",
    23: "the member has no protocol in common with the group, or named none",
    24: "the group id is invalid",
    25: "the group has no such member",
    26: "the session time-out lies outside of the broker's bounds",
    27: "the group rebalances: join again",
    28: "the offsets of this commit are too large to be written",
    29: "not authorized to access the topic",
    30: "not authorized to access the group",
    31: "not authorized for this operation on the cluster",
    32: "a record's timestamp is out of the topic's bounds",
    33: "the broker does not offer this SASL mechanism",
    34: "the request is not allowed in this phase of authentication",
    35: "the version is not supported",
    36: "a topic of this name exists",
    37: "the number of partitions is invalid",
    38: "the replication factor is below 1 or above the number of brokers",
    39: "the assignment of replicas is invalid",
    40: "a configuration value is invalid",
    41: "this broker is not the controller",
    42: "the request contradicts itself or the protocol",
    43: "the record format of the log does not support this",
    44: "a policy of the broker forbids this",
    45: "a batch of this producer is missing before this one",
    46: "this batch was written before",
    47: "the producer's epoch is outdated",
    48: "the transaction's state does not allow this",
    49: "the producer id does not belong to this transactional id",
    50: "the transaction time-out exceeds the broker's bound",
    51: "another operation on this transaction is in progress",
    52: "the transaction has a newer coordinator",
    53: "not authorized to access the transactional id",
    54: "security is disabled",
    55: "the broker did not try, because another part of the request failed",
    56: "the disk failed",
    57: "the broker has no such log directory",
    58: "authentication failed",
    59: "the broker no longer knows this producer",
    60: "the partition is being reassigned",
    61: "delegation tokens are disabled",
    62: "there is no such delegation token",
    63: "this user is not the owner or a renewer of the delegation token",
    64: "delegation tokens cannot be requested on this connection",
    65: "not authorized to use the delegation token",
    66: "the delegation token has expired",
    67: "this type of principal is not supported",
    68: "the group has members",
    69: "there is no such group",
    70: "there is no such fetch session",
    71: "the fetch session is at another epoch",
    72: "the leader has no listener of this name",
    73: "deletion of topics is disabled",
    74: "the leader epoch is older than the broker's",
    75: "the leader epoch is newer than the broker's",
    76: "the client cannot read the partition's compression",
    77: "the broker's epoch has changed",
    78: "the new leader does not know the end of the log yet",
    79: "join again with the member id of this answer",
    80: "the preferred leader is not available",
    81: "the group is full",
    82: "another member has taken over this group.instance.id",
    83: "no replica may become leader",
    84: "no election is needed",
    85: "the partition is not being reassigned",
    86: "the group is subscribed to the topic, so its offsets cannot be deleted",
    87: "the broker refuses a record",
    88: "a transaction that commits this offset has not ended",
    89: "a quota is exceeded",
    90: "a newer producer has taken over this transactional id",
    91: "the resource does not exist",
    92: "the request names a resource twice",
    93: "the credential is not acceptable",
    94: "the peer is not among the expected voters",
    95: "the version of the update is invalid",
    96: "the features could not be updated",
    97: "the user of a forwarded request cannot be decoded",
    98: "there is no such snapshot",
    99: "the position lies outside of the snapshot",
    100: "the broker has no topic of this id",
    101: "another broker has this id",
    102: "no broker has registered with this id",
    103: "the log belongs to a topic of another id",
    104: "the request is for another cluster",
    105: "there is no such transactional id",
    106: "the fetch session mixes topic names and topic ids",
    107: "a replica may not join the in-sync set",
    108: "the change was made, and the partition has a new leader",
    109: "the offset has moved to tiered storage",
    110: "the member epoch is fenced: give up all partitions and join again",
    111: "another member still holds this group.instance.id",
    112: "the group does not support this assignor",
    113: "the member epoch is stale: a heartbeat brings the new one",
    114: "the request belongs to another type of endpoint",
    115: "this type of endpoint is not supported",
    116: "there is no such controller",
    117: "the telemetry subscription is invalid or outdated",
    118: "the telemetry is too large",
    119: "the controller refuses the broker's registration",
    120: "the transaction failed: abort it, and begin another one",
    121: "the records are not in a state to be acknowledged",
    122: "there is no such share session",
    123: "the share session is at another epoch",
    124: "the state epoch of the share group is outdated",
    125: "the voter's key differs from the replica's",
    126: "the voter exists already",
    127: "the voter does not exist",
    128: "the regular expression is invalid",
    129: "the client must start again from its bootstrap servers",
    130: "the topology is invalid",
    131: "the topology epoch is invalid",
    132: "the topology epoch is outdated",
    133: "there are too many share sessions",
    134: "the group could not be deleted: its error message says why",
    135: "the topology description could not be stored: the error message says why",
    136: "no controller has registered with this id",
}
