"""AlterReplicaLogDirs (API key 34). Changes: v2 flexible encoding.

The broker has one directory. A request to move a partition to this directory changes nothing; any other directory is
refused.
"""

from collections.abc import Iterator

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)
from tenure.protocol.types import PartitionId, TopicName


def handle(context: Context, request: Request, message: AlterReplicaLogDirsRequest) -> Iterator[None]:
    is_allowed = is_allowed_to_cluster(context, request, AclOperation.ALTER)
    results: dict[TopicName, dict[PartitionId, ErrorCode]] = {}
    for wanted in message.dirs:
        is_ours = wanted.path == context.logs.directory.path
        for topic in wanted.topics:
            of_topic = results.setdefault(topic.name, {})
            known = context.topics.named(topic.name)
            for partition in topic.partitions:
                if not is_allowed:
                    of_topic[partition] = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
                elif not is_ours:
                    of_topic[partition] = ErrorCode.LOG_DIR_NOT_FOUND
                elif known is None or not 0 <= partition < known.partitions:
                    of_topic[partition] = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                else:
                    of_topic[partition] = ErrorCode.NONE
            yield
    topics = [
        AlterReplicaLogDirTopicResult(
            name, [AlterReplicaLogDirPartitionResult(index, error_code) for index, error_code in of_topic.items()]
        )
        for name, of_topic in results.items()
    ]
    yield from request.answer_in_steps(AlterReplicaLogDirsResponse(results=topics))


route = Route(AlterReplicaLogDirsRequest, handle)
