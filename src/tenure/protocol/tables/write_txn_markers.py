"""WriteTxnMarkers (API key 27): ends transactions in partitions.

Changes: flexible encoding (v1), transaction version (v2, KIP-1228).
"""

from tenure.protocol.schema import BOOL, INT8, INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, ProducerId, TopicName

WRITE_TXN_MARKERS_REQUEST = MessageSchema(
    "WriteTxnMarkersRequest",
    key=27,
    versions="1-2",
    flexible="1+",
    fields=[
        Field(
            "markers",
            ArrayOf(
                StructSchema(
                    "WritableTxnMarker",
                    [
                        Field("producer_id", INT64, as_=ProducerId),
                        Field("producer_epoch", INT16),
                        Field("transaction_result", BOOL),
                        Field(
                            "topics",
                            ArrayOf(
                                StructSchema(
                                    "WritableTxnMarkerTopic",
                                    [
                                        Field("name", STRING, as_=TopicName),
                                        Field("partition_indexes", ArrayOf(INT32), as_=PartitionId),
                                    ],
                                )
                            ),
                        ),
                        Field("coordinator_epoch", INT32),
                        Field("transaction_version", INT8, versions="2+", default=0, ignorable=True),
                    ],
                )
            ),
        ),
    ],
)

WRITE_TXN_MARKERS_RESPONSE = MessageSchema(
    "WriteTxnMarkersResponse",
    key=27,
    versions="1-2",
    flexible="1+",
    fields=[
        Field(
            "markers",
            ArrayOf(
                StructSchema(
                    "WritableTxnMarkerResult",
                    [
                        Field("producer_id", INT64, as_=ProducerId),
                        Field(
                            "topics",
                            ArrayOf(
                                StructSchema(
                                    "WritableTxnMarkerTopicResult",
                                    [
                                        Field("name", STRING, as_=TopicName),
                                        Field(
                                            "partitions",
                                            ArrayOf(
                                                StructSchema(
                                                    "WritableTxnMarkerPartitionResult",
                                                    [
                                                        Field("partition_index", INT32, as_=PartitionId),
                                                        Field("error_code", INT16),
                                                    ],
                                                )
                                            ),
                                        ),
                                    ],
                                )
                            ),
                        ),
                    ],
                )
            ),
        ),
    ],
)
