"""Forecasts of the cost of restarts of a consumer group, before and after a change, in virtual time.

`forecast` simulates the group with the coordinator, the assignors and the memberships of this package.
"""

from tenure.whatif.bounce import Bounce
from tenure.whatif.history import History
from tenure.whatif.outcome import Outcome
from tenure.whatif.restart_cost import Forecast, forecast
from tenure.whatif.situation import ClientTiming, GroupChange, GroupSeat, Situation, WhatIfError

__all__ = [
    "Bounce",
    "ClientTiming",
    "Forecast",
    "GroupChange",
    "GroupSeat",
    "History",
    "Outcome",
    "Situation",
    "WhatIfError",
    "forecast",
]
