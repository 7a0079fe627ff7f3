"""HTML templates of the pages. All text is escaped, because clients choose names, which may be hostile."""

from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tenure.web.parts import Parts


def count(value: float | None) -> str:
    """Return a number with thousands separators; a dash if it is unknown."""
    return "–" if value is None else f"{value:,.0f}"


def signed(value: float) -> str:
    """Return a rate as text that begins with + or -."""
    return f"{value:+,.0f}"


def time(at_ms: int | None) -> Markup:
    """Return a time of day in UTC with the date as a tooltip; a dash if it is unknown."""
    if not at_ms:
        return Markup("–")
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return Markup('<time datetime="{}" title="{} UTC">{}</time>').format(
        at.isoformat(), f"{at:%Y-%m-%d %H:%M:%S}", f"{at:%H:%M:%S}"
    )


def duration(of_ms: float | None) -> str:
    """Return a duration with a suitable unit; a dash for None."""
    if of_ms is None:
        return "–"
    for unit, length_ms in (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)):
        if of_ms >= length_ms:
            return f"{of_ms / length_ms:,.1f} {unit}"
    return f"{of_ms:,.0f} ms"


def link(path: str, **query: str) -> str:
    """Return the address of a page with the given fields in its query string."""
    return f"{path}?{urlencode(query)}" if query else path


ENVIRONMENT: Final = Environment(
    loader=PackageLoader("tenure.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)
ENVIRONMENT.filters |= {"count": count, "signed": signed, "time": time, "duration": duration}
ENVIRONMENT.globals |= {"link": link}


def macro(template: str, name: str, *arguments: Any) -> str:
    """Return the HTML that a macro of a template renders."""
    return str(getattr(ENVIRONMENT.get_template(template).module, name)(*arguments)).strip()


def page(template: str, parts: Parts = (), **values: Any) -> str:
    """Return the HTML of a whole page. In the template, `within(ID)` is the HTML of the parts in that container."""

    def within(container: str) -> Markup:
        return Markup("\n".join(part.html for part in parts if part.container == container))

    return ENVIRONMENT.get_template(template).render(within=within, **values)
