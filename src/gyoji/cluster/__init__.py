"""Pools of several machines: agents on hosts, connected by ssh or a command like it."""
