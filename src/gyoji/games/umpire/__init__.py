"""Games whose rules are a program in any language, the umpire: its protocol, and the port `Rules` for it.

The protocol is described in docs/reference/umpire-protocol.md.
"""
