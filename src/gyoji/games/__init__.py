"""The games that come with gyoji, a package each."""
