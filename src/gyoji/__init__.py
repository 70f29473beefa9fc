"""gyoji: the referee for programs that play games."""

__version__ = "0.2.0"
