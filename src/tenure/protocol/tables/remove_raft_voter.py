"""RemoveRaftVoter (API key 81, KIP-853)."""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, UUID, Field, MessageSchema

REMOVE_RAFT_VOTER_REQUEST = MessageSchema(
    "RemoveRaftVoterRequest", key=81, versions="0", flexible="0+",
    fields=[
        Field("cluster_id", NULLABLE_STRING),
        Field("voter_id", INT32),
        Field("voter_directory_id", UUID),
    ],
)

REMOVE_RAFT_VOTER_RESPONSE = MessageSchema(
    "RemoveRaftVoterResponse", key=81, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, ignorable=True),
    ],
)
