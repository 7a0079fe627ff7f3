"""Error of a check that finds an invariant violated."""


class Broken(AssertionError):
    def __init__(self, invariant: str, what: object) -> None:
        super().__init__(f"{invariant}: {what}")
        self.invariant = invariant
