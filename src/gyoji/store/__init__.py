"""The stored results of a competition, in files beside the control file: names of files, lock, database.

The database is the only state. A competition resumes by adding the stored games again.
"""
