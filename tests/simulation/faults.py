"""Faults of a simulated cluster, and their ends.

Each fault is one method; `WEIGHTS` contains its frequency. A fault with a duration schedules its end on the agenda.
When the faults stop, all faults that have not ended are ended.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS
from tests.simulation.cluster import Cluster, Seat
from tests.simulation.process import Process
from tests.simulation.subscriptions import drawn_subscription

WEIGHTS: Final = {
    "kill": 6,
    "close": 4,
    "close for good": 2,
    "bounce": 6,
    "pause": 6,
    "cut off": 4,
    "break connections": 6,
    "second process": 2,
    "get stuck": 2,
    "rejoin as new member": 2,
    "resubscribe": 3,
    "change protocol": 10,
    "worsen network": 4,
    "crash coordinator": 5,
    "pause coordinator": 3,
    "slow disk": 2,
    "full disk": 2,
    "failed sync": 2,
    "compact": 8,
    "compact while loading": 3,
    "grow topic": 2,
    "replace topic": 3,
    "move clock": 2,
}
MEMBERS_MAX: Final = 12
"""Maximum number of processes. Suspended ones count, so that their successors have space."""
PARTITIONS_MAX: Final = 12
SUPERVISOR_MS: Final = 20_000
"""Longest time until a seat without a process gets one."""


class Faults:
    weights: ClassVar[Mapping[str, int]] = WEIGHTS

    def __init__(self, cluster: Cluster, longest_ms: int) -> None:
        """Create the faults of a life; `longest_ms` is the longest duration of one."""
        self._cluster: Final = cluster
        self._agenda: Final = cluster.agenda
        self._random: Final = cluster.random
        self._longest_ms: Final = longest_ms
        self.have_stopped = False
        self._kinds: Final = tuple(self.weights)
        self._weights: Final = [weight * self._random.choice((0, 1, 1, 3)) for weight in self.weights.values()]
        """Weights of this life. They are random, so that each life has other frequencies and leaves some faults out."""

    def happen(self) -> None:
        kind = self._random.choices(self._kinds, self._weights)[0] if any(self._weights) else "kill"
        self._cluster.remove_ended_processes()
        self._cluster.trace.did[kind] += 1
        fault: Callable[[], None] = getattr(self, f"_{kind.replace(' ', '_')}")
        fault()
        self.supervise()

    def supervise(self) -> None:
        """Start a process, as a supervisor would, for each seat without one."""
        self._cluster.remove_ended_processes()
        for seat in self._cluster.seats:
            if not seat.processes:
                self._after(self._random.randrange(SUPERVISOR_MS), lambda seat=seat: self._maybe_start(seat))  # type: ignore[misc]

    def supervise_at_once(self) -> None:
        self._cluster.remove_ended_processes()
        for seat in self._cluster.seats:
            self._maybe_start(seat)

    def stop(self) -> None:
        """End all faults: one process for each seat, and a network and a coordinator that work."""
        self.have_stopped = True
        cluster = self._cluster
        cluster.network.quality.clear()
        cluster.coordinator.heal()
        cluster.coordinator.sync_ms, cluster.coordinator.turn_ms, cluster.coordinator.next_load_ms = 5, 0, 0
        cluster.coordinator.busy_until_ms = 0
        if not cluster.coordinator.is_up:
            cluster.coordinator.start()
        for process in list(cluster.processes()):
            process.is_stuck = False
            process.cut_off(is_cut_off=False)
            process.resume()
            process.poll()
        cluster.remove_ended_processes()
        for seat in cluster.seats:
            for surplus in seat.processes[1:]:
                surplus.kill()
        cluster.remove_ended_processes()

    # --- faults of processes ------------------------------------------------------------------------------------------

    def _kill(self) -> None:
        if process := self._random_process():
            self._cluster.trace.note(process.name, "is killed")
            process.kill()

    def _close(self) -> None:
        if process := self._random_process():
            self._cluster.trace.note(process.name, "is closed")
            process.close()

    def _close_for_good(self) -> None:
        if process := self._random_process():
            self._cluster.trace.note(process.name, "leaves")
            process.close(leave=True)

    def _bounce(self) -> None:
        """Restart a static process: it closes, and its successor starts at once."""
        static = [seat for seat in self._cluster.seats if seat.is_static and len(seat.processes) == 1]
        if static:
            seat = self._random.choice(static)
            self._cluster.trace.note(seat.processes[0].name, "is bounced")
            seat.processes[0].close()
            self._after(self._random.randrange(1, 5_000), lambda: self._maybe_start(seat))

    def _pause(self) -> None:
        """Suspend a process (SIGSTOP); sometimes start another one in its place."""
        process = self._random_process()
        if process is None:
            return
        self._cluster.trace.note(process.name, "stands still")
        process.pause()
        self._after(self._random.randrange(1, self._longest_ms), process.resume)
        seat = next(seat for seat in self._cluster.seats if process in seat.processes)
        if self._random.random() < 0.5:
            self._after(self._random.randrange(60_000), lambda: self._maybe_start(seat, beside=True))

    def _cut_off(self) -> None:
        if process := self._random_process():
            self._cluster.trace.note(process.name, "is cut off")
            process.cut_off(is_cut_off=True)
            self._after(self._random.randrange(1, self._longest_ms), lambda: process.cut_off(is_cut_off=False))

    def _break_connections(self) -> None:
        if process := self._random_process():
            process.break_connections()

    def _second_process(self) -> None:
        """Start a second process with the same configuration, as if by mistake."""
        seat = self._random.choice(self._cluster.seats)
        if seat.is_static:
            self._maybe_start(seat, beside=True)

    def _get_stuck(self) -> None:
        process = self._random_process()
        if process is None:
            return

        def unstick() -> None:
            process.is_stuck = False
            process.poll()

        process.is_stuck = True
        self._after(self._random.randrange(1, 2 * process.settings.max_poll_interval_ms), unstick)

    def _rejoin_as_new_member(self) -> None:
        if process := self._random_process():
            process.rejoin_as_new_member()

    def _resubscribe(self) -> None:
        seat = self._random.choice(self._cluster.seats)
        topics, pattern = drawn_subscription(self._random, seat.settings.group_id)
        seat.settings = seat.settings._replace(topics=topics, topic_pattern=pattern)
        for process in seat.processes:
            process.resubscribe(topics, pattern)

    def _change_protocol(self) -> None:
        """Change the protocol of one process, in a group with members of both protocols."""
        mixed = self._mixed_seats()
        if mixed:
            seat = self._random.choice(mixed)
            other = CLASSIC if seat.settings.group_protocol == CONSUMER else CONSUMER
            seat.settings = seat.settings._replace(group_protocol=other)
            self._cluster.trace.did[f"restarted as {other}"] += 1
            self._cluster.trace.note(seat.name, "is restarted as a member of the protocol", other)
            for process in seat.processes:
                process.close(leave=self._random.choice((None, True)))
            self._after(self._random.randrange(1, 5_000), lambda: self._maybe_start(seat))

    def _mixed_seats(self) -> list[Seat]:
        return [seat for seat in self._cluster.seats if seat.settings.group_id not in (CLASSIC, CONSUMER, STREAMS)]

    def _random_process(self) -> Process | None:
        processes = list(self._cluster.processes())
        return self._random.choice(processes) if processes else None

    def _maybe_start(self, seat: Seat, *, beside: bool = False) -> None:
        """Start a process at a seat without one; with `beside`, also at a seat that has one."""
        alive = [process for process in seat.processes if not process.is_gone]
        if (not alive or beside) and sum(1 for _ in self._cluster.processes()) < MEMBERS_MAX:
            self._cluster.start(seat)

    # --- faults of the network ----------------------------------------------------------------------------------------

    def _worsen_network(self) -> None:
        quality, random = self._cluster.network.quality, self._random
        quality.slow = random.choice((0.0, 0.02, 0.2))
        quality.silent = random.choice((0.0, 0.002, 0.02))
        quality.broken = random.choice((0.0, 0.005, 0.05))
        quality.twice = random.choice((0.0, 0.005, 0.05))
        self._after(random.randrange(1, self._longest_ms), quality.clear)

    # --- faults of the coordinator ------------------------------------------------------------------------------------

    def _crash_coordinator(self) -> None:
        coordinator = self._cluster.coordinator
        if not coordinator.is_up:
            return
        coordinator.crash()
        coordinator.next_load_ms = self._random.choice((0, 0, self._random.randrange(5_000)))
        for process in self._cluster.processes():
            if not process.is_cut_off:
                self._agenda.after(self._random.randrange(1_000), process.break_connections)
        self._after(self._random.choice((10, self._random.randrange(30_000))), self._restart)

    def _restart(self) -> None:
        if not self._cluster.coordinator.is_up:
            self._cluster.coordinator.start()

    def _pause_coordinator(self) -> None:
        self._cluster.coordinator.busy_until_ms = self._agenda.now_ms + self._random.randrange(self._longest_ms // 4)

    def _slow_disk(self) -> None:
        coordinator = self._cluster.coordinator
        coordinator.sync_ms = self._random.randrange(5_000)
        coordinator.turn_ms = self._random.choice((0, 20))
        self._after(self._random.randrange(self._longest_ms), lambda: setattr(coordinator, "sync_ms", 5))

    def _full_disk(self) -> None:
        self._cluster.coordinator.fill_disk()

    def _failed_sync(self) -> None:
        self._cluster.coordinator.break_next_sync()

    def _compact(self) -> None:
        if self._cluster.coordinator.is_up:
            self._cluster.coordinator.compact()

    def _compact_while_loading(self) -> None:
        self._cluster.coordinator.compacts_while_loading = True
        self._crash_coordinator()

    def _move_clock(self) -> None:
        self._cluster.coordinator.skew_ms = self._random.randint(-5_000, 5_000)

    # --- faults of topics ---------------------------------------------------------------------------------------------

    def _grow_topic(self) -> None:
        topics = list(self._cluster.topics)
        if topics:
            topic = self._random.choice(topics)
            self._cluster.put_topic(topic.name, min(PARTITIONS_MAX, topic.partitions + self._random.randint(1, 2)))

    def _replace_topic(self) -> None:
        """Replace a topic by a new one with the same name.

        Nothing happens if a member identifies partitions by name in a group whose coordinator uses topic ids, because
        it could not distinguish the two topics.
        """
        topics = list(self._cluster.topics)
        if topics and self._cluster.coordinator.is_serving and not self._mixed_seats():
            topic = self._random.choice(topics)
            self._cluster.delete_topic(topic.name)
            partitions = self._random.randint(1, 4)
            self._after(self._random.randrange(self._longest_ms), lambda: self._put(topic.name, partitions))

    def _put(self, name: str, partitions: int) -> None:
        self._cluster.put_topic(name, partitions)

    def _after(self, delay_ms: int, then: Callable[[], object]) -> None:
        """Schedule a call, which is dropped once faults have stopped: all faults end at that time."""
        self._agenda.after(delay_ms, lambda: None if self.have_stopped else then())
