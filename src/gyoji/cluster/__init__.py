"""Runs on several machines (hosts), on each of which an agent process plays games; dask connects them."""
