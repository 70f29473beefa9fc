"""The values, messages and ports that everything else is made of. Imports nothing of gyoji's."""
