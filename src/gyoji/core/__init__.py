"""Values, messages, exceptions and ports for all other packages. `core` imports no other package of gyoji."""
