"""What a leader should see in claims (KIP-792; rule 7.8)."""

from collections.abc import Mapping, Sequence

from tenure.client.assignment import SubscribedMember, Topic
from tenure.client.subscriptions import claim_of
from tenure.client.values import TopicPartition
from tenure.limits import CLAIM_DOUBTS_MAX


def doubtful_claims(protocol_name: str, members: Sequence[SubscribedMember], topics: Mapping[str, Topic]) -> list[str]:
    """One sentence for each claim that is not believed, the first few: what it is, and what becomes of it.

    A group lives with such claims; they tell of a member that has missed a rebalance, or of two with one identity.
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
                        f"Member '{member.member_id}' claims {partition}, which does not exist: the claim is ignored; "
                        "if that lasts, restart the member."
                    )
                rival, rivals_generation_id = first.setdefault(partition, (member.member_id, generation_id))
                if rival != member.member_id:
                    verdict = "the higher one counts" if generation_id != rivals_generation_id else "neither counts"
                    doubts.append(
                        f"Members '{rival}' (generation {rivals_generation_id}) and '{member.member_id}' (generation "
                        f"{generation_id}) both claim {partition}: {verdict}; if that lasts, restart the other."
                    )
                if len(doubts) >= CLAIM_DOUBTS_MAX:
                    return doubts
    return doubts
