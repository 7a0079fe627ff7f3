"""Reads and runs scenario files: a command, then the complete trace of what follows from it.

    scenario 43 static-restart-stable-follower         a fresh shard; settings may follow, as key=value
    # words for the reader
    join g as A instance=web-1                          a command
    ----
    ...                                                 its trace, up to an empty line

`as A` names who speaks. Member ids are never written: `member=A` is the id that A has now, `member=` none, `member=?x`
one that never existed. An event that is not in a trace did not happen.
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
from tests.coordinator.streams_words import streams_heartbeat
from tests.coordinator.trace import Trace, topic_id_of
from tests.coordinator.world import World

SEPARATOR = "----"


@dataclass
class Block:
    """Lines of one scenario file up to and including an empty one: prose, or a command and its trace."""

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
    """Each block with the trace that it has now."""
    stage = Stage({})
    for block in blocks:
        for line in block.prose:
            if line.startswith("scenario "):
                stage = Stage(dict(word.split("=") for word in line.split() if "=" in word))
        yield block, stage.perform(block.command) if block.command else []


def settings_of(options: dict[str, str]) -> GroupSettings:
    return GroupSettings(**{key: int(value) for key, value in options.items()})


class Stage:
    """A world, and the names of those who act in it."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.world = World(settings_of(settings))
        self.ids: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.who_asked: dict[AskId, str] = {}
        self.speaker = ""
        self.configs: dict[str, GroupConfigs] = {}
        """Configs that the metadata shard would remember."""
        self.trace = Trace(lambda member_id: self.names.get(member_id, member_id or "-"))

    def perform(self, line: str) -> list[str]:
        verb, *words = line.split()
        options = dict(word.split("=", 1) for word in words if "=" in word and "/" not in word.split("=", 1)[0])
        plain = [word for word in words if "=" not in word or "/" in word.split("=", 1)[0]]
        if "as" in plain:
            at = plain.index("as")
            self.speaker = plain[at + 1]
            del plain[at : at + 2]
        else:
            self.speaker = ""
        if verb in DIRECT:
            return DIRECT[verb](self, plain, options)
        self.ask(COMMANDS[verb](self, plain, options))
        return self.happened()

    def ask(self, command: object) -> None:
        ask = self.world.ask(command)
        self.who_asked[ask] = self.speaker or "answer"

    def member(self, options: dict[str, str]) -> str:
        if "member" not in options:
            return self.ids.get(self.speaker, self.speaker if "epoch" in options else "")
        return self.id_of(options["member"])

    def id_of(self, name: str) -> str:
        return name if name.startswith("?") else self.ids.get(name, "")

    def happened(self) -> list[str]:
        """All lines since the last time; names are given to ids when they first appear."""
        records, replies = self.world.take()
        lines = []
        for record in records:
            if isinstance(record, MemberPending):
                self.christen(record.member_id)
            if isinstance(record, MemberAdded | MemberReplaced):
                self.christen(record.member.member_id)
            lines.append(self.trace.record(record, self.world.tick_ms))
        for ask, answer in replies:
            first, *more = self.trace.answer(answer)
            who = self.who_asked.get(ask, "answer") if ask != NO_ASK else "nobody"
            lines += [f"{who:<6} <- {first}", *(f"          {line}" for line in more)]
        return lines or ["nothing"]

    def christen(self, member_id: str) -> None:
        if member_id not in self.names:
            self.names[member_id] = self.speaker
            self.ids[self.speaker] = member_id


# --- commands: what a client or an operator asks ----------------------------------------------------------------------

Words = list[str]
Options = dict[str, str]


def protocols_of(text: str) -> list[tuple[str, bytes]]:
    """`range:abc,sticky` -> names with their metadata; `range:@t+u` is a true subscription to topics t and u."""
    pairs = [item.partition(":") for item in text.split(",") if item]
    return [(name, metadata_of(text)) for name, _, text in pairs]


def metadata_of(text: str) -> bytes:
    if not text.startswith("@"):
        return text.encode()
    return encode_subscription(Subscription([TopicName(topic) for topic in text[1:].split("+") if topic]))


def join(stage: Stage, words: Words, options: Options) -> object:
    version = int(options.get("v", "9"))
    return commands.JoinGroup(
        words[0] if words else "",
        stage.id_of(options["member"]) if "member" in options else "",
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


def sync(stage: Stage, words: Words, options: Options) -> object:
    assignments = {stage.id_of(n[2:]): v.encode() for n, v in options.items() if n.startswith("->")}
    version = int(options.get("v", "5"))
    return commands.SyncGroup(
        words[0],
        stage.member(options),
        options.get("instance"),
        int(options["generation"]),
        options.get("type", "consumer" if version >= 5 else None),
        options.get("protocol", "range" if version >= 5 else None) or None,
        assignments,
        protocol_required=version >= 5,
    )


def heartbeat(stage: Stage, words: Words, options: Options) -> object:
    return commands.Heartbeat(words[0], stage.member(options), options.get("instance"), int(options["generation"]))


def leave(stage: Stage, words: Words, options: Options) -> object:
    leavers = [word.partition("/") for word in words[1:]]
    return commands.LeaveGroup(
        words[0],
        [commands.Leaver(stage.id_of(name), seat or None, options.get("reason", "")) for name, _, seat in leavers],
    )


def beat(stage: Stage, words: Words, options: Options) -> object:
    """Members of consumer groups draw their ids themselves: `as A` is the member A. `owned=t:0,1+u:2`, or `owned=`."""
    joins = {"epoch": "0", "rebalance": "60000", "owned": "", "topics": ""} if options.get("epoch", "0") == "0" else {}
    said = {**joins, **options}
    names = [TopicName(name) for name in said["topics"].split(",") if name] if "topics" in said else None
    return commands.ConsumerHeartbeat(
        words[0] if words else "",
        said.get("member", stage.speaker),
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


def commit(stage: Stage, words: Words, options: Options) -> object:
    offsets = []
    for word in words[1:]:
        where, _, position = word.partition("=")
        topic, _, partition = where.partition("/")
        offset, _, metadata = position.partition(":")
        if metadata.startswith("*"):
            metadata = "x" * int(metadata[1:])
        known = stage.world.topics.named(topic)
        topic_id = ZERO_TOPIC_ID if known is None else known.topic_id
        offsets.append(commands.OffsetToCommit(topic, topic_id, int(partition), int(offset), -1, metadata or None))
    return commands.CommitOffsets(
        words[0],
        stage.member(options),
        options.get("instance"),
        int(options.get("epoch", options.get("generation", "-1"))),
        offsets,
        int(options.get("retention", "-1")),
        member_epochs_supported=int(options.get("v", "9")) >= 9,
    )


def fetch(stage: Stage, words: Words, options: Options) -> object:
    wanted = [word.partition("/") for word in words[1:]]
    topics = [commands.OffsetsWanted(topic, ZERO_TOPIC_ID, [int(partition)]) for topic, _, partition in wanted]
    reader = stage.speaker or None
    return commands.FetchOffsets(words[0], topics or None, False, reader, int(options.get("epoch", "-1")))


def configure(stage: Stage, words: Words, options: Options) -> object:
    """All configs of the group: what is not named has its default again."""
    configs = stage.configs[words[0]] = group_configs(options)
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
    "beat": beat,
    "describe-consumers": lambda _stage, words, _options: commands.DescribeConsumerGroup(words[0]),
    "streams": lambda stage, words, options: streams_heartbeat(stage.speaker, words, options),
    "describe-streams": lambda _stage, words, _options: commands.DescribeStreamsGroup(words[0]),
    "resign": lambda _stage, _words, _options: commands.Resign(),
}

# --- what else can happen ---------------------------------------------------------------------------------------------


def wait(stage: Stage, words: Words, options: Options) -> list[str]:  # noqa: ARG001
    """Lets time pass; every moment at which something happened has its own heading."""
    began_ms = stage.world.tick_ms
    lines = []
    while stage.world.next_moment(began_ms + int(words[0])):
        stage.world.turn()
        happened = stage.happened()
        if happened != ["nothing"]:
            lines += [f"after {stage.world.tick_ms - began_ms}", *happened]
    return lines or ["nothing"]


def stable(stage: Stage, words: Words, options: Options) -> list[str]:
    """`stable g A(web-1):x B:y`: a Stable group in generation 1. The first leads; who has no instance id is dynamic."""
    group, seats = words[0], []
    for word in words[1:]:
        who, _, assignment = word.partition(":")
        name, _, instance = who.rstrip(")").partition("(")
        seats.append((name, instance or None, assignment))
    for name, instance, _ in seats:
        stage.speaker = name
        seat = {"instance": instance} if instance else {}
        stage.ask(join(stage, [group], {**options, **seat, "v": "3"}))
        stage.happened()
    while any(name not in stage.ids for name, _, _ in seats) or stage.world.host.next_deadline_ms() is not None:
        stage.world.next_moment(stage.world.tick_ms + stage.world.settings.group_initial_rebalance_delay_ms)
        stage.world.turn()
        if any("joined generation=1" in line for line in stage.happened()):
            break
    assignments = {f"->{name}": assignment for name, _, assignment in seats}
    for name, _, _ in reversed(seats):
        stage.speaker = name
        leads = name == seats[0][0]
        stage.ask(sync(stage, [group], {"generation": "1", **(assignments if leads else {})}))
    stage.happened()
    return ["generation 1"]


def append_fails(stage: Stage, words: Words, options: Options) -> list[str]:  # noqa: ARG001
    stage.world.next_append_fails = ErrorCode[words[0]]
    return ["ok"]


def reload(stage: Stage, words: Words, options: Options) -> list[str]:  # noqa: ARG001
    """A fail-over: all that is left is the log. The new coordinator may have other settings."""
    if options:
        stage.world.settings = settings_of(options)
    stage.world.fail_over()
    for group_id, configs in stage.configs.items():
        stage.ask(commands.ConfigureGroup(group_id, configs, at_load=True))
    return stage.happened()


def topic(stage: Stage, words: Words, options: Options) -> list[str]:
    """`topic t partitions=6`: it is there from now on, with so many partitions."""
    stage.world.topics.put(Topic(TopicName(words[0]), topic_id_of(words[0]), int(options["partitions"])))
    return ["ok"]


DIRECT = {"topic": topic, "wait": wait, "stable": stable, "append-fails": append_fails, "reload": reload}
