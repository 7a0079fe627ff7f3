"""Clients of random histories, and the commands that they send."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Joined, Left, Synced
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.protocol.consumer_protocol import Subscription, encode_subscription
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID, TopicName

GROUPS = ("g", "h")
UNUSED_GROUP = "nobody-ever-joins-it"
INSTANCE_IDS = ("web-1", "web-2", "web-3", "web-4")
TOPICS = ("t", "u")
PARTITIONS = 6
SUBSCRIPTIONS = tuple(encode_subscription(Subscription([TopicName(topic)])) for topic in TOPICS)
PROTOCOLS = (
    [("range", SUBSCRIPTIONS[0])],
    [("range", SUBSCRIPTIONS[1])],
    [("sticky", b"scribble"), ("range", b"scribble")],
    [("range", SUBSCRIPTIONS[0]), ("sticky", b"scribble")],
)
TIMEOUTS = ((30_000, 60_000), (10_000, 20_000), (6_000, 90_000))

WEIGHTS = {
    "proceed": 100,
    "join": 4,
    "sync": 4,
    "heartbeat": 8,
    "commit": 14,
    "commit of nobody": 3,
    "leave": 3,
    "operator removes": 2,
    "restart": 6,
    "delete group": 2,
    "delete offsets": 2,
    "delete topic": 1,
    "configure": 1,
    "wait": 24,
    "append fails": 1,
    "fail over": 1,
}
"""Kinds of steps, and their frequency."""


@dataclass(eq=False)
class Client:
    """State of one consumer. It is often outdated, as that of real consumers."""

    group_id: str
    instance_id: str | None
    member_id: str = ""
    generation_id: int = -1
    members: tuple[str, ...] = ()
    """Members that it assigns partitions to, while it leads."""
    next: str = "join"
    """Next step of a client without faults."""

    def handle_answer(self, command: object, answer: object) -> None:
        if isinstance(answer, Joined):
            self.member_id, self.generation_id = answer.member_id, answer.generation_id
            self.members = () if answer.skip_assignment else tuple(member.member_id for member in answer.members)
            self.next = "sync"
        elif isinstance(answer, Synced):
            self.next = "heartbeat"
        elif isinstance(answer, Left):
            self.next = "join"
        elif isinstance(answer, Refused):
            if isinstance(command, commands.JoinGroup | commands.SyncGroup | commands.Heartbeat):
                self.next = "join"
            if answer.error_code is ErrorCode.MEMBER_ID_REQUIRED:
                self.member_id = answer.member_id
            elif answer.error_code in MEMBERSHIP_LOST:
                self.member_id = ""


def random_clients(count: int, random: Random) -> list[Client]:
    """Return clients: half of them static, one of these with the instance id of another client by mistake."""
    seats = [(group_id, seat) for group_id in GROUPS for seat in INSTANCE_IDS]
    drawn = [Client(*seat) for seat in random.sample(seats, count // 2)]
    drawn += [Client(random.choice(GROUPS), None) for _ in range(count - len(drawn) - 1)]
    return [*drawn, Client(drawn[0].group_id, drawn[0].instance_id)]


MEMBERSHIP_LOST = (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.GROUP_MAX_SIZE_REACHED, ErrorCode.FENCED_INSTANCE_ID)


def command(kind: str, client: Client, random: Random) -> object:
    """Return a command of this kind, sometimes with a wrong generation."""
    group_id = client.group_id
    match client.next if kind == "proceed" else kind:
        case "restart":
            client.member_id = ""
            return join(client, random)
        case "join":
            return join(client, random)
        case "sync":
            return sync(client, random_generation(client, random), random)
        case "heartbeat":
            generation_id = random_generation(client, random)
            return commands.Heartbeat(group_id, client.member_id, client.instance_id, generation_id)
        case "leave":
            return commands.LeaveGroup(group_id, [commands.Leaver(client.member_id, client.instance_id)])
        case "operator removes":
            seats = [seat for seat in INSTANCE_IDS if random.random() < 0.3]
            return commands.LeaveGroup(group_id, [commands.Leaver("", seat) for seat in seats])
        case "delete group":
            return commands.DeleteGroup(group_id if random.random() < 0.8 else UNUSED_GROUP)
        case "delete offsets":
            return commands.DeleteOffsets(group_id, [(random.choice(TOPICS), random.randrange(PARTITIONS))])
        case "delete topic":
            return commands.TopicsDeleted([random.choice(TOPICS)])
        case "configure":
            return commands.ConfigureGroup(group_id, random_configs(random))
        case "commit of nobody":
            return commands.CommitOffsets(group_id, "", None, -1, offsets(random), random.choice((-1, 5_000)))
    generation_id = random_generation(client, random)
    return commands.CommitOffsets(group_id, client.member_id, client.instance_id, generation_id, offsets(random))


def join(client: Client, random: Random) -> commands.JoinGroup:
    session_ms, rebalance_ms = random.choices(TIMEOUTS, (6, 3, 1))[0]
    return commands.JoinGroup(
        client.group_id,
        client.member_id,
        client.instance_id,
        "c",
        "/h",
        session_ms,
        rebalance_ms,
        "consumer",
        random.choices(PROTOCOLS, (85, 5, 5, 5))[0],
        known_member_id_required=random.random() < 0.8,
        skip_assignment_supported=random.random() < 0.8,
    )


def sync(client: Client, generation_id: int, random: Random) -> commands.SyncGroup:
    """Return a sync with one byte per partition, each assigned to one member."""
    owners = [random.choice(client.members) for _ in range(PARTITIONS)] if client.members else []
    assignments = {
        member_id: bytes(partition for partition, owner in enumerate(owners) if owner == member_id)
        for member_id in client.members
    }
    return commands.SyncGroup(
        client.group_id, client.member_id, client.instance_id, generation_id, "consumer", None, assignments, False
    )


def random_configs(random: Random) -> GroupConfigs:
    """Draw configs of a group; half of the groups have none."""
    if random.random() < 0.5:
        return GroupConfigs()
    return GroupConfigs(
        target_group_size=random.choice((1, 2, 100)),
        group_expected_instance_ids=frozenset(seat for seat in INSTANCE_IDS if random.random() < 0.2),
        group_expected_timeout_ms=random.choice((1_000, 20_000)),
        group_rebalance_counter=random.randrange(3),
    )


def random_generation(client: Client, random: Random) -> int:
    return client.generation_id + (random.random() < 0.05)


def offsets(random: Random) -> Sequence[commands.OffsetToCommit]:
    topic, partition = random.choice(TOPICS), random.randrange(PARTITIONS)
    return [commands.OffsetToCommit(topic, ZERO_TOPIC_ID, partition, random.randrange(1000))]
