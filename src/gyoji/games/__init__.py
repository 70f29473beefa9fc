"""The games that come with gyoji, one package for each."""
