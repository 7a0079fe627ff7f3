"""Changes that a user may make with --allow-changes, each with a preview before it happens."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from tenure.admin import Admin
from tenure.admin.group_members import MemberToRemove
from tenure.admin.offset_reset import ShiftBy, Target, ToEarliest, ToLatest, ToTimestamp
from tenure.admin.times import parse_datetime_ms
from tenure.client.errors import ClientError
from tenure.client.values import TopicPartition
from tenure.plural import format_count
from tenure.web.form_numbers import parse_integer

Form: TypeAlias = Mapping[str, Sequence[str]]
"""Fields of a form; a field may have several values."""


class Choice(NamedTuple):
    """A value that the user may choose for a field."""

    field: str
    value: str
    label: str
    kind: str = "checkbox"
    """Type of the input element: checkbox, radio or text."""


class Question(NamedTuple):
    """Choice that the user makes before the preview."""

    sentence: str
    choices: Sequence[Choice]


class Preview(NamedTuple):
    """Effect that a change would have now, for confirmation."""

    sentence: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    refusal: str = ""
    """Reason why the change is not possible now; empty if it is possible."""


class Change(NamedTuple):
    """Kind of change that the dashboard offers."""

    title: str
    preview: Callable[[Admin, Form], Question | Preview]
    """Return the preview of the change, or a question if the user has to choose something first.

    Raises ClientError, and ValueError for an incomplete form.
    """
    apply: Callable[[Admin, Form], str]
    """Make the change, and return a sentence about its result. Raises the same errors as `preview`."""


def field_value(form: Form, field: str) -> str:
    """Return the value of a field. Raises ValueError if the form lacks the field."""
    values = form.get(field, ())
    if len(values) != 1 or not values[0]:
        raise ValueError(f"The form has no field '{field}'.")
    return values[0]


def _preview_removal(admin: Admin, form: Form) -> Question | Preview:
    group_id, chosen = field_value(form, "group"), set(form.get("member", ()))
    (group,) = admin.describe_groups([group_id])
    if not chosen:
        return Question(
            f"Which members of group '{group_id}' should be removed?",
            [Choice("member", member.member_id, f"{member.name} ({member.host})") for member in group.members],
        )
    rows = [
        (member.name, member.member_id, member.host, len(member.partitions))
        for member in group.members
        if member.member_id in chosen
    ]
    return Preview(
        f"Removes {format_count(len(rows), 'member')} of group '{group_id}'. The partitions go to other members. "
        "A member that is still alive joins again.",
        ("member", "member id", "host", "partitions"),
        rows,
        "" if rows else "None of the members is in the group any more.",
    )


def _remove(admin: Admin, form: Form) -> str:
    group_id, chosen = field_value(form, "group"), set(form.get("member", ()))
    (group,) = admin.describe_groups([group_id])
    wanted = [
        MemberToRemove(member.group_instance_id, "" if member.group_instance_id else member.member_id)
        for member in group.members
        if member.member_id in chosen
    ]
    results = admin.remove_members(group_id, wanted)
    kept = [f"{each.member} was not removed: {each.trouble}." for each in results if each.trouble]
    removed = len(results) - len(kept)
    return " ".join([f"Removed {format_count(removed, 'member')} of group '{group_id}'.", *kept])


TARGETS: Final = (
    Choice("target", "earliest", "the first record of each partition", "radio"),
    Choice("target", "latest", "the end of each partition", "radio"),
    Choice("target", "shift", "the present offset plus this number of records, which may be negative:", "radio"),
    Choice("records", "", "records", "text"),
    Choice("target", "time", "the first record since this time (UTC):", "radio"),
    Choice("time", "", "such as 2026-01-31T18:30", "text"),
)


def _target(form: Form) -> Target:
    match field_value(form, "target"):
        case "earliest":
            return ToEarliest()
        case "latest":
            return ToLatest()
        case "shift":
            return ShiftBy(parse_integer(field_value(form, "records")))
        case "time":
            return ToTimestamp(parse_datetime_ms(field_value(form, "time")))
        case other:
            raise ValueError(f"Unknown offset reset '{other}'.")


def _preview_reset(admin: Admin, form: Form) -> Question | Preview:
    group_id = field_value(form, "group")
    if not form.get("target"):
        return Question(f"To which offsets should group '{group_id}' be reset?", TARGETS)
    plan = admin.plan_reset(group_id, _target(form), None)
    rows = [
        (change.partition, change.committed, change.target.offset, change.distance, change.note)
        for change in plan.changes
    ]
    return Preview(
        f"Sets these committed offsets of group '{group_id}'.",
        ("partition", "now", "new", "difference", "note"),
        rows,
        plan.refusal or ("" if rows else "The group has no committed offsets."),
    )


def _reset(admin: Admin, form: Form) -> str:
    group_id = field_value(form, "group")
    plan = admin.plan_reset(group_id, _target(form), None)
    admin.write_plan(plan)
    return f"Set {format_count(len(plan.changes), 'offset')} of group '{group_id}'."


def _preview_rebalance(admin: Admin, form: Form) -> Preview:
    (group,) = admin.describe_groups([field_value(form, "group")])
    return Preview(
        f"Group '{group.group_id}' ({group.state}, {format_count(len(group.members), 'member')}) rebalances: "
        "its assignor computes the assignment again. Only a Tenure broker supports this."
    )


def _rebalance(admin: Admin, form: Form) -> str:
    admin.rebalance(field_value(form, "group"))
    return f"A rebalance of group '{field_value(form, 'group')}' was started."


def _hanging_at(form: Form) -> tuple[TopicPartition, int]:
    partition = TopicPartition(field_value(form, "topic"), parse_integer(field_value(form, "partition")))
    return partition, parse_integer(field_value(form, "offset"))


def _preview_abort(admin: Admin, form: Form) -> Preview:
    found = admin.open_transaction(*_hanging_at(form))
    refusal = (
        f"The transaction does not hang: the coordinator of transactional id '{found.transactional_id}' will end it."
        if found.transactional_id is not None
        else ""
    )
    return Preview(
        "Aborts the open transaction in this partition. Readers with read_committed do not get its records. Make sure"
        " that its producer has ended.",
        ("partition", "first offset", "producer id", "epoch"),
        [
            (
                found.producer.partition,
                found.producer.start_offset,
                found.producer.producer_id,
                found.producer.producer_epoch,
            )
        ],
        refusal,
    )


def _abort(admin: Admin, form: Form) -> str:
    found = admin.open_transaction(*_hanging_at(form))
    if found.transactional_id is not None:
        raise ValueError("The transaction does not hang: its coordinator will end it.")
    admin.abort_transaction(found.producer)
    return f"The transaction of producer {found.producer.producer_id} in {found.producer.partition} was aborted."


CHANGES: Final[Mapping[str, Change]] = {
    "remove-members": Change("Remove members", _preview_removal, _remove),
    "reset-offsets": Change("Reset offsets", _preview_reset, _reset),
    "rebalance": Change("Start a rebalance", _preview_rebalance, _rebalance),
    "abort-transaction": Change("Abort a hanging transaction", _preview_abort, _abort),
}
"""Kinds of changes, by the name in their address."""

Refused = (ClientError, ValueError)
"""Types of errors that a page shows as one sentence."""
