"""What contains an engine, line by line: the promise, the layer, the code that makes it, and the test that
breaks without it.

`take_away.py` removes one guard after the other and runs its test.
"""

from typing import NamedTuple

CELLS = "tests/executors/test_cells.py"
PROMISES = "tests/executors/test_promises.py"
UIDS = "tests/executors/test_uids.py"
GROUPS = "tests/executors/test_cgroups.py"
FILTERS = "tests/hostile/test_filters.py"
ALONE = "tests/executors/test_guards.py"
CONTAIN = "tests/cli/test_cli_contain.py"

CELL = "executors/contained/cell_process.py"
LAYOUT = "executors/contained/layout.py"
POLICY = "executors/contained/filesystem_policy.py"
PLANNING = "executors/contained/planning.py"
LAUNCHER = "executors/contained/launcher.py"
FILTER = "executors/filters.py"
KERNEL = "executors/kernel.py"


class Guard(NamedTuple):
    """One line of code that holds a promise.

    Attributes:
        promise: What an engine cannot do.
        layer: The layer of containment.
        file: The source file, below src/gyoji.
        line: Text that occurs once in the file.
        without: The text in its place when the guard is taken away.
        test: File and name of a test that fails then.
    """

    promise: str
    layer: str
    file: str
    line: str
    without: str
    test: str


_FLAGS = "flags = machine.namespaces & ~(kernel.CLONE_NEWNET if player.containment.network else 0)"


def _without_namespace(name: str) -> str:
    return f"flags = machine.namespaces & ~kernel.{name}"


GUARDS = (
    # Processes
    Guard(
        "reach no process but its own", "pid namespace", PLANNING, _FLAGS, _without_namespace("CLONE_NEWPID"),
        f"{ALONE}::test_an_engine_sees_its_own_processes_alone",
    ),
    Guard(
        "see no process in `/proc`", "own `/proc`", CELL,
        'kernel.mount("proc", "/proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)', "pass",
        f"{ALONE}::test_an_engine_sees_its_own_processes_alone",
    ),
    Guard(
        "look into no process", "filter: REFUSED_TO_STRANGERS", FILTER,
        "*(REFUSED_TO_STRANGERS if strict else ())", "*()",
        f"{FILTERS}::test_what_no_engine_needs_is_refused_and_to_strangers_a_look_into_processes_too",
    ),
    Guard(
        "read nothing of its cell's memory", "cell: not dumpable", CELL,
        "    kernel.hide_from_tracing()\n    kernel.gain_nothing()", "    kernel.gain_nothing()",
        f"{ALONE}::test_the_cell_of_an_engine_cannot_be_traced",
    ),
    Guard(
        "not outlive its game", "cell: kills all", CELL,
        "        if not is_empty:\n            self._kill_all()", "        pass",
        f"{CELLS}::test_all_that_an_engine_has_started_ends_with_it",
    ),
    Guard(
        "not outlive gyoji", "cell: end of file", CELL,
        "                    self._kill_all()\n                    return",
        "                    continue",
        f"{ALONE}::test_a_cell_ends_with_its_connection",
    ),
    Guard(
        "not outlive the launcher", "parent-death signal", CELL,
        '        kernel.die_with_parent()\n        _join(order["joins"])', '        _join(order["joins"])',
        f"{ALONE}::test_a_cell_dies_with_its_launcher",
    ),
    Guard(
        "not outlive the launcher, as a user of its own", "parent-death signal",
        "executors/contained/uids.py", "    kernel.die_with_parent()\n    kernel.hide_from_tracing()",
        "    kernel.hide_from_tracing()", f"{ALONE}::test_a_cell_dies_with_its_launcher",
    ),
    Guard(
        "have nothing that stands still waked by it", "filter: F_SETSIG, timer_create", FILTER,
        '*(("timer_create",) if still else ())', "*()",
        f"{CELLS}::test_who_stands_still_while_others_think_has_no_clock_to_wake_it",
    ),
    # Files
    Guard(
        "see no file of the competition", "whiteouts", LAYOUT, "        _hide(upper, hidden)", "        pass",
        f"{CELLS}::test_the_files_of_the_competition_are_out_of_sight",
    ),
    Guard(
        "remove no mark that hides a file", "mask over the layers", LAYOUT,
        '    _mask(filter(None, [view["layers"]]))', "    pass",
        f"{ALONE}::test_what_is_in_the_layers_of_an_engine_is_out_of_its_sight",
    ),
    Guard(
        "see no file of the competition elsewhere", "masks", LAYOUT,
        '_mask(path for path in view["masks"] if not any(path.startswith(f"{each}/") for each in covered))',
        "pass", f"{CELLS}::test_what_is_hidden_elsewhere_is_out_of_sight_too",
    ),
    Guard(
        "see no folder of another engine", "masks", POLICY,
        "        masks += [str(each) for each in Path(self.place).parents if SCRATCH.fullmatch(each.name)]",
        "        pass", f"{CELLS}::test_the_folders_of_other_engines_are_out_of_sight",
    ),
    Guard(
        "see no socket of services", "masks", POLICY,
        '        masks += _foreign("/") if self.is_strict else _services()',
        '        masks += _foreign("/") if self.is_strict else []',
        f"{PROMISES}::test_where_services_listen_is_out_of_sight_of_a_guarded_engine",
    ),
    Guard(
        "see at strict nothing but the system", "masks", POLICY,
        '        masks += _foreign("/") if self.is_strict else _services()', "        masks += _services()",
        f"{CELLS}::test_a_strict_engine_has_sockets_of_its_own_and_sees_nothing_but_the_system",
    ),
    Guard(
        "change no mode, owner or time of a file", "read-only mounts", LAYOUT,
        '        kernel.make_read_only("/")', "        pass",
        f"{ALONE}::test_modes_and_times_of_files_stay_as_they_are",
    ),
    Guard(
        "change no program in a folder that it may change", "read-only mounts", LAYOUT,
        '        kernel.make_read_only("/")', "        pass",
        f"{ALONE}::test_what_is_fixed_in_a_writable_folder_stays_as_it_is",
    ),
    Guard(
        "get no right from a file", "nosuid, nodev", KERNEL,
        "attributes = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | _MOUNT_ATTR_NODEV",
        "attributes = _MOUNT_ATTR_RDONLY",
        f"{CELLS}::test_what_is_mounted_gives_no_rights_and_has_no_devices_but_those_that_are_wanted",
    ),
    Guard(
        "write in the home and in `/tmp` to a copy", "private copies", LAYOUT,
        '    _lay_copies(view["copies"], copies, missing)', "    pass",
        f"{CELLS}::test_a_guarded_engine_writes_to_a_private_copy_of_its_users_home",
    ),
    Guard(
        "use no device but those it may", "own `/dev`", LAYOUT,
        '        _lay_out_devices(view["devices"])', "        pass",
        f"{CELLS}::test_what_is_mounted_gives_no_rights_and_has_no_devices_but_those_that_are_wanted",
    ),
    Guard(
        "change no file outside, where there are no namespaces", "Landlock", CELL,
        "        kernel.landlock_restrict(landlock.descriptor)", "        pass",
        f"{CELLS}::test_guarded_holds_by_landlock_alone_where_there_are_no_namespaces",
    ),
    Guard(
        "read at strict only what is named", "Landlock: reading", PLANNING,
        "    handled |= kernel.FS_READ\n", "",
        f"{ALONE}::test_a_strict_engine_reads_no_file_of_the_system_s_that_is_not_listed",
    ),
    Guard(
        "find no shared memory of an engine before it", "cell: clean-up",
        "executors/contained/ipc_cleanup.py",
        "            os.unlink(path)", "            pass",
        f"{CELLS}::test_the_next_engine_of_a_player_finds_its_cell_again_and_nothing_else",
    ),
    Guard(
        "share no memory with others", "ipc namespace", PLANNING, _FLAGS,
        _without_namespace("CLONE_NEWIPC"),
        f"{ALONE}::test_an_engine_sees_no_shared_memory_of_others",
    ),
    # System calls
    Guard(
        "make no call that no engine needs", "filter", CELL,
        '        kernel.seccomp(bytes.fromhex(plan["seccomp"]))', "        pass",
        f"{CELLS}::test_what_reaches_beyond_its_processes_is_refused",
    ),
    Guard(
        "leave no set-uid program", "filter: modes", FILTER, "*_modes(), ", "",
        f"{FILTERS}::test_no_call_sets_a_set_uid_bit_and_each_sets_all_other_modes",
    ),
    Guard(
        "have no reader wait (leases)", "filter: fcntl", FILTER, "*_files(still=still), ", "",
        f"{FILTERS}::test_no_command_of_fcntl_makes_the_readers_of_a_file_wait",
    ),
    Guard(
        "use no family of sockets but four", "filter: sockets", FILTER, "*_sockets(), ", "",
        f"{FILTERS}::test_only_families_and_protocols_that_a_program_needs_are_to_be_had",
    ),
    Guard(
        "change no limit of its cell", "filter: processes", FILTER, ", *_processes(alone=alone)]", "]",
        f"{CELLS}::test_what_reaches_beyond_its_processes_is_refused",
    ),
    Guard(
        "make no call whose orders are in memory", "filter: ABSENT", FILTER,
        "*_answers(ABSENT, _ENOSYS), ", "",
        f"{FILTERS}::test_calls_whose_orders_are_in_memory_and_calls_not_judged_yet_do_not_exist",
    ),
    Guard(
        "make no call that is not judged yet", "filter: NEWEST", FILTER,
        "    steps += [(_AT_LEAST, 0, 1, NEWEST + 1), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]\n", "",
        f"{FILTERS}::test_calls_whose_orders_are_in_memory_and_calls_not_judged_yet_do_not_exist",
    ),
    Guard(
        "make no call by another table", "filter: machine", FILTER,
        "        (_RETURN, 0, 0, _KILL),\n        (_LOAD, 0, 0, _NUMBER),",
        "        (_RETURN, 0, 0, _ALLOW),\n        (_LOAD, 0, 0, _NUMBER),",
        f"{FILTERS}::test_calls_by_another_table_end_the_process",
    ),
    # Rights
    Guard(
        "have no capability", "capabilities", CELL, "    kernel.drop_capabilities()", "    pass",
        f"{PROMISES}::test_no_engine_and_no_program_that_it_starts_has_a_capability",
    ),
    Guard(
        "gain no right by a program", "no_new_privs", CELL, "    kernel.gain_nothing()", "    pass",
        f"{PROMISES}::test_no_engine_and_no_program_that_it_starts_has_a_capability",
    ),
    Guard(
        "be another user than root and than others", "uid of its own", CELL,
        "        uids.become(user, users.of_processes)", "        pass",
        f"{UIDS}::test_engines_of_root_are_one_user_each_and_root_to_themselves",
    ),
    Guard(
        "get no secret of the user", "environment", "core/environment.py",
        "if name == RUN or not is_secret(name, value)", "if True",
        "tests/core/test_environment.py::test_a_player_adds_to_its_environment_and_takes_away_but_not_the_mark_of_its_run",
    ),
    # Network
    Guard(
        "reach no network", "network namespace", PLANNING, _FLAGS, _without_namespace("CLONE_NEWNET"),
        f"{PROMISES}::test_an_engine_has_nothing_but_loopback_unless_its_player_may_use_the_network",
    ),
    # Limits
    Guard(
        "have limits from its first instruction on", "limits of a process", CELL,
        '        _limit(each for each in order["limits"] if each[0] != _FILES)', "        pass",
        f"{CELLS}::test_a_crash_starts_no_program_of_the_machine_and_no_priority_is_above_others",
    ),
    Guard(
        "have fewer descriptors in flight than gyoji", "limit of open files", CELL,
        '        _limit(each for each in order["limits"] if each[0] == _FILES)', "        pass",
        f"{PROMISES}::test_an_engine_and_its_first_child_may_open_fewer_files_than_gyoji_and_at_strict_small_ones",
    ),
    Guard(
        "leave no process outside its control group", "control group", CELL,
        '        _join(order["joins"])', "        pass",
        f"{GROUPS}::test_who_leaps_over_its_limit_of_memory_is_ended_and_its_next_engine_is_not_blamed",
    ),
    Guard(
        "have no more memory than `max_memory`", "control group: memory", "executors/contained/cgroups.py",
        '            self._write("memory", names[0], memory)', "            pass",
        f"{GROUPS}::test_a_group_is_limited_and_counted_by_the_files_of_its_version",
    ),
    Guard(
        "have no more processes than its level allows", "control group: pids",
        "executors/contained/cgroups.py", '            self._write("pids", "pids.max", processes)',
        "            pass",
        f"{GROUPS}::test_a_group_is_limited_and_counted_by_the_files_of_its_version",
    ),
    # What is refused
    Guard(
        "not play where its level cannot be had", "refusal", PLANNING, "    _check(player, machine)\n", "",
        f"{CELLS}::test_strict_is_refused_where_the_machine_cannot_hold_it",
    ),
    Guard(
        "not play under another manager where its level cannot be had", "refusal", "cli/containing.py",
        "        _check(executor, containment.level)\n", "",
        f"{CONTAIN}::test_a_machine_that_cannot_keep_the_promise_starts_nothing",
    ),
    Guard(
        "leave nothing when another manager kills it", "launcher that outlives", LAUNCHER,
        "    os.setsid()  # a signal", "    pass  # a signal",
        f"{CONTAIN}::test_nothing_is_left_of_it_when_its_manager_kills_it",
    ),
)  # fmt: skip
