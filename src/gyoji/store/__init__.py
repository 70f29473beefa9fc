"""Durable results beside the control file: the files of a competition, its lock, its database.

The database is the only state there is: a competition resumes by folding what is stored here.
"""
