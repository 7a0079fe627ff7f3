"""Options of commands that have many, apart from the commands."""
