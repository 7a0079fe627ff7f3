"""ListGroups (16). v1 throttle time, v3 flexible, v4 state filter and states, v5 type filter and types."""

from typing import TYPE_CHECKING

from tenure.broker.request import Request
from tenure.broker.route import Gathering, Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Listed
from tenure.coordinator.groups.commands import ListGroups
from tenure.protocol.messages import ListedGroup, ListGroupsRequest, ListGroupsResponse

if TYPE_CHECKING:
    from tenure.broker.broker import Broker


def handle(broker: "Broker", request: Request, message: ListGroupsRequest) -> None:
    """One shard that cannot answer, because it still loads, makes the whole list fail (rule 2.16)."""

    def respond(answers: list[object]) -> None:
        for answer in answers:
            if isinstance(answer, Refused):
                request.answer(ListGroupsResponse(error_code=answer.error_code))
                return
        groups = [group for answer in answers if isinstance(answer, Listed) for group in answer.groups]
        request.answer(
            ListGroupsResponse(groups=[ListedGroup(g.group_id, g.protocol_type, g.state, g.group_type) for g in groups])
        )

    shards = broker.groups.active
    gathering = Gathering(len(shards), respond)
    for index, shard in enumerate(shards):
        shard.ask(ListGroups(message.states_filter, message.types_filter), gathering.slot(index))


route = Route(ListGroupsRequest, handle)
