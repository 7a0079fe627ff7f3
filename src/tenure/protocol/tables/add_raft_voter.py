"""AddRaftVoter (API key 80, KIP-853). Changes: an optional answer before the change is committed (v1)."""

from tenure.protocol.schema import (
    BOOL,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    UINT16,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)

ADD_RAFT_VOTER_REQUEST = MessageSchema(
    "AddRaftVoterRequest", key=80, versions="0-1", flexible="0+",
    fields=[
        Field("cluster_id", NULLABLE_STRING),
        Field("timeout_ms", INT32),
        Field("voter_id", INT32),
        Field("voter_directory_id", UUID),
        Field("listeners", ArrayOf(StructSchema("VoterListener", [
            Field("name", STRING),
            Field("host", STRING),
            Field("port", UINT16),
        ]))),
        Field("ack_when_committed", BOOL, versions="1+", default=True),
    ],
)

ADD_RAFT_VOTER_RESPONSE = MessageSchema(
    "AddRaftVoterResponse", key=80, versions="0-1", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, ignorable=True),
    ],
)
