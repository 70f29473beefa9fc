"""The values, messages and ports that all other packages use. It imports no other package of gyoji."""
