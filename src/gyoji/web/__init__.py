"""The web server of `gyoji serve`: competitions as pages for browsers, and as JSON for other programs.

The server is a reader. It takes finished games from the stores, and games in progress from the event feeds of
the runs (`gyoji.scheduler.feed`). A run neither knows of the server nor waits for it. Positions are computed
here; the browser only draws them. Needs the extra `gyoji[web]`.
"""

# Theory of operation
#
# One process, one asyncio loop. Work that reads a store or makes tables runs in threads (`answers.reading`).
#
#     stores (SQLite)      runs (unix sockets)             browsers, scripts
#          |                      |                             ^      |
#          v                      v                             |      v
#     ResultsCache ------> WatchedCompetition -- Broadcast -- app: routes of the site
#     (results_cache)      (watched), one for    (SSE)          |
#                          each control file                    |-- values, judging, pages: stored games
#                                |                              |-- new_game_routes, hosting: games begun here
#                                '-- LiveGame (live), one       |-- chat, presence, qr_codes: people by a game
#                                    for each game in progress  |-- analysing: by `gyoji analyse`, one at once
#                                                               |-- organiser, run_control: needs the token
#                                                               '-- seat_links: needs the link of a seat
#
# Hub (`hub`) finds control files in the served files and folders, and keeps a WatchedCompetition for each.
# The kernel reports changes of these folders; nothing is polled.
#
# Pictures are made in three places, all as the same values (`report/html/games.py`, "frames" and "turns"), so
# that one viewer in the browser (report/html, and static/painter.js for many boards) draws them:
#
#   stored game        values.stored_game: the record is replayed by the rules
#   game in progress   live.LiveGame: each turn that the run reports is replayed when it comes
#   a person's seat    the worker draws what the seat may see (protocols/human.py); the server only forwards
#                      it. A person's page merges these events with those of the game (static/play.js): it
#                      leaves out what the seat must not know
#
# Who may do what:
#
#   anybody            reads everything except hidden moves and, while an engine that plays may reach this
#                      server (`WatchedCompetition.is_overheard`), the thoughts of engines that play
#   seat link          plays, and hears the events of one seat. The link is an HMAC of the competition's
#                      secret, so it survives a restart of the server (`seat_links`)
#   organiser token    starts and stops runs, judges, uploads engines. Drawn at each start (`run_control`)
#
# No URL that is sent has a secret: links carry it in the fragment, scripts in a header. Event streams, for
# which a browser sends no header, use a ticket in the URL, with which one can only listen.
#
# What may go wrong: a run ends (its socket closes; the WatchedCompetition reads the store again), a store
# is damaged or locked (`trouble`, shown on the page, 503), a reader is slow (it is dropped and comes again
# with the number of its last event), thousands connect (`listening`).
