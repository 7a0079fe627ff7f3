"""The command `tenure`."""

import sys


def main() -> None:
    """`tenure serve` is up in a blink because it loads nothing of the other commands."""
    if sys.argv[1:2] == ["serve"]:
        from tenure.cli.serve import main as serve

        sys.exit(serve(sys.argv[2:]))
    from tenure.cli.app import app

    app()
