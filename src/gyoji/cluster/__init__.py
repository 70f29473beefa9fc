"""Runs on several machines (hosts). On each of them an agent process plays games, and dask connects it to the
run.
"""
