"""StreamsGroupTopologyDescriptionUpdate (API key 93, KIP-1331): description of a topology, sent by a member."""

from tenure.protocol.schema import (
    INT8,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import GroupId, MemberId, TopicName

NODE = StructSchema("TopologyDescriptionNode", [
    Field("name", STRING),
    Field("node_type", INT8),
    Field("source_topics", ArrayOf(STRING), as_=TopicName),
    Field("sink_topic", NULLABLE_STRING, default=None, as_=TopicName),
    Field("stores", ArrayOf(STRING)),
    Field("successors", ArrayOf(STRING)),
])

STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE_REQUEST = MessageSchema(
    "StreamsGroupTopologyDescriptionUpdateRequest", key=93, versions="0", flexible="0+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
        Field("topology_epoch", INT32),
        Field("topology_description", StructSchema("TopologyDescription", [
            Field("subtopologies", ArrayOf(StructSchema("TopologyDescriptionSubtopology", [
                Field("subtopology_id", STRING),
                Field("nodes", ArrayOf(NODE)),
            ]))),
            Field("global_stores", ArrayOf(StructSchema("TopologyDescriptionGlobalStore", [
                Field("source", NODE),
                Field("processor", NODE),
            ]))),
        ])),
    ],
)

STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE_RESPONSE = MessageSchema(
    "StreamsGroupTopologyDescriptionUpdateResponse", key=93, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, default=None),
    ],
)
