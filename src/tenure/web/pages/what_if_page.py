"""Page of a forecast: cost of restarts of a group, as it is and with a change."""

from collections.abc import Callable, Mapping
from typing import Final

from tenure.admin import Admin
from tenure.admin.times import parse_duration_ms
from tenure.client.errors import RequestRefused
from tenure.protocol.errors import ErrorCode
from tenure.web.form_numbers import parse_integer
from tenure.web.pages.page import NotFound, Unusable
from tenure.web.parts import Part, Parts, data_part
from tenure.web.templates import macro
from tenure.whatif import Bounce, Forecast, GroupChange, WhatIfError, forecast
from tenure.whatif.chart import pause_chart
from tenure.whatif.described import describe
from tenure.whatif.table import about, columns, rows

STATIC: Final = {"static": True, "dynamic": False}


class WhatIfPage:
    """Page with a forecast for a group. Without `bounce` in the query, it contains only the form."""

    path = "/what-if"
    template = "what_if.html"
    is_live = False

    def __init__(self, admin: Admin) -> None:
        self._admin: Final = admin

    def title(self, query: Mapping[str, str]) -> str:
        return f"Forecast a restart of group {query.get('id', '')}"

    def parts(self, query: Mapping[str, str]) -> Parts:
        form = Part("form", "form-card", macro("_what_if.html", "form", query))
        if not query.get("bounce"):
            return [form]
        try:
            requested = _parse_query(query)
            found = forecast(describe(self._admin, query.get("id", "")), *requested)
        except (WhatIfError, ValueError) as error:
            raise Unusable(str(error)) from None
        except RequestRefused as error:
            if error.error_code is ErrorCode.GROUP_ID_NOT_FOUND:
                raise NotFound(str(error)) from None
            raise
        return [form, *_result(found)]


def _parse_query(query: Mapping[str, str]) -> tuple[Bounce, GroupChange | None]:
    """Parse the restarts and the change in the query; the change is None for an unchanged group. Raises ValueError."""
    down_ms = parse_duration_ms(query.get("down") or "20s")
    change = GroupChange(
        STATIC.get(query.get("static", "")),
        query.get("protocol") or None,
        query.get("assignor") or None,
        session_timeout_ms=_optional(parse_duration_ms, query.get("session")),
        members=_optional(parse_integer, query.get("members")) or 0,
    )
    restarts = Bounce(query["bounce"], down_ms, crash=bool(query.get("crash")))
    return restarts, None if change == GroupChange() else change


def _optional(parse: Callable[[str], int], text: str | None) -> int | None:
    return parse(text) if text else None


def _result(found: Forecast) -> Parts:
    chart = pause_chart(found)
    table = macro("_what_if.html", "result", about(found.situation, found.restarts), columns(found), rows(found))
    return [
        Part("result", "result-card", table),
        data_part("pauses-spec", "data", chart.spec),
        data_part("pauses-data", "data", chart.spec["data"]["values"]),
    ]
