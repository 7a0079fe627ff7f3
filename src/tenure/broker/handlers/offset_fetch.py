"""OffsetFetch (API key 9).

Changes: v2 all topics and a top-level error, v3 throttle time, v5 leader epoch, v6 flexible encoding, v7 require
stable, v8 several groups, v9 member id and epoch (for KIP-848), v10 topic ids instead of names.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias, cast

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import allowed_names, is_allowed, visible_names
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, OneByOne, Route
from tenure.broker.requests.steps import in_steps, portions, results_of
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Fetched, FetchedOffset, FetchedTopic
from tenure.coordinator.groups.commands import FetchOffsets, OffsetsWanted
from tenure.limits.broker import OFFSETS_PER_ASK_MAX
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from tenure.protocol.types import ZERO_TOPIC_ID

Group: TypeAlias = Generator[None, None, OffsetFetchResponseGroup]
"""Steps that create the response for one group."""

RefusedTopic: TypeAlias = tuple[OffsetFetchRequestTopics, ErrorCode]


def handle(context: Context, request: Request, message: OffsetFetchRequest) -> Iterator[None] | None:
    if request.version < 8:
        _handle_one(context, request, message)
        return None
    whole = [group.group_id for group in message.groups if group.topics is None]
    if len(set(whole)) < len(whole):  # a request of a few bytes would produce gigabytes
        raise RefusedByProtocol("the request asks more than once for all offsets of the same group")
    gathering = Gathering(len(message.groups), partial(_go_on, request))
    return gathering.ask_each(partial(_ask, context, request, message))


def _go_on(request: Request, groups: list[object]) -> None:
    request.go_on(_answer(request, cast("list[Group]", groups)))


def _answer(request: Request, groups: "list[Group]") -> Iterator[None]:
    answers = yield from results_of(groups)
    entries = sum([1 + len(topic.partitions) for group in answers for topic in group.topics])
    yield from request.answer_in_steps(OffsetFetchResponse(groups=answers), len(answers) + entries)


# --- one shard answers in portions ------------------------------------------------------------------------------------


def _fetch(context: Context, request: Request, fetch: FetchOffsets, then: Callable[[Fetched | Refused], None]) -> None:
    """Fetch the offsets of a group, and pass the answer of its shard to `then`.

    Many offsets are fetched in portions, between which other requests are served. So the portions may show the group
    at different times.
    """
    if fetch.topics is None or sum([1 + len(topic.partitions) for topic in fetch.topics]) <= OFFSETS_PER_ASK_MAX:
        context.groups.ask(fetch.group_id, fetch, request.callback(then))
        return
    asks = [
        FetchOffsets(fetch.group_id, topics, fetch.require_stable, fetch.member_id, fetch.member_epoch)
        for topics in _portions(fetch.topics)
    ]

    ask = partial(_ask_portion, context, request, asks)
    OneByOne(context.loop, request, len(asks), ask, partial(_join, fetch.topics, then))


def _ask_portion(
    context: Context, request: Request, asks: list[FetchOffsets], index: int, slot: Callable[[object], None]
) -> None:
    context.groups.ask(asks[index].group_id, asks[index], request.callback(slot))


def _join(
    topics: Sequence[OffsetsWanted], then: Callable[[Fetched | Refused], None], answers: list[Fetched | Refused]
) -> None:
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    fetched = [answer for answer in answers if isinstance(answer, Fetched)]
    then(refused[0] if refused else Fetched(_joined(topics, fetched)))


def _portions(topics: Sequence[OffsetsWanted]) -> list[list[OffsetsWanted]]:
    found: list[list[OffsetsWanted]] = [[]]
    room = OFFSETS_PER_ASK_MAX
    for topic in topics:
        for partitions in portions(topic.partitions, OFFSETS_PER_ASK_MAX):
            if len(partitions) > room:
                found.append([])
                room = OFFSETS_PER_ASK_MAX
            found[-1].append(OffsetsWanted(topic.topic, topic.topic_id, partitions))
            room -= max(1, len(partitions))
    return found


def _joined(topics: Sequence[OffsetsWanted], answers: list[Fetched]) -> list[FetchedTopic]:
    """Merge the answers of all portions, and return one entry for each requested topic."""
    parts = iter([topic for answer in answers for topic in answer.topics])
    found: list[FetchedTopic] = []
    for topic in topics:
        offsets: list[FetchedOffset] = []
        for _ in portions(topic.partitions, OFFSETS_PER_ASK_MAX):
            offsets += next(parts).partitions
        found.append(FetchedTopic(topic.topic, topic.topic_id, offsets))
    return found


# --- one group, before version 8 --------------------------------------------------------------------------------------


def _handle_one(context: Context, request: Request, message: OffsetFetchRequest) -> None:
    if not is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.GROUP, message.group_id):
        _go_on_with_one(context, request, message, [], Refused(ErrorCode.GROUP_AUTHORIZATION_FAILED))
        return
    wanted: list[OffsetsWanted] | None = None
    unauthorized: list[FetchedTopic] = []
    if message.topics is not None:
        allowed = allowed_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
        wanted = [
            OffsetsWanted(topic.name, ZERO_TOPIC_ID, topic.partition_indexes)
            for topic in message.topics
            if topic.name in allowed
        ]
        forbidden = [topic for topic in message.topics if topic.name not in allowed]
        unauthorized = list(_refused(forbidden, ErrorCode.TOPIC_AUTHORIZATION_FAILED))
    fetch = FetchOffsets(message.group_id, wanted, message.require_stable)
    _fetch(context, request, fetch, partial(_go_on_with_one, context, request, message, unauthorized))


def _go_on_with_one(
    context: Context,
    request: Request,
    message: OffsetFetchRequest,
    unauthorized: list[FetchedTopic],
    answer: Fetched | Refused,
) -> None:
    request.go_on(_answer_one(context, request, message, unauthorized, answer))


def _answer_one(
    context: Context,
    request: Request,
    message: OffsetFetchRequest,
    unauthorized: list[FetchedTopic],
    answer: Fetched | Refused,
) -> Iterator[None]:
    if isinstance(answer, Refused) and request.version >= 2:
        request.answer(OffsetFetchResponse(error_code=answer.error_code))
        return
    topics = []
    if isinstance(answer, Refused):
        found = list(_refused(message.topics or (), answer.error_code))
    else:
        found = [*_visible(context, request, answer.topics, is_listed=message.topics is None), *unauthorized]
    for topic in found:
        partitions = yield from in_steps(map(_partition, topic.partitions))
        topics.append(OffsetFetchResponseTopic(topic.topic, partitions))
        yield
    entries = sum([1 + len(topic.partitions) for topic in topics])
    yield from request.answer_in_steps(OffsetFetchResponse(topics=topics), entries)


def _partition(found: FetchedOffset) -> OffsetFetchResponsePartition:
    return OffsetFetchResponsePartition(
        found.partition, found.offset, found.leader_epoch, found.metadata, found.error_code
    )


def _visible(
    context: Context, request: Request, topics: Sequence[FetchedTopic], *, is_listed: bool
) -> Sequence[FetchedTopic]:
    """Return the topics that the client may see.

    `is_listed` is true if the request was for all topics. Then the topics that the client may not DESCRIBE are left
    out. Otherwise all topics are returned, because named topics were checked before.
    """
    may_see = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC) if is_listed else None
    return topics if may_see is None else [topic for topic in topics if may_see(topic.topic)]


def _refused(topics: Iterable[OffsetFetchRequestTopic], error_code: ErrorCode) -> Iterator[FetchedTopic]:
    """Yield the requested topics with an error in each partition."""
    for topic in topics:
        refused = [FetchedOffset(partition, error_code=error_code) for partition in topic.partition_indexes]
        yield FetchedTopic(topic.name, ZERO_TOPIC_ID, refused)


# --- several groups ---------------------------------------------------------------------------------------------------


def _ask(
    context: Context, request: Request, message: OffsetFetchRequest, index: int, then: "Callable[[Group], None]"
) -> None:
    """Fetch the offsets of one group, and call `then` with the steps that create its part of the response.

    `index` is the position of the group in the request.
    """
    group = message.groups[index]
    if not is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.GROUP, group.group_id):
        then(_respond(context, request, group, [], Refused(ErrorCode.GROUP_AUTHORIZATION_FAILED)))
        return
    wanted, refused = _permitted(context, request, group.topics)
    fetch = FetchOffsets(group.group_id, wanted, message.require_stable, group.member_id, group.member_epoch)
    _fetch(context, request, fetch, partial(_pass_on, context, request, group, refused, then))


def _pass_on(
    context: Context,
    request: Request,
    group: OffsetFetchRequestGroup,
    refused: "list[RefusedTopic]",
    then: "Callable[[Group], None]",
    answer: Fetched | Refused,
) -> None:
    then(_respond(context, request, group, refused, answer))


def _respond(
    context: Context,
    request: Request,
    group: OffsetFetchRequestGroup,
    refused: "list[RefusedTopic]",
    answer: Fetched | Refused,
) -> "Group":
    """Return the steps that create the response for one group. Topics in `refused` come last, with their errors."""
    if isinstance(answer, Refused):
        return OffsetFetchResponseGroup(group.group_id, [], answer.error_code)
    found = _visible(context, request, answer.topics, is_listed=group.topics is None)
    if request.version >= 10 and group.topics is None:
        # The id of a deleted topic is unknown.
        found = [topic for topic in found if topic.topic_id != ZERO_TOPIC_ID]
    topics = yield from results_of(map(_topic, found))
    for topic, error_code in refused:
        topics.append((yield from _refused_topic(topic, error_code)))
    return OffsetFetchResponseGroup(group.group_id, topics)


def _permitted(
    context: Context, request: Request, topics: Sequence[OffsetFetchRequestTopics] | None
) -> "tuple[list[OffsetsWanted] | None, list[RefusedTopic]]":
    """Return the topics whose offsets are to be fetched (None: all), and the refused topics with their errors."""
    if topics is None:
        return None, []
    wanted: list[OffsetsWanted] = []
    refused: list[RefusedTopic] = []
    for topic in topics:
        name, topic_id = topic.name, ZERO_TOPIC_ID
        if request.version >= 10:
            known = context.topics.with_id(topic.topic_id)
            if known is None:
                refused.append((topic, ErrorCode.UNKNOWN_TOPIC_ID))
                continue
            name, topic_id = known.name, topic.topic_id
        if is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC, name):
            wanted.append(OffsetsWanted(name, topic_id, topic.partition_indexes))
        else:
            refused.append((topic, ErrorCode.TOPIC_AUTHORIZATION_FAILED))
    return wanted, refused


def _topic(topic: FetchedTopic) -> Generator[None, None, OffsetFetchResponseTopics]:
    found = yield from in_steps(map(_partition_of_group, topic.partitions))
    yield
    return OffsetFetchResponseTopics(topic.topic, topic.topic_id, found)


def _refused_topic(
    topic: OffsetFetchRequestTopics, error_code: ErrorCode
) -> Generator[None, None, OffsetFetchResponseTopics]:
    new = partial(OffsetFetchResponsePartitions, committed_offset=-1, error_code=error_code)
    found = yield from in_steps(map(new, topic.partition_indexes))
    yield
    return OffsetFetchResponseTopics(topic.name, topic.topic_id, found)


def _partition_of_group(found: FetchedOffset) -> OffsetFetchResponsePartitions:
    return OffsetFetchResponsePartitions(
        found.partition, found.offset, found.leader_epoch, found.metadata, found.error_code
    )


route = Route(OffsetFetchRequest, handle)
