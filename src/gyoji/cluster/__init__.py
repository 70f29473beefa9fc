"""Pools of several machines: agents on hosts, connected by dask."""
