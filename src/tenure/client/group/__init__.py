"""Membership in a group: state machines without I/O, the runner that connects them to a broker, and commits."""
