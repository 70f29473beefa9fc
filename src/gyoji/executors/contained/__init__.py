"""Engines that are contained. This imports nothing: the launcher is to stay small."""
