"""The stored results of a competition, in files beside the control file: names of files, lock, database.

The database has the whole state of a competition, except the revoked links of human and remote players
(`taken_back`). A competition resumes by adding the stored games again.
"""
