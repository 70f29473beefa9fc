"""Every sentence of docs/explanation/security.md is held by tests, which are named here.

A sentence that is new or has another beginning fails until it has a line in the tables below. The section
"What nothing stops" promises nothing. The tables between marks are held by `tests/hostile/test_hostile.py`.
"""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from bench.misbehaving.engine import BEHAVIOURS

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs/explanation/security.md"

CELLS = "tests/executors/test_cells.py::"
FILTERS = "tests/hostile/test_filters.py::"
GROUPS = "tests/executors/test_cgroups.py::"
LAYERS = "tests/executors/test_containment_layers.py::"
PROMISES = "tests/executors/test_promises.py::"
SCRATCH = "tests/play/test_scratch.py::"
TEXTS = "tests/hostile/test_texts.py::"
TOLD = "tests/cli/test_cli_containment.py::"
UIDS = "tests/executors/test_uids.py::"

CONTAINED = (
    "tests/hostile/test_hostile.py::test_a_contained_engine_reaches_nobody_and_its_games_are_as_without"
)
UNCONTAINED = "tests/hostile/test_hostile.py::test_an_engine_that_is_not_contained_could_do_most_of_it"
WITHOUT = (
    "tests/hostile/test_hostile.py::"
    "test_without_a_layer_as_much_is_stopped_as_the_page_says_or_the_level_refuses"
)
SPOILT = (
    "tests/hostile/test_hostile.py::"
    "test_an_engine_that_spoils_what_contains_it_plays_its_next_game_all_the_same"
)
STARTED = "tests/hostile/test_hostile.py::test_an_engine_does_not_keep_others_from_being_started"
EVENT = (
    "tests/hostile/test_event.py::test_engines_that_try_everything_in_an_event_reach_nobody_and_win_nothing"
)
GREEDY = (
    "tests/hostile/test_event.py::"
    "test_who_takes_gigabytes_or_a_hundred_thousand_files_loses_its_games_and_nobody_else"
)
SIGHT = "tests/hostile/test_sight.py::test_an_engine_sees_its_own_files_and_none_that_are_for_others"
READABLE = (
    "tests/hostile/test_sight.py::test_a_strict_engine_sees_what_readable_names_beside_the_control_file"
)
NAMED = (
    "tests/config/test_named.py::test_what_is_named_for_the_competition_or_another_player_is_not_for_this_one"
)
LOOPBACK = f"{PROMISES}test_an_engine_has_nothing_but_loopback_unless_its_player_may_use_the_network"
HOME_SOCKET = f"{PROMISES}test_sockets_in_the_home_of_its_user_are_no_use_to_an_engine"
NO_RIGHTS = f"{PROMISES}test_no_engine_and_no_program_that_it_starts_has_a_capability"
CHILD = (
    f"{PROMISES}test_an_engine_and_its_first_child_may_open_fewer_files_than_gyoji_and_at_strict_small_ones"
)
ROOM = f"{PROMISES}test_a_group_has_room_for_the_cell_and_for_a_little_more_memory_than_the_player_may_use"
COPIES = f"{PROMISES}test_its_copies_stay_for_the_next_engine_of_a_player_and_for_nobody_else"
OWN_FOLDERS = f"{CELLS}test_a_guarded_engine_changes_its_own_folders_and_nothing_else"
OUT_OF_SIGHT = f"{CELLS}test_the_files_of_the_competition_are_out_of_sight"
OTHERS_FOLDERS = f"{CELLS}test_the_folders_of_other_engines_are_out_of_sight"
BEYOND = f"{CELLS}test_what_reaches_beyond_its_processes_is_refused"
PACKAGE = f"{CELLS}test_a_strict_engine_reads_its_own_package_and_reaches_no_network"
HOME = f"{CELLS}test_a_guarded_engine_writes_to_a_private_copy_of_its_users_home"
CRASH = f"{CELLS}test_a_crash_starts_no_program_of_the_machine_and_no_priority_is_above_others"
MOUNTED = f"{CELLS}test_what_is_mounted_gives_no_rights_and_has_no_devices_but_those_that_are_wanted"
PROCESSES = f"{CELLS}test_the_kernel_limits_the_processes_of_an_engine_wherever_it_counts_them"
STRICT_SOCKETS = f"{CELLS}test_a_strict_engine_has_sockets_of_its_own_and_sees_nothing_but_the_system"
TMP_SOCKETS = f"{CELLS}test_sockets_among_the_temporary_files_of_others_are_no_use_to_a_guarded_engine"
ENDS = f"{CELLS}test_all_that_an_engine_has_started_ends_with_it"
REFUSES = f"{CELLS}test_strict_is_refused_where_the_machine_cannot_hold_it"
CELL_KILLED = f"{CELLS}test_an_engine_that_ends_with_its_cell_is_told_from_one_that_was_killed"
SET_IDS = f"{FILTERS}test_no_call_sets_a_set_uid_bit_and_each_sets_all_other_modes"
ABSENT = f"{FILTERS}test_calls_whose_orders_are_in_memory_and_calls_not_judged_yet_do_not_exist"
FAMILIES = f"{FILTERS}test_only_families_and_protocols_that_a_program_needs_are_to_be_had"
NO_WAITING = f"{FILTERS}test_no_command_of_fcntl_makes_the_readers_of_a_file_wait"
UNNEEDED = f"{FILTERS}test_what_no_engine_needs_is_refused_and_to_strangers_a_look_into_processes_too"
OTHER_TABLE = f"{FILTERS}test_calls_by_another_table_end_the_process"
ANSWERS = "tests/hostile/test_kernel_table.py::test_the_filter_answers_every_call_as_the_table_says"
KEEPS = f"{UIDS}test_where_a_file_that_it_needs_is_roots_alone_it_keeps_the_uid_and_says_so"
OWN_USERS = f"{UIDS}test_engines_of_root_are_one_user_each_and_root_to_themselves"
MAPPED = f"{UIDS}test_what_it_writes_in_folders_that_are_its_own_is_the_users_on_the_disk"
BLAME = f"{GROUPS}test_only_with_evidence_is_another_to_blame_for_a_lack_of_memory"
LEAP = f"{GROUPS}test_who_leaps_over_its_limit_of_memory_is_ended_and_its_next_engine_is_not_blamed"
NO_GROUP_LEFT = f"{GROUPS}test_no_group_is_left_by_a_worker_that_ends_or_is_killed"
ABANDONED = f"{GROUPS}test_only_groups_whose_makers_have_certainly_ended_are_removed"
ELSEWHERE = f"{GROUPS}test_a_run_in_another_pid_namespace_leaves_our_groups_alone_and_makes_its_own"
LOOKED_FOR = f"{GROUPS}test_control_groups_are_looked_for_where_we_may_have_some"
LIMITS_TOLD = f"{TOLD}test_one_line_tells_what_limits_all_that_an_engine_starts"
UIDS_TOLD = f"{TOLD}test_one_line_tells_whose_engines_have_no_uid_of_their_own"
BY_LAYER = f"{TOLD}test_what_this_machine_has_is_told_by_layer_and_by_level"
REPORTED = "tests/report/test_report_tables.py::test_players_are_told_by_how_they_were_contained"
OWN_DOING = (
    "tests/play/test_link.py::test_the_end_of_an_engine_is_its_own_doing_unless_there_is_evidence_of_another"
)
PROCESS_OF_OURS = (
    "tests/play/test_link.py::"
    "test_an_engine_that_ended_with_a_process_of_ours_has_lost_nothing_unless_it_used_up_memory"
)
OVER_LIMIT = "tests/play/test_limits.py::test_who_uses_more_than_the_limit_has_lost_with_figure_and_limit"
SERVER = "tests/web/test_engines_outside.py::test_an_engine_reaches_neither_server_nor_run_nor_secrets"
THOUGHTS = (
    "tests/web/test_engines_outside.py::"
    "test_while_an_engine_may_use_the_network_thoughts_are_told_to_holders_of_a_secret_alone"
)
OBEYS = "tests/scheduler/test_control.py::test_a_run_obeys_its_user_and_root"
SILENT = "tests/web/test_listening.py::test_who_owes_a_request_for_too_long_loses_the_connection"
UNREAD = "tests/web/test_listening.py::test_who_takes_nothing_for_a_while_loses_the_connection"
GIVES_RIGHTS = f"{SCRATCH}test_what_contained_engines_leave_gives_nobody_the_rights_of_its_owner"
HELD_LOCK = f"{SCRATCH}test_a_lock_that_another_program_keeps_is_not_waited_for_without_end"
SCRIPT_PIPE = f"{CELLS}test_a_pipe_in_the_place_of_a_script_is_not_waited_for"
FILE_PIPE = "tests/store/test_filesystem.py::test_a_pipe_in_the_place_of_a_file_is_not_waited_for"
KILLS = (
    "tests/system/test_kills.py::test_kills_from_the_scheduler_down_to_cells_change_no_game_and_leave_nothing"
)
KILLED = "tests/system/test_kills.py::test_whoever_is_killed_every_game_is_recorded_once_and_nothing_is_left"
LEGIBLE = "tests/core/test_legible.py::test_what_does_something_to_who_reads_it_is_escaped"
NO_ACTIVE = f"{TEXTS}test_no_file_and_no_command_has_a_character_that_does_something"
NO_MARKUP = f"{TEXTS}test_a_page_has_no_markup_of_an_engine"

CHEATS = "tests/play/test_remote_cheats.py::"
SEATS = "tests/play/test_remote_seats.py::"
REMOTE = "tests/web/test_remote_players.py::"
OWNERS = "tests/web/test_remote_owners.py::"
EVENTS = "tests/web/test_remote_events.py::"
OWN_PLAYER = (
    "tests/remote/test_owner_check.py::test_of_the_server_s_player_only_what_the_game_needs_is_obeyed"
)
OWN_VARIABLES = "tests/remote/test_owner_check.py::test_an_event_sets_no_variables_but_those_about_the_game"

HELD = {
    # What gyoji promises
    "An engine above `off` can change nothing": (CONTAINED, EVENT, OWN_FOLDERS, OUT_OF_SIGHT),
    "It reaches no network unless": (LOOPBACK, SERVER),
    "At `strict` it also reads nothing but": (CONTAINED, PACKAGE, CHILD),
    "Whatever an engine tries, its opponents": (CONTAINED, EVENT, GREEDY),
    "At `off` an engine can do whatever": (UNCONTAINED,),
    "| an engine |": (CONTAINED, EVENT),
    "| a package": (
        "tests/play/test_package.py::test_what_no_package_may_have_is_refused_and_nothing_is_written",
        "tests/play/test_package.py::test_a_bomb_is_refused_before_it_goes_off",
        f"{PROMISES}test_an_engine_does_not_change_the_package_that_its_program_was_unpacked_from",
    ),
    "| a control file in TOML": (
        "tests/config/test_config_errors.py::test_a_mistake_is_told_with_its_line_its_key_and_what_was_expected",
    ),
    "| a control file in Python": (
        "tests/config/test_ctl_file.py::test_a_matchups_list_may_be_made_by_a_loop_and_lines_are_those_of_the_calls",
    ),
    "| a record, an opening file": (
        "tests/sgf/test_sgf_grammar.py::test_what_is_no_sgf_is_refused_with_its_place",
        "tests/sgf/test_sgf_grammar.py::test_a_file_may_be_a_fifty_thousand_nodes_deep",
        "tests/config/test_openings_setting.py::test_a_huge_file_is_not_read_to_its_end",
        "tests/web/test_browser_hostile.py::test_nothing_that_somebody_wrote_runs_or_loads_anything_on_any_page",
    ),
    "| a visitor of": (
        SILENT,
        UNREAD,
        "tests/web/test_answers.py::test_nothing_that_players_do_not_see_is_told_before_the_game_is_over",
    ),
    "| another user of the machine": (
        f"{SCRATCH}test_a_folder_of_a_run_is_open_to_its_user_alone_whatever_the_umask",
        "tests/scheduler/test_control.py::test_only_the_user_can_connect_whatever_the_umask",
        OBEYS,
        "tests/referee/test_lateness.py::test_a_loss_on_time_says_what_was_not_the_engines_own_doing",
    ),
    # How an engine is contained
    "It gives up its rights for good": (NO_RIGHTS, CONTAINED),
    "Everything that the engine starts": (NO_RIGHTS, ENDS),
    "| users, processes, mounts": (CONTAINED, WITHOUT),
    "| network: a namespace": (LOOPBACK, WITHOUT),
    "| `/proc`, `/dev`": (BEYOND, f"{CELLS}test_shared_memory_of_the_machine_is_left_alone"),
    "| files that are not the engine's": (OWN_FOLDERS, HOME, TMP_SOCKETS, PACKAGE),
    "| files of the competition": (OUT_OF_SIGHT, OTHERS_FOLDERS, BEYOND),
    "| what the control file names": (SIGHT, NAMED),
    "| the control file's folder": (SIGHT, READABLE, OUT_OF_SIGHT),
    "| Landlock": (
        f"{CELLS}test_guarded_holds_by_landlock_alone_where_there_are_no_namespaces",
        WITHOUT,
    ),
    "| filter of system calls": (SET_IDS, NO_WAITING, FAMILIES, UNNEEDED),
    "| capabilities, new rights": (NO_RIGHTS, MOUNTED),
    "| the user, if gyoji runs as root": (OWN_USERS,),
    "| limits of each process": (CHILD, CRASH, PROCESSES),
    "| limits of all processes together": (ROOM, LEAP),
    "A machine may lack some": (LAYERS + "test_a_level_lacks_what_it_promises_and_no_layer_gives",),
    "`gyoji run` says so at the start": (
        f"{TOLD}test_one_line_tells_the_levels_and_what_is_missing",
        BY_LAYER,
        LAYERS + "test_a_layer_that_is_missing_is_told",
    ),
    "At `strict`, gyoji plays nothing": (REFUSES, WITHOUT),
    # Files
    "At `guarded` an engine can read": (CONTAINED, SIGHT),
    "It finds the files that its own command": (SIGHT, NAMED),
    "If it writes in your home": (HOME, OUT_OF_SIGHT, SIGHT),
    "Its copy of `/tmp` is in memory": (
        f"{CELLS}test_what_an_engine_keeps_in_its_copy_of_tmp_is_memory_of_its_own_and_few_files",
    ),
    "At `strict` an engine sees nothing of": (CONTAINED, STRICT_SOCKETS, PACKAGE, READABLE),
    "It cannot read all of `/etc`": (CONTAINED, PACKAGE),
    "Its package is the folder": (
        f"{CELLS}test_the_package_of_a_program_is_its_prefix_its_interpreter_and_what_its_python_names",
        f"{CELLS}test_a_program_s_own_folder_belongs_to_it_but_not_a_home_nor_that_of_the_event",
    ),
    "If its working folder is the control file's": (
        SIGHT,
        f"{CELLS}test_a_strict_engine_that_works_in_the_folder_of_the_event_finds_its_files_and_not_the_events",
    ),
    "If a program misses a file": (
        "tests/play/test_startup_check.py::test_a_file_of_the_folder_that_is_out_of_sight_is_one_to_be_read",
    ),
    "The files of a competition stay out of sight": (OUT_OF_SIGHT, EVENT),
    # Sockets and the network
    "An engine has a network of its own": (LOOPBACK,),
    "With `network = true` it has": (LOOPBACK,),
    "If an engine does not start because": (
        "tests/play/test_startup_check.py::test_who_fails_for_want_of_a_network_is_told_of_the_setting",
    ),
    "A process that sees a socket file": (CONTAINED,),
    "So at `strict` no socket": (CONTAINED, STRICT_SOCKETS, HOME_SOCKET),
    "At `guarded` those in `/run`": (
        f"{PROMISES}test_where_services_listen_is_out_of_sight_of_a_guarded_engine",
        HOME_SOCKET,
        TMP_SOCKETS,
    ),
    "Abstract sockets of the machine": (CONTAINED,),
    "The processes of an engine may use sockets": (STRICT_SOCKETS, BEYOND),
    "An engine can make sockets of UNIX": (FAMILIES, CONTAINED),
    "While a player with `network = true` plays": (THOUGHTS,),
    "The control socket of a run": (OBEYS, "tests/scheduler/test_control.py::test_an_engine_is_not_heard"),
    # The kernel
    "The filter refuses each system call": (UNNEEDED, ANSWERS),
    "Calls whose orders are in memory": (ABSENT,),
    "Neither do calls newer": (ABSENT,),
    "A call by another table": (OTHER_TABLE, CONTAINED),
    "[The kernel](../reference/kernel.md) has every": (
        "tests/hostile/test_kernel_table.py::test_every_system_call_of_the_kernels_headers_is_judged_once",
        "tests/hostile/test_kernel_table.py::test_every_test_that_the_tables_name_is_there_and_what_is_stopped_has_one",
        "tests/hostile/test_kernel_table.py::test_the_page_is_what_the_tables_say",
    ),
    "No engine has a capability": (NO_RIGHTS, CONTAINED),
    "What is mounted for an engine": (MOUNTED,),
    "An engine can neither signal": (
        CONTAINED,
        f"{CELLS}test_an_engine_names_no_process_of_others_to_be_signalled",
    ),
    # As root
    "If root runs gyoji, each engine runs": (OWN_USERS,),
    "Its uid is one that no other": (
        OWN_USERS,
        f"{UIDS}test_users_are_numbered_apart_from_all_that_systems_give",
    ),
    "In its user namespace the engine": (OWN_USERS,),
    "So `ssh`, wine and other programs": (OWN_USERS,),
    "Its own folders, its copy of your home": (
        MAPPED,
        f"{UIDS}test_it_has_its_copy_of_a_home_that_is_open_to_root_alone",
    ),
    "Everywhere else it has the rights": (CONTAINED, WITHOUT),
    "It cannot use `/etc/shadow`": (CONTAINED, WITHOUT),
    "A player's engines keep uid 0": (
        KEEPS,
        NO_RIGHTS,
        f"{UIDS}test_where_the_interpreter_of_its_program_is_roots_alone_it_keeps_the_uid",
    ),
    "gyoji tries again for each new engine": (
        f"{UIDS}test_once_the_file_is_open_to_it_its_next_engine_has_a_uid_of_its_own",
    ),
    "A control group that another program": (
        "tests/hostile/test_control_groups.py::"
        "test_an_engine_whose_group_is_attacked_is_contained_as_one_that_is_left_alone",
    ),
    "The first line of `gyoji run` names": (UIDS_TOLD, KEEPS, OWN_USERS, REPORTED),
    # Limits on all that an engine starts
    "A cell has the limits of its engines": (CONTAINED, CHILD),
    "Core files have a limit of 1 byte": (CRASH,),
    "An engine cannot change this limit": (
        f"{FILTERS}test_the_limit_of_core_files_stays_and_can_be_read",
        BEYOND,
        CRASH,
    ),
    "If an engine uses up the descriptors": (STARTED,),
    "The kernel limits all processes of an engine": (LEAP, LOOKED_FOR),
    "| groups of version 2": (LOOKED_FOR,),
    "| groups of version 1": (LOOKED_FOR,),
    "The group's memory limit is": (ROOM,),
    "If an engine grows slowly": (OVER_LIMIT,),
    "If it grows at once": (LEAP,),
    "In both cases the engine loses": (OVER_LIMIT, OWN_DOING, GREEDY),
    "Without control groups, gyoji measures": (LIMITS_TOLD, OVER_LIMIT),
    "The kernel then limits the number": (PROCESSES,),
    "`gyoji doctor`, the first line": (
        LIMITS_TOLD,
        LAYERS + "test_control_groups_are_told_of_with_their_version_and_controllers",
        LEAP,
    ),
    # Killed for want of memory
    "A contained engine that ends during a game": (OWN_DOING,),
    "There are two exceptions": (OWN_DOING, PROCESS_OF_OURS),
    "The game is void if the launcher": (PROCESS_OF_OURS, CELL_KILLED),
    "No engine can end these": (
        CONTAINED,
        CELL_KILLED,
        f"{CELLS}test_a_cell_that_ends_when_its_memory_is_used_up_excuses_no_engine",
    ),
    "The game is also void if": (BLAME, OWN_DOING),
    "The kernel counted that": (BLAME,),
    "The group had not reached": (BLAME,),
    "If `max_memory` is set, the group never": (BLAME,),
    "Another engine's group, or a session": (
        BLAME,
        f"{GROUPS}test_who_is_ended_because_another_has_the_memory_is_not_to_blame",
    ),
    "The reason of the void game": (BLAME, OWN_DOING),
    "Without control groups there is no such": (OWN_DOING, LEAP),
    # What waits or locks
    "The filter refuses the lease": (NO_WAITING, UNNEEDED, CONTAINED),
    "gyoji opens an engine's files without": (
        SCRIPT_PIPE,
        FILE_PIPE,
        f"{SCRATCH}test_a_pipe_in_the_place_of_a_program_is_a_breakdown_and_nothing_waits_for_it",
    ),
    "Mandatory locks need": (SET_IDS,),
    "gyoji waits for no ordinary lock": (
        HELD_LOCK,
        f"{SCRATCH}test_a_lock_of_another_program_on_the_folder_is_told_and_not_waited_for",
    ),
    "`gyoji serve` closes a connection": (SILENT, UNREAD),
    "When there are as many connections": (
        "tests/web/test_listening.py::test_a_thousand_silent_connections_keep_nobody_out",
        "tests/web/test_listening.py::test_a_thousand_event_streams_keep_nobody_out",
        "tests/hostile/test_silent_connections.py::"
        "test_a_thousand_connections_without_a_byte_keep_nobody_out_and_end_no_stream",
    ),
    # What happens to what stays
    "When an engine's game is over": (
        ENDS,
        f"{CELLS}test_the_next_engine_of_a_player_finds_its_cell_again_and_nothing_else",
        f"{SCRATCH}test_each_game_finds_folders_as_new_ones_are_and_empty_ones_stay",
    ),
    "Its copies of your home and": (COPIES,),
    "No other player's engine sees": (COPIES,),
    "Each cell has a control group": (NO_GROUP_LEFT,),
    "If gyoji is killed before it can clean up": (
        NO_GROUP_LEFT,
        ABANDONED,
        "tests/scheduler/test_reaper.py::test_the_reaper_ends_everything_when_its_pipe_closes_and_not_before",
        f"{SCRATCH}test_a_run_removes_what_an_earlier_one_has_left",
    ),
    "Whoever is killed, from the scheduler": (KILLS, KILLED),
    "Several runs may share one tree": (ELSEWHERE,),
    "The name of a group says": (ABANDONED, ELSEWHERE),
    "A run removes the groups it made": (ABANDONED, ELSEWHERE),
    "It leaves all others alone": (ABANDONED, ELSEWHERE),
    "What an engine leaves in a folder that lasts": (MAPPED,),
    "So the filter refuses these bits": (SET_IDS, CONTAINED),
    "When a worker ends, it looks": (
        GIVES_RIGHTS,
        "tests/store/test_filesystem.py::test_programs_that_give_rights_lose_them_if_they_have_changed_since",
    ),
    "gyoji follows no link": (
        "tests/store/test_filesystem.py::test_a_link_in_the_place_of_a_new_file_is_replaced",
        "tests/store/test_filesystem.py::test_no_link_is_followed_neither_in_removing_nor_in_measuring",
        "tests/store/test_filesystem.py::test_no_link_leads_a_look_for_rights_outside_and_folders_keep_their_group",
    ),
    # What engines tried
    "Two hostile engines": (CONTAINED, UNCONTAINED),
    "If the result differs for root": (CONTAINED, UNCONTAINED),
    "At `off` the attempts do no harm": (UNCONTAINED,),
    "The tests there compare": (CONTAINED, UNCONTAINED, WITHOUT),
    "At guarded and at strict, all games ended": (CONTAINED,),
    "Nothing outside changed": (CONTAINED,),
    "If an engine sets limits on the first process": (SPOILT,),
    "This table lists the attempts": (WITHOUT,),
    "Their names are those": (WITHOUT,),
    "In `tests/hostile/test_event.py` both": (EVENT,),
    "Every game is played": (EVENT,),
    "The engines look for the database": (EVENT,),
    "With limits (`max_memory`": (GREEDY,),
    "So does an engine that makes": (GREEDY,),
    "`python -m bench.misbehaving` plays": (
        "tests/play/test_misbehaving_engines.py::test_misbehaviour_costs_its_owner_the_game_and_nobody_else_anything",
        "tests/docs/test_security_page.py::test_the_page_knows_how_many_kinds_of_misbehaviour_there_are",
    ),
    # What engines say
    "gyoji shows them in many places": (NO_ACTIVE,),
    "| terminal, event log": (
        NO_ACTIVE,
        LEGIBLE,
        "tests/core/test_legible.py::test_json_stays_the_same_json",
    ),
    "| result pages": (
        NO_MARKUP,
        "tests/report/test_report_html.py::test_nothing_that_anybody_wrote_is_markup",
        "tests/report/test_report_html.py::test_its_policy_allows_its_own_script_and_style_and_nothing_else",
    ),
    "| SGF |": (f"{TEXTS}test_a_record_of_go_has_the_moves_that_were_made",),
    "| CSV |": (
        f"{TEXTS}test_no_cell_of_a_csv_file_is_a_formula",
        "tests/report/test_report_tables.py::test_csv_is_read_back_as_it_was_but_for_the_apostrophe_before_a_formula",
    ),
    "| BBCode |": ("tests/report/test_report_tables.py::test_no_cell_of_bbcode_means_anything_to_a_forum",),
    "| markdown |": (
        f"{TEXTS}test_a_markdown_table_keeps_its_columns_and_links_nowhere",
        "tests/report/test_report_tables.py::test_no_cell_of_markdown_means_anything_to_markdown",
    ),
    "`tests/hostile/test_texts.py` plays": (NO_ACTIVE,),
    # What a remote player's owner may do
    "| has a link |": (
        f"{REMOTE}test_a_link_that_is_wrong_or_not_encrypted_is_refused_before_anything_is_started",
        f"{REMOTE}test_another_seat_s_link_or_a_second_owner_is_refused",
        f"{CHEATS}test_words_for_another_player_or_another_game_do_nothing",
        f"{EVENTS}test_who_holds_a_link_that_is_taken_back_is_cut_off_and_the_new_one_is_good",
    ),
    "| claims that the network was slow |": (
        f"{CHEATS}test_a_false_figure_of_lag_is_no_message_and_counts_for_nothing",
    ),
    "| returns nonces late |": (
        f"{SEATS}test_the_longest_measured_round_trip_is_credited_and_no_figure_of_the_owner_is",
        f"{CHEATS}test_nonces_that_are_guessed_or_returned_twice_make_no_delay",
    ),
    "| connects a second time |": (f"{REMOTE}test_another_seat_s_link_or_a_second_owner_is_refused",),
    "| sends half lines": (
        f"{CHEATS}test_half_a_line_is_no_answer",
        f"{CHEATS}test_words_for_another_player_or_another_game_do_nothing",
        f"{SEATS}test_an_owner_that_breaks_the_rules_has_lost_its_engine",
    ),
    "| leaves gaps in the numbers |": (
        f"{SEATS}test_a_message_after_a_gap_is_dropped_until_those_before_it_are_there",
    ),
    "| floods, or does not read |": (
        f"{OWNERS}test_an_owner_that_reads_nothing_is_disconnected_and_no_more_is_kept",
        f"{OWNERS}test_what_an_owner_sends_is_read_at_a_bounded_rate",
        f"{CHEATS}test_a_flood_of_output_without_a_line_end_is_a_fault",
        f"{CHEATS}test_an_owner_that_says_hello_without_end_is_answered_now_and_then",
    ),
    "| learns of other players |": (f"{OWNERS}test_an_owner_is_told_of_its_own_games_only",),
    # What an event may do on an owner's machine
    "| describes the player |": (OWN_PLAYER,),
    "| sets environment variables of a game |": (OWN_VARIABLES,),
}
"""The tests of each sentence, by its beginning. A row of a table is a sentence too."""

EXPLAINED = (
    "gyoji starts programs of strangers",
    "This page says what it promises",
    "[Control files]",
    "The referee, the scheduler and the tables trust",
    "An engine runs in a **cell**",
    "A cell is the first process",
    "A program that opens a file can be made to wait",
    "What engines can do with ordinary locks",
    "(The *reaper* is a separate process",
    "If it were a set-uid program",
    "The engines are in `tests/hostile`",
    "Names, versions, comments",
    "An owner runs the engine by `gyoji join`",
    "`gyoji join` does not trust the event",
    "| sends the engine lines of its choice |",
    "An owner who does not trust the event",
)
"""Beginnings of sentences that promise nothing: they say what the page has, what a word means, or why."""


def sentences(text):
    """Every sentence and every row of a table, without what is made by programs and what promises nothing."""
    text = re.sub(r"<!-- (\w+): made by.*?<!-- end of \1 -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^## What nothing stops$.*?(?=^## |\Z)", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^#+ .*$", "\n", text, flags=re.MULTILINE)
    found = []
    for block in re.split(r"\n\n+|\n(?=[*|] ?)", text):
        if block.startswith("|"):
            found.append(block)
        else:
            plain = " ".join(block.strip().removeprefix("* ").split())
            found += re.split(r"(?<=[.!?])\s+|(?<=[.!?]\))\s+", plain)
    return [each for each in found if each and not _is_of_no_promise(each)]


def _is_of_no_promise(row):
    """Whether it is the head of a table, the line below it, or a row that explains a word."""
    words = (
        "word",
        "done",
        "own",
        "limited",
        "refused",
        "not tried",
        "who may be hostile",
        "layer",
        "where",
        "an owner",
        "an event",
    )
    heads = (*(f"| {word} |" for word in words), "| gyoji may make |")
    return row.startswith(("|---", *heads))


@cache
def names_in(path):
    """Return the names of the tests of a file, read without running it."""
    tree = ast.parse((TESTS.parent / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def uncovered(text):
    """Return the sentences of which not exactly one beginning is in the tables above."""
    beginnings = (*HELD, *EXPLAINED)
    return [each for each in sentences(text) if sum(map(each.startswith, beginnings)) != 1]


def test_every_sentence_is_held_by_one_line_and_every_line_holds_one_sentence():
    text = PAGE.read_text()
    assert uncovered(text) == []
    found = Counter(key for each in sentences(text) for key in (*HELD, *EXPLAINED) if each.startswith(key))
    assert {key: found[key] for key in (*HELD, *EXPLAINED) if found[key] != 1} == {}


@pytest.mark.parametrize("beginning", HELD)
def test_the_tests_that_hold_a_sentence_are_there(beginning):
    assert HELD[beginning]
    for each in HELD[beginning]:
        path, _, name = each.partition("::")
        assert name.startswith("test_")
        assert name in names_in(path), each


@pytest.mark.parametrize(
    ("before", "new"),
    [
        ("At `off` an engine can do", "An engine can never be late. "),
        ("\n## What engines say\n", "\n* An engine can never be late.\n"),
        ("| markdown | puts", "| XML | never says a word |\n"),
    ],
)
def test_a_sentence_without_a_test_is_noticed(before, new):
    text = PAGE.read_text()
    assert text.count(before) == 1
    assert uncovered(text.replace(before, new + before)) == [new.strip().removeprefix("* ")]


def test_the_page_knows_how_many_kinds_of_misbehaviour_there_are():
    assert f"misbehave in {len(BEHAVIOURS)} other ways" in PAGE.read_text()
