"""Containment of engines in sandboxes.

This module imports nothing, since the launcher process is to stay small.
"""
