"""Options of the commands that have many options. The commands are in modules of their own."""
