"""The command `tenure`."""

import sys


def main() -> None:
    """Run the command. For a fast start, only the modules of the called command are imported."""
    if sys.argv[1:2] == ["serve"]:
        from tenure.cli.serve import main as serve

        sys.exit(serve(sys.argv[2:]))
    from tenure.cli.pipeline.early_java import early_java

    with early_java(sys.argv[1:]):
        from tenure.cli.command_line import command_line

        command_line(*sys.argv[1:2])()
