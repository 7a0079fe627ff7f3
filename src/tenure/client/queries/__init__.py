"""Requests about groups, partitions and configs that need no membership."""
