"""The owner's side of a remote player: `gyoji join` starts the engine on this machine, and connects it to an
event.
"""
