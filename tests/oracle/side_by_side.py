"""One group on both sides, and what was said of it: what the lives of either kind of group have in common."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, Final

from tests.oracle.side import Session

ERROR: Final = re.compile(r"error_code=(-?\d+)")


class SideBySide(ABC):
    """`told` is the common story, as long as it is common; then `difference` says what is not."""

    def __init__(self, life: Any, name: str) -> None:
        self.life = life
        self.name = name
        self.told: list[str] = []
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

    def story(self) -> str:
        return "\n".join([f"{self.name} {self.life[1:]}", *self.told, self.difference])

    def close(self) -> None:
        for session in self.sessions:
            session.close()
