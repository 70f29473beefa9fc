"""Durable results beside the control file: the files of a competition, its lock, its database.

The database is the only state. A competition resumes by folding the stored games.
"""
