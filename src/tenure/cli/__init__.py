"""The command `tenure`."""

import sys


def main() -> None:
    """Run the command. `tenure serve` loads nothing of the other commands, so that it starts fast."""
    if sys.argv[1:2] == ["serve"]:
        from tenure.cli.serve import main as serve

        sys.exit(serve(sys.argv[2:]))
    from tenure.cli.app import app

    app()
