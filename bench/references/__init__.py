"""Our figures beside those of programs that others wrote: see `__main__`."""
