"""The owner's side of a remote player: `gyoji join` starts the engine here and connects it to an event."""
