"""Fishtest's statistics of results: a line "model elo0 elo1 alpha beta counts" in, its figures out.

Needs scipy. The folder `server` of a checkout of github.com/official-stockfish/fishtest is given. A line out:
the LLR, Elo, half of its 95 % interval, the likelihood of superiority, and after a test that stopped the
unbiased Elo, the bounds of its 95 % interval, the likelihood of superiority; of BayesElo the LLR alone.
"""

import sys

sys.path.insert(0, sys.argv[1])

from fishtest.stats import LLRcalc, stat_util
from fishtest.stats.sprt import sprt

for line in sys.stdin:
    model, *numbers = line.split()
    elo0, elo1, alpha, beta = map(float, numbers[:4])
    counts = list(map(int, numbers[4:]))
    if model == "bayesian":
        results = dict(zip(("losses", "draws", "wins"), counts, strict=True))
        state = stat_util.SPRT(alpha=alpha, beta=beta, elo0=elo0, elo1=elo1, elo_model="BayesElo")
        stat_util.update_SPRT(results, state)
        print(repr(float(state["llr"])))
        continue
    llr = {"normalized": LLRcalc.LLR_normalized, "logistic": LLRcalc.LLR_logistic}[model](elo0, elo1, counts)
    walk = sprt(alpha=alpha, beta=beta, elo0=elo0, elo1=elo1, elo_model=model)
    walk.set_state(counts)
    fair = walk.analytics()
    told = (llr, *stat_util.get_elo(counts), fair["elo"], *fair["ci"], fair["LOS"])
    print(*(repr(float(each)) for each in told))
