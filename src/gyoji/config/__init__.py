"""Control files: `gyoji.config.competition.load` reads them."""
