"""Values of the broker's keys: valid words, and parsers of values that only single keys have.

The parsers are those of `ConfigKey.parse`: they raise ValueError with a noun phrase that completes "must be".
"""

from typing import Final, NamedTuple

from tenure.config_keys import whole

STANDARD_AUTHORIZER: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
COMPRESSIONS: Final = ("producer", "uncompressed", "gzip", "snappy", "lz4", "zstd")
DURABILITIES: Final = ("memory", "os", "fsync")
TIMESTAMP_TYPES: Final = ("CreateTime", "LogAppendTime")
POLICIES: Final = frozenset({"delete", "compact"})


class AddressLimit(NamedTuple):
    """Maximum number of open connections of one address."""

    address: str
    limit: int

    def __str__(self) -> str:
        return f"{self.address}:{self.limit}"


NO_ADDRESSES: Final[tuple[AddressLimit, ...]] = ()


def limits_by_address(value: object) -> tuple[AddressLimit, ...]:
    """Parse a comma-separated list of ADDRESS:NUMBER. The last colon ends the address, so the address may be IPv6."""
    from ipaddress import ip_address  # rarely needed

    found: list[AddressLimit] = []
    try:
        for entry in str(value).split(",") if str(value).strip() else ():
            address, _, limit = entry.strip().rpartition(":")
            found.append(AddressLimit(str(ip_address(address)), whole()(limit)))
    except ValueError:
        raise ValueError("comma-separated ADDRESS:NUMBER, with numeric addresses") from None
    return tuple(found)


def principals_in(text: str) -> list[str]:
    """Return the principals in a text. Semicolons separate them, because names in certificates contain commas."""
    return [principal.strip() for principal in text.split(";") if principal.strip()]


def principals(value: object) -> str:
    """Return a list of principals as text, if it is valid; it may be empty. Raises ValueError."""
    if not isinstance(value, str) or not all(principal.partition(":")[2] for principal in principals_in(value)):
        raise ValueError("principals such as User:admin, separated by semicolons")
    return value.strip()


def cleanup_policies(value: object) -> str:
    """Return a value of `cleanup.policy` unchanged, if it is valid; the list may be empty. Raises ValueError."""
    if not isinstance(value, str) or (value and not POLICIES.issuperset(item.strip() for item in value.split(","))):
        raise ValueError("delete, compact, or both with a comma between them")
    return value
