"""Runs on several machines (hosts), which are reached by ssh or a command like it."""
