from collections.abc import Sequence

import pytest

from tenure.client.group.assignment import AssignmentError, assign, claims_of, subscribed_members
from tenure.client.group.memberships import leader
from tenure.client.values import TopicLayout
from tenure.limits.client import CLAIM_DOUBTS_MAX
from tenure.protocol.messages import JoinGroupResponseMember
from tests.assignors.groups import dynamic, member

TOPICS = {"t": TopicLayout(3)}


def doubtful_claims(
    protocol: str, members: Sequence[JoinGroupResponseMember], topics: dict[str, TopicLayout]
) -> list[str]:
    return leader.doubtful_claims(members, claims_of(protocol, subscribed_members(members)), topics)


def test_doubtful_claims__each_partition_claimed_by_one_member__none() -> None:
    a, b = member("a", None, "t", owns="t0 t1", generation=4), member("b", None, "t", owns="t2", generation=3)
    assert doubtful_claims("cooperative-sticky", [a, b], TOPICS) == []


@pytest.mark.parametrize(("generation", "verdict"), [(4, "both are ignored"), (3, "the higher generation is used")])
def test_doubtful_claims__two_members_claim_one_partition__message_names_both(generation: int, verdict: str) -> None:
    a, b = member("a", None, "t", owns="t0", generation=4), member("b", None, "t", owns="t0", generation=generation)
    (doubt,) = doubtful_claims("cooperative-sticky", [a, b], TOPICS)
    assert doubt.startswith(f"members a (generation 4) and b (generation {generation}) both claim t-0; {verdict}.")


def test_doubtful_claims__claimed_partition_does_not_exist__message_names_it() -> None:
    (doubt,) = doubtful_claims("sticky", [member("a", None, "t", owns="t3", protocol="sticky")], TOPICS)
    assert doubt.startswith("member a claims t-3, which does not exist.")


def test_doubtful_claims__very_many__only_the_first_few_reported() -> None:
    topics = {"t": TopicLayout(100)}
    members = [member(name, None, "t", owns=" ".join(f"t{n}" for n in range(100)), generation=4) for name in "ab"]
    assert len(doubtful_claims("cooperative-sticky", members, topics)) == CLAIM_DOUBTS_MAX


def test_assign__unknown_assignor__error_lists_the_known_ones() -> None:
    with pytest.raises(AssignmentError, match=r"'best'.*range, roundrobin, sticky, cooperative-sticky"):
        assign("best", [dynamic("a", "t")], TOPICS)


def test_assign__two_live_members_with_one_instance_id__refused() -> None:
    with pytest.raises(AssignmentError, match=r"Duplicate group.instance.id 'i': 2 live members"):
        assign("range", [member("a", "i", "t"), member("b", "i", "t")], TOPICS)
