"""Checks of the partitions that members claim to own (KIP-792; rule 7.8)."""

from collections.abc import Mapping, Sequence

from tenure.client.group.assignment import SubscribedMember
from tenure.client.group.subscriptions import claim_of
from tenure.client.values import TopicLayout, TopicPartition
from tenure.limits.client import CLAIM_DOUBTS_MAX


def doubtful_claims(
    protocol_name: str, members: Sequence[SubscribedMember], topics: Mapping[str, TopicLayout]
) -> list[str]:
    """Return one sentence per claim that the assignor ignores, at most CLAIM_DOUBTS_MAX.

    Such a claim does no harm. It shows that a member missed a rebalance, or that two members use one identity.
    """
    doubts: list[str] = []
    first: dict[TopicPartition, tuple[str, int]] = {}
    for member in members:
        owned, generation_id = claim_of(protocol_name, member.subscription)
        for of in owned:
            for number in of.partitions:
                partition = TopicPartition(of.topic, number)
                if of.topic in topics and not 0 <= number < topics[of.topic].partitions:
                    doubts.append(
                        f"member {member.member_id} claims {partition}, which does not exist; the claim is ignored. "
                        "Restart the member if this repeats."
                    )
                rival, rivals_generation_id = first.setdefault(partition, (member.member_id, generation_id))
                if rival != member.member_id:
                    verdict = "the higher one wins" if generation_id != rivals_generation_id else "both are ignored"
                    doubts.append(
                        f"members {rival} (generation {rivals_generation_id}) and {member.member_id} (generation "
                        f"{generation_id}) both claim {partition}; {verdict}. Restart the other member if this repeats."
                    )
                if len(doubts) >= CLAIM_DOUBTS_MAX:
                    return doubts
    return doubts
