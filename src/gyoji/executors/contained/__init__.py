"""Containment of engines. This module imports nothing, since the launcher is to stay small."""
