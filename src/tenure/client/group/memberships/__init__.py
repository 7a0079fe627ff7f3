"""Memberships of classic and consumer groups as state machines: answers and time in, requests and events out."""
