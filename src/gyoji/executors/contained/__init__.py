"""Containment of engines in sandboxes.

This module imports nothing, so that the launcher process stays small.
"""
