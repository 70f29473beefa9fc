"""Players that come with gyoji, and helper modules for writing engines in Python. The referee imports none of
them.
"""
