"""Index of all generated classes: `from tenure.protocol.messages import JoinGroupRequest`.

Importing a name loads only the module of its API (PEP 562), so a start loads only what it uses. Three names exist twice
(`NodeEndpoint`, `LeaderIdAndEpoch`: Produce and Fetch; `EpochEndOffset`: Fetch and OffsetForLeaderEpoch). Import those
from `tenure.protocol.generated.<api>`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tenure.protocol.generated.index import HOMES

if TYPE_CHECKING:
    from tenure.protocol.generated.index import *  # noqa: F403


def __getattr__(name: str) -> Any:
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no message {name!r}")
    found = getattr(import_module(f"tenure.protocol.generated.{home}"), name)
    globals()[name] = found
    return found
