"""ListGroups (API key 16).

Changes: v1 throttle time, v3 flexible encoding, v4 state filter and states, v5 type filter and types.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import OneByOne, Route
from tenure.broker.requests.steps import in_steps
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Listed
from tenure.coordinator.groups.commands import ListGroups
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.messages import ListedGroup, ListGroupsRequest, ListGroupsResponse

if TYPE_CHECKING:
    from asyncio import Future

    from tenure.broker.requests.steps import Steps


def handle(context: Context, request: Request, message: ListGroupsRequest) -> "Steps":
    """List all groups.

    One request is processed at a time, because a list of 100,000 groups needs 30 MB until it is encoded.
    """
    try:
        yield from context.lists_of_groups.enter(request)
        listed = _listed(context, request, message)
        yield listed
        yield from _answer(request, listed.result(), _visible(context, request))
    finally:  # runs also if the client has disconnected
        context.lists_of_groups.leave(request)


def _listed(context: Context, request: Request, message: ListGroupsRequest) -> "Future[list[Listed | Refused]]":
    """Return a future of the answers of all shards. The future is cancelled if the client disconnects."""
    shards = context.groups.active
    listed: Future[list[Listed | Refused]] = context.loop.create_future()

    def ask(index: int, slot: Callable[[object], None]) -> None:
        if request.connection.closed:
            listed.cancel()
        else:
            shards[index].ask(ListGroups(message.states_filter, message.types_filter), request.callback(slot))

    OneByOne(context.loop, request, len(shards), ask, listed.set_result)
    return listed


def _visible(context: Context, request: Request) -> Callable[[str], bool] | None:
    """Return a function that says whether the client may see a group.

    None if the client may see all groups, because it may DESCRIBE the cluster.
    """
    authorization = context.authorization
    if authorization is None or authorization.would_allow(
        request, AclOperation.DESCRIBE, ResourceType.CLUSTER, CLUSTER_NAME
    ):
        return None
    return visible_names(context, request, AclOperation.DESCRIBE, ResourceType.GROUP)


def _answer(request: Request, answers: list[Listed | Refused], may_see: Callable[[str], bool] | None) -> Iterator[None]:
    """Answer with the groups of all shards, or with an error if a shard is loading (rule 2.16).

    `may_see` says whether the response may contain a group; None if it may contain all.
    """
    groups: list[ListedGroup] = []
    for answer in answers:
        if isinstance(answer, Refused):
            request.answer(ListGroupsResponse(error_code=answer.error_code))
            return
        groups += yield from in_steps(
            ListedGroup(group.group_id, group.protocol_type, group.state, group.group_type)
            for group in answer.groups
            if may_see is None or may_see(group.group_id)
        )
    yield from request.answer_in_steps(ListGroupsResponse(groups=groups), len(groups))


route = Route(ListGroupsRequest, handle)
