"""Group of members of any protocol with random faults: joins, crashes, suspensions, lost messages."""

from collections import Counter
from collections.abc import Callable

from tests.client.group.group_of_members import GroupOfMembers, Member

MEMBERS_MAX = 5


class FaultyLife:
    """Run of a group that begins with three members, some of them static."""

    def __init__(self, group: GroupOfMembers) -> None:
        self.group = group
        self.random = group.random
        self.happened: Counter[str] = Counter()
        self._names = iter(range(1, 1_000))
        self.faults: dict[str, Callable[[Member], None]] = {
            "cut": group.cut,
            "crash": group.crash,
            "restart": self._restart,
            "freeze": self._freeze,
            "fail over": lambda _: group.fail_over(),
            "leave": group.leave,
            "join": lambda _: self._join(),
            "rejoin": self._rejoin,
            "lose": lambda _: self._set_loss(),
        }
        """Possible faults; most of them affect a random member."""
        for position in range(3):
            self.join(f"i{position}" if self.random.random() < 0.6 else None)
        group.run(self.random.randrange(20_000))

    def join(self, instance_id: str | None = None) -> None:
        self.group.join(f"m{next(self._names)}", instance_id)

    def cause_fault(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Cause one fault, then let about 20 s pass, in which no partition may have two owners.

        `meanwhile` is called 20 times in this time.
        """
        fault = self.random.choice(list(self.faults))
        alive = [member for member in self.group.members if not member.gone]
        self.happened[fault] += 1
        if alive:
            self.faults[fault](self.random.choice(alive))
        else:
            self._join()
        for _ in range(20):
            meanwhile()
            self.group.run(self.random.randrange(1, 2_000))
            self.check_owners()

    def check_owners(self) -> None:
        assert all(len(owners) <= 1 for owners in self.group.owners().values()), self

    def end(self, within_ms: int) -> None:
        """Stop losing messages and let one more member join; then every partition must have one owner."""
        self.group.loses = 0.0
        self.join()
        self.group.run(within_ms)
        assert all(len(owners) == 1 for owners in self.group.owners().values()), (self, self.group.owners())

    def __repr__(self) -> str:
        return f"seed {self.group.seed}, {dict(self.happened)}"

    def _join(self) -> None:
        if sum(not member.gone for member in self.group.members) < MEMBERS_MAX:
            self.join()

    def _restart(self, victim: Member) -> None:
        self.group.crash(victim)
        self.group.run(self.random.randrange(1, 60_000))
        self.join(victim.membership.settings.group_instance_id)

    def _freeze(self, victim: Member) -> None:
        victim.frozen_until_ms = self.group.now_ms + self.random.randrange(100_000)

    def _rejoin(self, victim: Member) -> None:
        victim.membership.rejoin_as_new_member(self.group.now_ms)
        self.group._do_outputs(victim)

    def _set_loss(self) -> None:
        self.group.loses = self.random.choice([0.0, 0.05])
