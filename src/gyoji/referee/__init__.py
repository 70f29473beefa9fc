"""The referee of one game as a state machine: turns, clocks and faults. It does no I/O and reads no clock."""
