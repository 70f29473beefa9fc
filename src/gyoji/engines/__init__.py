"""Small real engines, and what one needs to write another. Nothing that referees imports this."""
