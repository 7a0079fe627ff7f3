"""DeleteTopics (API key 20).

Changes: throttle time (v1), flexible encoding (v4), error message (v5), topics by id (v6).
"""

from tenure.protocol.schema import (
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import TopicId, TopicName

DELETE_TOPICS_REQUEST = MessageSchema(
    "DeleteTopicsRequest", key=20, versions="1-6", flexible="4+",
    fields=[
        Field("topics", ArrayOf(StructSchema("DeleteTopicState", [
            Field("name", NULLABLE_STRING, default=None, as_=TopicName),
            Field("topic_id", UUID, as_=TopicId),
        ])), versions="6+"),
        Field("topic_names", ArrayOf(STRING), versions="0-5", ignorable=True, as_=TopicName),
        Field("timeout_ms", INT32),
    ],
)

DELETE_TOPICS_RESPONSE = MessageSchema(
    "DeleteTopicsResponse", key=20, versions="1-6", flexible="4+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("responses", ArrayOf(StructSchema("DeletableTopicResult", [
            Field("name", STRING, nullable="6+", as_=TopicName),
            Field("topic_id", UUID, versions="6+", ignorable=True, as_=TopicId),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, versions="5+", default=None, ignorable=True),
        ]))),
    ],
)
