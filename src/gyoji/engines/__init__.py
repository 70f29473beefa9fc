"""The engines that come with gyoji, and helpers to write others. The referee imports none of these
modules.
"""
