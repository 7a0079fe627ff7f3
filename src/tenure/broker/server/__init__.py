"""Sockets and connections, and the dispatch of frames to handlers."""
