"""Competitions as pages that can be watched, and as JSON for other programs: `gyoji serve`.

The server is a reader. What has been played it takes from the stores, what is being played from the feeds of
the runs (`gyoji.scheduler.feed`); it owns neither, and a run neither knows nor waits for it. Positions are
made here: the browser draws, and judges nothing. Needs the extra `gyoji[web]`.
"""
