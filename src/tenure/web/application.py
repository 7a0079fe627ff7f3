"""Dashboard as an ASGI application."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from tenure.admin import Admin
from tenure.client.errors import ClientError, RequestRefused, UnsupportedByBroker
from tenure.limits.web import BODY_BYTES_MAX, SESSION_S
from tenure.web import templates
from tenure.web.access import COOKIE, HEADERS, FormTokens, LoginSessions, is_for_loopback, is_from_here
from tenure.web.changes import CHANGES, Change, Form, Question, Refused
from tenure.web.event_stream import EventStreams
from tenure.web.observation.cluster_watch import ClusterWatch
from tenure.web.pages.page import NotFound, Page, Unusable
from tenure.web.parts import Part, Parts, first_parts
from tenure.web.templates import link, macro
from tenure.web.vega_script import VegaScript

NAVIGATION: Final = (
    ("/", "Groups"),
    ("/topics", "Topics"),
    ("/transactions", "Transactions"),
    ("/pipelines", "Pipelines"),
)
STATIC: Final = {
    "style.css": "text/css",
    "page.js": "text/javascript",
    "charts.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
OPEN_PATHS: Final = ("/login", "/static/style.css", "/static/icon.svg")
"""Paths that a browser may load before the login."""


class Dashboard:
    """Handlers of the dashboard's URLs.

    Args:
        admin: Connections to the cluster.
        watch: Observations of the cluster's groups.
        cluster: Address of the cluster, to show on the pages.
        pages: The pages.
        sessions: Sessions of logged-in users.
        changes_allowed: Whether pages offer changes.
        after_change: Function that is called after each change.
    """

    def __init__(
        self,
        admin: Admin,
        watch: ClusterWatch,
        cluster: str,
        pages: Sequence[Page],
        sessions: LoginSessions,
        *,
        changes_allowed: bool,
        after_change: Callable[[], None],
    ) -> None:
        self.streams: Final = EventStreams()
        self._admin: Final = admin
        self._watch: Final = watch
        self._cluster: Final = cluster
        self._sessions: Final = sessions
        self._tokens: Final = FormTokens()
        self._vega: Final = VegaScript()
        self._after_change: Final = after_change
        routes = [
            *(Route(page.path, self._page_handler(page)) for page in pages),
            *(Route(f"/events{page.path}", self._events_handler(page)) for page in pages if page.is_live),
            *(Route(f"/static/{name}", _static_handler(name, kind)) for name, kind in STATIC.items()),
            Route("/static/vega.js", self._vega_script),
            Route("/login", self._login_page),
            Route("/login", self._login, methods=["POST"]),
            Route("/logout", self._logout, methods=["POST"]),
        ]
        if changes_allowed:
            routes += [Route("/change", self._preview), Route("/change", self._change, methods=["POST"])]
        self.application: Final = Starlette(
            routes=routes,
            exception_handlers={
                404: self._not_found,
                NotFound: self._not_found,
                Unusable: self._unusable,
                ClientError: self._unavailable,
            },
        )
        self.application.add_middleware(_Guard, dashboard=self)

    def is_permitted(self, request: Request) -> bool:
        """Return whether the sender of a request has logged in, or needs no login for this page."""
        return request.url.path in OPEN_PATHS or self._sessions.is_valid(_session(request))

    def is_expected(self, request: Request) -> bool:
        """Return whether the Host header of a request names this host. Always True if a login is required.

        With a login, the check is not needed: a browser does not send the session's cookie to another host name.
        """
        return self._sessions.needed or is_for_loopback(request.headers)

    def _page_handler(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        async def show(request: Request) -> Response:
            query = dict(request.query_params)
            parts = await run_in_threadpool(self._parts, page, query)
            events = f"/events{page.path}?{request.url.query}" if page.is_live else ""
            if page.is_live and not self.streams.is_full:
                parts = first_parts(parts)  # The first event has all of them.
            return self._html(request, page.template, parts, title=page.title(query), events=events, query=query)

        return show

    def _events_handler(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        async def stream(request: Request) -> Response:
            if self.streams.is_full:
                return Response("Too many open pages: close some of them.", 503)
            self._vega.begin()  # A page is open in a browser, and one with a chart may follow.
            query = dict(request.query_params)
            events = self.streams.events(lambda: self._parts(page, query))
            return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

        return stream

    def _parts(self, page: Page, query: Mapping[str, str]) -> Parts:
        observations = self._watch.observations
        if not observations.problem:
            return page.parts(query)
        html = macro("_page.html", "problem", observations.problem, observations.problem_since_ms)
        return [Part("problem", "status", html), *page.parts(query)]

    async def _vega_script(self, _: Request) -> Response:
        headers = {"Content-Encoding": "gzip", "Cache-Control": "private, max-age=86400"}
        return Response(await run_in_threadpool(self._vega.gzipped), media_type="text/javascript", headers=headers)

    async def _preview(self, request: Request) -> Response:
        form = parse_qs(request.url.query)
        change = _change_of(form)
        try:
            preview = await run_in_threadpool(change.preview, self._admin, form)
        except Refused as error:
            return self._message(request, change.title, str(error), _back(form), 400)
        is_question = isinstance(preview, Question)
        return self._html(
            request,
            "change.html",
            title=change.title,
            form=form,
            question=preview if is_question else None,
            preview=None if is_question else preview,
            token=self._tokens.token(_session(request), _flat(form)),
            back=_back(form),
        )

    async def _change(self, request: Request) -> Response:
        form = await _form(request)
        token = form.pop("token", [""])[0]
        if not self._tokens.is_valid(_session(request), _flat(form), token):
            return self._message(
                request, "The change failed", "The form is out of date: open it again.", _back(form), 403
            )
        change = _change_of(form)
        try:
            sentence = await run_in_threadpool(change.apply, self._admin, form)
        except Refused as error:
            return self._message(request, "The change failed", str(error), _back(form), 409)
        finally:
            self._after_change()  # A change that failed in the end may have had effects.
        return self._message(request, change.title, sentence, _back(form), 200)

    async def _login_page(self, request: Request) -> Response:
        return self._html(request, "login.html", title="Log in", problem="")

    async def _login(self, request: Request) -> Response:
        form = await _form(request)
        try:
            token = self._sessions.login(form.get("password", [""])[0])
        except ValueError as error:
            return self._html(request, "login.html", title="Log in", problem=str(error), status=403)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            COOKIE,
            token,
            max_age=int(SESSION_S),
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer

    async def _logout(self, request: Request) -> Response:
        self._sessions.logout(_session(request))
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(COOKIE)
        return answer

    async def _not_found(self, request: Request, error: Exception) -> Response:
        sentence = str(error) if isinstance(error, NotFound) else "There is no such page."
        return self._message(request, "Not found", sentence, "/", 404)

    async def _unusable(self, request: Request, error: Exception) -> Response:
        back = link("/group", id=request.query_params.get("id", ""))
        return self._message(request, "The forecast cannot be computed", str(error), back, 400)

    async def _unavailable(self, request: Request, error: Exception) -> Response:
        if isinstance(error, UnsupportedByBroker):
            title = "The broker does not support this"
        else:
            title = (
                "The cluster refused a request" if isinstance(error, RequestRefused) else "The cluster does not answer"
            )
        return self._message(request, title, str(error), "/", 503)

    def _message(self, request: Request, title: str, sentence: str, back: str, status: int) -> Response:
        return self._html(request, "message.html", title=title, sentence=sentence, back=back, status=status)

    def _html(
        self, request: Request, template: str, parts: Parts = (), *, status: int = 200, **values: Any
    ) -> Response:
        logged_in = self._sessions.needed and self._sessions.is_valid(_session(request))
        html = templates.page(
            template,
            parts,
            navigation=NAVIGATION if logged_in or not self._sessions.needed else (),
            current=request.url.path,
            cluster=self._cluster if logged_in or not self._sessions.needed else "",
            login=logged_in,
            **values,
        )
        return HTMLResponse(html, status, headers={"Cache-Control": "no-store"})


class _Guard:
    """Middleware that rejects forms of other sites, requires a login, and adds the security headers."""

    def __init__(self, app: Any, dashboard: Dashboard) -> None:
        self._app: Final = app
        self._dashboard: Final = dashboard

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            await send(message)

        refusal = self._refusal(request)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        if not self._dashboard.is_expected(request):
            return Response("Refused: the Host header does not name this host. Open the page under localhost.", 400)
        if request.method == "POST" and not is_from_here(request.headers, request.url.scheme):
            return Response("Refused: the form was not sent by a page of this dashboard.", 403)
        if not self._dashboard.is_permitted(request):
            return (
                Response("Log in first.", 401) if request.url.path.startswith("/events") else RedirectResponse("/login")
            )
        return None


def _session(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


async def _form(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form. Raises HTTPException if it is too large."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > BODY_BYTES_MAX:
            raise HTTPException(413, f"The form has more than {BODY_BYTES_MAX:,} bytes.")
    return parse_qs(body.decode(errors="replace"))


def _change_of(form: Form) -> Change:
    """Return the kind of change that a form requests. Raises NotFound."""
    (kind, *_) = form.get("kind") or [""]
    if kind not in CHANGES:
        raise NotFound(f"Unknown change '{kind}'.")
    return CHANGES[kind]


def _flat(form: Form) -> dict[str, str]:
    return {name: "\0".join(values) for name, values in form.items()}


def _back(form: Form) -> str:
    return link("/group", id=form["group"][0]) if form.get("group") else "/transactions"


def _static_handler(name: str, kind: str) -> Callable[[Request], Awaitable[Response]]:
    content = files("tenure.web").joinpath("static", name).read_bytes()

    async def static(_: Request) -> Response:
        return Response(content, media_type=kind, headers={"Cache-Control": "private, max-age=300"})

    return static
