"""Control files, which describe competitions. `gyoji.config.competition.load` reads them."""
