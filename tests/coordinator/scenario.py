"""Reader and runner of scenario files. Each command is followed by the complete trace of its effects.

    scenario 43 static-restart-stable-follower         a fresh shard; settings may follow, as key=value
    # comment for the reader
    join g as A instance=web-1                          a command
    ----
    ...                                                 its trace, up to an empty line

`as A` names the client. Member ids are never written: `member=A` is the present id of A, `member=` none, `member=?x` an
unknown one. An event that is not in a trace did not happen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.configs import GroupConfigs, group_configs
from tenure.coordinator.groups.records import MemberAdded, MemberPending, MemberReplaced
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import NO_ASK, AskId
from tenure.protocol.consumer_protocol import Subscription, encode_subscription
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID, TopicId, TopicName
from tests.coordinator.streams_commands import streams_heartbeat
from tests.coordinator.trace import Trace, topic_id_of
from tests.coordinator.virtual_host import VirtualHost

SEPARATOR = "----"


@dataclass
class Block:
    """Lines of one scenario file up to an empty one: comments, or a command and its trace."""

    prose: list[str] = field(default_factory=list)
    command: str | None = None
    trace: list[str] = field(default_factory=list)

    def text(self) -> str:
        return "\n".join([*self.prose, *([self.command, SEPARATOR, *self.trace] if self.command else []), ""])


def read(path: Path) -> list[Block]:
    blocks, block, in_trace = [], Block(), False
    for line in path.read_text().splitlines():
        if not line.strip():
            blocks.append(block)
            block, in_trace = Block(), False
        elif in_trace:
            block.trace.append(line)
        elif line == SEPARATOR:
            in_trace = True
        elif line.startswith(("#", "scenario ")):
            block.prose.append(line)
        else:
            block.command = line
    return [b for b in [*blocks, block] if b.prose or b.command]


def run(blocks: list[Block]) -> Iterator[tuple[Block, list[str]]]:
    """Yield each block with the trace of the present code."""
    runner = ScenarioRunner({})
    for block in blocks:
        for line in block.prose:
            if line.startswith("scenario "):
                runner = ScenarioRunner(dict(word.split("=") for word in line.split() if "=" in word))
        yield block, runner.perform(block.command) if block.command else []


def settings_of(options: dict[str, str]) -> GroupSettings:
    return GroupSettings(**{key: int(value) for key, value in options.items()})


class ScenarioRunner:
    """Shard under test, and the names of its clients."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.host = VirtualHost(settings_of(settings))
        self.ids: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.senders: dict[AskId, str] = {}
        self.client = ""
        self.configs: dict[str, GroupConfigs] = {}
        """Configs that the metadata shard would remember."""
        self.trace = Trace(lambda member_id: self.names.get(member_id, member_id or "-"))

    def perform(self, line: str) -> list[str]:
        verb, *words = line.split()
        options = dict(word.split("=", 1) for word in words if "=" in word and "/" not in word.split("=", 1)[0])
        plain = [word for word in words if "=" not in word or "/" in word.split("=", 1)[0]]
        if "as" in plain:
            at = plain.index("as")
            self.client = plain[at + 1]
            del plain[at : at + 2]
        else:
            self.client = ""
        if verb in DIRECT:
            return DIRECT[verb](self, plain, options)
        self.ask(COMMANDS[verb](self, plain, options))
        return self.happened()

    def ask(self, command: object) -> None:
        ask = self.host.ask(command)
        self.senders[ask] = self.client or "answer"

    def member(self, options: dict[str, str]) -> str:
        if "member" not in options:
            return self.ids.get(self.client, self.client if "epoch" in options else "")
        return self.id_of(options["member"])

    def id_of(self, name: str) -> str:
        return name if name.startswith("?") else self.ids.get(name, "")

    def happened(self) -> list[str]:
        """Return the trace lines since the last call; member ids get names when they first appear."""
        records, replies = self.host.take()
        lines = []
        for record in records:
            if isinstance(record, MemberPending):
                self.name_member(record.member_id)
            if isinstance(record, MemberAdded | MemberReplaced):
                self.name_member(record.member.member_id)
            lines.append(self.trace.record(record, self.host.tick_ms))
        for ask, answer in replies:
            first, *more = self.trace.answer(answer)
            who = self.senders.get(ask, "answer") if ask != NO_ASK else "-"
            lines += [f"{who:<6} <- {first}", *(f"          {line}" for line in more)]
        return lines or ["nothing"]

    def name_member(self, member_id: str) -> None:
        if member_id not in self.names:
            self.names[member_id] = self.client
            self.ids[self.client] = member_id


# --- commands of clients and operators --------------------------------------------------------------------------------

Words = list[str]
Options = dict[str, str]


def protocols_of(text: str) -> list[tuple[str, bytes]]:
    """Return protocols: `range:abc,sticky` has names with metadata, `range:@t+u` a real subscription to t and u."""
    pairs = [item.partition(":") for item in text.split(",") if item]
    return [(name, metadata_of(text)) for name, _, text in pairs]


def metadata_of(text: str) -> bytes:
    if not text.startswith("@"):
        return text.encode()
    return encode_subscription(Subscription([TopicName(topic) for topic in text[1:].split("+") if topic]))


def join(runner: ScenarioRunner, words: Words, options: Options) -> object:
    version = int(options.get("v", "9"))
    return commands.JoinGroup(
        words[0] if words else "",
        runner.id_of(options["member"]) if "member" in options else "",
        options.get("instance"),
        options.get("client", "app"),
        "/10.0.0.1",
        int(options.get("session", "30000")),
        int(options.get("rebalance", "60000")),
        options.get("type", "consumer"),
        protocols_of(options.get("protocols", "range:topics")),
        known_member_id_required=version >= 4,
        skip_assignment_supported=version >= 9,
        reason=options.get("reason", ""),
    )


def sync(runner: ScenarioRunner, words: Words, options: Options) -> object:
    assignments = {runner.id_of(n[2:]): v.encode() for n, v in options.items() if n.startswith("->")}
    version = int(options.get("v", "5"))
    return commands.SyncGroup(
        words[0],
        runner.member(options),
        options.get("instance"),
        int(options["generation"]),
        options.get("type", "consumer" if version >= 5 else None),
        options.get("protocol", "range" if version >= 5 else None) or None,
        assignments,
        protocol_required=version >= 5,
    )


def heartbeat(runner: ScenarioRunner, words: Words, options: Options) -> object:
    return commands.Heartbeat(words[0], runner.member(options), options.get("instance"), int(options["generation"]))


def leave(runner: ScenarioRunner, words: Words, options: Options) -> object:
    leavers = [word.partition("/") for word in words[1:]]
    return commands.LeaveGroup(
        words[0],
        [commands.Leaver(runner.id_of(name), seat or None, options.get("reason", "")) for name, _, seat in leavers],
    )


def consumer_heartbeat(runner: ScenarioRunner, words: Words, options: Options) -> object:
    """Return the heartbeat of member A for `as A`. `owned=` lists partitions as `t:0,1+u:2`."""
    joins = {"epoch": "0", "rebalance": "60000", "owned": "", "topics": ""} if options.get("epoch", "0") == "0" else {}
    said = {**joins, **options}
    names = [TopicName(name) for name in said["topics"].split(",") if name] if "topics" in said else None
    return commands.ConsumerHeartbeat(
        words[0] if words else "",
        said.get("member", runner.client),
        int(said["epoch"]),
        said.get("instance"),
        said.get("rack"),
        int(said.get("rebalance", "-1")),
        None if said.get("topics") == "null" else names,
        said.get("regex"),
        said.get("assignor"),
        None if said.get("owned") in (None, "null") else owned_of(said["owned"]),
        said.get("client", "app"),
        "/10.0.0.1",
        draws_own_id=said.get("v", "1") != "0",
    )


def owned_of(text: str) -> list[tuple[TopicId, list[int]]]:
    topics = [item.partition(":") for item in text.split("+") if item]
    return [(topic_id_of(name), [int(p) for p in partitions.split(",")]) for name, _, partitions in topics]


def commit(runner: ScenarioRunner, words: Words, options: Options) -> object:
    offsets = []
    for word in words[1:]:
        where, _, position = word.partition("=")
        topic, _, partition = where.partition("/")
        offset, _, metadata = position.partition(":")
        if metadata.startswith("*"):
            metadata = "x" * int(metadata[1:])
        known = runner.host.topics.named(topic)
        topic_id = ZERO_TOPIC_ID if known is None else known.topic_id
        offsets.append(commands.OffsetToCommit(topic, topic_id, int(partition), int(offset), -1, metadata or None))
    return commands.CommitOffsets(
        words[0],
        runner.member(options),
        options.get("instance"),
        int(options.get("epoch", options.get("generation", "-1"))),
        offsets,
        int(options.get("retention", "-1")),
        member_epochs_supported=int(options.get("v", "9")) >= 9,
    )


def fetch(runner: ScenarioRunner, words: Words, options: Options) -> object:
    wanted = [word.partition("/") for word in words[1:]]
    topics = [commands.OffsetsWanted(topic, ZERO_TOPIC_ID, [int(partition)]) for topic, _, partition in wanted]
    reader = runner.client or None
    return commands.FetchOffsets(words[0], topics or None, False, reader, int(options.get("epoch", "-1")))


def configure(runner: ScenarioRunner, words: Words, options: Options) -> object:
    """Set all configs of the group; those that are not named get their defaults."""
    configs = runner.configs[words[0]] = group_configs(options)
    return commands.ConfigureGroup(words[0], configs)


COMMANDS = {
    "join": join,
    "sync": sync,
    "heartbeat": heartbeat,
    "leave": leave,
    "commit": commit,
    "fetch": fetch,
    "describe": lambda _stage, words, _options: commands.DescribeGroup(words[0]),
    "delete": lambda _stage, words, _options: commands.DeleteGroup(words[0]),
    "list": lambda _stage, _words, options: commands.ListGroups(
        [s for s in options.get("states", "").split(",") if s], [t for t in options.get("types", "").split(",") if t]
    ),
    "delete-offsets": lambda _stage, words, _options: commands.DeleteOffsets(
        words[0], [(topic, int(partition)) for topic, _, partition in (word.partition("/") for word in words[1:])]
    ),
    "topics-deleted": lambda _stage, words, _options: commands.TopicsDeleted(words),
    "configure": configure,
    "consumer-heartbeat": consumer_heartbeat,
    "describe-consumers": lambda _stage, words, _options: commands.DescribeConsumerGroup(words[0]),
    "streams-heartbeat": lambda runner, words, options: streams_heartbeat(runner.client, words, options),
    "describe-streams": lambda _stage, words, _options: commands.DescribeStreamsGroup(words[0]),
    "resign": lambda _stage, _words, _options: commands.Resign(),
}

# --- other lines ------------------------------------------------------------------------------------------------------


def wait(runner: ScenarioRunner, words: Words, options: Options) -> list[str]:  # noqa: ARG001
    """Let time pass; each time with an event gets a heading."""
    began_ms = runner.host.tick_ms
    lines = []
    while runner.host.next_moment(began_ms + int(words[0])):
        runner.host.turn()
        happened = runner.happened()
        if happened != ["nothing"]:
            lines += [f"after {runner.host.tick_ms - began_ms}", *happened]
    return lines or ["nothing"]


def stable(runner: ScenarioRunner, words: Words, options: Options) -> list[str]:
    """Make a Stable group in generation 1: `stable g A(web-1):x B:y`. The first member leads; B is dynamic."""
    group, seats = words[0], []
    for word in words[1:]:
        who, _, assignment = word.partition(":")
        name, _, instance = who.rstrip(")").partition("(")
        seats.append((name, instance or None, assignment))
    for name, instance, _ in seats:
        runner.client = name
        seat = {"instance": instance} if instance else {}
        runner.ask(join(runner, [group], {**options, **seat, "v": "3"}))
        runner.happened()
    while any(name not in runner.ids for name, _, _ in seats) or runner.host.host.next_deadline_ms() is not None:
        runner.host.next_moment(runner.host.tick_ms + runner.host.settings.group_initial_rebalance_delay_ms)
        runner.host.turn()
        if any("joined generation=1" in line for line in runner.happened()):
            break
    assignments = {f"->{name}": assignment for name, _, assignment in seats}
    for name, _, _ in reversed(seats):
        runner.client = name
        leads = name == seats[0][0]
        runner.ask(sync(runner, [group], {"generation": "1", **(assignments if leads else {})}))
    runner.happened()
    return ["generation 1"]


def append_fails(runner: ScenarioRunner, words: Words, options: Options) -> list[str]:  # noqa: ARG001
    runner.host.next_append_fails = ErrorCode[words[0]]
    return ["ok"]


def reload(runner: ScenarioRunner, words: Words, options: Options) -> list[str]:  # noqa: ARG001
    """Fail over: only the log remains. The new coordinator may have other settings."""
    if options:
        runner.host.settings = settings_of(options)
    runner.host.fail_over()
    for group_id, configs in runner.configs.items():
        runner.ask(commands.ConfigureGroup(group_id, configs, at_load=True))
    return runner.happened()


def topic(runner: ScenarioRunner, words: Words, options: Options) -> list[str]:
    """Create or change a topic: `topic t partitions=6`."""
    runner.host.topics.put(Topic(TopicName(words[0]), topic_id_of(words[0]), int(options["partitions"])))
    return ["ok"]


DIRECT = {"topic": topic, "wait": wait, "stable": stable, "append-fails": append_fails, "reload": reload}
