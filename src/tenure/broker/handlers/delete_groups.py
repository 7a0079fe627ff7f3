"""DeleteGroups (API key 42). Changes: v1 throttles after the response instead of before it, v2 flexible encoding."""

from collections.abc import Callable, Iterator

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, Route
from tenure.coordinator.answers import Accepted, Refused
from tenure.coordinator.groups.commands import DeleteGroup
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DeletableGroupResult, DeleteGroupsRequest, DeleteGroupsResponse


def handle(context: Context, request: Request, message: DeleteGroupsRequest) -> Iterator[None]:
    group_ids = list(dict.fromkeys(message.groups_names))  # a group named twice is answered once (rule 2.17)

    def respond(answers: list[object]) -> None:
        results = [
            DeletableGroupResult(group_id, answer.error_code)
            for group_id, answer in zip(group_ids, answers, strict=True)
            if isinstance(answer, Accepted | Refused)
        ]
        request.go_on(request.answer_in_steps(DeleteGroupsResponse(results=results), len(results)))

    def ask(index: int, slot: Callable[[object], None]) -> None:
        if not is_allowed(context, request, AclOperation.DELETE, ResourceType.GROUP, group_ids[index]):
            slot(Refused(ErrorCode.GROUP_AUTHORIZATION_FAILED))
            return
        context.groups.ask(group_ids[index], DeleteGroup(group_ids[index]), request.callback(slot))

    return Gathering(len(group_ids), respond).ask_each(ask)


route = Route(DeleteGroupsRequest, handle)
