"""The pool of several machines: a run here, agents on hosts that play games, and what connects them."""
