"""Membership in a group: both protocols without I/O, the runner that connects them to a broker, and commits."""
