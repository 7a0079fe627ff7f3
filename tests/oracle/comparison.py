"""Comparison of one group on both brokers: the part that classic and consumer groups have in common."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, Final

from tests.oracle.side import Session

ERROR: Final = re.compile(r"error_code=(-?\d+)")


class Comparison(ABC):
    """Requests and answers of one history. `transcript` ends with the first difference, which is in `difference`."""

    def __init__(self, history: Any, name: str) -> None:
        self.history = history
        self.name = name
        self.transcript: list[str] = []
        self.asks: list[str] = []
        self.answers: list[str] = []
        self.difference = ""

    @property
    @abstractmethod
    def sessions(self) -> tuple[Session, Session]: ...

    def logs(self) -> list[list[str]]:
        return [session.log(self.name) for session in self.sessions]

    @staticmethod
    def succeeded(answer: str) -> bool:
        return all(code == "0" for code in ERROR.findall(answer))

    def report(self) -> str:
        return "\n".join([f"{self.name} {self.history[1:]}", *self.transcript, self.difference])

    def close(self) -> None:
        for session in self.sessions:
            session.close()
