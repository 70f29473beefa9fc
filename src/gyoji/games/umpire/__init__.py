"""Games whose rules are a program, the umpire, in any language: its protocol, and what becomes of a game.

The protocol is described in docs/reference/umpire-protocol.md.
"""
